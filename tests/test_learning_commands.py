"""What people use of learning: the zoo, training, asking what was trained, and published tables made again.

The rows here are small and learn in a second; those of the zoo have tests of their own.
"""

from __future__ import annotations

import csv
import json
import re
import shutil
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import mereo
from kit import ROOT, CommandLine, complaint
from mereo.benchmarks.clevr import benchmark as clevr
from mereo.benchmarks.ptr import benchmark as ptr
from mereo.benchmarks.ptr.learning.studies import ptr_studies
from mereo.benchmarks.ptr.questions import TYPES
from mereo.datasets.asked import load_questions
from mereo.datasets.predictions import Header, Prediction, read_header, write_predictions
from mereo.datasets.sights import Looks, open_sights
from mereo.datasets.workers import LocalCrew
from mereo.errors import BadInput
from mereo.evaluation.intervals import Mean
from mereo.evaluation.result import ScoredRow, ScoredTable
from mereo.evaluation.runs import list_runs
from mereo.training.learning import MAIN, Arm, Column, Data, Learning, Scale, Study
from mereo.training.recipe import Recipe
from mereo.training.row import Desk, Row
from mereo.training.zoo import asking_row
from mereo.workbench import rows
from mereo.workbench.learning import check_needs, train
from mereo.workbench.looking import look
from mereo.workbench.reproduced_files import read_reproduced, tables_of
from mereo.workbench.reproducing import _side_by_side
from mereo.workbench.studies import cost_of, plan_reproduction

torch = pytest.importorskip("torch")
PLUGIN = Path(__file__).with_name("sample_plugin")


def yes(desk: Desk, split: str) -> Iterator[Prediction]:
    """Says yes, or what was chosen, to everything."""
    for name in desk.corpus.questions(split, desk.lexicon).ids:
        yield Prediction(name, str(desk.choices.get("word", "yes")))


def row(name: str, *needs: str, **more: Any) -> Row:
    return Row(name, f"the row {name}", needs, ("answers",), "/", stages=(), answer=yes, **more)


def looked(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks]:
    """Looks at nothing but the id of the question."""
    ids = desk.corpus.questions(split, desk.lexicon).ids
    for place in places:
        yield Looks(ids[place], np.full((1, 2, 2), 255, np.uint8), (0.25,), (ids[place],))


STUBS = {
    "shower": row("shower", "answers", show=looked),
    "yes": row("yes", "answers", choices={"word": "yes", "loud": False, "times": 1, "share": 0.5}),
    "looker": row("looker", "pictures", "masks"),
    "parser": row("parser", "programs"),
}
STUDY = Study(
    name="toy",
    about="how far habit goes",
    arms=(
        Arm("yes", "Yes"),
        Arm("habit", "Habit", choices={"width": 8}),
        Arm("yes", "No", asked={"word": "no"}),
        Arm("yes", "Yes, half", data="half"),
        Arm("yes", "Yes, elsewhere", data="other", tested=MAIN),
    ),
    scales={
        "tiny": Scale(
            "a few",
            {"split": "train=12,test=4", "symbolic": True, "questions_per_scene": 5},
            minutes=0.05,
            choices={"habit": {"width": 4, "rate": 0.01}},
        ),
        "full": Scale("many", {"split": "train=36000,test=7200", "symbolic": True}, 30.0, "a cluster", 10.0, 0.5),
    },
    data={"half": Data(share=0.5), "other": Data({"questions_per_scene": 2}, share=0.25)},
    published={"Yes": {"All": 28.4}, "Human": {"All": 96.2}},
    base="Yes",
    note="Of no weight.",
)


@pytest.fixture(autouse=True)
def zoo(monkeypatch: pytest.MonkeyPatch) -> None:
    """The rows of this file instead of the zoo's, one of CLEVR's own, one from a package, and a study of CLEVR."""
    monkeypatch.syspath_prepend(PLUGIN)
    monkeypatch.setattr("mereo.training.device.use_cores", lambda: None)  # other tests want theirs
    monkeypatch.setattr("mereo.training.zoo.all_rows", lambda: STUBS)
    learning = Learning(rows=(row("solids", "answers"),), studies=(STUDY,))
    monkeypatch.setattr(clevr, "BENCHMARK", replace(clevr.BENCHMARK, learning=lambda: learning))
    rooms = Learning(rows=(row("rooms", "answers"),))
    monkeypatch.setattr(ptr, "BENCHMARK", replace(ptr.BENCHMARK, learning=lambda: rooms))


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("learning")


