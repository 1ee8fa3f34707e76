"""Oracles: all right on true worlds, and wrong as often as the noise says on degraded ones."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import CommandLine, complaint, world
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.chance import generator
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.build import build_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.store import read_table
from mereo.evaluation.answers import judge_answers
from mereo.evaluation.curves import measure_curves
from mereo.evaluation.noise import Sight, degrade, eroded, parse_noise, without
from mereo.evaluation.oracle import answer_by_oracle
from mereo.programs import Language
from mereo.world import Attribute, Entity, Vocabulary, World, make_world, members


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("oracle") / "set"
    build_dataset(ClevrRecipe(seed=7), folder, splits={"train": 2, "test": 30}, shard_size=50)
    return folder


@pytest.fixture(scope="module")
def asked(dataset: Path) -> Asked:
    return load_questions(dataset)


def accuracy(asked: Asked, **amounts: float) -> float:
    return float(judge_answers(asked, answer_by_oracle(asked, ClevrInspector(), amounts=amounts)).main.mean())


def test_on_true_worlds_everything_is_right(dataset: Path, mereo: CommandLine) -> None:
    done = mereo("oracle", dataset)
    assert "100.0" in done.out
    record = json.loads((dataset / "runs" / "oracle" / "result.json").read_text())
    assert record["overall"]["scores"]["accuracy"]["value"] == 1.0
    assert record["overall"]["questions"] == 300  # the training split is not judged
    assert record["header"]["kind"] == "oracle"


def test_more_noise_means_more_errors(asked: Asked) -> None:
    scores = [accuracy(asked, attributes=p) for p in (0.0, 0.02, 0.1, 0.4)]
    assert scores == sorted(scores, reverse=True)
    assert scores[0] == 1.0
    assert scores[-1] < 0.5
    missed = [accuracy(asked, objects=p) for p in (0.0, 0.05, 0.2, 1.0)]
    assert missed == sorted(missed, reverse=True)


def test_without_objects_only_what_needs_none_is_answered(asked: Asked) -> None:
    marks = judge_answers(asked, answer_by_oracle(asked, ClevrInspector(), amounts={"objects": 1.0}))
    assert marks.said is not None
    assert set(marks.said) <= {"", "0", "no", "yes"}
    assert 0 < (~marks.answered).sum() < len(asked)


def test_noise_is_the_same_every_time_and_told_with_the_run(dataset: Path, mereo: CommandLine) -> None:
    for _ in range(2):
        mereo("oracle", dataset, "--noise", "attributes=0.1,objects=0.05")
        path = dataset / "runs" / "oracle-attributes=0.1-objects=0.05" / "predictions.jsonl"
        lines = path.read_text().splitlines()
    assert json.loads(lines[0])["settings"] == {"noise": {"attributes": 0.1, "objects": 0.05}, "seed": 0}
    again = mereo("oracle", dataset, "--noise", "attributes=0.1,objects=0.05")
    assert path.read_text().splitlines() == lines
    assert "not answered, which is wrong" in again.out


def test_attributes_flip_as_often_as_they_should() -> None:
    flipped, total = 0, 0
    for k in range(60):
        true = world(k)
        seen = degrade(Sight(true), {"attributes": 0.25}, generator(k, "flip"))
        assert seen.related == true.related
        for one, other in zip(true.entities, seen.entities, strict=True):
            for name, value in one.attributes.items():
                total += 1
                flipped += other.attributes[name] != value
                assert other.attributes[name] in true.vocabulary.words(name)
    assert flipped / total == pytest.approx(0.25, abs=0.035)


@given(st.integers(0, 200), st.sets(st.integers(0, 9)))
def test_a_world_without_some_objects_is_the_rest(index: int, missed: set[int]) -> None:
    true = world(index)
    missed = {k for k in missed if k < len(true)}
    seen = without(true, missed)
    kept = [k for k in range(len(true)) if k not in missed]
    assert [entity.id for entity in seen.entities] == [true.entities[k].id for k in kept]
    for name, table in true.related.items():
        for new, old in enumerate(kept):
            expected = [kept.index(other) for other in members(table[old]) if other in kept]
            assert members(seen.related[name][new]) == expected


def test_parts_go_with_their_whole_and_by_themselves() -> None:
    vocabulary = Vocabulary.of([Attribute("name", ("chair", "leg", "foot"))])
    entities = [
        Entity("chair", "object", {"name": "chair"}),
        Entity("leg", "part", {"name": "leg"}, "chair"),
        Entity("foot", "part", {"name": "foot"}, "leg"),
        Entity("other", "object", {"name": "chair"}),
    ]
    true = make_world(entities, vocabulary)
    assert [entity.id for entity in without(true, {0}).entities] == ["other"]
    assert [entity.id for entity in without(true, {1}).entities] == ["chair", "other"]
    seen = degrade(Sight(true), {"parts": 1.0}, generator(0, "parts"))
    assert [entity.id for entity in seen.entities] == ["chair", "other"]
    seen = degrade(Sight(true), {"objects": 1.0}, generator(0, "objects"))
    assert len(seen) == 0


@dataclass(frozen=True)
class Owners:
    """Whose each thing is."""

    names: tuple[str, ...]

    def kept(self, places: Sequence[int]) -> Owners:
        return Owners(tuple(self.names[k] for k in places))


def test_facts_outlive_noise_and_follow_the_entities() -> None:
    vocabulary = Vocabulary.of([Attribute("name", ("chair", "table"))])
    entities = [Entity(k, attributes={"name": "chair"}) for k in "abc"]
    true = make_world(entities, vocabulary, facts=[Owners(("Ann", "Bob", "Cem"))])
    seen = degrade(Sight(true), {"attributes": 1.0}, generator(0, "facts"))
    assert seen.value["name"] == ("table",) * 3
    assert seen.fact(Owners).names == ("Ann", "Bob", "Cem")
    assert without(true, {1}).fact(Owners).names == ("Ann", "Cem")


def test_a_word_of_an_open_vocabulary_is_taken_for_another_that_occurs() -> None:
    entities = [Entity(k, attributes={"name": k}) for k in "abc"]
    seen = degrade(
        Sight(make_world(entities, Vocabulary.of([Attribute("name", None)]))), {"attributes": 1.0}, generator(0)
    )
    assert all(value != k and value in "abc" for k, value in zip("abc", seen.value["name"], strict=True))


def test_a_defect_of_a_function_is_no_wrong_answer(asked: Asked) -> None:
    class Broken(ClevrInspector):
        language = Language.of(
            "broken", LANGUAGE.vocabulary, [replace(f, call=_broken) for f in LANGUAGE.functions.values()]
        )

    with pytest.raises(KeyError, match="a slip"):
        answer_by_oracle(asked, Broken())


def _broken(world: World, *given: object) -> object:
    raise KeyError("a slip")


def test_eroding_takes_the_border_away() -> None:
    mask = np.zeros((12, 12), bool)
    mask[3:8, 2:9] = True
    assert eroded(mask, 0).sum() == 35
    assert np.argwhere(eroded(mask, 1)).tolist() == [[y, x] for y in range(4, 7) for x in range(3, 8)]
    assert eroded(mask, 2).sum() == 3
    assert not eroded(mask, 3).any()
    assert eroded(np.ones((4, 4), bool), 9).all()  # the border of the picture is no border of the thing


def test_what_erodes_away_is_missed() -> None:
    vocabulary = Vocabulary.of([Attribute("size", ("small", "large"))])
    true = make_world(
        [Entity("a", attributes={"size": "small"}), Entity("b", attributes={"size": "large"})], vocabulary
    )
    small, large = np.zeros((20, 20), bool), np.zeros((20, 20), bool)
    small[1:4, 1:4], large[5:15, 5:15] = True, True
    sight = Sight(true, lambda: {0: small, 1: large})
    rng = generator(0, "erosion")
    assert len(degrade(sight, {"masks": 1}, rng)) == 2
    assert [entity.id for entity in degrade(sight, {"masks": 2}, rng).entities] == ["b"]
    assert len(degrade(sight, {"masks": 6}, rng)) == 0
    both = degrade(sight, {"objects": 1e-12, "masks": 2}, rng)
    assert [entity.id for entity in both.entities] == ["b"]


def test_masks_of_a_rendered_scene_are_its_objects(tmp_path: Path, mereo: CommandLine) -> None:
    folder = tmp_path / "seen"
    recipe = ClevrRecipe(seed=6, questions_per_scene=5, pictures=PictureSettings(width=96, height=64, samples=8))
    build_dataset(recipe, folder, splits={"test": 2}, shard_size=5)
    row = read_table(folder / "scenes" / "test-00000.parquet").to_pylist()[0]
    own = ClevrInspector().world(row)
    masks = ClevrInspector().masks(row, own)
    assert sorted(masks) == list(range(len(own)))
    for k, mask in masks.items():
        rows, columns = np.nonzero(mask)
        column, line, _ = own.entities[k].numbers["pixel"]
        assert abs(columns.mean() - column) < 8
        assert abs(rows.mean() - line) < 8
    mereo("oracle", folder, "--noise", "masks=40")
    record = json.loads((folder / "runs" / "oracle-masks=40" / "result.json").read_text())
    assert record["overall"]["scores"]["accuracy"]["value"] < 0.8


def test_curves_fall_and_are_kept(dataset: Path, asked: Asked, mereo: CommandLine) -> None:
    curves = measure_curves(asked, ClevrInspector(), ["attributes"])
    values = [point.score.value for point in curves[0].points]
    assert values[0] == 1.0
    assert values == sorted(values, reverse=True)
    assert curves[0].points[-1].unanswered > 0
    done = mereo("oracle", dataset, "--curve")
    assert done.out.startswith("attributes: 0 100.0%, 0.01 ")
    assert [curve["noise"] for curve in json.loads((dataset / "runs" / "curves.json").read_text())] == [
        "attributes",
        "objects",
    ]


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("attribute=0.1", "there is no noise 'attribute' (did you mean 'attributes'?)"),
        ("attributes", "field '--noise': 'attributes' must be a name and a number, as attributes=0.1"),
        ("objects=2", "field '--noise': the amount of objects must be between 0 and 1, not 2"),
        ("masks=-1", "field '--noise': the amount of masks must be pixels between 0 and 1000, not -1"),
        ("objects=nan", "field '--noise': the amount of objects must be between 0 and 1, not nan"),
    ],
)
def test_noise_that_makes_no_sense(text: str, sentence: str) -> None:
    assert complaint(lambda: parse_noise(text)) == sentence


def test_masks_need_pictures(dataset: Path, mereo: CommandLine) -> None:
    done = mereo("oracle", dataset, "--noise", "masks=3", code=2)
    assert "there are no masks to erode" in done.err
