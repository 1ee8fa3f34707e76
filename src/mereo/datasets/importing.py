"""Importing official files as a dataset of our own, so that everything here works on them too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from pathlib import Path
from typing import Any

import msgspec
import pyarrow as pa

from mereo.datasets.answers import stored_answer
from mereo.datasets.build import Rows
from mereo.datasets.format import Format, OfficialSplit, QuestionRecord, SceneRecord
from mereo.datasets.picture_bytes import open_picture
from mereo.datasets.rows import append, new_columns
from mereo.datasets.scene_index import SceneIndex
from mereo.datasets.store import IMAGE_FIELDS, QUESTION_FIELDS, SCENE_FIELDS, Shard, checksum
from mereo.errors import BadInput, MereoError
from mereo.files import read_bytes
from mereo.names import inside, plain_name
from mereo.programs import Trace, compile_program
from mereo.world import World

__all__ = ["IMPORTED_FIELDS", "ImportRecipe", "OfficialFiles", "read_official"]

IMPORTED_FIELDS = QUESTION_FIELDS.append(pa.field("official", pa.string()))
"""The columns of questions and one more: the question's record as it stood in its file, to be exported again."""


@dataclass
class OfficialFiles:
    """Official files, read: scenes by split, the questions of each scene, and what had to be left out."""

    scenes: dict[str, list[SceneRecord]] = field(default_factory=dict)
    questions: dict[tuple[str, str], list[QuestionRecord]] = field(default_factory=dict)
    """By the key of their scene."""
    complaints: list[str] = field(default_factory=list)
    scenes_left_out: int = 0
    questions_left_out: int = 0
    sources: dict[str, dict[str, Any]] = field(default_factory=dict)
    """Which files they are: name, size and checksum."""


def read_official(
    splits: Sequence[OfficialSplit],
    form: Format,
    *,
    images: Path | None = None,
    strict: bool = False,
    progress: Callable[[int], None] = lambda scenes: None,
) -> OfficialFiles:
    """Read scenes and questions, leaving out those that are not what they must be, or if strict, stopping there.

    A question about a scene that is left out is left out with it; one about a scene that was never there means that
    the files do not belong together, and is an error in any case.

    images : where the pictures lie; a scene without one is left out · progress : called for every scene
    """
    files = OfficialFiles()
    for own in splits:
        given = {"scenes": own.scenes, "questions": own.questions, **{path.stem: path for path in own.more}}
        told = {kind: _source(path) for kind, path in given.items() if path is not None}
        files.sources |= told if len(splits) == 1 else {own.split or own.scenes.stem: told}
        _read_split(own, form, files, images=images, strict=strict, progress=progress)
    if not files.scenes:
        first = files.complaints[0] if files.complaints else "there is none"
        raise BadInput(f"not one scene can be imported: {first}")
    return files


def _source(path: Path) -> dict[str, Any]:
    """What is to be the same when an import goes on: a file, or all those of a folder, by content."""
    if not path.is_dir():
        data = read_bytes(path)
        return {"name": path.name, "bytes": len(data), "sha256": sha256(data).hexdigest()}
    sums = {one.relative_to(path).as_posix(): checksum(one) for one in sorted(path.rglob("*.json"))}
    digest = sha256("".join(f"{name} {one}\n" for name, one in sums.items()).encode()).hexdigest()
    return {"name": path.name, "files": len(sums), "sha256": digest}


def _read_split(
    own: OfficialSplit,
    form: Format,
    files: OfficialFiles,
    *,
    images: Path | None,
    strict: bool,
    progress: Callable[[int], None],
) -> None:
    unreadable = set[str]()

    def leave_out(error: BadInput) -> None:
        if strict:
            raise error
        files.scenes_left_out += 1
        files.complaints.append(str(error))
        unreadable.add(Path(str(error.file)).stem)

    records = form.scenes(own.scenes, complain=leave_out)
    if own.split is not None:
        records = [record._replace(split=own.split) for record in records]
    asked: dict[str, list[QuestionRecord]] = {}
    for path in (own.questions, *own.more):
        if path is not None:
            _ask(asked, path, form, SceneIndex(records), unreadable, files)
    for record in records:
        about = asked.get(record.called[0], [])
        try:
            plain_name(record.split, file=record.file, record=record.name, field="split")
            form.check(record)
            world = form.world(record)
            if images is not None:
                check_picture(picture_path(images, record))
        except BadInput as error:
            leave_out(error)
            files.questions_left_out += len(about)
        else:
            files.scenes.setdefault(record.split, []).append(record)
            files.questions[record.key] = _sound(about, world, form, files, strict=strict)
        progress(1)


def picture_path(images: Path, record: SceneRecord) -> Path:
    """Where the picture of a scene lies: in the folder itself, or in that of its split."""
    name = record.image or record.called[0]
    split = (images / record.split).is_dir() and not (images / name).exists()
    name = f"{record.split}/{name}" if split else name
    return inside(images, name, file=record.file, record=record.name, field="image_filename")


