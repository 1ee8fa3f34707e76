"""Physics with MuJoCo: what comes to rest where, what is stable as it stands, and what a push would change.

An object is a rigid body of convex pieces with the mass of its materials. A model is compiled once for a scene; each
question about it only sets the objects back and lets time run.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, NamedTuple

import msgspec
import numpy as np

from mereo.errors import MissingExtra
from mereo.scenes.assemble import shape_of
from mereo.scenes.scene import Placed, Pose, Room, Scene, ShapeRef
from mereo.shapes.mesh import Floats
from mereo.shapes.physical import MassProperties, collision_pieces, friction_of, mass_of, rolls

__all__ = [
    "Clear",
    "Motion",
    "Piece",
    "Simulation",
    "Thresholds",
    "Trial",
    "collision_corners",
    "mass_properties",
    "pieces_of",
    "possible_changes",
    "settle",
    "stability",
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
    """(k, 8) float: seconds, position (meters, world frame) and quaternion (w, x, y, z), up to the end or the fall."""

    def verdict(self, limits: Thresholds, clear: Clear) -> bool | None:
        """Whether it is stable, or None where that is in doubt."""
        share = max(self.shift / limits.shift, self.turn / limits.turn)
        return True if share < clear.stable else False if share > clear.unstable else None


class Simulation:
    """A scene's physics, compiled once."""

    def __init__(self, scene: Scene, thresholds: Thresholds | None = None):
        try:
            import mujoco
        except ImportError:
            raise MissingExtra("physics", "scenes") from None
        self.mujoco, self.scene, self.limits = mujoco, scene, thresholds or Thresholds()
        self.model = _compiled(mujoco, scene, self.limits)
        self.data = mujoco.MjData(self.model)

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
        body = number + 1
        for contact in self.data.contact[: self.data.ncon]:
            one, other = (int(self.model.geom_bodyid[geom]) for geom in (contact.geom1, contact.geom2))
            if body in (one, other):  # the normal points from the first to the second
                normal = np.array(contact.frame[:3])
                yield (
                    (other - 1, -float(contact.dist), -normal)
                    if one == body
                    else (one - 1, -float(contact.dist), normal)
                )

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
        """Let time run and say how these objects moved.

        beyond : ends early when all of them have moved so many times what makes them unstable
        """
        limits, steps = self.limits, round(self.limits.seconds / self.limits.step)
        every = round(_SAMPLE / limits.step)
        begin = [self._place(number) for number in numbers]
        traces: list[list[Floats]] = [[] for _ in numbers]
        farthest = np.zeros((len(numbers), 2))
        for step in range(steps + 1):
            if step:
                self.mujoco.mj_step(self.model, self.data)
            if step % every and step != steps:
                continue
            self.mujoco.mj_kinematics(self.model, self.data)  # a step leaves the places of the step before
            for k, number in enumerate(numbers):
                center, rotation = self._place(number)
                shift = float(np.linalg.norm(center - begin[k][0]))
                turn = float(np.degrees(2 * np.arccos(np.clip(abs(rotation @ begin[k][1]), 0.0, 1.0))))
                farthest[k] = np.maximum(farthest[k], (shift, turn))
                pose = self.data.qpos[7 * number : 7 * number + 7]
                traces[k].append(np.concatenate([[self.data.time], pose]))
            if ((farthest / (limits.shift, limits.turn)).max(1) > beyond).all():
                break
        return [
            Motion(bool(shift <= limits.shift and turn <= limits.turn), float(shift), float(turn), np.array(trace))
            for (shift, turn), trace in zip(farthest, traces, strict=True)
        ]

    def _place(self, number: int) -> tuple[Floats, Floats]:
        """Center of mass (world frame) and quaternion of an object."""
        return self.data.xipos[number + 1].copy(), self.data.xquat[number + 1].copy()

    def run(self, seconds: float) -> None:
        """Let time run."""
        for _ in range(round(seconds / self.limits.step)):
            self.mujoco.mj_step(self.model, self.data)

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
    simulation.reset()
    return simulation.watch(range(len(scene.objects)))


