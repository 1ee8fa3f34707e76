"""What `import mereo` gives to people in notebooks: datasets to look into, questions to ask, values that show it."""

from __future__ import annotations

import inspect
import json
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest
from numpy.typing import NDArray

import mereo
from kit import complaint
from mereo import Dataset, MereoError

HALF: Any = 0.5


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("python")


@pytest.fixture(scope="module")
def seen(home: Path) -> Dataset:
    """Solids with pictures."""
    return mereo.build("clevr", home / "seen", scenes=3, size="96x64", samples=8, seed=7)


@pytest.fixture(scope="module")
def small(home: Path) -> Dataset:
    """Solids without pictures."""
    return mereo.build("clevr", home / "small", split="train=6,val=4", symbolic=True)


@pytest.fixture(scope="module")
def rooms(home: Path) -> Dataset:
    """Furniture without pictures."""
    return mereo.build("ptr", home / "rooms", scenes=1, symbolic=True)


def test_importing_mereo_imports_nothing_heavy() -> None:
    code = "import sys, mereo; dir(mereo); print([name for name in sys.modules if '.' not in name])"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert not {"numpy", "pyarrow", "msgspec", "PIL", "torch", "rich", "typer"} & set(
        json.loads(done.stdout.replace("'", '"'))
    )


def test_there_are_few_names_and_each_says_what_it_is() -> None:
    assert len(mereo.__all__) <= 24
    assert set(mereo.__all__) <= set(dir(mereo))
    for name in mereo.__all__:
        assert inspect.getdoc(getattr(mereo, name)), name


def test_an_unknown_name_is_no_attribute() -> None:
    with pytest.raises(AttributeError, match="module 'mereo' has no attribute 'biuld'"):
        mereo.biuld  # noqa: B018


def test_scenes_and_questions_are_found_by_place_id_slice_and_split(small: Dataset) -> None:
    assert small.splits == {"train": 6, "val": 4}
    ids = [scene.id for scene in small.scenes]
    assert ids == [f"train-{k:06d}" for k in range(6)] + [f"val-{k:06d}" for k in range(4)]
    assert [small.scenes[name].place for name in ids] == list(range(10))
    assert small.scenes[-1].id == ids[-1]
    assert [scene.id for scene in small.scenes[2:8:2]] == ids[2:8:2]
    assert [scene.id for scene in small.scenes[4:8].split("train")] == ids[4:6]
    assert [scene.split for scene in small.scenes.split("val")] == ["val"] * 4
    assert {question.split for question in small.questions.split("val")} == {"val"}
    assert small.questions[3].scene == small.scenes[small.questions[3].row["scene_id"]]


def test_a_listing_knows_who_is_in_it(small: Dataset) -> None:
    scene = small.scenes[1]
    inside: list[object] = [scene, scene.id]
    outside: list[object] = [mereo.load(small.folder).scenes[1], small.questions[1], "nobody", 1]
    assert [one in small.scenes for one in inside + outside] == [True, True, False, False, False, False]
    assert not any(one in small.scenes.split("val") or one in small.scenes[2:] for one in inside)


@pytest.mark.parametrize(
    ("call", "sentence"),
    [
        (lambda d: d.scenes.split("tain"), "there is no split 'tain' (did you mean 'train'?)"),
        (lambda d: d.scenes["val-00002"], "there is no scene 'val-00002' (did you mean 'val-000002'?)"),
        (lambda d: d.scenes[:2]["val-000002"], "scene 'val-000002' is not among these 2"),
        (lambda d: d.scenes[0].picture, "scene train-000000: has no picture: it was made without pictures"),
        (lambda d: d.scenes[0].ids, "scene train-000000: has no part ids: it was made without pictures"),
        (lambda d: d.scenes[0].layout, "scene train-000000: has no layout: it was made without pictures"),
        (lambda d: d.scenes[0].ask("count(scene()"), "program: at its end: expected ')'"),
        (lambda d: mereo.evaluate(d, {"x": "yes"}), "asks no question 'x'; its ids are like 'train-000000-00'"),
        (
            lambda d: mereo.evaluate(d, {"val-000000-00": HALF}),
            "val-000000-00: the answer must be a word, a whole number",
        ),
        (lambda d: mereo.language("clever"), "there is no language 'clever' (did you mean 'clevr'?)"),
        (lambda d: mereo.load(d.folder.parent), "is not a dataset: it has no dataset.json"),
    ],
)
def test_what_cannot_be_is_said_in_a_sentence(small: Dataset, call: Callable[[Dataset], object], sentence: str) -> None:
    said = complaint(lambda: call(small))
    assert said is not None
    assert sentence in said
    assert "\n" not in said