@pytest.fixture(scope="module")
def small(home: Path) -> Path:
    """Solids without pictures."""
    return mereo.build("clevr", home / "small", split="train=12,test=4", symbolic=True, questions_per_scene=5).folder


@pytest.fixture
def run(small: Path, tmp_path: Path) -> Path:
    """A row that was trained, so to say."""
    return mereo.train("yes", small, tmp_path / "run").folder


def test_the_zoo_is_listed_with_what_rows_need_and_how_large_they_are(mereo: CommandLine) -> None:
    lines = {line.split()[0]: line for line in mereo("models").out.splitlines() if line}
    assert {"yes", "looker", "parser", "habit", "solids"} <= set(lines)
    assert re.search(r"any +pictures, masks +answers +/", lines["looker"])
    assert "clevr" in lines["solids"]
    size = int(lines["habit"].split()[-1].replace(",", ""))
    assert size > 1000
    page = mereo("models", "habit").out
    assert f"{size:,}" in page
    assert "--set width=32" in page
    assert "habit" in __import__("mereo").list_models()


def test_a_row_from_a_package_goes_by_its_own_name(monkeypatch: pytest.MonkeyPatch) -> None:
    point = EntryPoint("other", "mereo_garden.habit:ROW", "mereo.rows")
    monkeypatch.setattr(rows, "entry_points", lambda group: [point])
    said = "the entry point 'other' in mereo.rows offers a row that is named 'habit'"
    assert complaint(rows.all_models) == said
    point = EntryPoint("habit", "mereo_garden.habit:answer", "mereo.rows")
    monkeypatch.setattr(rows, "entry_points", lambda group: [point])
    assert "which is no row" in str(complaint(rows.all_models))


def test_a_row_from_a_package_is_trained_and_asked(mereo: CommandLine, small: Path, tmp_path: Path) -> None:
    out = tmp_path / "run"
    done = mereo("train", "habit", small, "--out", out, "--set", "width=16", "--seed", "3")
    assert re.search(r"^habit +\d+ +0\.\d", done.out, re.MULTILINE)
    assert re.search(r"learning habit: step \d+ of \d+, loss \d\.\d+, right \d+\.\d%, [\d,]+/s", done.err)
    assert (out / "habit" / "curves.svg").exists()
    assert (out / "habit" / "metrics.jsonl").exists()
    judged = mereo("predict", out, small, "--name", "words")
    assert re.search(r"all +20 +\d+\.\d \[", judged.out)
    header = read_header(small / "runs" / "words" / "predictions.jsonl")
    assert header.model == "habit"
    assert header.settings["choices"] == {"width": 16}
    assert (out / "predictions" / "words.jsonl").exists()
    again = mereo("train", "habit", small, "--out", out, "--set", "width=16", "--seed", "3")
    assert "learning" not in again.err


def test_what_was_trained_answers_and_is_kept_as_a_run(small: Path, run: Path) -> None:
    judged = mereo.predict(run, small, name="kept")
    assert judged.result.overall.questions == 20
    assert "kept" in list_runs(small)
    lines = [json.loads(line) for line in (run / "predictions" / "kept.jsonl").read_text().splitlines()]
    assert [line["answer"] for line in lines[1:]] == ["yes"] * 20
    other = mereo.predict(run, small, name="kept-no", word="no")
    assert {one.answer for one in other.predictions.given if one is not None} == {"no"}
    assert mereo.predict(run, small, name="on-train", split="train").result.overall.questions == 60


def test_answers_of_another_run_are_not_written_over_unasked(small: Path, run: Path, tmp_path: Path) -> None:
    mereo.predict(run, small, name="taken")
    mereo.predict(run, small, name="taken")
    other = mereo.train("yes", small, tmp_path / "other", seed=1)
    said = str(complaint(lambda: mereo.predict(other, small, name="taken")))
    assert said.endswith("there is another run 'taken' already: give --name, or --replace")
    mereo.predict(other, small, name="taken", replace=True)


