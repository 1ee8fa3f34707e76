"""Checking a dataset against itself: every checksum, program, mask and rule that it claims to keep."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from mereo.datasets.answers import plain_answer, stored_answer
from mereo.datasets.gates import Gate, Watch
from mereo.datasets.inspector import UNREADABLE, Inspector
from mereo.datasets.shards import read_shard
from mereo.datasets.store import Manifest, checksum, open_dataset
from mereo.errors import BadInput, MereoError, MissingExtra
from mereo.programs import compile_program
from mereo.questions.rules import Tally
from mereo.sheets import Sheet

__all__ = ["Audit", "audit_dataset", "entropy"]


class Audit(NamedTuple):
    """What an audit looked at and found."""

    scenes: int
    questions: int
    complaints: list[str]
    answers: dict[str, Counter[str]]
    """How often each answer occurs, by subtype."""
    gates: list[Gate]
    """Figures of the whole set, with their bounds."""
    sheets: list[Sheet]
    """What the set holds, as far as its benchmark has tables of that."""

    @property
    def summary(self) -> str:
        """The outcome in one line."""
        verdict = f"{len(self.complaints):,} complaints" if self.complaints else "nothing is wrong"
        missed = sum(gate.met is False and not gate.truth for gate in self.gates)
        gates = "a gate of balance is" if missed == 1 else f"{missed} gates of balance are"
        but = f", but {gates} not met" if missed else ""
        return f"{self.scenes:,} scenes and {self.questions:,} questions: {verdict}{but}"


def audit_dataset(
    folder: str | Path,
    inspector: Inspector,
    *,
    pictures: bool = True,
    progress: Callable[[int], None] = lambda scenes: None,
) -> Audit:
    """Check a whole dataset. pictures : whether these, too, which take most of the time; progress : for every scene"""
    folder = Path(folder)
    manifest = open_dataset(folder)
    audit = Audit(sum(manifest.scenes.values()), sum(manifest.questions.values()), [], {}, [], [])
    watches = inspector.watches(pictures=pictures)
    audit.complaints.extend(_files(folder, manifest))
    there: dict[str, Counter[bool]] = {split: Counter() for split in manifest.asked}
    seen: dict[Hashable, str] = {}
    families: dict[tuple[str, int | str], str] = {}
    for name in manifest.files:
        if not name.startswith("scenes/"):
            continue
        try:
            scenes = read_shard(folder / name).to_pylist()
            questions = read_shard(folder / "questions" / name.removeprefix("scenes/")).to_pylist()
        except BadInput as error:
            audit.complaints.append(str(error))
            there = {}
            continue
        ours = not (manifest.settings.get("imported") or manifest.settings.get("subset"))
        looked = _shard(scenes, questions, inspector, watches, audit.answers, progress, ours=ours, pictures=pictures)
        audit.complaints.extend(looked)
        audit.complaints.extend(_crossings(scenes, inspector, seen, families))
        for row in scenes:
            if row["split"] in there:
                there[row["split"]][bool(_readable(inspector.asked_again, row))] += 1
    audit.complaints.extend(_missing(manifest, there))
    audit.gates.extend(gate for watch in watches for gate in watch.gates())
    audit.sheets.extend(sheet for watch in watches for sheet in watch.sheets())
    audit.complaints.extend(complaint for gate in audit.gates if (complaint := gate.complaint()))
    return audit


def _missing(manifest: Manifest, there: Mapping[str, Counter[bool]]) -> Iterator[str]:
    """Splits that hold other scenes than were asked for.

    there : the scenes of each split, where all could be counted, by whether they belong to another one. These come with
    it where scenes are made, and are asked for like all others where scenes are given.
    """
    without = Counter(one.split for one in manifest.left_out)
    for split, count in there.items():
        wanted = manifest.asked[split] - without[split]
        if wanted not in (count[False], count.total()):
            asked = f"{manifest.asked[split]:,} scenes were asked for"
            yield f"{split}: {asked}, but {count[False]:,} are there and {without[split]:,} left out"


def _files(folder: Path, manifest: Manifest) -> Iterator[str]:
    for name, record in manifest.files.items():
        path = folder / name
        if not path.exists():
            yield f"{name}: the file is missing"
        elif path.stat().st_size != record.bytes or checksum(path) != record.sha256:
            yield f"{name}: the content is not what dataset.json says"
    listed = set(manifest.files)
    for path in sorted(folder.glob("*/*.parquet")):
        if path.relative_to(folder).as_posix() not in listed:
            yield f"{path.relative_to(folder).as_posix()}: dataset.json does not know this file"


def _shard(
    scenes: list[dict[str, Any]],
    questions: list[dict[str, Any]],
    inspector: Inspector,
    watches: Sequence[Watch],
    answers: dict[str, Counter[str]],
    progress: Callable[[int], None],
    *,
    ours: bool,
    pictures: bool,
) -> Iterator[str]:
    """Scenes with their questions, in the order in which these were asked; what is wrong is left out of figures.

    ours : whether by our templates and rules
    """
    asked: dict[str, list[dict[str, Any]]] = {}
    for question in questions:
        asked.setdefault(question["scene_id"], []).append(question)
        answers.setdefault(question["subtype"], Counter())[question["answer"]] += 1
    tallies = {title: Tally(tuple(map(plain_answer, domain))) for title, domain in inspector.answers().items()}
    number = 0
    for row in scenes:
        own = asked.pop(row["scene_id"], [])
        again = _readable(inspector.asked_again, row)
        if not again:
            if number % inspector.rules.window == 0:
                for tally in tallies.values():
                    tally.clear()
            number += 1
        wrong = [*_questions(row, own, inspector, tallies if ours and tallies and not again else None)]
        if pictures:
            wrong += _pictures(row, inspector)
        yield from wrong or _watched(row, own, watches)
        progress(1)
    for scene_id in asked:
        yield f"{scene_id}: there are questions about this scene, but it is not in the shard"


def _watched(row: Mapping[str, Any], questions: list[dict[str, Any]], watches: Sequence[Watch]) -> Iterator[str]:
    """Let all watches look at a scene, which may be damaged where only they do."""
    try:
        for watch in watches:
            watch.look(row, questions)
    except MissingExtra:
        raise
    except UNREADABLE as error:
        yield f"{row['scene_id']}: what is noted of it and its questions cannot be read ({error})"


def _readable(look: Callable[[Mapping[str, Any]], Any], row: Mapping[str, Any]) -> Any:
    """What is found in a row; nothing where it is damaged, which is told once, where its world is made."""
    try:
        return look(row)
    except MissingExtra:
        raise
    except UNREADABLE:
        return None


def _pictures(row: Mapping[str, Any], inspector: Inspector) -> Iterator[str]:
    try:
        for complaint in inspector.picture(row):
            yield f"{row['scene_id']}: {complaint}"
    except MissingExtra:
        raise
    except UNREADABLE as error:
        yield f"{row['scene_id']}: its pictures cannot be read ({error})"


def _questions(
    row: Mapping[str, Any], questions: list[dict[str, Any]], inspector: Inspector, tallies: Mapping[str, Tally] | None
) -> Iterator[str]:
    try:
        world = inspector.world(row)
    except UNREADABLE as error:
        yield f"{row['scene_id']}: the scene cannot be read ({error})"
        return
    texts: set[str] = set()
    for question in questions:
        name = question["question_id"]
        try:
            trace = compile_program(question["program"], inspector.language)(world)
        except MereoError as error:
            yield f"{name}: {error}"
            continue
        answer = stored_answer(trace.values[-1], trace.executable.types[-1])
        if answer != question["answer"]:
            yield f"{name}: the program gives {answer}, the dataset says {question['answer']}"
        if trace.referred() != question["referred"]:
            yield f"{name}: a step refers to other entities than the dataset says"
        if question["question"] in texts:
            yield f"{name}: the same question is asked twice of one scene"
        texts.add(question["question"])
        if tallies is None:
            continue
        tally = tallies.get(question["template"])
        if tally is None:
            yield f"{name}: there is no template {question['template']}"
        elif question["answer"] not in tally.counts:
            yield f"{name}: {question['answer']} is no answer of {question['template']}"
        else:
            if question["answer"] not in tally.welcome(inspector.rules):
                yield f"{name}: {question['template']} gave this answer too often to be flat"
            tally.add(question["answer"])


def _crossings(
    scenes: Iterable[Mapping[str, Any]],
    inspector: Inspector,
    seen: dict[Hashable, str],
    families: dict[tuple[str, int | str], str],
) -> Iterator[str]:
    """Scenes that stand in two places, and shape families that cross splits which must not share any."""
    for row in scenes:
        twin = _readable(inspector.twin, row)
        if twin is not None and twin in seen:
            yield f"{row['scene_id']}: the same scene as {seen[twin]}"
        seen[twin] = row["scene_id"]
        for family in _readable(lambda row: [*inspector.families(row)], row) or ():
            split = families.setdefault(family, row["split"])
            if inspector.owner(split) != inspector.owner(row["split"]):
                yield f"{row['scene_id']}: family {family[1]} of {family[0]} is in {split} too"


def entropy(counts: Counter[str]) -> float:
    """Bits per answer of a distribution of answers."""
    shares = np.array(list(counts.values()), float) / sum(counts.values())
    return abs(float((shares * np.log2(shares)).sum()))