def test_a_place_beyond_the_end_is_an_index_error(small: Dataset) -> None:
    with pytest.raises(IndexError, match=r"10 scenes of .*: there is no scene 10"):
        small.scenes[10]


def test_a_scene_has_the_questions_that_name_it(small: Dataset) -> None:
    asked = {scene.id: [question.id for question in scene.questions] for scene in small.scenes}
    for split in small.splits:
        rows = pq.read_table(small.folder / f"questions/{split}-00000.parquet").to_pylist()
        for row in rows:
            assert asked[row["scene_id"]].pop(0) == row["question_id"]
    assert not any(asked.values())


def test_the_questions_of_a_scene_are_read_from_its_shard_alone(home: Path) -> None:
    dataset = mereo.build("clevr", home / "torn", split="train=2,val=2", symbolic=True)
    (dataset.folder / "questions/val-00000.parquet").unlink()
    assert len(dataset.scenes["train-000001"].questions) == 10


def test_programs_give_the_stored_answers_and_steps(small: Dataset) -> None:
    for question in small.questions:
        answered = question.program.run(question.scene.world)
        assert repr(answered) == question.answer == repr(question.run())
        assert answered.trace.referred() == question.row["referred"]


def test_masks_ids_depth_and_boxes_tell_the_same_of_a_picture(seen: Dataset) -> None:
    for scene in seen.scenes:
        height, width = scene.ids.shape
        assert scene.picture.size == (width, height) == (96, 64)
        assert scene.depth.shape == scene.ids.shape
        assert (np.sum(list(scene.masks.values()), axis=0) == (scene.ids > 0)).all()
        for entity, mask in scene.masks.items():
            rows, columns = np.nonzero(mask)
            left, top, wide, tall = scene.boxes[entity]
            assert (left, top) == (columns.min(), rows.min())
            assert (left + wide - 1, top + tall - 1) == (columns.max(), rows.max())
            assert (scene.depth[mask] > 0).all()


def test_a_layout_renders_to_its_picture_again(seen: Dataset) -> None:
    def coarse(picture: object) -> NDArray[np.float64]:
        """(8, 12, 3): means over blocks, in which noise is gone."""
        means: NDArray[np.float64] = np.asarray(picture, float).reshape(8, 8, 12, 8, 3).mean((1, 3))
        return means

    one, other = seen.scenes[0], seen.scenes[2]
    again = coarse(mereo.render(one.layout, samples=16))
    assert np.abs(again - coarse(one.picture)).max() < np.abs(again - coarse(other.picture)).max() / 2


def test_a_scene_answers_plain_questions_and_programs(small: Dataset) -> None:
    scene = small.scenes[0]
    assert scene.ask("How many things are there?").answer == len(scene.world) == scene.ask("count(scene())").answer
    assert repr(scene.ask("exist(scene())")) == "yes"


def test_red_legs_can_be_counted_in_plain_words(rooms: Dataset) -> None:
    scene = rooms.scenes[0]
    entities = [entity.attributes for entity in scene.world.entities]
    for color in ("red", "cyan", "purple"):
        legs = sum(one.get("part") == "leg" and one.get("color") == color for one in entities)
        assert scene.ask(f"How many {color} legs are there?").answer == legs


def test_what_is_not_understood_comes_with_questions_that_are(small: Dataset) -> None:
    scene = small.scenes[0]
    with pytest.raises(MereoError, match="Nothing here is known about “lamps”") as error:
        scene.ask("How many lamps are there?")
    suggestion = str(error.value).partition("perhaps: ")[2].removesuffix(")")
    assert scene.ask(suggestion).answer == len(scene.world)


