"""Referring is learned: sources tell what is meant, every row points in the judge's form, and steps can be shown."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import mereo  # noqa: E402
from kit import complaint  # noqa: E402
from mereo.benchmarks.benchmark import inspector_of  # noqa: E402
from mereo.benchmarks.refer.figures import figures_of  # noqa: E402
from mereo.benchmarks.refer.learning import LEARNING  # noqa: E402
from mereo.benchmarks.refer.learning.source import ReferSource  # noqa: E402
from mereo.benchmarks.refer.learning.symbolic import Marks  # noqa: E402
from mereo.benchmarks.refer.recipe import ReferRecipe  # noqa: E402
from mereo.benchmarks.refer.step_stories import save_steps, step_stories  # noqa: E402
from mereo.datasets.build import build_dataset  # noqa: E402
from mereo.datasets.picture_settings import PictureSettings  # noqa: E402
from mereo.datasets.pictures import decode_picture  # noqa: E402
from mereo.datasets.predictions import Mask, Prediction  # noqa: E402
from mereo.datasets.reading import RowReader  # noqa: E402
from mereo.datasets.sights import open_sights  # noqa: E402
from mereo.datasets.store import open_dataset  # noqa: E402
from mereo.masks import decode, encode  # noqa: E402
from mereo.programs import format_step, parse_program  # noqa: E402
from mereo.training.corpus import Corpus  # noqa: E402
from mereo.training.looking import seen_truly  # noqa: E402
from mereo.training.seeing import Seen  # noqa: E402
from mereo.workbench.studies import cost_of, plan_reproduction  # noqa: E402

CPU = torch.device("cpu")
HEIGHT, WIDTH, DETAIL = 64, 96, 4
SMALL: dict[str, dict[str, Any]] = {
    "slr": {"trunk": "small", "width": 16},
    "mattnet": {"trunk": "small", "width": 16},
    "rmi": {"trunk": "small", "width": 16},
    "iep_ref": {"trunk": "small", "width": 16},
    "refer_queries": {"width": 16, "layers": 1, "queries": 12, "fine": 4, "depth": 3},
    "refer_symbolic": {"width": 8},
}


@pytest.fixture(autouse=True)
def _one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    torch.set_num_threads(1)
    monkeypatch.setattr("mereo.training.device.use_cores", lambda: None)  # other tests want theirs


@pytest.fixture(scope="module")
def pointed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A few solids with expressions, of which some of the training split mean nothing."""
    folder = tmp_path_factory.mktemp("refer") / "set"
    pictures = PictureSettings(width=WIDTH, height=HEIGHT, samples=8)
    recipe = ReferRecipe(seed=4, pictures=pictures, false_premises=2)
    build_dataset(recipe, folder, splits={"train": 4, "test": 2}, shard_size=1000)
    return folder


@pytest.fixture(scope="module")
def corpus(pointed: Path) -> Corpus:
    return Corpus(pointed, inspector_of(open_dataset(pointed)), CPU)


def questions(folder: Path, split: str) -> list[dict[str, Any]]:
    reader = RowReader(folder, "questions")
    return [row for row in map(reader.row, range(len(reader))) if row["split"] == split]


# What is learned from


def test_what_is_meant_is_what_the_masks_of_the_dataset_say(pointed: Path, corpus: Corpus) -> None:
    source = ReferSource(corpus, "train", corpus.lexicon(), together=4, meaning="any", detail=DETAIL, things=True)
    rows = questions(pointed, "train")
    seen = set()
    for start in range(0, len(source), 2):
        batch = source.batch(torch.arange(start, min(start + 2, len(source))))
        scene_of, covered = batch["scene_of"], batch["covered"]
        for number, place in enumerate(batch["place"].tolist()):
            row = rows[place]
            mask = torch.from_numpy(decode({"size": row["size"], "counts": row["masks"][-1]}).astype(np.float32))
            cells = torch.nn.functional.avg_pool2d(mask[None, None], DETAIL)[0, 0]
            assert torch.allclose(batch["meant"][number], cells, atol=1e-5)
            scene = int(scene_of[number])
            meant = batch["target"][number]
            assert batch["entity"][scene][meant].tolist() == row["referred"][-1]
            assert batch["boxes"][scene][meant].tolist() == row["boxes"][-1]
            assert torch.allclose(covered[scene][meant].sum(0), cells, atol=1e-5)
            seen.add(place)
    assert seen == set(range(len(rows)))


