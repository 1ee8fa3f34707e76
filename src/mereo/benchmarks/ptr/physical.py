"""Physical scenes of PTR: objects stacked on others, leaning on walls, tilted or toppled, among ones that stand.

Each arrangement is tried alone first; then the whole room is simulated, and what is written down is what that showed.
An object whose motion is too near the thresholds to be called is drawn again.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import msgspec
import numpy as np

from mereo.benchmarks.ptr.behavior import CLEAR, DISTANCES, LIMITS, SIDES, Behavior, behaviors, clear_changes
from mereo.benchmarks.ptr.numbers import NUMBERS, drawn_by_weight
from mereo.benchmarks.ptr.scenes import Refused, Shown, Wanted, candidate, drawn_yaw, shown, with_upright
from mereo.benchmarks.ptr.stage import empty_room, floor_of
from mereo.benchmarks.ptr.view import out_of_view
from mereo.scenes.layout import Candidate, crowding, footprint, turned_by
from mereo.scenes.observe import directions
from mereo.scenes.physics import Simulation
from mereo.scenes.poise import balance, lowered, moved, on_floor, pushed, tilted
from mereo.scenes.scene import Placed, Pose, Quaternion, Room, Scene
from mereo.shapes.mesh import Floats

__all__ = ["physical_scene"]

_PHYSICAL = NUMBERS["physical"]
_TRIES, _PLACES, _SPOTS = 32, 4, 10
"""How often an arrangement is tried before the scene is drawn anew, how often with the same objects, and how many
places are looked at for one of them."""


def physical_scene(asked: Wanted, rng: np.random.Generator) -> tuple[Shown, list[Behavior]]:
    """A scene with objects that may fall, and what each of them does."""
    count = int(rng.integers(_PHYSICAL["fewest"], _PHYSICAL["most"] + 1))

    def draw() -> tuple[Scene, Callable[[], list[Behavior]]]:
        scene, meant = _drawn(asked, count, rng)

        def study() -> list[Behavior]:
            done = behaviors(scene)
            if [not behavior.stable for behavior in done] != [placed in meant for placed in scene.objects]:
                raise Refused("an object that falls brings another down, or is held up by it")
            return done

        return scene, study

    return shown(draw, asked)


class _Maker:
    """Fills one room."""

    def __init__(self, scene: Scene, asked: Wanted, rng: np.random.Generator):
        assert isinstance(scene.setting, Room)
        self.scene, self.asked, self.rng = scene, asked, rng
        self.room, self.floor, self.sides = scene.setting, floor_of(scene.setting), directions(scene)
        self.objection = out_of_view(scene)
        self.done: list[Placed] = []
        self.falling: list[Placed] = []

    def add(self, kind: str) -> None:
        """Add an arrangement of a kind, drawn until it does what it is made for."""
        refused: Counter[str] = Counter()
        falls = bool(self.rng.random() < _PHYSICAL["unstable"])
        towards = drawn_by_weight(_PHYSICAL[kind]["towards"], self.rng)
        for attempt in range(_TRIES):
            if attempt % _PLACES == 0:  # making shapes takes longer than placing them
                things = self._things(kind)
            try:
                group = _ARRANGEMENTS[kind, falls](self, *things, towards)
            except Refused as refusal:
                refused[str(refusal)] += 1
                continue
            self.done += group
            self.falling += group[-1:] if falls else []
            return
        raise Refused(f"nothing {kind} could be placed: {refused.most_common(1)[0][0]}")

    def _things(self, kind: str) -> list[Candidate]:
        """The objects of an arrangement, the lowest first."""
        numbers = _PHYSICAL[kind]
        upper = candidate(self.asked, self.rng, diagonal=numbers["diagonal"])
        if "under" not in numbers:
            return [upper]
        known = self.asked.categories or numbers["under"]
        under = {name: weight for name, weight in numbers["under"].items() if name in known}
        return [candidate(self.asked, self.rng, category=drawn_by_weight(under, self.rng)), upper]

    def _keep_apart(self, each: Placed) -> None:
        rule = self.objection(each, self.done)
        rule = rule or crowding(each, self.done, self.floor, across=self.sides["right"], away=self.sides["behind"])
        if rule:
            raise Refused(rule)

    def _spot(
        self, thing: Candidate, rotation: Quaternion, finish: Callable[[Placed], Placed] = lambda placed: placed
    ) -> Placed:
        """An object somewhere on the floor where nothing is in its way.

        finish : brings it from there to where it is to be
        """
        low_x, low_y, high_x, high_y = footprint(thing.shape, thing.scale, rotation).bounds()
        for more in reversed(range(_SPOTS)):
            x = float(self.rng.uniform(self.floor.left - low_x, self.floor.right - high_x))
            y = float(self.rng.uniform(self.floor.front - low_y, self.floor.back - high_y))
            placed = finish(Placed(thing.shape, Pose((x, y, 0.0), rotation), thing.scale, dict(thing.paints)))
            try:
                self._keep_apart(placed)
                break
            except Refused:
                if not more:
                    raise
        return placed

    def stacked_to_stay(self, lower: Candidate, upper: Candidate, towards: str) -> list[Placed]:
        """One object on another, somewhere near its middle."""
        return self._stacked(lower, upper, self.rng.uniform(-0.25, 0.25, 3), falls=False, towards=towards)

    def stacked_to_fall(self, lower: Candidate, upper: Candidate, towards: str) -> list[Placed]:
        """One object on another, off its middle, away from the side that would save it."""
        side = towards if towards != "none" else str(self.rng.choice(SIDES))
        off = float(self.rng.uniform(*_PHYSICAL["stacked"]["off"]))
        return self._stacked(lower, upper, -off * np.asarray(self.sides[side]), falls=True, towards=towards)

    def _stacked(
        self, lower: Candidate, upper: Candidate, offset: Floats, *, falls: bool, towards: str
    ) -> list[Placed]:
        under = self._spot(lower, turned_by(lower.turn[0]))
        x, y, _ = np.add(under.pose.position, offset).tolist()
        above = Placed(upper.shape, Pose((x, y, 0.0), turned_by(upper.turn[0])), upper.scale, dict(upper.paints))
        resting = lowered(above, under, self.scene)
        if resting is None:
            raise Refused("an object that is to be stacked comes down to the floor")
        self._keep_apart(resting)
        return self._sure([under, resting], falls=falls, towards=towards)

    def leaning_to_stay(self, thing: Candidate, towards: str) -> list[Placed]:
        """An object against a wall."""
        return self._leaning(thing, 0.0, falls=False, towards=towards)

    def leaning_to_fall(self, thing: Candidate, towards: str) -> list[Placed]:
        """An object as it would lean on a wall, only farther off."""
        return self._leaning(thing, float(self.rng.choice(DISTANCES)), falls=True, towards=towards)

    def _leaning(self, thing: Candidate, off: float, *, falls: bool, towards: str) -> list[Placed]:
        rng = self.rng
        point, normal, facing = {
            "behind": ((0.0, self.room.depth / 2, 0.0), (0.0, -1.0, 0.0), 0.0),
            "left": ((-self.room.width / 2, 0.0, 0.0), (1.0, 0.0, 0.0), 90.0),
            "right": ((self.room.width / 2, 0.0, 0.0), (-1.0, 0.0, 0.0), -90.0),
        }[towards]
        upright = turned_by(drawn_yaw(rng, [facing, facing + 90, facing - 90], [6, 1, 1]))
        wall = tuple(-each for each in normal)
        balanced = balance(thing.shape, upright, wall, most=_PHYSICAL["leaning"]["most"])
        if balanced is None:
            raise Refused("an object that is to lean is too squat")
        tilt = balanced + float(rng.uniform(*_PHYSICAL["leaning"]["beyond"]))
        back = -off * np.asarray(self.sides[towards])
        leaning = self._spot(
            thing, tilted(upright, wall, tilt), lambda placed: moved(pushed(on_floor(placed), point, normal), back)
        )
        return self._sure([leaning], falls=falls, towards=towards)

    def tilted_to_fall(self, thing: Candidate, towards: str) -> list[Placed]:
        """An object that stands aslant with nothing to hold it."""
        turn = float(self.rng.uniform(0, 2 * np.pi))
        tilt = float(self.rng.uniform(*_PHYSICAL["tilted"]["tilt"]))
        rotation = tilted(turned_by(thing.turn[0]), (np.cos(turn), np.sin(turn), 0.0), tilt)
        aslant = self._spot(thing, rotation, on_floor)
        return self._sure([aslant], falls=True, towards=towards)

    def toppled(self, thing: Candidate, towards: str) -> list[Placed]:
        """An object that lies on its side or back, at rest."""
        turn = np.radians(90.0 * float(self.rng.integers(4)))
        rotation = tilted(turned_by(thing.turn[0]), (np.cos(turn), np.sin(turn), 0.0), 90.0)
        lying = self._spot(thing, rotation, on_floor)
        simulation = Simulation(msgspec.structs.replace(self.scene, objects=(lying,)))
        simulation.reset()
        simulation.run(2.0)
        (pose,) = simulation.poses()
        rested = on_floor(msgspec.structs.replace(lying, pose=pose))
        self._keep_apart(rested)
        return self._sure([rested], falls=False, towards=towards)

    def _sure(self, group: list[Placed], *, falls: bool, towards: str) -> list[Placed]:
        """The group, if the last of it, alone in the room with the rest, does what it should."""
        if not self._does(group, falls, towards):
            raise Refused("an arrangement does not do what it is made for")
        return group

    def _does(self, group: list[Placed], falls: bool, towards: str) -> bool:
        """Whether the last of a group, alone in the room, falls as it should and can be saved as it should."""
        simulation = Simulation(msgspec.structs.replace(self.scene, objects=tuple(group)), LIMITS)
        simulation.reset()
        last = len(group) - 1
        if simulation.overlap(last) > LIMITS.penetration:
            return False
        verdicts = [motion.verdict(LIMITS, CLEAR) for motion in simulation.watch(range(last + 1), beyond=np.inf)]
        if verdicts != [True] * last + [not falls]:
            return False
        if not falls:
            return True
        changes = clear_changes(simulation, last, clear=CLEAR)
        return set(changes) == ({towards} if towards != "none" else set())


_ARRANGEMENTS: dict[tuple[str, bool], Callable[..., list[Placed]]] = {
    ("stacked", False): _Maker.stacked_to_stay,
    ("stacked", True): _Maker.stacked_to_fall,
    ("leaning", False): _Maker.leaning_to_stay,
    ("leaning", True): _Maker.leaning_to_fall,
    ("tilted", False): _Maker.toppled,
    ("tilted", True): _Maker.tilted_to_fall,
}
"""How each kind of arrangement is made, to stay or to fall."""


def _drawn(asked: Wanted, count: int, rng: np.random.Generator) -> tuple[Scene, list[Placed]]:
    """A room with arrangements and, where there are objects left, some that simply stand; and what is to fall."""
    scene = empty_room(count, rng, width=asked.width, height=asked.height, **_PHYSICAL["room"])
    maker = _Maker(scene, asked, rng)
    for kind in _plan(count, rng):
        maker.add(kind)
    standing = msgspec.structs.replace(scene, objects=tuple(maker.done))
    rest = [candidate(asked, rng) for _ in range(count - len(maker.done))]
    return with_upright(standing, rest, rng), maker.falling


def _plan(count: int, rng: np.random.Generator) -> list[str]:
    """Which arrangements a scene of so many objects has: a stack has two."""
    plans: list[list[str]] = _PHYSICAL["plans"][str(count)]
    return plans[int(rng.integers(len(plans)))]
