"""A two-finger gripper in MuJoCo that moves in, closes and lifts: whether a grasp does what it promises.

The hand only moves along straight lines: three strong slides carry it, and its fingers close on two more that are
coupled. Pads are soft: friction 0.9, and a patch of a centimeter that resists twisting. Objects are rigid, of the
convex pieces of all their leaves, with the mass of their materials; nothing is liquid, and no lid comes off.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np

from mereo.errors import MissingExtra
from mereo.scenes.assemble import shape_of
from mereo.scenes.grasping import Grasp
from mereo.scenes.physics import add_free_body, add_piece
from mereo.scenes.scene import Placed, Scene
from mereo.shapes.hand import HAND, Hand
from mereo.shapes.mesh import Floats
from mereo.shapes.physical import friction_of

__all__ = ["Outcome", "lifted"]


class Outcome(NamedTuple):
    """What became of an attempt to lift an object."""

    raised: float
    """Meters by which its center of mass is higher at the end."""
    shift: float
    """Meters by which the neighbor that moved most did."""
    turn: float
    """Degrees by which the neighbor that turned most did."""

    @property
    def succeeded(self) -> bool:
        """Whether the object was lifted and all others left where they were."""
        return self.raised >= _LIFTED and not self.disturbed

    @property
    def disturbed(self) -> bool:
        """Whether another object was moved."""
        return self.shift > _SHIFT or self.turn > _TURN


_LIFTED, _SHIFT, _TURN = 0.06, 0.01, 10.0
_STEP = 0.002
_SECONDS = (0.5, 0.8, 0.7, 0.5)
"""To move in, to close, to lift and to hold."""
_HEIGHT = 0.1
"""Meters that the hand is lifted by."""
_PATCH, _ROLL = 0.01, 0.0001
"""Meters: how wide a soft pad's patch resists twisting and rolling."""
_PRESSED = 0.03
"""Meters that the fingers would close beyond each other, so that the motor gives all its force."""


class _Drive(NamedTuple):
    """What moves a slide to where it should be."""

    stiff: float
    """Newtons per meter."""
    damped: float
    """Newtons per meter per second."""
    most: float
    """Newtons."""


_ARM = _Drive(20_000.0, 600.0, 500.0)


def lifted(scene: Scene, number: int, grasp: Grasp, *, hand: Hand = HAND) -> Outcome:
    """Try to lift an object as a grasp says."""
    try:
        import mujoco
    except ImportError:
        raise MissingExtra("lifting objects", "scenes") from None
    model = _compiled(mujoco, scene, grasp, hand)
    data = mujoco.MjData(model)
    count = len(scene.objects)
    fingers = 7 * count + 3
    opened = float(hand.opened(grasp.width)) / 2
    data.qpos[fingers : fingers + 2] = opened
    back = -hand.retreat * np.array(grasp.approach)
    data.qpos[7 * count : fingers] = back
    mujoco.mj_forward(model, data)
    before, turned = data.xipos.copy(), data.xquat.copy()

    def move(start: Floats, end: Floats, seconds: float) -> None:
        steps = round(seconds / _STEP)
        for step in range(steps):
            share = (step + 1) / steps
            data.ctrl[:] = start + share * share * (3 - 2 * share) * (end - start)
            mujoco.mj_step(model, data)

    wide, shut = (opened, opened), (-_PRESSED, -_PRESSED)
    here, above = np.zeros(3), np.array([0.0, 0.0, _HEIGHT])
    stations = [(*back, *wide), (*here, *wide), (*here, *shut), (*above, *shut), (*above, *shut)]
    for start, end, seconds in zip(stations, stations[1:], _SECONDS, strict=False):
        move(np.array(start), np.array(end), seconds)
    mujoco.mj_forward(model, data)
    others = [other + 1 for other in range(count) if other != number]
    shift = np.linalg.norm(data.xipos[others] - before[others], axis=1)
    along = np.abs((data.xquat[others] * turned[others]).sum(1))
    turn = np.degrees(2 * np.arccos(np.minimum(along, 1.0)))
    raised = float(data.xipos[number + 1, 2] - before[number + 1, 2])
    return Outcome(raised, float(shift.max(initial=0.0)), float(turn.max(initial=0.0)))