def test_answers_are_judged_and_kept_only_under_a_name(small: Dataset) -> None:
    right = {question.id: question.answer for question in small.questions.split("val")}
    judged = mereo.evaluate(small, right)
    assert judged.score.value == 1
    assert not (small.folder / "runs/answers").exists()
    assert repr(judged).startswith("answers: accuracy 100.0% [")
    assert repr(judged).endswith("] on 40 questions of val")
    wrong = mereo.evaluate(small, dict.fromkeys(list(right)[:30], "nonsense"), name="bad")
    assert wrong.score.value == 0
    assert repr(wrong).endswith("10 of them not answered")
    assert mereo.evaluate(small, "bad").score == wrong.score
    assert [run.score.value for run in mereo.evaluate(small, ["bad", "bad"])] == [0, 0]
    said = complaint(lambda: mereo.evaluate(small, right, name="bad"))
    assert said is not None
    assert "there is another run 'bad' already" in said
    assert mereo.evaluate(small, right, name="bad", replace=True).score.value == 1


def test_an_audit_says_what_it_found(small: Dataset, home: Path) -> None:
    audited = mereo.audit(small)
    assert audited.complaints == []
    assert repr(audited).startswith("10 scenes and 100 questions: nothing is wrong\nright without looking: ")
    torn = mereo.build("clevr", home / "damaged", scenes=2, symbolic=True)
    (torn.folder / "questions/train-00000.parquet").write_bytes(b"")
    said = repr(mereo.audit(torn))
    assert " complaints\n" in said
    assert "questions/train-00000.parquet" in said


def test_files_that_agree_say_so(small: Dataset, home: Path) -> None:
    out = mereo.export(small, home / "official", to="clevr")
    found = mereo.verify(out / "scenes/CLEVR_val_scenes.json", out / "questions/CLEVR_val_questions.json")
    assert found.perfect
    assert repr(found).startswith("40 of 40 answers and ")


def test_a_question_is_shown_with_every_step_on_one_picture(seen: Dataset) -> None:
    for question in seen.scenes[0].questions:
        shown = question._repr_html_()
        steps = list(question.run().trace.steps())
        assert shown.count("<figure>") == len(steps)
        assert shown.count("<image ") == 1
        assert shown.count('class="lit') == sum(len(one.referred) for one in steps)


def test_values_show_themselves_as_text_and_as_html(seen: Dataset, small: Dataset) -> None:
    scene = small.scenes[0]
    values: list[Any] = [seen, seen.scenes[0], small, scene, scene.questions[0], scene.ask("count(scene())")]
    values += [mereo.audit(small), mereo.oracle(small)]
    for value in values:
        assert len(repr(value)) < 400
        assert value._repr_html_().count("<table") <= 2
    assert repr(scene.questions[0]) in repr(scene.questions)
    assert repr(scene.world) == f"World(object: {len(scene.world)})"
    assert len(str(scene.world).splitlines()) == len(scene.world)
    trace = scene.questions[0].run().trace
    assert len(repr(trace).splitlines()) == len(trace.values)
    assert repr(mereo.language("clevr")) == "Language(clevr: 27 functions)"


def test_names_are_no_markup(home: Path) -> None:
    dataset = mereo.build("clevr", home / "<i>&", scenes=1, symbolic=True)
    shown = dataset._repr_html_()
    assert "&lt;i&gt;&amp;" in shown
    assert "<i>" not in shown


def test_a_shape_is_a_tree_that_draws_itself() -> None:
    from io import BytesIO

    from PIL import Image

    chair = mereo.shape("chair", family=2)
    assert repr(chair).startswith("chair-")
    assert len(repr(chair)) < 80
    assert len(str(chair).splitlines()) == len(list(chair.parts()))
    picture = np.asarray(Image.open(BytesIO(chair._repr_png_())))
    assert picture.shape == (240, 240, 4)
    assert (picture[0, :, 3] == 0).all()
    assert (picture[..., 3] == 255).any()


def test_official_files_become_a_dataset_to_look_into(official_data: Path, home: Path) -> None:
    samples = official_data / "official_samples"
    dataset = mereo.import_files(
        "clevr",
        home / "theirs",
        scenes=samples / "clevr_questions_scenes.json",
        questions=samples / "clevr_questions.json",
    )
    scene = dataset.scenes[0]
    assert scene.ask("How many things are there?").answer == len(scene.record["objects"])
    assert all(repr(question.run()) == question.answer for question in dataset.questions)
