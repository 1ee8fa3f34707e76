"""Arrangements of physical scenes: stacked, leaning, tilted, toppled, each to stay or to fall.

Where things are put is reckoned first, from where their weight lies; what is promising is simulated alone in the room.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import NamedTuple

import msgspec
import numpy as np

from mereo.benchmarks.ptr.behavior import CLEAR, DISTANCES, LIMITS, SIDES, clear_changes
from mereo.benchmarks.ptr.numbers import NUMBERS, drawn_by_weight
from mereo.benchmarks.ptr.scenes import Refused, Wanted, candidate, drawn_yaw
from mereo.benchmarks.ptr.stage import floor_of
from mereo.benchmarks.ptr.view import out_of_view
from mereo.scenes.assemble import shape_of
from mereo.scenes.layout import Candidate, crowding, footprint, turned_by
from mereo.scenes.observe import directions
from mereo.scenes.physics import Simulation
from mereo.scenes.poise import Wall, balance, corners_of, moved, on_floor, pushed, strain, tilted, wall_gaps, walls
from mereo.scenes.scene import Placed, Pose, Quaternion, Room, Scene
from mereo.scenes.stacking import Sole, Top, held, sole_of, steady, top_of
from mereo.shapes.mesh import Floats

__all__ = ["Arranger", "drawn_things"]

_PHYSICAL = NUMBERS["physical"]
_TRIES, _PLACES, _SPOTS = 12, 4, 24
"""How often an arrangement is tried before the scene is drawn anew, how often with the same objects, and how many
places are looked at for one of them."""
_OFFSETS, _WAYS, _POSES = 24, 3, 6
"""How many offsets of a stack are reckoned, how many ways out from where it stays, and how many poses of what leans."""
_UPPERS = 4
"""How many objects are drawn to find one that is smaller than what it is to stand on."""


class _Unfit(Refused):
    """An arrangement that its objects cannot make: others are to be drawn."""


class _Group(NamedTuple):
    """Objects of one arrangement, the lowest first, and which of them are to fall."""

    objects: list[Placed]
    falls: list[bool]


def drawn_things(
    kind: str, asked: Wanted, rng: np.random.Generator, *, below: Sequence[Candidate] = ()
) -> list[Candidate]:
    """The objects of an arrangement of a kind, the lowest first. below : what its upper object is to be put on"""
    numbers = _PHYSICAL[kind]

    def drawn(role: str, diagonal: Sequence[float]) -> Candidate:
        known = {name: numbers[role][name] for name in numbers[role] if name in (asked.categories or numbers[role])}
        return candidate(asked, rng, category=drawn_by_weight(known, rng), diagonal=diagonal)

    lower = [drawn("under", ())] if "under" in numbers and not below else below
    for _ in range(_UPPERS):
        upper = drawn("what", numbers["diagonal"])
        if all((_base(upper) < _base(each)).all() for each in lower):
            break
    return [*lower, upper]


def _base(thing: Candidate) -> Floats:
    """(2,) float: the sides of what an object covers, the shorter first, meters."""
    low, high = shape_of(thing.shape).bounds()
    sides: Floats = np.sort(thing.scale * (high - low)[:2])
    return sides


class _Pair(NamedTuple):
    """Two objects of which one is to be put on the other, both turned as they will stand; offsets are meters (x, y)."""

    top: Top
    below: Sole
    above: Sole

    def stay(self, offset: Floats) -> bool | None:
        """Whether both stay with the upper at an offset, or None where that is in doubt or it would not fit there."""
        sure, inside = _PHYSICAL["stacked"]["sure"], held(self.above, self.top, offset)
        if inside is None or abs(inside) < sure:
            return None
        both = steady(self.below, self.above, offset) if inside > 0 else -np.inf
        return None if abs(both) < sure else both > 0

    def stays(self, rng: np.random.Generator) -> list[Floats]:
        """Offsets at which both stay, in the order of chance."""
        low, high = np.reshape(self.top.flat.bounds(), (2, 2))
        drawn = rng.uniform(low, high, (_OFFSETS, 2)) - self.above.weight
        return [offset for offset in drawn if self.stay(offset)]

    def falls(self, offset: Floats, sides: dict[str, Floats], towards: str) -> list[bool] | None:
        """Which of the two fall with the upper at an offset, where moving it towards that side alone saves it."""
        inside = held(self.above, self.top, offset)
        if inside is None or inside == -np.inf or self.stay(offset) is not False:
            return None
        for side, way in sides.items():
            moves = (self.stay(offset + distance * way) for distance in DISTANCES)
            if next((True for stay in moves if stay), False) != (side == towards):
                return None
        return [inside > 0, True]


class Arranger:
    """Fills one room with arrangements."""

    def __init__(self, scene: Scene, asked: Wanted, rng: np.random.Generator):
        assert isinstance(scene.setting, Room)
        self.scene, self.asked, self.rng = scene, asked, rng
        self.room, self.floor, self.sides = scene.setting, floor_of(scene.setting), directions(scene)
        self.objection = out_of_view(scene)
        self.done: list[Placed] = []
        self.falling: list[Placed] = []

    def add(self, kind: str, things: list[Candidate]) -> None:
        """Add an arrangement of a kind, drawn until it does what it is made for.

        things : what to begin with; others are drawn where they do not serve
        """
        refused: Counter[str] = Counter()
        falls = bool(self.rng.random() < _PHYSICAL[kind]["unstable"])
        towards = drawn_by_weight(_PHYSICAL[kind]["towards"], self.rng)
        for attempt in range(_TRIES):
            try:
                group = _ARRANGEMENTS[kind, falls](self, *things, towards)
                self._prove(group, towards)
            except Refused as refusal:
                refused[str(refusal)] += 1
                if attempt % _PLACES == _PLACES - 1:
                    things = drawn_things(kind, self.asked, self.rng)
                elif isinstance(refusal, _Unfit):  # making shapes takes longest: what is below may serve another
                    things = drawn_things(kind, self.asked, self.rng, below=things[:-1])
                continue
            self.done += group.objects
            self.falling += [placed for placed, falls in zip(*group, strict=True) if falls]
            return
        raise Refused(f"nothing {kind} could be placed: {refused.most_common(1)[0][0]}")

    def stacked_to_stay(self, lower: Candidate, upper: Candidate, towards: str) -> _Group:
        """One object on another, its weight well within what holds it."""
        return self._stacked(lower, upper, towards="", falls=False)

    def stacked_to_fall(self, lower: Candidate, upper: Candidate, towards: str) -> _Group:
        """One object on another, its weight beyond the rim, or so near it that both tip over."""
        return self._stacked(lower, upper, towards=towards, falls=True)

    def _stacked(self, lower: Candidate, upper: Candidate, *, towards: str, falls: bool) -> _Group:
        under, above = (
            Placed(each.shape, Pose((0.0, 0.0, 0.0), turned_by(each.turn[0])), each.scale, dict(each.paints))
            for each in (lower, upper)
        )
        pair = _Pair(top_of(under), sole_of(under), sole_of(above))
        stays = pair.stays(self.rng)
        if not stays:
            raise _Unfit("an object has no place on another")
        offset, does = (stays[0], [False, False]) if not falls else self._overhang(pair, stays, towards)
        rise = [*offset.tolist(), pair.top.height - pair.above.height]
        return _Group(
            self._spot(under, lambda placed: [placed, moved(above, np.add(placed.pose.position, rise))]), does
        )

    def _overhang(self, pair: _Pair, stays: Sequence[Floats], towards: str) -> tuple[Floats, list[bool]]:
        """Where the upper of a stack would fall and be saved as it is to be, on a way out from where it would stay."""
        sides = {side: np.asarray(self.sides[side])[:2] for side in SIDES}
        for begin in stays[:_WAYS]:
            away = sides[towards if towards in sides else str(self.rng.choice(SIDES))]
            for far in self.rng.permutation(np.arange(*_PHYSICAL["stacked"]["off"])):
                offset = begin - far * away
                does = pair.falls(offset, sides, towards)
                if does is not None:
                    return offset, does
        raise _Unfit("one object on another would not fall as it should")

    def leaning_to_stay(self, thing: Candidate, towards: str) -> _Group:
        """An object against a wall."""
        return self._leaning(thing, 0.0, towards=towards)

    def leaning_to_fall(self, thing: Candidate, towards: str) -> _Group:
        """An object as it would lean on a wall, only farther off."""
        return self._leaning(thing, float(self.rng.choice(_PHYSICAL["leaning"]["off"])), towards=towards)

    def _leaning(self, thing: Candidate, off: float, *, towards: str) -> _Group:
        numbers, name = _PHYSICAL["leaning"], "back" if towards == "behind" else towards
        wall = walls(self.room)[name]
        facing = {"back": 0.0, "left": 90.0, "right": -90.0}[name]
        into = tuple(-each for each in wall.normal)
        for _ in range(_POSES):
            upright = turned_by(drawn_yaw(self.rng, [facing, facing + 90, facing - 90], [6, 1, 1]))
            balanced = balance(thing.shape, upright, into, most=numbers["most"])
            if balanced is None:
                continue
            rotation = tilted(upright, into, balanced + float(self.rng.uniform(*numbers["beyond"])))
            leaning = pushed(on_floor(_turned(thing, rotation)), wall)
            if strain(leaning, wall) < numbers["strain"]:
                break
        else:
            raise _Unfit("an object that is to lean is too squat, would slip, or rolls")
        back = -off * np.asarray(self.sides[towards])
        group = self._spot(
            leaning, lambda placed: [moved(pushed(placed, wall), back)], from_walls=_PHYSICAL["clear"] if off else 0.0
        )
        if not off and not self._touch_is_seen(group[0], wall):
            raise Refused("an object would hide that it touches the wall")
        return _Group(group, [bool(off)])

    def _touch_is_seen(self, leaning: Placed, wall: Wall) -> bool:
        """Whether the camera, looking to where an object touches a wall, meets the object close to the wall."""
        simulation = Simulation(msgspec.structs.replace(self.scene, objects=(leaning,)))
        eye, corners = np.asarray(self.scene.camera.position), corners_of(leaning)
        away = (corners - wall.point) @ np.asarray(wall.normal)
        for corner in corners[away < away.min() + _PHYSICAL["footing"]["touches"]]:
            met = simulation.met(eye, corner - eye)
            near = _PHYSICAL["footing"]["near"]
            if met is not None and (met - wall.point) @ np.asarray(wall.normal) < near:
                return True
        return False

    def tilted_to_fall(self, thing: Candidate, towards: str) -> _Group:
        """An object that stands aslant with nothing to hold it."""
        turn = float(self.rng.uniform(0, 2 * np.pi))
        tilt = float(self.rng.uniform(*_PHYSICAL["tilted"]["tilt"]))
        rotation = tilted(turned_by(thing.turn[0]), (np.cos(turn), np.sin(turn), 0.0), tilt)
        return _Group(self._spot(on_floor(_turned(thing, rotation)), from_walls=_PHYSICAL["clear"]), [True])

    def toppled(self, thing: Candidate, towards: str) -> _Group:
        """An object that lies on its side or back, at rest."""
        turn = np.radians(90.0 * float(self.rng.integers(4)))
        rotation = tilted(turned_by(thing.turn[0]), (np.cos(turn), np.sin(turn), 0.0), 90.0)
        simulation = Simulation(msgspec.structs.replace(self.scene, objects=(on_floor(_turned(thing, rotation)),)))
        simulation.run(2.0)
        (pose,) = simulation.poses()
        return _Group(self._spot(on_floor(_turned(thing, pose.rotation))), [False])

    def _spot(
        self,
        thing: Placed,
        group: Callable[[Placed], list[Placed]] = lambda placed: [placed],
        *,
        from_walls: float = 0.0,
    ) -> list[Placed]:
        """A group of objects somewhere on the floor where nothing is in its way.

        thing : its lowest; x and y are drawn
        group : all of it, given the lowest where it stands
        from_walls : meters that it keeps off all walls
        """
        low_x, low_y, high_x, high_y = footprint(thing.shape, thing.scale, thing.pose.rotation).bounds()
        floor = self.floor
        if high_x - low_x > floor.right - floor.left or high_y - low_y > floor.back - floor.front:
            raise _Unfit("the object is larger than the floor")
        for more in reversed(range(_SPOTS)):
            x = float(self.rng.uniform(floor.left - low_x, floor.right - high_x))
            y = float(self.rng.uniform(floor.front - low_y, floor.back - high_y))
            pose = Pose((x, y, thing.pose.position[2]), thing.pose.rotation)
            placed = group(msgspec.structs.replace(thing, pose=pose))
            try:
                for each in placed:
                    self._keep_apart(each, from_walls)
                break
            except Refused:
                if not more:
                    raise
        return placed

    def _keep_apart(self, each: Placed, from_walls: float) -> None:
        if from_walls and min(wall_gaps(each, self.room).values()) < from_walls:
            raise Refused("what is to fall is too near a wall to be seen not to touch it")
        rule = crowding(each, self.done, self.floor, across=self.sides["right"], away=self.sides["behind"])
        rule = rule or self.objection(each, self.done)
        if rule:
            raise Refused(rule)

    def _prove(self, group: _Group, towards: str) -> None:
        """Refuse a group that does not do, alone in the room, what it should."""
        simulation = Simulation(msgspec.structs.replace(self.scene, objects=tuple(group.objects)), LIMITS)
        last = len(group.objects) - 1
        if simulation.overlap(last) > LIMITS.penetration:
            raise Refused("an arrangement runs into a wall or into itself")
        motions = simulation.watch(range(last + 1), beyond=np.inf)
        if [motion.verdict(LIMITS, CLEAR) for motion in motions] != [not falls for falls in group.falls]:
            raise Refused("an arrangement does not do what it is made for")
        if group.falls[last] and set(clear_changes(simulation, last, clear=CLEAR)) != {towards} - {"none"}:
            raise Refused("an arrangement is not saved as it should be")


def _turned(thing: Candidate, rotation: Quaternion) -> Placed:
    return Placed(thing.shape, Pose((0.0, 0.0, 0.0), rotation), thing.scale, dict(thing.paints))


_ARRANGEMENTS: dict[tuple[str, bool], Callable[..., _Group]] = {
    ("stacked", False): Arranger.stacked_to_stay,
    ("stacked", True): Arranger.stacked_to_fall,
    ("leaning", False): Arranger.leaning_to_stay,
    ("leaning", True): Arranger.leaning_to_fall,
    ("tilted", False): Arranger.toppled,
    ("tilted", True): Arranger.tilted_to_fall,
}
"""How each kind of arrangement is made, to stay or to fall."""
