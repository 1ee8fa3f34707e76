"""CRIC's own scenes: what is stated of them is so, all of it is seen, and nothing floats or runs into another."""

from __future__ import annotations

import itertools
from collections import Counter
from functools import cache

import msgspec
import numpy as np
import pytest

from mereo.benchmarks.cric.graph import SceneGraph, graph_of
from mereo.benchmarks.cric.scenes.describing import name_of_kind, sizes_of
from mereo.benchmarks.cric.scenes.graph import PLAIN, scene_graph
from mereo.benchmarks.cric.scenes.kinds import LIBRARY, all_shapes, drawn_model, kinds, traits_of
from mereo.benchmarks.cric.scenes.own import FEWEST, MOST, Made, OwnScenes
from mereo.benchmarks.cric.scenes.paints import color_words, material_words
from mereo.benchmarks.cric.scenes.plans import SETTINGS, holds, plans
from mereo.benchmarks.cric.scenes.things import FLOOR, hull_points
from mereo.benchmarks.cric.scenes.view import LEAST
from mereo.chance import fast, generator
from mereo.datasets.columns import record_of
from mereo.errors import UnknownName
from mereo.knowledge import entities
from mereo.scenes.observe import directions
from mereo.scenes.physics import Simulation, Thresholds
from mereo.scenes.render import Set, objects_frame
from mereo.scenes.scene import Room, Scene, Surface
from mereo.shapes.grammar import family_number
from mereo.shapes.sizes import usual_length

SEED = 4
PLACES = [("train", 0), ("train", 1), ("val", 0), ("test", 1)]
PREDICATES = {"on", "under", "in", "next to", "left of", "right of", "in front of", "behind", "part of"}
INVERSE = {"left of": "right of", "right of": "left of", "in front of": "behind", "behind": "in front of"}


@cache
def made(split: str, index: int) -> Made:
    return OwnScenes(SEED).made(split, generator(SEED, split, index))


@cache
def graph(split: str, index: int) -> SceneGraph:
    scene = made(split, index)
    return scene_graph(f"{split}-{index:06d}", scene.things, scene.scene, scene.seen, image_filename="a.png")


def bare(scene: Scene) -> Scene:
    """The scene without textures, which take long to make."""
    assert isinstance(scene.setting, Room)
    plain = {side: Surface("stage") for side in ("floor", "back", "left", "right")}
    return msgspec.structs.replace(scene, setting=msgspec.structs.replace(scene.setting, **plain))


def stated(found: SceneGraph, predicate: str) -> set[tuple[int, int]]:
    """The places of whole things that stand so to each other, beyond doubt."""
    wholes = [each for each in found.relations if "." not in each.subject + each.object]
    return {(int(each.subject), int(each.object)) for each in wholes if each.predicate == predicate}


def test_a_row_holds_the_graph_of_the_scene_that_follows_from_seed_split_and_index() -> None:
    row = OwnScenes(SEED).scene("train", 0)
    record = record_of(row)
    read, known = graph_of(record), graph("train", 0)
    assert (read.things, read.relations, read.unclear) == (known.things, known.relations, known.unclear)
    assert record["setting"] in SETTINGS
    assert row["objects"] == len(record["shapes"]) == sum("." not in each.id for each in read.things)
    assert len({repr(graph(*place).things) for place in PLACES}) == len(PLACES)


@pytest.mark.parametrize("place", PLACES)
def test_all_that_is_stated_is_said_in_words_that_are_known_and_is_plainly_seen(place: tuple[str, int]) -> None:
    scene, found = made(*place), graph(*place)
    size = found.width * found.height
    assert FEWEST <= len(scene.things) <= MOST
    for thing in found.things:
        assert thing.name in entities()
        assert thing.box is not None
        left, top, width, height = thing.box
        assert min(left, top) >= 0
        assert left + width <= found.width
        assert top + height <= found.height
        assert width * height >= (PLAIN if "." in thing.id else LEAST) * size
        assert not any(set(thing.unclear.get(kind, ())) & set(words) for kind, words in thing.attributes.items())
    assert {each.predicate for each in (*found.relations, *found.unclear)} <= PREDICATES
    assert not set(found.relations) & set(found.unclear)


@pytest.mark.parametrize("place", PLACES)
def test_nothing_floats_falls_or_runs_into_another(place: tuple[str, int]) -> None:
    scene = made(*place)
    simulation = Simulation(scene.scene, Thresholds(seconds=0.8))
    for number, thing in enumerate(scene.things):
        simulation.reset()
        assert simulation.overlap(number) < 0.006, thing.kind
        if thing.holder != FLOOR and thing.how == "on":
            assert thing.holder in simulation.below(number), thing.kind
        elif thing.holder == FLOOR:
            assert abs(hull_points(thing.placed)[:, 2].min()) < 0.004, thing.kind
    simulation.reset()
    for thing, motion in zip(scene.things, simulation.watch(range(len(scene.things)), beyond=np.inf), strict=True):
        assert motion.shift < 0.06, thing.kind