def check_picture(path: Path) -> None:
    """Complain of a picture that is not there, or cannot be shown."""
    data = read_bytes(path)
    try:
        with open_picture(data) as image:
            image.verify()
    except BadInput as error:
        raise error.within(file=path) from None


def _ask(
    found: dict[str, list[QuestionRecord]],
    questions: Path,
    form: Format,
    scenes: SceneIndex,
    unreadable: set[str],
    files: OfficialFiles,
) -> None:
    """Add the questions of a file to those of each scene."""
    for question in form.questions(questions):
        try:
            scene = scenes.find(question)
        except BadInput as error:
            if Path(question.about).stem in unreadable:
                files.questions_left_out += 1
                continue
            raise BadInput(error.reason, file=question.file, record=question.name) from None
        found.setdefault(scene.called[0], []).append(question)


def _sound(
    asked: list[QuestionRecord], world: World, form: Format, files: OfficialFiles, *, strict: bool
) -> list[QuestionRecord]:
    """The questions whose programs run."""
    sound = []
    for one in asked:
        try:
            form.columns(one, run_question(one, world, form))
        except MereoError as error:
            known = error if isinstance(error, BadInput) else BadInput(str(error))
            complaint = known.within(file=one.file, record=one.name)
            if strict:
                raise complaint from None
            files.questions_left_out += 1
            files.complaints.append(str(complaint))
        else:
            sound.append(one)
    return sound


def run_question(question: QuestionRecord, world: World, form: Format) -> Trace:
    """Run a question's program, its steps in the order in which the line that is stored has them."""
    return compile_program(form.program(question).canonical(), form.language)(world)


@dataclass(frozen=True)
class ImportRecipe:
    """A build whose scenes and questions are somebody else's."""

    files: OfficialFiles
    form: Format
    benchmark: str
    images: Path | None = None
    seed: int = 0
    piecemeal: bool = False
    question_fields: pa.Schema = IMPORTED_FIELDS

    @property
    def scene_fields(self) -> pa.Schema:
        """The columns of scene shards."""
        return IMAGE_FIELDS if self.images else SCENE_FIELDS

    def settings(self) -> dict[str, Any]:
        """That it is imported, and in which language its questions are."""
        chosen = {"imported": True, "language": self.form.language.name, "pictures": self.images is not None}
        sources = {**self.files.sources, **({"images": self._pictures(self.images)} if self.images else {})}
        return {**chosen, "files": sources}

    def _pictures(self, folder: Path) -> dict[str, Any]:
        """Which pictures are taken. By name and size: there may be many gigabytes of them."""
        wanted = [picture_path(folder, record) for records in self.files.scenes.values() for record in records]
        there = {str(path.relative_to(folder)): path.stat().st_size for path in wanted if path.is_file()}
        listed = "".join(f"{name} {size}\n" for name, size in sorted(there.items()))
        digest = sha256(listed.encode()).hexdigest()
        return {"name": folder.name, "files": len(there), "bytes": sum(there.values()), "sha256": digest}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """One scene as it stands in the file."""
        record = self.files.scenes[split][index]
        row = {
            "scene_id": f"{split}-{index:06d}",
            "split": split,
            "index": index,
            "objects": self.form.world(record).objects.bit_count(),
            "scene": msgspec.json.encode(self.form.record(record)).decode(),
        }
        if self.images:
            path = picture_path(self.images, record)
            row["image"] = {"bytes": read_bytes(path), "path": path.name}
        return row

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        """Scenes and their questions, each run once so that every step's referents are known."""
        rows = Rows(new_columns(self.scene_fields), new_columns(self.question_fields))
        for row in scenes:
            append(rows.scenes, row)
            record = self.files.scenes[shard.split][row["index"]]
            world = self.form.world(record)
            for number, question in enumerate(self.files.questions.get(record.key, [])):
                trace = run_question(question, world, self.form)
                plain = imported_row(question, trace, self.form, row["scene_id"], shard.split, number)
                append(rows.questions, {**plain, **self.form.columns(question, trace)})
        return rows


def imported_row(
    question: QuestionRecord, trace: Trace, form: Format, scene_id: str, split: str, number: int
) -> dict[str, Any]:
    """A question of others as a row of ours."""
    ours, theirs = (trace.values[-1], trace.executable.types[-1]), question.answer
    return {
        "question_id": f"{scene_id}-{number:02d}",
        "scene_id": scene_id,
        "split": split,
        "question": question.text,
        "program": str(trace.executable.program),
        "answer": stored_answer(*ours) if theirs is msgspec.UNSET else stored_answer(theirs),
        "referred": trace.referred(),
        "official": question.record,
        **form.kind(question, trace.executable.program),
    }