def test_expressions_that_mean_nothing_or_several_are_left_out_where_they_teach_nothing(
    pointed: Path, corpus: Corpus
) -> None:
    rows = questions(pointed, "train")
    counts = [len(row["referred"][-1]) for row in rows]
    assert counts.count(0) == 8
    assert not any(row["false_premise"] for row in questions(pointed, "test"))
    wanted = {"any": range(20), "some": range(1, 20), "one": range(1, 2)}
    for meaning, numbers in wanted.items():
        source = ReferSource(corpus, "train", corpus.lexicon(), meaning=meaning)  # type: ignore[arg-type]
        batch = source.batch(torch.arange(len(source)))
        assert sorted(batch["place"].tolist()) == [k for k, count in enumerate(counts) if count in numbers]
        assert source.name(0) == rows[int(batch["place"][0])]["question_id"]
        own = batch["place"][:3]
        assert source.batch(source.examples(own))["place"].tolist() == own.tolist()


def test_expressions_that_mean_nothing_leave_the_others_as_they_were(tmp_path: Path) -> None:
    plain, more = (
        mereo.build("refer", tmp_path / str(count), split="train=3,test=2", symbolic=True, false_premises=count).folder
        for count in (0, 3)
    )
    for split, extra in (("train", 3), ("test", 0)):
        said = {row["question_id"]: row["question"] for row in questions(more, split)}
        before = {row["question_id"]: row["question"] for row in questions(plain, split)}
        assert before.items() <= said.items()
        assert len(said) == len(before) + extra * open_dataset(more).scenes[split]
    nothing = [row for row in questions(more, "train") if row["false_premise"]]
    assert [row["referred"][-1] for row in nothing] == [[]] * 9


def test_masks_and_boxes_move_with_the_picture(corpus: Corpus) -> None:
    source = ReferSource(corpus, "train", corpus.lexicon(), together=4, things=True, detail=DETAIL)
    chance = torch.Generator().manual_seed(1)
    batch = source.batch(torch.arange(4), chance=chance)
    still = source.batch(torch.arange(4))
    assert not torch.equal(batch["boxes"], still["boxes"])
    target = batch["target"]
    own = torch.einsum("bk,bkrc->brc", target.float(), batch["covered"][batch["scene_of"]])
    assert torch.allclose(batch["meant"], own.clamp(max=1), atol=1e-5)
    assert not (target & ~batch["boxes_present"][batch["scene_of"]]).any()


# Rows


@pytest.mark.parametrize("name", SMALL)
def test_every_row_learns_and_points_at_all_expressions_in_the_form_of_the_judge(
    pointed: Path, tmp_path: Path, name: str
) -> None:
    choices = {**SMALL[name], "batch": 2, "passes": 1.0}
    run = mereo.train(name, pointed, tmp_path / name, **choices)
    judged = mereo.predict(run, pointed, split="test", name=f"small-{name}", show=0)
    result = judged.result
    assert result.overall.questions == 20
    assert result.overall.unanswered == 0
    assert result.measures == (["choice"] if name in ("slr", "mattnet") else ["iou"])
    tables = {table.name for table in result.tables}
    assert {"types", "words", "objects"} <= tables
    given = [one for one in judged.predictions.given if one is not None]
    if name in ("slr", "mattnet"):
        assert all(isinstance(one.answer, int) for one in given)
    else:
        assert all(one.masks is not None and one.masks[0].size == (HEIGHT, WIDTH) for one in given)


def test_iep_ref_shows_every_step_and_tells_what_goes_into_modules(pointed: Path, tmp_path: Path) -> None:
    run = mereo.train("iep_ref", pointed, tmp_path / "iep", **SMALL["iep_ref"], batch=2, passes=0.5)
    judged = mereo.predict(run, pointed, split="test", name="stepwise", programs=True, steps=True, show=4)
    rows = {row["question_id"]: row for row in questions(pointed, "test")}
    for one in judged.predictions.given:
        assert one is not None
        assert one.program == rows[one.question_id]["program"]
        assert one.steps is not None
        assert len(one.steps) == len(rows[one.question_id]["referred"])
        assert one.masks is not None
        assert one.steps[-1] == one.masks[0]
    assert "steps" in {table.name for table in judged.result.tables}
    assert "steps" in {figure.name for figure in figures_of(judged.asked, judged.predictions)}
    drawn = save_steps(judged.asked, judged.predictions, tmp_path)
    assert drawn is not None
    assert decode_picture(drawn.read_bytes()).std() > 10
    for story in step_stories(judged.asked, judged.predictions):
        (own,) = (one for one in judged.predictions.given if one is not None and one.question_id == story.notes[0])
        row = rows[story.notes[0]]
        assert [shot.words for shot in story.shots] == [format_step(one) for one in parse_program(row["program"]).steps]
        marked = [decode({"size": mask.size, "counts": mask.counts}) for mask in own.steps or []]
        for shot, mask in zip(story.shots, marked, strict=True):
            assert [one.tolist() for one in shot.lit.found] == ([mask.tolist()] if mask.any() else [])
    sights = open_sights(pointed / "runs" / "stepwise" / "sights.parquet", dataset=judged.asked.checksum)
    assert len(sights.asked) == 4
    for question in sights.asked:
        looks = sights.looks(question)
        assert looks is not None
        program = parse_program(rows[question]["program"])
        assert len(looks.maps) == len(program) == len(looks.words)