def _compiled(mujoco: Any, scene: Scene, grasp: Grasp, hand: Hand) -> Any:
    spec = mujoco.MjSpec()
    spec.option.timestep = _STEP
    spec.option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    spec.option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    spec.option.impratio = 10.0
    table = spec.worldbody.add_geom()
    table.type = mujoco.mjtGeom.mjGEOM_PLANE
    table.size = [0, 0, 1]
    for number, placed in enumerate(scene.objects):
        _add_object(mujoco, spec, placed, number)
    _add_hand(mujoco, spec, grasp, hand)
    return spec.compile()


def _add_object(mujoco: Any, spec: Any, placed: Placed, number: int) -> None:
    """An object of the convex pieces of its leaves, all of them: pieces that were joined would fill a bowl."""
    scale = placed.scale
    body = add_free_body(spec, placed.shape, scale)
    body.pos, body.quat = placed.pose.position, placed.pose.rotation
    for leaf in shape_of(placed.shape).leaves():
        for place, piece in enumerate(leaf.pieces):
            name = f"{number}-{leaf.id}-{place}"
            add_piece(mujoco, spec, body, scale * piece, friction=friction_of(leaf), name=name)


def _add_hand(mujoco: Any, spec: Any, grasp: Grasp, hand: Hand) -> None:
    """A palm that three slides carry, and two fingers that close by the same amount."""
    closing, approach = np.array(grasp.closing), np.array(grasp.approach)
    turn = np.stack([closing, np.cross(approach, closing), approach], 1)
    quaternion = np.zeros(4)
    mujoco.mju_mat2Quat(quaternion, turn.ravel())
    palm = spec.worldbody.add_body()
    palm.pos, palm.quat, palm.gravcomp = grasp.point, quaternion, 1.0
    for name, axis in zip("xyz", np.eye(3), strict=True):
        _add_slide(mujoco, spec, palm, name, turn.T @ axis, _ARM)
    thumb, finger, *rest = hand.boxes(np.zeros(1))[0]
    for box in rest:
        _add_box(mujoco, palm, box, mass=0.5)
    for name, sign, corners in (("thumb", -1.0, thumb), ("finger", 1.0, finger)):
        body = palm.add_body()
        body.gravcomp = 1.0
        _add_box(mujoco, body, corners, mass=0.1, friction=hand.friction)
        _add_slide(mujoco, spec, body, name, (sign, 0.0, 0.0), _Drive(5_000.0, 100.0, hand.force))
    tie = spec.add_equality()
    tie.type, tie.name1, tie.name2 = mujoco.mjtEq.mjEQ_JOINT, "thumb", "finger"
    tie.objtype = mujoco.mjtObj.mjOBJ_JOINT
    tie.data[1] = 1.0
    tie.solref = [2 * _STEP, 1.0]


def _add_slide(mujoco: Any, spec: Any, body: Any, name: str, axis: Any, drive: _Drive) -> None:
    slide = body.add_joint()
    slide.name, slide.type, slide.axis = name, mujoco.mjtJoint.mjJNT_SLIDE, axis
    motor = spec.add_actuator()
    motor.target, motor.trntype = name, mujoco.mjtTrn.mjTRN_JOINT
    motor.set_to_position(kp=drive.stiff, kv=drive.damped)
    motor.forcelimited, motor.forcerange = True, [-drive.most, drive.most]


def _add_box(mujoco: Any, body: Any, corners: Floats, *, mass: float, friction: float = 0.5) -> None:
    geom = body.add_geom()
    geom.type = mujoco.mjtGeom.mjGEOM_BOX
    geom.pos, geom.size = corners.mean(0), np.ptp(corners, axis=0) / 2
    geom.mass, geom.friction, geom.priority, geom.condim = mass, [friction, _PATCH, _ROLL], 3, 4
    geom.solref = [2 * _STEP, 1.0]  # no softer, or a fork would slip through