@pytest.mark.parametrize("place", PLACES)
def test_relations_are_stated_both_ways_and_agree_with_where_things_are(place: tuple[str, int]) -> None:
    scene, found = made(*place), graph(*place)
    sides = directions(scene.scene)
    middles = [(lambda hull: (hull.min(0) + hull.max(0)) / 2)(hull_points(thing.placed)) for thing in scene.things]
    for relations in (found.relations, found.unclear):
        pairs = {(each.subject, each.predicate, each.object) for each in relations}
        for one, predicate, other in pairs:
            if predicate in INVERSE:
                assert (other, INVERSE[predicate], one) in pairs
            if predicate == "next to":
                assert (other, "next to", one) in pairs
            if predicate == "on":
                assert (other, "under", one) in pairs
    for predicate, side in (("left of", "left"), ("behind", "behind")):
        for first, second in stated(found, predicate):
            assert (middles[first] - middles[second]) @ np.array(sides[side]) > 0
    held = {(number, thing.holder) for number, thing in enumerate(scene.things) if thing.holder != FLOOR}
    assert stated(found, "on") | stated(found, "in") == held


@pytest.mark.parametrize("place", PLACES)
def test_what_lies_in_something_lies_within_it_and_what_is_under_something_below_it(place: tuple[str, int]) -> None:
    scene, found = made(*place), graph(*place)
    hulls = [hull_points(thing.placed) for thing in scene.things]
    for one, other in stated(found, "in"):
        assert (hulls[one].mean(0)[:2] > hulls[other].min(0)[:2]).all()
        assert (hulls[one].mean(0)[:2] < hulls[other].max(0)[:2]).all()
        assert hulls[other][:, 2].min() < hulls[one][:, 2].min() < hulls[other][:, 2].max()
    for one, other in stated(found, "under"):
        assert hulls[one][:, 2].min() < hulls[other][:, 2].max()


def test_boxes_are_those_of_the_whole_scene_though_only_its_objects_are_looked_at() -> None:
    scene = made("train", 0).scene
    alone, whole = objects_frame(scene), Set(bare(scene)).frame()
    assert (alone.object == whole.object).all()
    assert (alone.part == whole.part).all()


def test_parts_belong_to_things_that_are_there_and_lie_in_their_boxes() -> None:
    for place in PLACES:
        things = {thing.id: thing for thing in graph(*place).things}
        for thing in things.values():
            if thing.part_of is not None:
                left, top, width, height = thing.box or (0, 0, 0, 0)
                its_left, its_top, its_width, its_height = things[thing.part_of].box or (0, 0, 0, 0)
                assert its_left <= left < left + width <= its_left + its_width
                assert its_top <= top < top + height <= its_top + its_height


def test_no_family_of_shapes_is_in_two_splits() -> None:
    families: dict[str, set[tuple[str, int]]] = {}
    for shape in all_shapes():
        number = family_number(shape.split, shape.family)
        families.setdefault(shape.split, set()).add((shape.category, number))
    assert families.keys() == set(LIBRARY.values())
    for one, other in itertools.combinations(families.values(), 2):
        assert not one & other
    for split, index in PLACES:
        assert {thing.placed.shape.split for thing in made(split, index).things} == {LIBRARY[split]}


def test_kinds_are_known_to_knowledge_and_have_the_sizes_of_such_things() -> None:
    assert len({kind.category for kind in kinds().values()}) >= 40
    chance = fast(generator(SEED))
    for name in ("apple", "fork", "mug", "plate", "toaster", "chair"):
        model = drawn_model(name, "train", chance)
        low, high = usual_length(kinds()[name].category)
        assert low <= model.scale * max(traits_of(model.shape).sides) <= high
    for name in kinds():
        assert name_of_kind(name) in entities()


def test_plans_speak_of_kinds_that_there_are() -> None:
    named = Counter[str]()
    for setting in SETTINGS:
        for plan in plans(setting):
            named.update(kind for options in plan.row for kind in options if kind)
            named.update((*plan.middle, *plan.floor, *plan.on, *plan.under))
            named.update(kind for options in (*plan.on.values(), *plan.under.values()) for kind in options)
    for holder, rule in holds().items():
        named.update((holder, *rule.what))
    assert named.keys() <= kinds().keys()


def test_paints_have_words() -> None:
    chance = fast(generator(SEED))
    paints = drawn_model("table", "train", chance).paints.values()
    assert all(color_words(paint).word or color_words(paint).also for paint in paints)
    assert any(material_words(paint).word or material_words(paint).also for paint in paints)


def test_only_what_is_plainly_larger_is_called_large() -> None:
    assert sizes_of({0: 0.1, 1: 0.105}) == {}
    doubtful = sizes_of({0: 0.1, 1: 0.13})
    assert doubtful[1] == ({}, {"size": ("large",)})
    plain = sizes_of({0: 0.1, 1: 0.2, 2: 0.14})
    assert (plain[0].said, plain[1].said, plain[2].said) == ({"size": ("small",)}, {"size": ("large",)}, {})
    assert plain[2].unclear == {"size": ("large", "small")}


def test_a_split_that_has_no_shapes_is_refused() -> None:
    with pytest.raises(UnknownName, match="dev"):
        OwnScenes(SEED).scene("dev", 0)