def test_whoever_sees_without_fault_points_without_fault(pointed: Path) -> None:
    manifest = open_dataset(pointed)
    assert LEARNING.seeing is not None
    corpus = Corpus(pointed, inspector_of(manifest), CPU, seeing=LEARNING.seeing(manifest))
    assert corpus.seeing is not None
    rows, inspector = questions(pointed, "train"), corpus.inspector
    names, nothing = corpus.scene_ids("train"), 0
    marks = {
        name: Marks(seen_truly(corpus, "train", scene), corpus.seeing, (HEIGHT, WIDTH))
        for scene, name in enumerate(names)
    }
    assert len(rows) > 40
    for row in rows:
        said = marks[row["scene_id"]].pointed(row["question_id"], row["program"], inspector.language)
        assert said.masks is not None
        assert said.masks[0].counts == row["masks"][-1], (row["question"], said.raw)
        nothing += not row["referred"][-1]
    assert nothing == 8
    blind = Marks(Seen(corpus.size, []), corpus.seeing, (HEIGHT, WIDTH))
    assert blind.pointed("x", "scene()", inspector.language) == Prediction(
        "x", masks=[Mask((HEIGHT, WIDTH), encode(np.zeros((HEIGHT, WIDTH), bool))["counts"])], program="scene()"
    )
    some = marks[names[0]]
    assert some.pointed("x", None, inspector.language).raw == "no program could be read"
    lost = some.pointed("x", "filter_color[red]", inspector.language)
    assert not decode({"size": [HEIGHT, WIDTH], "counts": lost.masks[0].counts}).any() if lost.masks else False


def test_who_sees_solids_refuses_rooms_in_a_sentence(tmp_path: Path) -> None:
    rooms = tmp_path / "rooms"
    mereo.build("ptr", rooms, split="train=1,test=1", size="96x64", samples=8, questions_per_scene=1)
    asked = mereo.build("refer", tmp_path / "asked", scenes_from=str(rooms)).folder
    said = str(complaint(lambda: mereo.train("refer_symbolic", asked, tmp_path / "run", **SMALL["refer_symbolic"])))
    assert said.startswith(f"{asked}: has other scenes than those on CLEVR's stage")


def test_a_dataset_without_pictures_is_refused_in_a_sentence(tmp_path: Path) -> None:
    symbolic = mereo.build("refer", tmp_path / "symbolic", split="train=2,test=1", symbolic=True).folder
    lacking = "has no pictures and no masks of what its pictures show and no things that its expressions refer to"
    for name in SMALL:
        said = str(complaint(lambda name=name: mereo.train(name, symbolic, tmp_path / "run")))  # type: ignore[misc]
        assert said == f"{symbolic}: {lacking}, which row {name} needs"
    solids = mereo.build("clevr", tmp_path / "solids", split="train=2", symbolic=True).folder
    said = str(complaint(lambda: mereo.train("rmi", solids, tmp_path / "run")))
    assert said == "row rmi knows only datasets of refer, not of clevr"


@pytest.mark.parametrize(
    ("choice", "reason"),
    [
        ({"width": 12}, "field 'width': must be a multiple of 8, not 12"),
        ({"detail": 0}, "field 'detail': must be from 1 to 64, the height of pictures, not 0"),
        ({"trunk": "smal"}, "there is no trunk 'smal' (did you mean 'small'?)"),
    ],
)
def test_a_choice_that_cannot_be_is_refused_in_a_sentence(
    pointed: Path, tmp_path: Path, choice: dict[str, Any], reason: str
) -> None:
    said = str(complaint(lambda: mereo.train("rmi", pointed, tmp_path / "run", **choice)))
    assert said.startswith(reason)


# Studies


@pytest.mark.parametrize("study", LEARNING.studies, ids=lambda study: study.name)
def test_every_study_can_be_planned_at_every_scale(tmp_path: Path, study: Any) -> None:
    known = {row.name for row in LEARNING.rows}
    assert {arm.row for arm in study.arms} <= known
    assert set(study.published) <= {arm.called for arm in study.arms}
    for scale in study.scales:
        plan = plan_reproduction(f"refer/{study.name}", tmp_path / scale, scale=scale)
        assert cost_of(plan)


def test_the_published_averages_lie_among_their_families() -> None:
    table = next(study for study in LEARNING.studies if study.name == "table3")
    for scores in table.published.values():
        kinds = [score for kind, score in scores.items() if kind != "All"]
        assert len(kinds) == 7
        assert min(kinds) < scores["All"] < max(kinds)
