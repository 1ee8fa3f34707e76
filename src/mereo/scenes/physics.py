"""Physics with MuJoCo: what comes to rest where, what is stable as it stands, and what a push would change.

An object is a rigid body of convex pieces with the mass of its materials. A model is compiled once for objects of some
shapes and sizes in a room; each question about them only sets them to where they are and lets time run.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from mereo.errors import MissingExtra
from mereo.scenes.assemble import kept_of, shape_of
from mereo.scenes.scene import Pose, Quaternion, Room, Scene, ShapeRef, Vector
from mereo.shapes.mesh import Floats
from mereo.shapes.physical import MassProperties, Substance, substance_of

__all__ = [
    "Clear",
    "Motion",
    "Piece",
    "Simulation",
    "Thresholds",
    "Trial",
    "add_free_body",
    "add_piece",
    "collision_corners",
    "mass_properties",
    "pieces_of",
    "possible_changes",
    "settle",
    "stability",
    "substance",
    "trials",
]


@dataclass(frozen=True)
class Thresholds:
    """When something counts as having moved, and how long one watches."""

    shift: float = 0.05
    """Meters by which an object's center of mass may move."""
    turn: float = 6.0
    """Degrees by which it may turn."""
    seconds: float = 2.0
    """How long the world is watched."""
    step: float = 0.005
    """Seconds per step."""
    penetration: float = 0.01
    """Meters by which two objects may overlap at the start; more is no possible place."""


@dataclass(frozen=True)
class Clear:
    """How far from the thresholds a motion must be to be beyond doubt, as a multiple of them."""

    stable: float = 0.4
    unstable: float = 2.0


_NUDGE = (0.01, 0.013, 0.0)
"""Radians per second with which everything begins: what stands in perfect balance only is not stable."""


_SAMPLE = 0.025
"""Seconds between two looks at what moves."""
_APART = 100.0
"""Meters between the objects while a model is compiled, so that none touches another then."""
_HAIR = 0.004
"""Meters: what is no farther off touches."""


class Motion(NamedTuple):
    """How an object moved while it was watched."""

    stable: bool
    shift: float
    """The farthest that its center of mass was from where it began, meters."""
    turn: float
    """The most that it was turned from how it began, degrees."""
    trace: Floats
    """(k, 8) float: seconds, position (meters), quaternion (w, x, y, z), world frame; up to the end, fall or rest."""

    def verdict(self, limits: Thresholds, clear: Clear) -> bool | None:
        """Whether it is stable, or None where that is in doubt."""
        share = max(self.shift / limits.shift, self.turn / limits.turn)
        return True if share < clear.stable else False if share > clear.unstable else None


