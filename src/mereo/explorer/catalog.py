"""The datasets that are looked into: which there are, what is wrong with them, and one scene of them at a time."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from mereo.datasets.asked import load_questions
from mereo.datasets.inspector import Inspector
from mereo.datasets.predictions import Prediction, find_prediction
from mereo.datasets.sights import Sights, open_sights
from mereo.errors import BadInput, MereoError, UnknownName
from mereo.evaluation.result import Result
from mereo.evaluation.runs import RESULT, SIGHTS, list_runs, predictions_of, rejudge, run_folder
from mereo.explorer.bases import Bases
from mereo.explorer.index import Index, literal_path
from mereo.explorer.opened import Opened, open_folders
from mereo.files import read_json
from mereo.questions.guessing import Guesser
from mereo.workbench.guessing import guesser_of, learned_language
from mereo.world import World

__all__ = ["Catalog", "Opened", "Run"]

RIGHT = 0.5
"""The least score of a right answer; the marks of referring expressions lie between 0 and 1."""


@dataclass(frozen=True)
class Run:
    """An evaluated run beside a dataset."""

    name: str
    result: Result | None = None
    fault: str | None = None


@dataclass
class Catalog:
    """The opened datasets; a broken one says so and leaves the others alone."""

    folders: Sequence[Path]
    progress: Callable[[int], None] = lambda shards: None
    """Called with the number of shards that were opened since the last time."""
    index: Index = field(default_factory=Index, repr=False)
    knowledge: Sequence[Path] = ()
    """Files of knowledge to look into as well."""
    parser: Path | None = None
    """A trained run, whose parser guesses at questions that cannot be read."""
    datasets: list[Opened] = field(init=False)
    bases: Bases = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self.datasets = open_folders(self.folders, self.index, self.progress)
        self.bases = Bases(self.datasets, self.knowledge)
        self._judging = threading.Lock()
        self._judged: set[tuple[int, str]] = set()
        self._row = lru_cache(maxsize=32)(self._read_row)
        self._world = lru_cache(maxsize=64)(self._make_world)

    def dataset(self, number: int) -> Opened:
        """The dataset of this number, if it can be used."""
        if not 0 <= number < len(self.datasets):
            raise UnknownName("dataset", number, map(str, range(len(self.datasets))))
        opened = self.datasets[number]
        if opened.fault is not None:
            raise BadInput(opened.fault)
        return opened

    def inspector(self, dataset: int) -> Inspector:
        """Who knows what the rows of a dataset mean."""
        return self.dataset(dataset).eye

    def scene_row(self, dataset: int, scene_id: str) -> dict[str, Any]:
        """All columns of a scene."""
        return self._row(dataset, scene_id)

    def around(self, dataset: int, scene_id: str) -> tuple[str | None, str | None]:
        """The ids of the scenes before and after one, None at the ends."""
        self._file_of(dataset, scene_id)
        query = """SELECT before, after FROM (
            SELECT scene_id, lag(scene_id) OVER order_of AS before, lead(scene_id) OVER order_of AS after
            FROM scenes WHERE dataset = ? WINDOW order_of AS (ORDER BY scene)) WHERE scene_id = ?"""
        before, after = self.index.rows(query, [dataset, scene_id])[0]
        return before, after

    def pictured(self, dataset: int, scene_ids: Sequence[str]) -> dict[str, bool]:
        """Which of the scenes have pictures; those that do not exist are left out."""
        query = "SELECT scene_id, pictured FROM scenes WHERE dataset = ? AND scene_id IN (SELECT unnest(?))"
        return dict(self.index.rows(query, [dataset, list(scene_ids)]))

    def columns(self, dataset: int, scene_ids: Iterable[str], columns: Sequence[str]) -> dict[str, dict[str, Any]]:
        """Some columns of several scenes, by id; those of one shard are read at once."""
        self.dataset(dataset)
        wanted = list(scene_ids)
        found: dict[str, dict[str, Any]] = {}
        files = self.index.rows(
            "SELECT file, list(scene_id) FROM scenes WHERE dataset = ? AND scene_id IN (SELECT unnest(?)) GROUP BY 1",
            [dataset, wanted],
        )
        for file, ids in files:
            query = f"SELECT {', '.join(columns)}, scene_id FROM read_parquet(?) WHERE scene_id IN (SELECT unnest(?))"
            for record in self._read(file, query, ids):
                found[record.pop("scene_id")] = record
        return found

    def world(self, dataset: int, row: Mapping[str, Any]) -> World:
        """The world that a scene row tells of."""
        return self._world(dataset, row["scene_id"])

    def worlds(self, dataset: int, scene_ids: Sequence[str]) -> dict[str, tuple[Mapping[str, Any], World | None]]:
        """The rows and worlds of several scenes, which is faster than one by one; None where a record is damaged."""
        opened = self.dataset(dataset)
        found: dict[str, tuple[Mapping[str, Any], World | None]] = {}
        for scene_id, columns in self.columns(dataset, scene_ids, ["*"]).items():
            row = {**columns, "scene_id": scene_id}
            try:
                found[scene_id] = row, opened.world(row)
            except MereoError:
                found[scene_id] = row, None
        return found

    def instances(self, dataset: int, row: Mapping[str, Any]) -> list[list[int]]:
        """For each entity the numbers of the part instances that show it; empty without pictures."""
        opened = self.dataset(dataset)
        if opened.manifest is None or not (row.get("instances") or row.get("entities")):
            return []
        world = self.world(dataset, row)
        if not row.get("instances"):
            return [[entity + 1] for entity in range(len(world))]
        return [list(numbers) for numbers in opened.eye.instances(row, world)]

    def questions(self, dataset: int, scene_id: str) -> list[dict[str, Any]]:
        """The questions about a scene, with all their columns, in the dataset's order."""
        opened = self.dataset(dataset)
        file = self._file_of(dataset, scene_id)
        beside = f"questions/{Path(file).name}"
        files = opened.manifest.files if opened.manifest else {}
        found: list[dict[str, Any]] = []
        for name in [beside] if beside in files else sorted(files):
            if name.startswith("questions/") and not any(name in reason for reason in opened.damaged):
                query = "SELECT * FROM read_parquet(?) WHERE scene_id = ?"
                found += self._read(str(opened.folder / name), query, scene_id)
        return sorted(found, key=lambda row: row["question_id"])

    def guesser(self, language: str) -> Guesser | None:
        """Who guesses at questions in a language that cannot be read, if somebody does."""
        if self.parser is None or learned_language(self.parser) != language:
            return None
        return guesser_of(self.parser, language)

    def run_names(self, dataset: int) -> list[str]:
        """The names of the runs that are kept beside a dataset."""
        return list_runs(self.dataset(dataset).folder)

    def runs(self, dataset: int) -> list[Run]:
        """The runs with their results."""
        folder = self.dataset(dataset).folder
        found = []
        for name in self.run_names(dataset):
            path = run_folder(folder, name) / RESULT
            try:
                found.append(Run(name, result=read_json(path, type=Result)))
            except MereoError as error:
                found.append(Run(name, fault=str(error)))
        return found

    def judge(self, dataset: int, run: str) -> None:
        """See to it that the marks of a run can be filtered by: `right`, `wrong` or `unanswered`."""
        with self._judging:
            if (dataset, run) in self._judged:
                return
            opened = self.dataset(dataset)
            if opened.benchmark is None or run not in self.run_names(dataset):
                raise UnknownName("run", run, self.run_names(dataset))
            asked = load_questions(opened.folder)
            judged = rejudge(asked, run, judging=opened.benchmark.judging)
            scores, answered = judged.marks.main, judged.marks.answered
            marks = [
                "unanswered" if not given else "right" if score >= RIGHT else "wrong"
                for score, given in zip(scores.tolist(), answered.tolist(), strict=True)
            ]
            said = [None if one is None or one.answer is None else str(one.answer) for one in judged.predictions.given]
            columns = {"question_id": judged.asked.ids, "mark": marks, "said": pa.array(said, pa.string())}
            self.index.add_marks(run, dataset, pa.table(columns))
            self._judged.add((dataset, run))

    def answer(self, dataset: int, run: str, question_id: str) -> tuple[str, str | None]:
        """How a run did on a question, and what it said."""
        self.judge(dataset, run)
        query = """SELECT mark, said FROM marks JOIN questions USING (number) JOIN scenes USING (scene)
                   WHERE run = ? AND dataset = ? AND question_id = ?"""
        for mark, said in self.index.rows(query, [run, dataset, question_id]):
            return mark, said
        return "not judged", None

    def prediction(self, dataset: int, run: str, question_id: str) -> Prediction | None:
        """What a run said to a question, with all that it told."""
        path = predictions_of(run_folder(self.dataset(dataset).folder, run))
        if path is None:
            raise UnknownName("run", run, self.run_names(dataset))
        return find_prediction(path, question_id)

    def sights(self, dataset: int, run: str) -> Sights | None:
        """What is kept of what a run saw and where it looked; None where nothing is."""
        opened = self.dataset(dataset)
        path = run_folder(opened.folder, run) / SIGHTS
        return open_sights(path, dataset=opened.fingerprint) if path.exists() else None

    def _file_of(self, dataset: int, scene_id: str) -> str:
        """The shard that a scene lies in."""
        self.dataset(dataset)
        for (file,) in self.index.rows(
            "SELECT file FROM scenes WHERE dataset = ? AND scene_id = ?", [dataset, scene_id]
        ):
            return str(file)
        raise BadInput(f"dataset {dataset} has no scene '{scene_id}'")

    def _read_row(self, dataset: int, scene_id: str) -> dict[str, Any]:
        file = self._file_of(dataset, scene_id)
        rows = self._read(file, "SELECT * FROM read_parquet(?) WHERE scene_id = ?", scene_id)
        if not rows:
            raise BadInput(f"has no scene '{scene_id}' any more", file=file)
        return rows[0]

    def _make_world(self, dataset: int, scene_id: str) -> World:
        return self.dataset(dataset).world(self.scene_row(dataset, scene_id))

    def _read(self, file: str, query: str, value: Any) -> list[dict[str, Any]]:
        try:
            return self.index.records(query, [literal_path(file), value])
        except duckdb.Error as error:
            raise BadInput(f"cannot be read ({str(error).splitlines()[0]})", file=file) from None