def test_what_a_run_saw_is_kept_with_it_and_with_no_other(small: Path, run: Path, tmp_path: Path) -> None:
    looker = mereo.train("shower", small, tmp_path / "shower")
    kept = small / "runs" / "shower" / "sights.parquet"
    mereo.predict(looker, small, show=6)
    sights = open_sights(kept, dataset=load_questions(small).checksum)
    assert len(sights.asked) == 6
    for question, scene in sights.asked.items():
        assert question.startswith(scene)
        looks = sights.looks(question)
        assert looks is not None
        assert looks.words == (question,)
    mereo.predict(looker, small, name="again", show=3)
    fewer = open_sights(small / "runs" / "again" / "sights.parquet", dataset=load_questions(small).checksum)
    assert [*fewer.asked] == [*sights.asked][:3]
    mereo.predict(looker, small, show=0)
    assert not kept.exists()
    mereo.predict(looker, small)
    assert kept.exists()
    mereo.predict(run, small, name="shower", replace=True)
    assert not kept.exists()


def test_what_another_run_saw_goes_with_its_answers(small: Path, tmp_path: Path) -> None:
    mereo.predict(mereo.train("shower", small, tmp_path / "shower"), small, name="judged")
    kept = small / "runs" / "judged" / "sights.parquet"
    mereo.evaluate(small, ["judged"])
    assert kept.exists()
    other = tmp_path / "other.jsonl"
    write_predictions(other, Header(), [Prediction(load_questions(small).ids[-1], "no")])
    mereo.evaluate(small, other, name="judged", replace=True)
    assert not kept.exists()


def refused(command: CommandLine, *words: str | Path) -> str:
    """The one sentence that a command ends with, before it has done anything."""
    done = command(*words, code=2)
    assert done.out == ""
    (line,) = done.err.splitlines()
    assert line.startswith("mereo: ")
    return line.removeprefix("mereo: ")