class Simulation:
    """A scene's physics."""

    def __init__(self, scene: Scene, thresholds: Thresholds | None = None):
        try:
            import mujoco
        except ImportError:
            raise MissingExtra("physics", "scenes") from None
        self.mujoco, self.scene, self.limits = mujoco, scene, thresholds or Thresholds()
        bodies = tuple((placed.shape, placed.scale) for placed in scene.objects)
        self.model = copy(_compiled(bodies, tuple(_planes(scene)), self.limits.step))  # one's own, to change at will
        self.data = mujoco.MjData(self.model)
        self.reset()

    def reset(self, moved: Mapping[int, Sequence[float] | Floats] | None = None) -> None:
        """Put every object back to where the scene has it, some of them moved by an offset (meters)."""
        self.mujoco.mj_resetData(self.model, self.data)
        for number, placed in enumerate(self.scene.objects):
            offset = (moved or {}).get(number, (0.0, 0.0, 0.0))
            self.data.qpos[7 * number : 7 * number + 3] = np.add(placed.pose.position, offset)
            self.data.qpos[7 * number + 3 : 7 * number + 7] = placed.pose.rotation
            self.data.qvel[6 * number + 3 : 6 * number + 6] = _NUDGE
        self.mujoco.mj_forward(self.model, self.data)

    def overlap(self, number: int) -> float:
        """How deep an object sticks in others, floor and walls included, meters."""
        return max([0.0, *(depth for _, depth, _ in self.contacts(number))])

    def contacts(self, number: int) -> Iterator[tuple[int, float, Floats]]:
        """What touches an object: its number (-1 for floor and walls), how deep (meters), and the way it pushes."""
        found = self.data.contact
        ends = self.model.geom_bodyid[found.geom] - 1
        for row in np.flatnonzero((ends == number).any(1)):
            one, other = ends[row].tolist()  # the normal points from the first to the second
            depth, normal = -float(found.dist[row]), found.frame[row, :3]
            yield (other, depth, -normal) if one == number else (one, depth, normal)

    def below(self, number: int) -> list[int]:
        """The objects that an object stands on: those that hold it up when it is a hair's breadth lower."""
        self.reset({number: (0.0, 0.0, -_HAIR)})
        return sorted({other for other, _, push in self.contacts(number) if other >= 0 and push[2] > 0.5})

    def met(self, start: Floats, way: Floats) -> Floats | None:
        """(3,) float: where a ray from a point first meets an object, floor and walls left out; world frame, meters."""
        hit = np.full((1, 1), -1, np.int32)
        far = self.mujoco.mj_ray(self.model, self.data, start, way, None, 0, -1, hit)
        return None if far < 0 else start + far * way

    def watch(self, numbers: Sequence[int], *, beyond: float = 1.0) -> list[Motion]:
        """Let time run and say how these objects moved; ends early when everything is at rest.

        beyond : ends early when all of them have moved so many times what makes them unstable
        """
        limits, steps = self.limits, round(self.limits.seconds / self.limits.step)
        every = round(_SAMPLE / limits.step)
        bodies = np.asarray(numbers) + 1
        center, rotation = self.data.xipos[bodies], self.data.xquat[bodies]
        times, poses, farthest = [], [], np.zeros((2, len(numbers)))
        for step in range(0, steps + every, every):
            if step:
                self.mujoco.mj_step(self.model, self.data, min(every, steps + every - step))
                self.mujoco.mj_kinematics(self.model, self.data)  # a step leaves the places of the step before
            shift = np.sqrt(((self.data.xipos[bodies] - center) ** 2).sum(1))
            along = np.abs((self.data.xquat[bodies] * rotation).sum(1))
            turn = np.degrees(2 * np.arccos(np.minimum(along, 1.0)))
            np.maximum(farthest, (shift, turn), out=farthest)
            times.append(self.data.time)
            poses.append(self.data.qpos.copy())
            fallen = (farthest[0] > beyond * limits.shift) | (farthest[1] > beyond * limits.turn)
            if fallen.all() or not self.data.ntree_awake:
                break
        traces = [np.column_stack([times, np.array(poses)[:, 7 * number : 7 * number + 7]]) for number in numbers]
        return [
            Motion(shift <= limits.shift and turn <= limits.turn, shift, turn, trace)
            for shift, turn, trace in zip(*farthest.tolist(), traces, strict=True)
        ]

    def run(self, seconds: float) -> None:
        """Let time run."""
        self.mujoco.mj_step(self.model, self.data, round(seconds / self.limits.step))

    def poses(self) -> list[Pose]:
        """Where everything is now."""
        poses = []
        for number in range(len(self.scene.objects)):
            x, y, z, *rotation = self.data.qpos[7 * number : 7 * number + 7].tolist()
            w, i, j, k = (float(part) for part in np.array(rotation) / np.linalg.norm(rotation))
            poses.append(Pose((x, y, z), (w, i, j, k)))
        return poses


def stability(scene: Scene, thresholds: Thresholds | None = None) -> list[Motion]:
    """For each object whether it stays as it stands."""
    simulation = Simulation(scene, thresholds)
    return simulation.watch(range(len(scene.objects)))


def settle(scene: Scene, *, seconds: float = 3.0, thresholds: Thresholds | None = None) -> Scene:
    """The scene after everything has come to rest."""
    simulation = Simulation(scene, thresholds)
    simulation.run(seconds)
    objects = [
        msgspec.structs.replace(placed, pose=pose)
        for placed, pose in zip(scene.objects, simulation.poses(), strict=True)
    ]
    return msgspec.structs.replace(scene, objects=tuple(objects))


def possible_changes(
    scene: Scene,
    number: int,
    directions: Mapping[str, Sequence[float]],
    *,
    distances: Sequence[float],
    simulation: Simulation | None = None,
) -> dict[str, float]:
    """The directions in which moving an unstable object makes it stable, each with the least such distance (meters).

    directions : unit vectors on the ground, world frame; distances : meters, tried in order
    """
    found: dict[str, float] = {}
    for trial in trials(simulation or Simulation(scene), number, directions, distances=distances):
        if trial.motion.stable:
            found[trial.direction] = trial.distance
    return found


class Trial(NamedTuple):
    """An object moved and let go."""

    direction: str
    distance: float
    motion: Motion


def trials(
    simulation: Simulation,
    number: int,
    directions: Mapping[str, Sequence[float]],
    *,
    distances: Sequence[float],
    beyond: float = 1.0,
) -> Iterator[Trial]:
    """Move an object in each direction until it is stable there; places inside other things are left out.

    beyond : watched until it has moved so many times what makes it unstable
    """
    for name, direction in directions.items():
        for distance in distances:
            simulation.reset({number: distance * np.asarray(direction)})
            if simulation.overlap(number) > simulation.limits.penetration:
                continue
            (motion,) = simulation.watch([number], beyond=beyond)
            yield Trial(name, distance, motion)
            if motion.stable:
                break


