"""Stages of seeing exchanged for the truth, and lines and planes of rebuilt parts."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch

import mereo
from mereo.benchmarks.benchmark import benchmark
from mereo.benchmarks.ptr.learning import rebuilding
from mereo.benchmarks.ptr.learning.axes import direction_of, unsigned
from mereo.benchmarks.ptr.learning.exchange import STAGES, exchanged
from mereo.benchmarks.ptr.learning.levels import LEVELS, NEITHER
from mereo.benchmarks.ptr.learning.rebuild import straight
from mereo.benchmarks.ptr.learning.rebuild.library import Library, shelved
from mereo.benchmarks.ptr.learning.rebuilding import check_sources
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.benchmarks.ptr.learning.truth import seen_of_truth
from mereo.datasets.columns import record_of
from mereo.datasets.predictions import Prediction
from mereo.datasets.reading import RowReader
from mereo.errors import UnknownName
from mereo.files import converted
from mereo.masks import Pixels
from mereo.scenes.scene import ShapeRef
from mereo.training.corpus import Corpus
from mereo.training.matching import matched
from mereo.training.seeing import Seen, SeenThing

Rows = list[dict[str, Any]]
TRUE = {"programs": True, "things": True, "poses": True, "geometry": "true", "physics": "true"}


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three rooms, the last of them physical, and many questions about each."""
    folder = tmp_path_factory.mktemp("exchange") / "set"
    return mereo.build("ptr", folder, split="train=3", symbolic=True, questions_per_scene=40, seed=11).folder


@pytest.fixture(scope="module")
def rows(rooms: Path) -> Rows:
    reader = RowReader(rooms, "scenes")
    return [reader.row(place) for place in range(len(reader))]


def spoiled(seen: Seen, rng: np.random.Generator) -> Seen:
    """What bad eyes see: some things not at all, one twice, of all a third of the words rightly and no number."""
    kept = [k for k in range(len(seen.objects)) if k == 0 or rng.random() < 0.7]
    place = {old: new for new, old in enumerate(kept)}
    objects = [_misseen("object", seen.objects[k], rng) for k in kept]
    parts = [replace(part, whole=place.get(part.whole or 0)) for part in seen.parts if rng.random() < 0.8]
    seen_parts = [_misseen("part", part, rng) for part in parts]
    return replace(seen, objects=[*objects, objects[0]], parts=[*seen_parts, *seen_parts[:2]])


def _misseen(level: str, thing: SeenThing, rng: np.random.Generator) -> SeenThing:
    own = LEVELS[level]
    words = {name: str(rng.choice(values)) for name, values in own.words.items()}
    changes = {name: tuple(value for value in values if rng.random() < 0.5) for name, values in own.several.items()}
    right = {name: value for name, value in thing.words.items() if rng.random() < 0.3}
    odds = {name: rng.dirichlet(np.ones(len(values))).astype(np.float32) for name, values in own.words.items()}
    numbers = {name: rng.normal(size=size).astype(np.float32) for name, size in own.numbers.items()}
    mask = np.roll(thing.mask, int(rng.integers(-1, 2)), axis=1)
    return SeenThing(mask, {**words, **changes, **right}, numbers, thing.whole, 0.9, odds)


def answers(row: str, rooms: Path, choices: dict[str, Any]) -> list[Prediction]:
    """What a row answers about the rooms. choices : with true programs, since there is no parser"""
    corpus = Corpus(rooms, SimpleNamespace(), torch.device("cpu"))  # type: ignore[arg-type]
    desk: Any = SimpleNamespace(corpus=corpus, lexicon=corpus.lexicon(), choices={"programs": True, **choices})
    learning = benchmark("ptr").learning
    assert learning is not None
    return list(next(one for one in learning().rows if one.name == row).answer(desk, "train"))


@pytest.fixture
def bad_eyes(monkeypatch: pytest.MonkeyPatch, rows: Rows) -> None:
    """Rows look with eyes that are spoiled in the same way each time."""

    def look(desk: Any, split: str, scenes: Any = None) -> Iterator[Seen]:
        rng = np.random.default_rng(0)
        return (spoiled(seen_of_truth(row), rng) for row in rows)

    monkeypatch.setattr(rebuilding, "look_at_pixels", look)


@pytest.mark.usefixtures("bad_eyes")
@pytest.mark.parametrize("row", ["rebuilt", "dense_symbolic"])
def test_with_all_exchanged_nothing_is_lost_that_bad_eyes_lose(row: str, rooms: Path) -> None:
    reader = RowReader(rooms, "questions")
    truth = [reader.row(place)["answer"] for place in range(len(reader))]
    seen = [one.answer for one in answers(row, rooms, {"geometry": "seen", "physics": "seen"})]
    given = answers(row, rooms, TRUE)
    assert np.mean([one == right for one, right in zip(seen, truth, strict=True)]) < 0.7
    assert [one.answer for one in given] == truth
    assert all(one.raw is None for one in given)