def settle(scene: Scene, *, seconds: float = 3.0, thresholds: Thresholds | None = None) -> Scene:
    """The scene after everything has come to rest."""
    simulation = Simulation(scene, thresholds)
    simulation.reset()
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


def _compiled(mujoco: Any, scene: Scene, limits: Thresholds) -> Any:
    spec = mujoco.MjSpec()
    spec.option.timestep = limits.step
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    for position, rotation in _planes(scene):
        plane = spec.worldbody.add_geom()
        plane.type = mujoco.mjtGeom.mjGEOM_PLANE
        plane.size = [0, 0, 1]
        plane.pos, plane.quat = position, rotation
    for number, placed in enumerate(scene.objects):
        _add_body(mujoco, spec, placed, number)
    return spec.compile()


def _planes(scene: Scene) -> Iterator[tuple[list[float], list[float]]]:
    """A point of the floor and of each wall, and the quaternion that turns z into its inward normal."""
    yield [0, 0, 0], [1, 0, 0, 0]
    if isinstance(scene.setting, Room):
        width, depth, half = scene.setting.width, scene.setting.depth, np.sqrt(0.5)
        yield [0, depth / 2, 0], [half, half, 0, 0]
        yield [-width / 2, 0, 0], [half, 0, half, 0]
        yield [width / 2, 0, 0], [half, 0, -half, 0]


class Piece(NamedTuple):
    """A convex piece of a shape."""

    corners: Floats
    """(k, 3) float, the shape's frame, meters."""
    friction: float
    rolls: bool
    """Whether it belongs to a wheel."""


@lru_cache(maxsize=512)
def _substance(reference: ShapeRef) -> tuple[MassProperties, list[Piece]]:
    """What a shape weighs, and its convex pieces."""
    shape = shape_of(reference)
    leaves = shape.leaves()
    holds = [(friction_of(leaf), rolls(leaf)) for leaf in leaves]
    return mass_of(shape), [Piece(piece.corners, *holds[piece.leaf]) for piece in collision_pieces(shape)]


def pieces_of(reference: ShapeRef) -> list[Piece]:
    """The convex pieces that a shape collides with."""
    return _substance(reference)[1]


def mass_properties(reference: ShapeRef) -> MassProperties:
    """What a shape weighs and where, at its own size."""
    return _substance(reference)[0]


@lru_cache(maxsize=512)
def collision_corners(reference: ShapeRef) -> Floats:
    """(n, 3) float: the corners of a shape's convex pieces, the shape's frame, meters."""
    return np.concatenate([piece.corners for piece in pieces_of(reference)])


def _add_body(mujoco: Any, spec: Any, placed: Placed, number: int) -> None:
    mass, pieces = _substance(placed.shape)
    body = spec.worldbody.add_body()
    body.pos, body.quat = placed.pose.position, placed.pose.rotation
    body.add_freejoint()
    scale = placed.scale
    body.explicitinertial = True
    body.mass = mass.mass * scale**3
    body.ipos = mass.center * scale
    inertia = mass.inertia * scale**5
    body.fullinertia = inertia[[0, 1, 2, 0, 0, 1], [0, 1, 2, 1, 2, 2]]
    for place, (corners, friction, on_wheels) in enumerate(pieces):
        mesh = spec.add_mesh()
        mesh.name = f"{number}-{place}"
        mesh.uservert = (scale * corners).astype(np.float32).ravel()
        geom = body.add_geom()
        geom.type = mujoco.mjtGeom.mjGEOM_MESH
        geom.meshname = mesh.name
        geom.friction = [friction, 0.005, 0.0001]
        # Against floor and walls an object's own friction counts, of two objects the greater; a wheel rolls on all.
        geom.priority = 2 if on_wheels else 1
