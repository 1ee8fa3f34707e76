"""What moves: doors swing free, drawers stay in their cases, wheels and casters turn where they are."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

import numpy as np
import pytest
from manifold3d import Manifold, Mesh64

from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import all_grammars, make_shape
from mereo.shapes.joint import Joint
from mereo.shapes.mesh import Mesh
from mereo.shapes.part import Part, Shape

COUNT, FEW, SEED = 20, 6, 20
MOVING = ("cart", "chair", "lamp", "refrigerator", "storage_furniture", "table")
IN_THE_WAY = 0.03
"""The share of a part that may come to lie in others when it moves: heads of lamps touch their arms."""
SMALL, SHORT = 0.08, 0.02
"""Meters: how long parts are that are pressed, and how far others go that are."""
DRAWERS = ("drawer", "door")
"""What slides out of a case; PartNet calls the drawers of a refrigerator doors."""


class Moving(NamedTuple):
    """A part that moves, in a shape all of whose parts are at rest."""

    shape: Shape
    part: Part
    joint: Joint

    def at(self, value: float) -> Shape:
        return posed(self.shape, {self.part.id: value})

    def is_pressed(self) -> bool:
        """Whether it goes into what it is on: buttons, triggers and levers, which are small, and keys."""
        boxes = np.array([leaf.mesh.bounds() for leaf in self.part.leaves() if leaf.mesh])
        longest = float((boxes[:, 1].max(0) - boxes[:, 0].min(0)).max())
        return longest < SMALL or (self.joint.kind == "slide" and self.joint.high - self.joint.low < SHORT)

    def in_the_way(self, value: float, others: dict[int, float]) -> float:
        """The share of the part that comes to lie in others when it moves. others : where those stand meanwhile"""
        before, after = (in_others(posed(self.shape, others | {self.part.id: at}), self.part) for at in (0.0, value))
        return (after - before) / volume(self.part)


@cache
def at_rest(category: str) -> tuple[Shape, ...]:
    made = (make_shape(category, seed=SEED, family=family) for family in range(COUNT if category in MOVING else FEW))
    return tuple(posed(shape, dict.fromkeys(joints(shape), 0.0)) for shape in made)


def moving(category: str) -> Iterator[Moving]:
    for shape in at_rest(category):
        yield from (Moving(shape, part, part.joint) for part in shape.parts() if part.joint is not None)


def ends(joint: Joint) -> tuple[float, ...]:
    """The ends of its range; a quarter turn of what spins."""
    return (90.0,) if joint.kind == "spin" else (joint.low, joint.high)


def body(mesh: Mesh) -> Manifold:
    return Manifold(Mesh64(np.array(mesh.vertices), mesh.faces.astype(np.uint64)))


def in_others(shape: Shape, part: Part) -> float:
    """How much of a part lies in the rest of a shape, cubic meters."""
    own = {each.id for each in part.walk()}
    inside, outside = ([leaf for leaf in shape.leaves() if (leaf.id in own) == mine] for mine in (True, False))
    total = 0.0
    for one in inside:
        for other in outside:
            assert one.mesh is not None
            assert other.mesh is not None
            (low, high), (floor, top) = one.mesh.bounds(), other.mesh.bounds()
            if (low < top).all() and (floor < high).all():
                total += (body(one.mesh) ^ body(other.mesh)).volume()
    return total


def volume(part: Part) -> float:
    return sum(leaf.mesh.volume() for leaf in part.leaves() if leaf.mesh)


@pytest.mark.parametrize("category", list(all_grammars()))
def test_what_moves_finds_its_way_free(category: str) -> None:
    """At either end of its range no more of a part lies in others than at rest, some of which may have to be opened."""
    stuck = []
    for each in moving(category):
        if each.is_pressed():
            continue
        others = {number: ends(joint)[-1] for number, joint in joints(each.shape).items() if number != each.part.id}
        for end in ends(each.joint):
            more = each.in_the_way(end, {})
            more = min(more, each.in_the_way(end, others)) if more > IN_THE_WAY else more
            if more > IN_THE_WAY:
                stuck.append(f"{each.shape.name}: {each.part.label} at {end:g} lies by {more:.1%} in others")
    assert stuck == []


def test_what_is_stuck_would_be_found() -> None:
    """A refrigerator's doors would swing through its shelves and walls the other way round."""
    fridge = next(each for each in moving("refrigerator") if each.joint.kind == "hinge")
    matrix = fridge.joint.motion(-60.0)
    wrong = [leaf.mesh.moved(matrix) for leaf in fridge.part.leaves() if leaf.mesh]
    frame = next(leaf for leaf in fridge.shape.leaves() if leaf.name == "frame")
    assert frame.mesh is not None
    assert sum((body(mesh) ^ body(frame.mesh)).volume() for mesh in wrong) > IN_THE_WAY * volume(fridge.part)


@pytest.mark.parametrize("category", ["cart", "refrigerator", "storage_furniture", "table"])
def test_drawers_never_leave_their_cases(category: str) -> None:
    """Drawn out as far as it goes, a drawer still reaches a tenth of its depth behind where its front was."""
    found = [each for each in moving(category) if each.joint.kind == "slide" and each.part.name in DRAWERS]
    drawers = [each for each in found if each.joint.axis[1] == -1]
    assert drawers
    for each in drawers:
        spans = []
        for shape in (each.shape, each.at(each.joint.high)):
            own = next(part for part in shape.parts() if part.id == each.part.id)
            spans.append(np.array([leaf.mesh.bounds()[:, 1] for leaf in own.leaves() if leaf.mesh]))
        front, back = spans[0][:, 0].min(), spans[0][:, 1].max()
        assert spans[1][:, 1].max() > front + 0.1 * (back - front), each.shape.name


@pytest.mark.parametrize("category", MOVING)
def test_what_looks_as_if_it_moved_does(category: str) -> None:
    names = {"drawer", "cabinet_door", "caster", "wheel", "keyboard_tray", "pull_bar"}
    names |= {"door"} if category == "refrigerator" else set()
    still = {
        part.label for shape in at_rest(category) for part in shape.parts() if part.name in names and part.joint is None
    }
    assert still == set()


def test_wheels_turn_about_their_own_middle() -> None:
    for category in ("cart", "chair", "storage_furniture", "table"):
        for each in moving(category):
            if each.part.name == "wheel":
                turned = each.at(90.0)
                assert turned.bounds() == pytest.approx(each.shape.bounds(), abs=2e-3), each.shape.name


def test_doors_and_drawers_that_stand_open_can_be_shut() -> None:
    """Some families are left open, and the same joint that opened them shuts them."""
    for category, kinds in (("refrigerator", {"hinge"}), ("storage_furniture", {"hinge", "slide"})):
        made = [make_shape(category, seed=SEED, family=family) for family in range(COUNT)]
        opened = [joint for shape in made for joint in joints(shape).values() if joint.at]
        assert {joint.kind for joint in opened} == kinds
        assert all(joint.low <= joint.at <= joint.high for joint in opened)
        assert not any(joint.at for shape in at_rest(category) for joint in joints(shape).values())