@pytest.mark.usefixtures("bad_eyes")
def test_rooms_are_rebuilt_only_where_it_is_asked_for(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    done: list[str] = []

    def judge(seen: Iterator[Seen], wanted: set[int], **how: Any) -> Iterator[Seen]:
        done.extend(["physics"] * len(wanted))
        return seen

    def straighten(seen: Seen, **how: Any) -> Seen:
        done.append("geometry")
        return seen

    monkeypatch.setattr("mereo.benchmarks.ptr.learning.rebuild.verdicts.with_verdicts", judge)
    monkeypatch.setattr("mereo.benchmarks.ptr.learning.rebuild.straight.with_axes", straighten)
    answers("rebuilt", rooms, {"geometry": "both"})
    assert done.count("physics") == 1, "there is one physical room"
    assert 1 <= done.count("geometry") <= 3
    done.clear()
    answers("dense_symbolic", rooms, {})
    answers("rebuilt", rooms, {"geometry": "true", "physics": "true"})
    assert done == []


def test_a_source_that_there_is_not_is_told() -> None:
    check_sources({"geometry": "both", "physics": "true", "width": 8})
    with pytest.raises(UnknownName, match="there is no source of geometry named 'rebuild'"):
        check_sources({"geometry": "rebuild"})


def told(thing: SeenThing, *names: str) -> dict[str, Any]:
    """The words and numbers of some names, as plain values."""
    words = {name: thing.words[name] for name in names if name in thing.words}
    return words | {name: np.asarray(thing.numbers[name]).tolist() for name in names if name in thing.numbers}


OWN = {
    "poses": ("turned", "leaning", "middle", "tilt", "extent", "room", "reach"),
    "geometry": ("geometry", "axis", "own_axis"),
    "physics": ("stability", "change"),
}
NAMES = {name for level in LEVELS.values() for name in (*level.words, *level.several, *level.numbers)}


def test_every_word_and_number_belongs_to_one_stage() -> None:
    own = [name for names in OWN.values() for name in names]
    assert {*own, "category", "part", "color", "place", "support"} == NAMES
    assert set(STAGES) == {"things", *OWN}


@pytest.mark.parametrize("stage", OWN)
def test_a_stage_is_exchanged_of_what_was_found_and_no_other_is(rows: Rows, stage: str) -> None:
    own = OWN[stage]
    for row in rows:
        true = seen_of_truth(row)
        seen = spoiled(true, np.random.default_rng(1))
        mixed = exchanged(seen, true, {stage})
        for level, least in (("objects", 0.5), ("parts", 0.3)):
            here, there, made = (list(getattr(one, level)) for one in (seen, true, mixed))
            partner = matched(here, there, called="category" if level == "objects" else "part", least=least)
            back = {found: k for k, found in partner.items()}
            assert len(back) >= len(here) / 2
            for k, (before, after) in enumerate(zip(here, made, strict=True)):
                assert told(after, *own) == told(there[back[k]] if k in back else before, *own)
                assert told(after, *NAMES - {*own}) == told(before, *NAMES - {*own})
                assert after.mask is before.mask
                assert k not in back or not set(after.odds) & {*own}


def test_true_things_keep_what_was_seen_of_their_lines_and_of_their_fall(rows: Rows) -> None:
    for row in rows:
        true = seen_of_truth(row)
        seen = spoiled(true, np.random.default_rng(2))
        mixed = exchanged(seen, true, {"things"})
        world, truth = PtrSeeing().world(mixed), PtrSeeing().world(true)
        assert [entity.id for entity in world.entities] == [entity.id for entity in truth.entities]
        assert [world.value["color"][k] for k in range(len(world))] == list(truth.value["color"])
        assert world.related["left"] == truth.related["left"]
        partner = matched(seen.objects, true.objects, called="category", least=0.5)
        for k, thing in enumerate(mixed.objects):
            before = seen.objects[partner[k]] if k in partner else true.objects[k]
            assert told(thing, "stability", "change", "turned") == told(before, "stability", "change", "turned")
        assert len(partner) < len(true.objects) or len(true.parts) > len(seen.parts)


# Matching


def box(left: int, width: int, size: tuple[int, int] = (20, 40)) -> Pixels:
    mask = np.zeros(size, bool)
    mask[4:14, left : left + width] = True
    return mask


def named(name: str, mask: Pixels) -> SeenThing:
    return SeenThing(mask, {"part": name}, {})


def test_things_are_matched_one_to_one_by_what_they_share() -> None:
    true = [named("leg", box(0, 10)), named("leg", box(10, 10)), named("top", box(30, 10))]
    found = [named("leg", box(6, 10)), named("leg", box(8, 10)), named("top", box(36, 4))]
    pairs = matched(found, true, called="part", least=0.2)
    assert pairs == {0: 0, 1: 1, 2: 2}, "the first also overlaps the second true one, but less"
    assert matched(found, true, called="part", least=0.3) == {1: 1, 2: 2}
    assert matched(found, true, called="part", least=0.5) == {1: 1}
    assert matched([], true, called="part", least=0.5) == {}


def test_of_things_with_the_same_pixels_the_name_decides() -> None:
    true = [named("arm", box(0, 10)), named("arm horizontal bar", box(0, 10))]
    assert matched(true[::-1], true, called="part", least=0.5) == {0: 1, 1: 0}
    large = [named("arm", box(0, 10).repeat(3, 0).repeat(3, 1))]
    assert matched(true, large, called="part", least=0.9) == {0: 0}, "the picture was looked at in small"


# Geometry of rebuilt parts


@pytest.fixture
def shelf(monkeypatch: pytest.MonkeyPatch, rows: Rows) -> None:
    """Only the shapes of the rooms are there to rebuild them from."""
    things = [thing for row in rows for thing in record_of(row)["objects"]]
    shapes = {converted(thing["shape"], file=None, type=ShapeRef): None for thing in things}

    def library(category: str) -> Library:
        return shelved(category, [one for one in shapes if one.category == category])

    monkeypatch.setattr(straight, "library", library)


def off(one: SeenThing, other: SeenThing) -> float:
    """Degrees between the axes of two parts."""
    cosine = abs(float(direction_of(one.numbers["axis"]) @ direction_of(other.numbers["axis"])))
    return float(np.degrees(np.arccos(min(cosine, 1.0))))


def turned(axis: Any, rng: np.random.Generator, *, by: float) -> Any:
    """An axis that is off by some degrees."""
    aside = np.cross(axis, rng.normal(size=3))
    return np.cos(np.radians(by)) * axis + np.sin(np.radians(by)) * aside / np.linalg.norm(aside)


@pytest.mark.usefixtures("shelf")
def test_rebuilt_parts_lie_as_the_true_ones_though_all_axes_were_seen_wrongly(rows: Rows) -> None:
    rng, errors = np.random.default_rng(0), []
    for row in rows:
        true = seen_of_truth(row)
        straight_parts = [part for part in true.parts if part.words.get("geometry")]
        bent = [
            replace(part, numbers={**part.numbers, "axis": unsigned(turned(direction_of(axis), rng, by=8.0))})
            if (axis := part.numbers.get("axis")) is not None
            else part
            for part in true.parts
        ]
        made = straight.with_axes(replace(true, parts=bent))
        assert [part.words for part in made.parts] == [part.words for part in true.parts]
        after = [part for part in made.parts if part.words.get("geometry")]
        errors += [off(one, other) for one, other in zip(straight_parts, after, strict=True)]
    assert len(errors) > 20
    assert np.median(errors) < 2
    assert np.mean(errors) < 4


def test_axes_of_parts_follow_from_how_their_objects_are_turned(rows: Rows) -> None:
    for row in rows:
        true = seen_of_truth(row)
        wrong = [replace(part, numbers={**part.numbers, "axis": unsigned((1, 2, 3))}) for part in true.parts]
        made = straight.with_posed_axes(replace(true, parts=wrong))
        errors = [off(*pair) for pair in zip(made.parts, true.parts, strict=True) if "axis" in pair[1].numbers]
        assert len(errors) > 5
        assert max(errors) < 3, "objects are turned by up to 2.5 degrees more or less than words can say"


@pytest.mark.usefixtures("shelf")
def test_shapes_alone_tell_what_is_a_line_and_what_is_a_plane(rows: Rows) -> None:
    for row in rows:
        true = seen_of_truth(row)
        blank = [replace(part, words={**part.words, "geometry": NEITHER}) for part in true.parts]
        made = straight.with_axes(replace(true, parts=blank), alone=True)
        kinds = [part.words["geometry"] for part in made.parts]
        assert kinds == [part.words.get("geometry") or NEITHER for part in true.parts]
        world, truth = PtrSeeing().world(made), PtrSeeing().world(true)
        assert world.related["plane-plane perpendicular"] == truth.related["plane-plane perpendicular"]


def test_an_object_is_turned_as_it_and_its_parts_agree() -> None:
    rng = np.random.default_rng(0)
    told_errors: list[float] = []
    agreed_errors: list[float] = []
    for _ in range(50):
        true = np.linalg.qr(rng.normal(size=(3, 3)))[0]
        true *= np.sign(np.linalg.det(true))
        turn = np.column_stack([turned(axis, rng, by=8.0) for axis in true.T])
        turn = straight.agreed_turn(turn, [])
        legs = [axis / np.linalg.norm(axis) for axis in np.array([[0.1, 0.1, 1], [-0.1, 0.1, 1], [1, 0, 0], [0, 1, 0]])]
        parts = [([*legs[:2]] if k < 2 else [leg], -turned(true @ leg, rng, by=5.0)) for k, leg in enumerate(legs)]
        agreed = straight.agreed_turn(turn, parts)
        assert agreed @ agreed.T == pytest.approx(np.eye(3))
        for errors, one in ((told_errors, turn), (agreed_errors, agreed)):
            errors.append(np.degrees(np.arccos(np.clip((np.trace(one.T @ true) - 1) / 2, -1, 1))))
    assert np.mean(agreed_errors) < 0.8 * np.mean(told_errors)
