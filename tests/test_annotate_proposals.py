"""Proposals: what networks or grammars say of points becomes parts with pieces, taken over by ordinary actions."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import complaint
from mereo.annotation.geometry.blobs import keep_mesh, read_mesh
from mereo.annotation.geometry.intake import grammar_intake
from mereo.annotation.geometry.places import child_places, of_one_kind, places_of, ranked
from mereo.annotation.geometry.predicted import read_instances
from mereo.annotation.geometry.proposals import Instances, Proposed, from_grammar, from_instances
from mereo.annotation.geometry.taking import taken
from mereo.annotation.home import FolderHome
from mereo.annotation.library import add_shape
from mereo.annotation.outgoing.annotated import annotated
from mereo.annotation.outgoing.partnet import write_hdf5
from mereo.annotation.project import Project
from mereo.annotation.proposing import offers
from mereo.annotation.queue import next_work
from mereo.annotation.state import State, begin, fold
from mereo.annotation.store import Store
from mereo.annotation.tree import tree_of
from mereo.chance import generator
from mereo.shapes.grammar import make_shape
from mereo.shapes.mesh import Mesh
from mereo.shapes.part import Shape
from mereo.shapes.partnet_h5 import write_h5
from mereo.shapes.points import sample_points
from mereo.shapes.template import template_of
from works import do, person

CHAIR = template_of("chair")
LEG = "chair/chair_base/regular_leg_base/leg"
OTHER_LEG = "chair/chair_base/star_leg_base/central_support"


@cache
def chair(family: int = 0) -> Shape:
    return make_shape("chair", seed=0, family=family)


def pieces_of(shape: Shape) -> dict[int, Mesh]:
    return {number: piece.mesh for number, piece in enumerate(grammar_intake(shape).pieces)}


def begun(pieces: dict[int, Mesh]) -> State:
    return begin(tree_of(CHAIR), dict.fromkeys(pieces, "0" * 64))


def true_instances(shape: Shape, count: int = 3_000) -> Instances:
    """What a perfect network says: every leaf, in a frame of its own."""
    cloud = sample_points(shape, count, generator(0, "test"))
    leaves = shape.leaves()
    masks = cloud.leaf[None] == np.arange(len(leaves))[:, None]
    return Instances(cloud.points * 7 + (3, -2, 1), masks, [leaf.label for leaf in leaves], np.full(len(leaves), 0.9))


def rng() -> np.random.Generator:
    return generator(0, "test", "pieces")


def told(proposed: list[Proposed]) -> dict[int, str]:
    return {piece: one.label for one in proposed for piece in one.pieces}


def area_told(shape: Shape, proposed: list[Proposed]) -> float:
    """The share of the surface whose label is right."""
    said, areas = told(proposed), [float(mesh.face_areas().sum()) for mesh in pieces_of(shape).values()]
    right = [said.get(number) == leaf.label for number, leaf in enumerate(shape.leaves())]
    return float(np.dot(areas, right) / sum(areas))


@pytest.mark.parametrize("family", [0, 3])
def test_what_a_perfect_network_sees_becomes_the_true_parts(family: int) -> None:
    shape = chair(family)
    found = from_instances(pieces_of(shape), true_instances(shape), CHAIR, rng=rng())
    assert told(found) == {number: leaf.label for number, leaf in enumerate(shape.leaves())}
    assert sorted(one.pieces for one in found) == [(number,) for number in range(len(shape.leaves()))]
    assert all(0.2 < one.confidence <= 0.9 for one in found)


def test_a_piece_of_which_nobody_says_anything_is_not_proposed() -> None:
    shape = chair()
    said = true_instances(shape)
    found = from_instances(pieces_of(shape), said._replace(masks=said.masks & False), CHAIR, rng=rng())
    assert found == []
    none = Instances(said.points, said.masks[:0], [], said.confidence[:0])
    assert from_instances(pieces_of(shape), none, CHAIR, rng=rng()) == []


def test_where_masks_overlap_the_surer_counts() -> None:
    shape = chair()
    said = true_instances(shape)
    over = np.ones((1, said.masks.shape[1]), bool)
    for sure, label in ((0.99, "chair/chair_head"), (0.1, None)):
        both = Instances(
            said.points,
            np.append(said.masks, over, axis=0),
            [*said.labels, "chair/chair_head"],
            np.append(said.confidence, sure),
        )
        labels = set(told(from_instances(pieces_of(shape), both, CHAIR, rng=rng())).values())
        assert (labels == {label}) == (label is not None)


def test_the_grammar_knows_a_shape_that_it_made_itself() -> None:
    shape = chair(2)
    found = from_grammar("chair", pieces_of(shape), samples=8)
    assert area_told(shape, found) > 0.95
    assert all(0 < one.confidence <= 1 for one in found)


def test_the_grammar_has_a_guess_for_a_shape_that_it_did_not_see() -> None:
    shape = make_shape("chair", seed=5, split="test", family=1)
    found = from_grammar("chair", pieces_of(shape), samples=8)
    assert area_told(shape, found) > 0.6


def test_two_halves_of_a_leg_are_one_leg_and_two_legs_are_two() -> None:
    legs = [number for number, leaf in enumerate(chair(2).leaves()) if leaf.label == LEG]
    whole = pieces_of(chair(2))
    first = whole[legs[0]]
    upper = first.triangles.mean(1)[:, 2] > first.vertices[:, 2].mean()
    halved = {
        **whole,
        legs[0]: Mesh.of(first.vertices, first.faces[upper]),
        99: Mesh.of(first.vertices, first.faces[~upper]),
    }
    found = [one.pieces for one in from_grammar("chair", halved, samples=8) if one.label == LEG]
    assert sorted(found) == sorted([(legs[0], 99), *((leg,) for leg in legs[1:])])


@pytest.mark.parametrize("way", ["network", "grammar"])
def test_all_that_is_proposed_can_be_taken_over_part_by_part(way: str) -> None:
    shape = chair(3)
    pieces = pieces_of(shape)
    proposals: Callable[[], list[Proposed]] = {
        "network": lambda: from_instances(pieces, true_instances(shape), CHAIR, rng=rng()),
        "grammar": lambda: from_grammar("chair", pieces, samples=8),
    }[way]
    state, proposed = begun(pieces), proposals()
    for one in proposed:
        state = fold(state, taken(state, one))
    assert {piece: state.path(part) for piece, part in state.owner.items()} == told(proposed)
    assert len(set(state.owner.values())) == len(proposed), "every one is a part of its own"


def test_the_order_in_which_they_are_taken_does_not_matter() -> None:
    shape = chair(3)
    pieces = pieces_of(shape)
    state, proposed = begun(pieces), from_instances(pieces, true_instances(shape), CHAIR, rng=rng())
    for one in reversed(proposed):
        state = fold(state, taken(state, one))
    assert {piece: state.path(part) for piece, part in state.owner.items()} == told(proposed)


def test_what_cannot_be_taken_over_is_refused() -> None:
    state = begun(pieces_of(chair()))
    leg = Proposed(LEG, (0,), 1.0, (1, 1, 1, 1))
    assert "no piece that is still there" in (complaint(lambda: taken(state, leg._replace(pieces=(99,)))) or "")
    assert "is a part of a table" in (complaint(lambda: taken(state, leg._replace(label="table/leg"))) or "")
    assert "there is no part of chair 'wing'" in (
        complaint(lambda: taken(state, Proposed("chair/wing", (0,), 1.0, (1, 1)))) or ""
    )
    legged = fold(state, taken(state, leg))
    other = Proposed(OTHER_LEG, (1,), 1.0, (1, 1, 1, 1))
    assert "is a regular_leg_base already" in (complaint(lambda: taken(legged, other)) or "")
    assert fold(begun(pieces_of(chair())), taken(state, other)).owner == {1: 3}


def test_of_kinds_that_exclude_each_other_the_heavier_stays() -> None:
    weights = {LEG: 2.0, OTHER_LEG: 1.0, "chair/chair_seat/seat_surface": 0.1}
    assert of_one_kind(weights, CHAIR) == {LEG, "chair/chair_seat/seat_surface"}
    assert of_one_kind({**weights, OTHER_LEG: 3.0}, CHAIR) == {OTHER_LEG, "chair/chair_seat/seat_surface"}


def test_parts_of_which_only_labels_are_known_get_places() -> None:
    arm = "chair/chair_arm"
    assert places_of([LEG, arm, LEG, arm], CHAIR) == [(1, 1, 1, 1), (1, 1), (1, 1, 1, 2), (1, 2)]
    shape = chair()
    places = [(part.label, place) for part, place in child_places(shape.root)]
    assert len(set(places)) == len(places), "no two parts have one place"


@settings(max_examples=50)
@given(
    st.lists(st.tuples(st.sampled_from(["a/b", "a/c/b", "a/c"]), st.lists(st.integers(1, 9), min_size=3, max_size=3)))
)
def test_places_are_counted_without_gaps_and_in_order(drawn: list[tuple[str, list[int]]]) -> None:
    parts = [(label, (1, *numbers[: label.count("/")])) for label, numbers in drawn]
    found = ranked(parts)
    for (label, place), new in zip(parts, found, strict=True):
        alike = sorted({(other, again) for (name, other), again in zip(parts, found, strict=True) if name == label})
        assert [again for _, again in alike] == sorted(again for _, again in alike)
        assert len({again for _, again in alike}) == len(alike)
        assert max(new) <= len(drawn) or not drawn
        assert len(new) == len(place)


@pytest.fixture
def predicted(tmp_path: Path) -> Path:
    """A folder with points of a chair and what a network says of them at level 1."""
    shape = chair()
    pieces = pieces_of(shape)
    digits = {number: keep_mesh(mesh, FolderHome(tmp_path)).digits for number, mesh in pieces.items()}
    state = begin(tree_of(CHAIR), digits)
    for one in from_instances(pieces, true_instances(shape), CHAIR, rng=rng()):
        state = fold(state, taken(state, one))
    given = annotated(state, name="mine", read=lambda one: read_mesh(FolderHome(tmp_path), one))
    write_hdf5([given], tmp_path / "out", points=400)
    truth = _truth(tmp_path / "out" / "ins_seg_h5_gt" / "Chair-1" / "train-00.h5")
    row = {"mask": truth["gt_mask"], "label": truth["gt_mask_label"], "valid": truth["gt_mask_valid"]}
    path = tmp_path / "out" / "instance" / "Chair-1" / "train-00.h5"
    write_h5(path, "predictions", [{**row, "conf": np.full(len(row["valid"]), 0.8)}], records=[{"anno_id": "mine"}])
    return tmp_path / "out"


def _truth(path: Path) -> dict[str, Any]:
    from mereo.shapes.partnet_h5 import read_h5

    return {name: values[0] for name, values in read_h5(path, "truth").items()}


def test_a_folder_of_predictions_becomes_proposals(predicted: Path) -> None:
    shape = chair()
    said = read_instances(predicted, "mine", CHAIR)
    found = from_instances(pieces_of(shape), said, CHAIR, rng=rng())
    coarse = {number: "/".join(leaf.label.split("/")[:2]) for number, leaf in enumerate(shape.leaves())}
    asked = {label.path for label in CHAIR.level(1)}
    assert told(found) == {number: label for number, label in coarse.items() if label in asked}
    assert len(found) < len(coarse), "pieces of one part are one part"


def test_a_project_that_names_predictions_offers_them(predicted: Path, tmp_path: Path) -> None:
    made = Project.create(tmp_path / "p", category="chair")
    kept = [(f"piece {number}", keep_mesh(mesh, made.home)) for number, mesh in pieces_of(chair()).items()]
    add_shape(made, "mine", kept)
    made.close()
    with (tmp_path / "p" / "project.toml").open("a") as settings:
        settings.write('predictions = "../out"\n')
    opened = Project.open(tmp_path / "p")
    ann, store = person(opened, "ann"), Store(opened)
    work = next_work(opened, ann)
    assert work is not None
    said = offers(opened, store.open_work(work, ann))
    assert {one.part.label for one in said} >= {"chair/chair_back", "chair/chair_seat"}
    assert all(one.part.confidence <= 0.8 for one in said), "no surer than the network"
    do(store, work, ann, *said[0].actions)
    assert [one.part for one in offers(opened, store.open_work(work, ann))] == [one.part for one in said[1:]]
    opened.close()


def test_predictions_that_do_not_fit_are_refused(predicted: Path) -> None:
    assert "has no points of 'other'" in (complaint(lambda: read_instances(predicted, "other", CHAIR)) or "")
    path = predicted / "instance" / "Chair-1" / "train-00.h5"
    path.with_suffix(".json").write_bytes(msgspec.json.encode([{"anno_id": "else"}]))
    assert "has no record of 'mine'" in (complaint(lambda: read_instances(predicted, "mine", CHAIR)) or "")
    path.with_suffix(".json").unlink()
    assert len(read_instances(predicted, "mine", CHAIR).labels) > 2
    row = {"mask": np.ones((1, 400), bool), "label": np.array([99]), "valid": np.array([True]), "conf": np.ones(1)}
    write_h5(path, "predictions", [row])
    assert "99 is none of" in (complaint(lambda: read_instances(predicted, "mine", CHAIR)) or "")
    write_h5(path, "predictions", [{**row, "label": np.array([0]), "mask": np.ones((1, 300), bool)}])
    assert "is of 300 points, not 400" in (complaint(lambda: read_instances(predicted, "mine", CHAIR)) or "")
    path.unlink()
    assert "has no predictions" in (complaint(lambda: read_instances(predicted, "mine", CHAIR)) or "")


def test_without_pieces_there_is_nothing_to_propose() -> None:
    assert "no pieces" in (complaint(lambda: from_grammar("chair", {}, samples=1)) or "")