Plane = tuple[Vector, Quaternion]
"""A point of a floor or wall, and the quaternion that turns z into its inward normal."""


@lru_cache(maxsize=8)
def _compiled(bodies: tuple[tuple[ShapeRef, float], ...], planes: tuple[Plane, ...], step: float) -> Any:
    """Objects of these shapes and sizes in a room, wherever they are.

    While a scene is made, the same few objects are put into the same room many times, and compiling takes as long as
    simulating half a second.
    """
    import mujoco

    spec = mujoco.MjSpec()
    spec.option.timestep = step
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    spec.option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP  # what has come to rest is left alone until it is hit
    for position, rotation in planes:
        plane = spec.worldbody.add_geom()
        plane.type = mujoco.mjtGeom.mjGEOM_PLANE
        plane.size = [0, 0, 1]
        plane.pos, plane.quat = position, rotation
    for number, (shape, scale) in enumerate(bodies):
        _add_body(mujoco, spec, shape, scale, number)
    return spec.compile()


def _planes(scene: Scene) -> Iterator[Plane]:
    """The floor and each wall."""
    yield (0.0, 0.0, 0.0), (1.0, 0.0, 0.0, 0.0)
    if isinstance(scene.setting, Room):
        width, depth, half = scene.setting.width, scene.setting.depth, math.sqrt(0.5)
        yield (0.0, depth / 2, 0.0), (half, half, 0.0, 0.0)
        yield (-width / 2, 0.0, 0.0), (half, 0.0, half, 0.0)
        yield (width / 2, 0.0, 0.0), (half, 0.0, -half, 0.0)


class Piece(NamedTuple):
    """A convex piece of a shape."""

    corners: Floats
    """(k, 3) float, the shape's frame, meters."""
    friction: float
    rolls: bool
    """Whether it belongs to a wheel."""


@lru_cache(maxsize=512)
def substance(reference: ShapeRef) -> Substance:
    """What a shape is to physics."""
    (mass, center, inertia), *pieces = kept_of(reference, "substance", lambda: substance_of(shape_of(reference)))
    return Substance(MassProperties(mass, center, inertia), *pieces)


@lru_cache(maxsize=512)
def pieces_of(reference: ShapeRef) -> list[Piece]:
    """The convex pieces that a shape collides with."""
    _, corners, counts, friction, rolls = substance(reference)
    return [*map(Piece, np.split(corners, np.cumsum(counts)[:-1]), friction, rolls)]


def mass_properties(reference: ShapeRef) -> MassProperties:
    """What a shape weighs and where, at its own size."""
    return substance(reference).mass


def collision_corners(reference: ShapeRef) -> Floats:
    """(n, 3) float: the corners of a shape's convex pieces, the shape's frame, meters."""
    return substance(reference).corners


def _add_body(mujoco: Any, spec: Any, shape: ShapeRef, scale: float, number: int) -> None:
    body = add_free_body(spec, shape, scale)
    body.pos = (0.0, 0.0, _APART * (number + 1))
    for place, (corners, friction, on_wheels) in enumerate(pieces_of(shape)):
        geom = add_piece(mujoco, spec, body, scale * corners, friction=friction, name=f"{number}-{place}")
        # Against floor and walls an object's own friction counts, of two objects the greater; a wheel rolls on all.
        geom.priority = 2 if on_wheels else 1


def add_free_body(spec: Any, shape: ShapeRef, scale: float) -> Any:
    """A body that moves freely and weighs what a shape weighs, as yet without pieces; at the origin."""
    mass = mass_properties(shape)
    body = spec.worldbody.add_body()
    body.add_freejoint()
    body.explicitinertial = True
    body.mass = mass.mass * scale**3
    body.ipos = mass.center * scale
    body.fullinertia = (mass.inertia * scale**5)[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    return body


def add_piece(mujoco: Any, spec: Any, body: Any, corners: Floats, *, friction: float, name: str) -> Any:
    """A convex piece of a body, by its own friction against whatever has none. corners : (k, 3) float, meters"""
    mesh = spec.add_mesh()
    mesh.name = name
    mesh.uservert = corners.astype(np.float32).ravel()
    geom = body.add_geom()
    geom.type = mujoco.mjtGeom.mjGEOM_MESH
    geom.meshname = mesh.name
    geom.friction = [friction, 0.005, 0.0001]
    geom.priority = 1
    return geom