def test_what_is_wrong_with_training_is_one_sentence_before_it_begins(
    mereo: CommandLine, small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    out = tmp_path / "run"

    def said(row: str, *more: str, dataset: Path = small) -> str:
        return refused(mereo, "train", row, dataset, "--out", out, *more)

    assert said("yess") == "there is no row 'yess' (did you mean 'yes'?)"
    assert said("rooms") == "row rooms knows only datasets of ptr, not of clevr"
    lacking = "has no pictures and no masks of what its pictures show, which row looker needs"
    assert said("looker") == f"{small}: {lacking}"
    assert said("yes", dataset=tmp_path / "none") == f"{tmp_path / 'none'}: there is no such folder"
    assert said("yes", "--set", "wrod=no").startswith("there is no choice of row yes named 'wrod' (did you mean 'word'")
    assert said("yes", "--set", "word") == "field '--set': 'word' is not of the form width=256"
    assert said("yes", "--set", "word=a", "--set", "word=b") == "field '--set': names word twice"
    assert said("yes", "--set", "times=often") == "field 'times': must be a whole number, not 'often'"
    assert said("yes", "--set", "loud=very") == "field 'loud': must be true or false, not 'very'"
    assert said("habit", "--set", "habit.rate=fast") == "field 'habit.rate': must be a number, not 'fast'"
    assert said("looker", "--set", "widest=3") == "field 'widest': must be at least 16 columns, not 3"
    assert said("yes", "--set", "widest=480").startswith("there is no choice of row yes named 'widest'")
    assert said("yes", "--device", "cuba").startswith("there is no device 'cuba' (did you mean 'cuda'?)")
    monkeypatch.setattr(torch.cuda, "is_available", lambda: False)
    assert said("yes", "--device", "cuda").startswith("there is no GPU that PyTorch can use here")
    assert not out.exists()


def test_a_row_that_declares_no_choices_is_given_what_they_look_like() -> None:
    found = replace(rows.find_model("habit").row, choices={})
    given = {"width": "16", "drop": "0.1", "deep": "true", "kind": "gru", "steps": 4, "habit.batch": "32"}
    told = {"width": 16, "drop": 0.1, "deep": True, "kind": "gru", "steps": 4, "habit.batch": 32}
    assert rows.chosen(found, given) == told
    assert [type(value) for value in rows.chosen(found, given).values()] == [int, float, bool, str, int, int]
    assert str(complaint(lambda: rows.chosen(found, {"habit.bathc": "1"}))).endswith("(did you mean 'habit.batch'?)")


def test_without_torch_there_is_one_sentence(mereo: CommandLine, small: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("mereo.extras").extras.EXTRAS, "train", ("no_such_module",))
    for words in (
        ("train", "yes", small, "--out", "r"),
        ("predict", "r", small),
        ("reproduce", "clevr/toy", "--out", "r"),
    ):
        assert re.match(r".* needs packages that are not installed: pip install ", refused(mereo, *words))
    assert not Path("r").exists()


def test_a_dataset_lacks_programs_or_answers_in_words(small: Path, home: Path) -> None:
    check_needs(STUBS["parser"], small)
    pointing = mereo.build("refer", home / "refer", scenes=2, symbolic=True, questions_per_scene=1).folder
    said = f"{pointing}: has no answers in words, which row yes needs"
    assert complaint(lambda: mereo.train("yes", pointing, home / "never")) == said


def test_what_is_wrong_with_asking_is_one_sentence(mereo: CommandLine, small: Path, run: Path, tmp_path: Path) -> None:
    assert refused(mereo, "predict", tmp_path / "none", small).startswith(f"{tmp_path / 'none'}")
    assert refused(mereo, "predict", small, small).startswith(f"{small}")
    assert refused(mereo, "predict", run, small, "--split", "tets") == "there is no split 'tets' (did you mean 'test'?)"
    assert refused(mereo, "predict", run, small, "--set", "wrod=no").startswith("there is no choice of row yes named")
    assert "cannot be the name of a run" in refused(mereo, "predict", run, small, "--name", "a/b")


def test_a_run_only_answers_what_it_has_words_for(small: Path, run: Path, home: Path, tmp_path: Path) -> None:
    rooms = mereo.build("ptr", home / "rooms", scenes=1, symbolic=True, questions_per_scene=4).folder
    said = str(complaint(lambda: mereo.predict(run, rooms)))
    assert re.match(
        rf"{run}: has learned from clevr and cannot give \d+ of the \d+ answers of {rooms}, such as '", said
    )
    parser = mereo.train("parser", small, tmp_path / "parser").folder
    said = f"{parser}: has learned the language of clevr, which is not that of ptr"
    assert complaint(lambda: mereo.predict(parser, rooms)) == said


def test_another_run_in_the_folder_is_refused(mereo: CommandLine, small: Path, run: Path) -> None:
    assert str(run) in refused(mereo, "train", "yes", small, "--out", run, "--seed", "7")
    assert str(run) in refused(mereo, "train", "parser", small, "--out", run)


def test_a_checkpoint_of_an_older_version_is_refused(small: Path, tmp_path: Path) -> None:
    trained = mereo.train("habit", small, tmp_path / "run", minutes=0.02)
    path = trained.folder / "habit" / "weights.pt"
    content = torch.load(path, weights_only=True)
    torch.save({**content, "mereo checkpoint": 0}, path)
    said = str(complaint(lambda: mereo.predict(trained, small)))
    assert said.startswith(f"{path}: is of an older version of mereo")


def test_a_study_is_made_again_beside_what_was_published(mereo: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "out"
    done = mereo("reproduce", "clevr/toy", "--out", out)
    assert re.search(r"Yes +/ +\d+\.\d \[\d+\.\d, \d+\.\d\] +28\.4 +20", done.out)
    assert re.search(r"Human +– +96\.2", done.out)
    text = (out / "toy" / "table.md").read_text()
    assert re.search(r"\| Yes \| / \| [\d.]+ \[[\d.]+, [\d.]+\] \| 28\.4 \| 20 \|", text)
    assert "Of no weight." in text
    here = dict(re.findall(r"^\| (Yes|No) \| / \| ([\d.]+)", text, re.MULTILINE))
    gained = text.partition("Gained against Yes, in points:")[2].split("\n")
    assert gained[2] == "|  | Habit | No | Yes, half | Yes, elsewhere |"
    assert float(gained[4].split("|")[3]) == pytest.approx(float(here["No"]) - float(here["Yes"]), abs=0.11)
    table = json.loads((out / "toy" / "table.json").read_text())
    arms = {arm["name"]: arm for arm in table["arms"]}
    assert list(arms) == ["Yes", "No", "Habit", "Yes, half", "Yes, elsewhere"]
    assert arms["Yes"]["scores"]["All"]["count"] == 20
    assert arms["Yes"]["scores"]["All"] != arms["No"]["scores"]["All"]
    assert arms["Habit"]["choices"] == {"width": 8, "rate": 0.01}
    assert arms["No"]["choices"] == {"word": "no"}
    assert set(table["data"]) == {"main", "half", "other"}
    lines = list(csv.DictReader((out / "toy" / "table.csv").read_text().splitlines()))
    assert {line["model"]: line["published"] for line in lines if line["column"] == "All"}["Human"] == "0.962"
    chart = (out / "toy" / "chart.svg").read_text()
    assert chart.count('<rect class="fill') == 5 + 2
    assert "nan" not in chart
    assert sorted(path.name for path in (out / "runs").iterdir()) == ["habit-width=8", "yes", "yes-half", "yes-other"]


def test_a_study_that_was_stopped_goes_on(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[str, str]] = []

    def stubborn(desk: Desk, split: str) -> Iterator[Prediction]:
        asked.append((desk.corpus.folder.name, str(desk.choices.get("word", "yes"))))
        if len(asked) == 2:
            raise KeyboardInterrupt
        yield from yes(desk, split)

    stubs = {**STUBS, "yes": replace(STUBS["yes"], answer=stubborn)}
    monkeypatch.setattr("mereo.training.zoo.all_rows", lambda: stubs)
    with pytest.raises(KeyboardInterrupt):
        mereo.reproduce("clevr/toy", tmp_path, rows=["yes"])
    assert "28.4" in (tmp_path / "toy" / "table.md").read_text()
    found = mereo.reproduce("clevr/toy", tmp_path, rows=["yes"])
    assert [one.name for one in found.arms] == ["Yes", "No", "Yes, half", "Yes, elsewhere"]
    assert asked == [("main", "yes"), ("main", "no"), ("main", "no"), ("half", "yes"), ("main", "yes")]
    again = mereo.reproduce("clevr/toy", tmp_path, rows=["yes"])
    assert len(asked) == 5
    assert repr(again) == repr(found)
    assert "Yes, half" in again._repr_html_()


def test_what_another_study_has_asked_is_not_asked_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    from mereo.training.corpus import Corpus

    asked, opened = list[str](), list[Path]()
    made = Corpus.__init__

    def told(desk: Desk, split: str) -> Iterator[Prediction]:
        asked.append(f"{desk.choices.get('word', 'yes')} of {split}")
        yield from yes(desk, split)

    def opening(corpus: Corpus, folder: Path, *given: Any, **more: Any) -> None:
        opened.append(folder)
        made(corpus, folder, *given, **more)

    monkeypatch.setattr("mereo.training.zoo.all_rows", lambda: {"yes": replace(STUBS["yes"], answer=told)})
    monkeypatch.setattr(Corpus, "__init__", opening)
    arms = (Arm("yes", "Yes"), Arm("yes", "No", asked={"word": "no"}))
    table = replace(STUDY, arms=arms, data={}, base="")
    figure = replace(table, name="figure", arms=(Arm("yes", "Asked before"), Arm("yes", "Not yet", split="train")))
    learning = Learning(studies=(table, figure))
    monkeypatch.setattr(clevr, "BENCHMARK", replace(clevr.BENCHMARK, learning=lambda: learning))
    first = mereo.reproduce("clevr/toy", tmp_path)
    assert asked == ["yes of test", "no of test"]
    assert len(opened) == 1  # for both questions, and before these to learn
    second = mereo.reproduce("clevr/figure", tmp_path)
    assert asked[2:] == ["yes of train"]
    assert [one.name for one in second.arms] == ["Asked before", "Not yet"]
    assert second.arms[0].scores["All"] == first.arms[0].scores["All"]


def test_rows_that_learn_are_trained_with_several_seeds(mereo: CommandLine, tmp_path: Path) -> None:
    command = ("reproduce", "clevr/toy", "--out", tmp_path)
    mereo(*command, "--rows", "yes")
    told = mereo(*command, "--rows", "habit", "--seeds", "3").out
    assert re.search(r"over seeds", told)
    table = json.loads((tmp_path / "toy" / "table.json").read_text())
    arms = {arm["name"]: arm for arm in table["arms"]}
    assert list(arms) == ["Yes", "No", "Habit", "Yes, half", "Yes, elsewhere"]
    assert [len(arm["again"]) for arm in arms.values()] == [0, 0, 2, 0, 0]
    each = [100 * scores["All"]["value"] for scores in (arms["Habit"]["scores"], *arms["Habit"]["again"])]
    line = next(
        line for line in (tmp_path / "toy" / "table.md").read_text().split("\n") if line.startswith("| Habit |")
    )
    assert line.endswith(f"| {sum(each) / 3:.1f} ({', '.join(f'{one:.1f}' for one in each)}) |")
    runs = [tmp_path / "runs" / name for name in ("habit-width=8", "habit-width=8-again-1", "habit-width=8-again-2")]
    assert [json.loads((run / "run.json").read_text())["seed"] for run in runs] == [0, 1, 2]
    read = read_reproduced(tmp_path / "toy")
    assert [one.name for one in read.arms] == list(arms)
    assert "\n".join(tables_of(read, chart="chart.svg")) in (tmp_path / "toy" / "table.md").read_text()
    assert complaint(lambda: read_reproduced(tmp_path)) == f"{tmp_path}: holds no table: there is no table.json"


def test_a_study_has_the_columns_of_its_paper_and_may_ask_other_splits(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    columns = (Column("Counts", "count"), Column("All of it"), Column("Nothing", "of no such kind"))
    arms = (Arm("yes", "Yes"), Arm("yes", "Yes, seen before", split="train"))
    own = replace(STUDY, arms=arms, columns=columns, published={"Yes": {"Counts": 12.0}}, data={}, base="")
    monkeypatch.setattr(clevr, "BENCHMARK", replace(clevr.BENCHMARK, learning=lambda: Learning(studies=(own,))))
    found = mereo.reproduce("clevr/toy", tmp_path)
    assert found.columns == ["Counts", "All of it", "Nothing"]
    assert [*found.arms[0].scores] == ["Counts", "All of it"]
    assert found.headings[2] == "here, Counts"
    counts = [one.scores["All of it"].count for one in found.arms]
    assert counts == [20, 60]
    assert sorted(path.name for path in (tmp_path / "runs").iterdir()) == ["yes"]
    assert re.search(r"\| Yes \| / \| 0\.0 \[[^]]+\] \| 12\.0 \|", (tmp_path / "toy" / "table.md").read_text())


def test_what_rows_have_in_common_is_learned_once(small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stage = asking_row("one", Recipe("blind", "nothing", "a blind one")).stages[0]
    width: dict[str, Any] = {"width": 16, "heads": 2}
    two = {
        name: Row(name, name, ("answers",), ("answers",), "A", (stage,), yes, {**width, **own})
        for name, own in {"first": {}, "second": {"loud": True}}.items()
    }
    monkeypatch.setattr("mereo.training.zoo.all_rows", lambda: two)
    first = train("first", small, tmp_path / "first", minutes=0.02).folder
    weights = (first / "answers" / "weights.pt").read_bytes()
    second = train("second", small, tmp_path / "second", minutes=0.03, lenders=[first]).folder
    assert (second / "answers" / "weights.pt").read_bytes() == weights
    assert json.loads((second / "run.json").read_text())["lent"] == {"answers": "first"}
    changes: dict[str, dict[str, Any]] = {
        "wider": {"choices": {"width": 32}},
        "slower": {"choices": {"rate": 1e-4}},
        "other": {"seed": 1},
        "longer": {"minutes": 0.05},
    }
    for name, different in changes.items():
        own = train("second", small, tmp_path / name, **{"minutes": 0.02, "lenders": [first], **different}).folder
        assert (own / "answers" / "weights.pt").read_bytes() != weights, name
        assert "lent" not in json.loads((own / "run.json").read_text())
    apart = Row("third", "third", ("answers",), ("answers",), "A", (replace(stage, reads=("width",)),), yes, width)
    two["third"] = apart
    one, other = (
        train(
            "third", small, tmp_path / f"third-{heads}", minutes=0.02, choices={"heads": heads}, lenders=lenders
        ).folder
        for heads, lenders in ((2, ()), (4, [tmp_path / "third-2"]))
    )
    assert (other / "answers" / "weights.pt").read_bytes() == (one / "answers" / "weights.pt").read_bytes()


def test_data_that_another_call_left_half_made_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / "data" / "other").mkdir(parents=True)
    found = mereo.reproduce("clevr/toy", tmp_path, rows=["habit"])
    assert [one.name for one in found.arms] == ["Habit"]
    assert {*found.data} == {"main"}


def test_a_folder_of_another_reproduction_is_refused(tmp_path: Path) -> None:
    mereo.reproduce("clevr/toy", tmp_path, rows=["yes"])
    said = str(complaint(lambda: mereo.reproduce("clevr/toy", tmp_path, rows=["yes"], seed=1)))
    assert said == f"{tmp_path / 'reproduction.json'}: was begun with seed: 0, not 1"


def test_a_study_can_take_data_that_is_there(small: Path, tmp_path: Path, home: Path) -> None:
    found = mereo.reproduce("clevr/toy", tmp_path, rows=["yes"], data=small)
    assert not (tmp_path / "data" / "main").exists()
    assert (tmp_path / "data" / "half").is_dir()
    assert found.arms[0].scores["All"].count == 20
    plain = mereo.build("clevr", home / "plain", split="train=1", symbolic=True, questions_per_scene=1).folder
    said = f"{plain}: has no split 'test', which the study asks about"
    assert complaint(lambda: mereo.reproduce("clevr/toy", tmp_path / "x", data=plain)) == said


def test_data_that_another_folder_asked_about_is_in_nobodys_way(small: Path, tmp_path: Path) -> None:
    mereo.reproduce("clevr/toy", tmp_path / "one", rows=["yes"], data=small)
    found = mereo.reproduce("clevr/toy", tmp_path / "other", rows=["habit"], data=small)
    assert [one.name for one in found.arms] == ["Habit"]


def test_what_another_folder_learned_longer_does_not_count(small: Path, tmp_path: Path) -> None:
    mereo.reproduce("clevr/toy", tmp_path / "one", rows=["habit"], data=small, minutes=0.02)
    mereo.reproduce("clevr/toy", tmp_path / "other", rows=["habit"], data=small, minutes=0.04)
    found = mereo.reproduce("clevr/toy", tmp_path / "one", rows=["yes"], data=small)
    assert "Habit" not in [one.name for one in found.arms], "whose answers are now those of the other"
    again = mereo.reproduce("clevr/toy", tmp_path / "one", rows=["habit"], data=small, minutes=0.02)
    assert "Habit" in [one.name for one in again.arms]


def test_rows_that_learn_side_by_side_share_the_gpu(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    @contextmanager
    def sharing(workers: int) -> Iterator[bool]:
        asked.append(workers)
        yield False

    monkeypatch.setattr("mereo.workbench.reproducing.shared_gpu", sharing)
    monkeypatch.setattr("mereo.workbench.reproducing.LocalCrew", lambda at_once, ahead: LocalCrew(1))
    for device in ("auto", "cpu"):
        out = tmp_path / device
        mereo.reproduce("clevr/toy", out, rows=["yes"], data=small, at_once=2, device=device)
    mereo.reproduce("clevr/toy", out, rows=["yes"], data=small, at_once=2)
    assert asked == [2, 1, 1], "nobody who keeps to the processor does, and nobody who is done"


def test_what_a_row_has_learned_is_lent_before_it_is_asked_anything(
    small: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    shutil.copytree(small, tmp_path / "data", ignore=shutil.ignore_patterns("runs"))
    plan = plan_reproduction("clevr/toy", tmp_path / "out", device="cpu", data=tmp_path / "data")
    arms = [arm for arm in plan.arms if arm.data == "main"]
    works = plan._replace(arms=tuple(arms)).works
    assert [len(work.arms) for work in works] == [2, 1]
    monkeypatch.setattr("mereo.workbench.reproducing.held", lambda plan, waiting: {works[1].name: works[0].name})
    said: list[str] = []
    _side_by_side(plan, works, "", LocalCrew(1), said.append)
    names = [one.rpartition(":")[0] for one in said]
    assert names == ["yes", "habit-width=8", "asking Yes", "asking No", "asking Habit"]
    assert said[0] == "yes: learned"
    assert re.fullmatch(r"asking No: \d+\.\d", said[3])


def test_a_row_that_still_learns_has_come_to_nothing_yet(small: Path, tmp_path: Path) -> None:
    mereo.reproduce("clevr/toy", tmp_path / "one", rows=["habit"], data=small)
    shutil.copytree(tmp_path / "one" / "runs", tmp_path / "other" / "runs")
    path = tmp_path / "other" / "runs" / "habit-width=8" / "run.json"
    path.write_text(json.dumps({**json.loads(path.read_text()), "stages": {"habit": None}}))
    found = mereo.reproduce("clevr/toy", tmp_path / "other", rows=["yes"], data=small)
    assert "Habit" not in [one.name for one in found.arms]


def test_what_is_wrong_with_a_study_is_one_sentence(mereo: CommandLine, tmp_path: Path) -> None:
    out = ("--out", tmp_path / "out")
    assert refused(mereo, "reproduce", "clevr/toi", *out) == "there is no study 'clevr/toi' (did you mean 'clevr/toy'?)"
    assert refused(mereo, "reproduce", "clevr/toy", *out, "--scale", "smal").startswith(
        "there is no scale of clevr/toy"
    )
    assert refused(mereo, "reproduce", "clevr/toy", *out, "--rows", "yse").startswith("there is no row of clevr/toy")
    assert refused(mereo, "reproduce", "clevr/toy") == "field '--out': must be given"
    assert not (tmp_path / "out").exists()


def test_what_a_study_costs_is_told_before_it_begins(mereo: CommandLine, tmp_path: Path) -> None:
    said = mereo("reproduce", "clevr/toy", "--scale", "full", "--cost").out
    assert re.search(r"data main +43,200 scenes at 10 a second +1\.2 hours", said)
    assert re.search(r"data other +16,200 scenes", said)
    assert re.search(r"training +1 runs of 30 minutes +30 minutes", said)
    assert "about 2.1 hours and 29.7 GB of disk on a cluster" in said
    plan = plan_reproduction("clevr/toy", tmp_path, scale="full", rows=["yes"])
    assert "nothing to train" in str(cost_of(plan))
    sizes = {**STUDY.scales, "full": replace(STUDY.scales["full"], spent={"habit": 90.0})}
    more = plan_reproduction("clevr/toy", tmp_path, scale="full", seeds=3)
    assert "3 runs of 30 minutes" in str(cost_of(more))
    assert "3 runs of 90 minutes" in str(cost_of(more._replace(study=replace(STUDY, scales=sizes))))
    assert "clevr/toy" in mereo("reproduce").out


def test_the_published_figures_of_ptr_are_whole() -> None:
    table, *figures = ptr_studies()
    assert [study.name for study in (table, *figures)] == ["table2", "figure4", "figure5", "figure6", "exchange"]
    assert {name: len(scores) for name, scores in table.published.items()} == dict.fromkeys(table.published, 15)
    assert all(set(scores) == {"All", *TYPES} for scores in table.published.values())
    every = [arm.called for arm in table.arms]
    assert set(table.published) - set(every) == {"Human"}
    assert table.published["NS-VQA"]["query-object"] == 96.7
    assert table.published["MAC"]["All"] == 57.5
    for study in figures:
        assert {arm.data for arm in study.arms} <= {MAIN, *study.data}
        assert set(study.published) <= {arm.called for arm in study.arms}
        assert study.base in ("", *(arm.called for arm in study.arms))
    shares = [study.data[arm.data].share if arm.data != MAIN else 1 for study in figures[:1] for arm in study.arms]
    assert sorted(set(shares)) == [0.1, 0.25, 0.5, 1]


def test_the_page_shows_the_row_as_it_is() -> None:
    page, file = (ROOT / "docs" / "learning.md").read_text(), PLUGIN / "mereo_garden" / "habit.py"
    cut = re.findall(r"<!-- not run: from mereo_garden/habit.py -->\n```python\n(.*?)```", page, re.DOTALL)
    assert len(cut) == 2
    assert all(block in file.read_text() for block in cut)


def test_what_is_seen_is_judged_only_where_somebody_can(
    small: Path, run: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    said = f"{small}: is of clevr, of which nobody judges what is seen"
    assert complaint(lambda: look(run, small, split="test", name="seen")) == said
    seen = ScoredTable("seen", [ScoredRow("things", "", 20, 0, {"share": Mean(20, 0.5, 0.4, 0.6)})])

    def judged(own: Row, desk: Desk, header: Header, file: Path, progress: Callable[[int], None]) -> list[ScoredTable]:
        progress(4)
        return [seen]

    columns = (Column("things", "things", "share"),)
    study = replace(STUDY, name="sight", arms=(Arm("yes", "Yes"),), table="seen", columns=columns, looks=True)
    learning = Learning(studies=(replace(study, counted="things"),), look=judged)
    monkeypatch.setattr(clevr, "BENCHMARK", replace(clevr.BENCHMARK, learning=lambda: learning))
    missing = "there is no split 'tset' (did you mean 'test'?)"
    assert complaint(lambda: look(run, small, split="tset", name="seen")) == missing
    found = mereo.reproduce("clevr/sight", run.parent / "out", data=small)
    assert found.headings[-1] == "things"
    assert found.summary()[0] == ("Yes", "/", "50.0 [40.0, 60.0]", "–", "20")
    assert (found.folder / "table.csv").read_text().startswith("model,column,things,score,")


def test_no_such_folder_is_told_by_asking_from_python(tmp_path: Path, small: Path) -> None:
    with pytest.raises(BadInput):
        mereo.predict(tmp_path / "none", small)
