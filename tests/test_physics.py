"""Physics, on cases that one can work out by hand."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator

import msgspec
import numpy as np
import pytest

from mereo.scenes import physics
from mereo.scenes.physics import Simulation, Thresholds, possible_changes, settle, stability
from mereo.scenes.poise import strain, walls
from mereo.scenes.scene import Placed, Pose, Room, Scene, ShapeRef, rotation_matrix
from mereo.scenes.stacking import held, sole_of, steady, top_of
from mereo.shapes import grammar as grammars
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.mesh import Floats
from mereo.shapes.part import Part
from mereo.shapes.solids import box
from mereo.shapes.style import Style
from scenery import GRAY, ROOM, room, stage, thing

HALF = 0.3
"""Meters: half the side of the cubes here, which are 1 m in their own frame, with edges rounded by 0.14 of that."""
LENGTH, THICKNESS = 1.2, 0.04
"""Meters, of a plank."""
RADIUS = 0.5
"""Meters from the middle of a three-legged table to each leg."""


def plank(name: str) -> Part:
    """Lies along x; made of what a part of this name is made of: blankets of foam, handles of metal."""
    return part("test_plank", leaf(name, box((LENGTH, 0.3, THICKNESS))))


def three_legged(reach: float) -> Part:
    """A light top on three thin legs, one of them towards +x, and a heavy block on it towards -x, between two legs."""
    turns = np.radians([0.0, 120.0, 240.0])
    legs = [
        leaf("leg", box((0.04, 0.04, 0.6), (RADIUS * math.cos(turn), RADIUS * math.sin(turn), 0.3))) for turn in turns
    ]
    top = leaf("top", box((1.6, 1.2, 0.02), (0.0, 0.0, 0.61)))
    # Rubber, which wheels are of, is solid and wood is hollow: the block outweighs all the rest.
    return part("test_table", legs, top, leaf("wheel", box((0.3, 0.3, 0.3), (-reach, 0.0, 0.77))))


SHAPES: dict[str, Callable[[], Part]] = {
    "test_foam_plank": lambda: plank("blanket"),
    "test_wheel": lambda: plank("wheel"),
    "test_caster": lambda: part("test_plank", part("caster", leaf("wheel", box((LENGTH, 0.3, THICKNESS))))),
    "test_metal_plank": lambda: plank("handle"),
    "test_table_weight_inside": lambda: three_legged(0.1),
    "test_table_weight_outside": lambda: three_legged(0.6),
}


@pytest.fixture(scope="module", autouse=True)
def more_grammars() -> Iterator[None]:
    """Grammars for these tests alone."""

    def register(name: str) -> None:
        def make(style: Style) -> Part:
            return SHAPES[name]()

        grammar(name)(make)

    for name in SHAPES:
        register(name)
    grammars.all_grammars.cache_clear()
    yield
    for name in SHAPES:
        del grammars._FOUND[name]
    grammars.all_grammars.cache_clear()


def about_y(degrees: float) -> tuple[float, float, float, float]:
    half = math.radians(degrees) / 2
    return math.cos(half), 0.0, math.sin(half), 0.0


def cube(x: float, y: float, z: float = 0.0) -> Placed:
    return thing("cube", x, y, z, scale=HALF)


def on_its_edge(degrees: float) -> Placed:
    """A cube turned about y by so much, its lowest point on the floor."""
    turn = math.radians(degrees)
    inner = 0.86 * (abs(math.cos(turn)) + abs(math.sin(turn)))
    height = HALF * (inner + 0.14)  # of the middle: the rounding is a ball swept along the inner cube
    foot = (-HALF * math.sin(turn), 0.0, height - HALF * math.cos(turn))
    return Placed(ShapeRef("cube"), Pose(foot, about_y(degrees)), HALF, {"": GRAY})


def overhanging(share: float, *, towards: float = 1.0) -> Scene:
    """A cube on another, beyond whose side it sticks out by a share of its width."""
    return stage(cube(0.0, 0.0), cube(towards * 2 * HALF * share, 0.0, 2 * HALF))


def leaning(category: str, degrees: float) -> Scene:
    """A plank against the right wall, at this angle to the floor, touching both with its edges."""
    turn = math.radians(degrees)
    # The plank's own x axis climbs towards the wall: a turn about y by the negative angle.
    high = LENGTH * math.cos(turn) / 2 + THICKNESS * math.sin(turn) / 2
    middle = np.array([ROOM.width / 2 - high, 0.0, LENGTH * math.sin(turn) / 2 + THICKNESS * math.cos(turn) / 2])
    foot = middle - THICKNESS / 2 * np.array([-math.sin(turn), 0.0, math.cos(turn)])
    x, y, z = foot.tolist()
    return room(Placed(ShapeRef(category), Pose((x, y, z), about_y(-degrees)), 1.0, {"": GRAY}))


def stable(scene: Scene, number: int = 0, *, step: float = 0.005) -> bool:
    return stability(scene, Thresholds(step=step))[number].stable


CASES: dict[str, tuple[Callable[[], Scene], int, bool]] = {
    "a box on its face": (lambda: stage(cube(0.0, 0.0)), 0, True),
    "a box on its edge": (lambda: stage(on_its_edge(40.0)), 0, False),
    "a box on another": (lambda: overhanging(0.0), 1, True),
    "overhanging by less than half": (lambda: overhanging(0.38), 1, True),
    "overhanging by more than half": (lambda: overhanging(0.6), 1, False),
    "a steep plank on the wall": (lambda: leaning("test_foam_plank", 65.0), 0, True),
    "a table with its weight between its legs": (lambda: stage(thing("test_table_weight_inside", 0.0, 0.0)), 0, True),
    "a table with its weight outside": (lambda: stage(thing("test_table_weight_outside", 0.0, 0.0)), 0, False),
    "a box in the air": (lambda: stage(cube(0.0, 0.0, 0.3)), 0, False),
}


@pytest.mark.parametrize("step", [0.005, 0.0025], ids=["the usual step", "half the step"])
@pytest.mark.parametrize("name", CASES)
def test_what_stands_and_what_falls_is_as_by_hand_whatever_the_step(name: str, step: float) -> None:
    scene, number, stands = CASES[name]
    assert stable(scene(), number, step=step) == stands


def test_a_box_balanced_exactly_on_its_edge_is_not_stable() -> None:
    assert not stable(stage(on_its_edge(45.0)))


def test_the_box_below_an_overhanging_one_stays() -> None:
    below, above = stability(overhanging(0.6))
    assert below.stable
    assert not above.stable


def friction_of(scene: Scene, friction: float) -> bool:
    """Whether the first object stays if all friction is this."""
    simulation = Simulation(scene)
    simulation.model.geom_friction[:, 0] = friction
    simulation.reset()
    return simulation.watch([0])[0].stable


@pytest.mark.parametrize(("degrees", "friction", "stands"), [(55, 0.0, False), (55, 0.2, False), (55, 0.5, True)])
def test_a_plank_against_a_wall_stands_by_friction_alone(degrees: float, friction: float, stands: bool) -> None:
    # A ladder with the same friction f at both ends holds where tan(angle) > (1 - f²) / 2f: 0.32 at 55 degrees.
    assert (math.tan(math.radians(degrees)) > (1 - friction**2) / (2 * friction + 1e-9)) == stands
    assert friction_of(leaning("test_foam_plank", degrees), friction) == stands


def test_a_foam_plank_stands_where_friction_allows() -> None:
    # Foam, 0.6: down to 28 degrees.
    assert stable(leaning("test_foam_plank", 40.0))


@pytest.mark.parametrize("name", ["test_wheel", "test_caster"])
def test_what_stands_on_wheels_rolls(name: str) -> None:
    assert not stable(leaning(name, 65.0))
    assert stable(stage(thing(name, 0.0, 0.0))), "on a level floor it stays"


@pytest.mark.parametrize(("name", "friction"), [("test_metal_plank", 0.6), ("test_wheel", 0.02)])
def test_a_wheel_rolls_on_other_things_too(name: str, friction: float) -> None:
    simulation = Simulation(stage(thing("test_foam_plank", 0.0, 0.0), thing(name, 0.0, 0.0, THICKNESS - 0.001)))
    simulation.reset()
    touching = [each for each in simulation.data.contact if set(simulation.model.geom_bodyid[each.geom]) == {1, 2}]
    assert touching
    assert all(each.friction[0] == pytest.approx(friction) for each in touching)


@pytest.mark.parametrize("degrees", [35.0, 60.0, 75.0])
@pytest.mark.parametrize("name", ["test_foam_plank", "test_metal_plank", "test_wheel"])
def test_the_strain_of_what_leans_says_whether_it_slips(name: str, degrees: float) -> None:
    scene = leaning(name, degrees)
    assert isinstance(scene.setting, Room)
    assert (strain(scene.objects[0], walls(scene.setting)["right"]) < 1) == stable(scene)


def test_a_metal_plank_slips_where_a_foam_one_stands() -> None:
    # Metal, 0.35: it takes more than 51 degrees.
    assert not stable(leaning("test_metal_plank", 40.0))


# Stacking by reckoning


def test_weight_is_held_as_far_as_tops_and_soles_overlap() -> None:
    """A cube of 0.6 m on one of 0.6 m: flat are the 0.516 m between the roundings."""
    flat = 0.86 * HALF
    top, sole = top_of(cube(0.0, 0.0)), sole_of(cube(0.0, 0.0))
    assert top.height == pytest.approx(2 * HALF, abs=0.001)
    assert held(sole, top, (0.0, 0.0)) == pytest.approx(flat, abs=0.03)
    # Moved by 0.3 m its weight is 0.042 m beyond the other's flat top.
    assert held(sole, top, (0.3, 0.0)) == pytest.approx(flat - 0.3, abs=0.03)
    assert held(sole, top, (0.7, 0.0)) == -np.inf
    assert steady(sole, sole, (0.3, 0.0)) == pytest.approx(flat - 0.15, abs=0.03), "half of the offset: equal weights"


@pytest.mark.parametrize("share", [0.2, 0.35, 0.6, 0.75])
def test_what_is_reckoned_is_what_happens(share: float) -> None:
    scene = overhanging(share)
    reckoned = held(sole_of(cube(0.0, 0.0)), top_of(cube(0.0, 0.0)), (2 * HALF * share, 0.0))
    assert reckoned is not None
    assert (reckoned > 0) == stable(scene, 1)


def test_what_would_run_into_a_higher_part_is_not_held() -> None:
    table = thing("test_table_weight_outside", 0.0, 0.0)
    top, sole = top_of(table), sole_of(thing("cube", 0.0, 0.0, scale=0.1))
    assert top.height == pytest.approx(0.62, abs=0.01)
    assert held(sole, top, (-0.6, 0.0)) is None, "the block is there"
    assert (held(sole, top, (0.0, 0.0)) or 0.0) > 0.05


# Coming to rest


@pytest.mark.parametrize("height", [0.05, 0.5])
def test_a_dropped_box_comes_to_rest_on_the_floor(height: float) -> None:
    rested = settle(stage(cube(0.4, -0.2, height)))
    pose = rested.objects[0].pose
    assert pose.position == pytest.approx((0.4, -0.2, 0.0), abs=0.005)
    assert np.linalg.norm(pose.rotation) == pytest.approx(1.0)
    assert stable(rested)


def test_a_box_that_falls_off_its_edge_comes_to_rest_on_a_face() -> None:
    rested = settle(stage(on_its_edge(35.0)))
    (placed,) = rested.objects
    down = rotation_matrix(placed.pose.rotation)[2]
    assert np.abs(down).max() > math.cos(math.radians(1.0)), "one of the cube's own axes is upright"
    assert stable(rested)


def middle(placed: Placed) -> Floats:
    """The middle of a cube."""
    return np.asarray(placed.pose.position) + rotation_matrix(placed.pose.rotation) @ (0.0, 0.0, placed.scale)


def test_settling_changes_nothing_but_poses() -> None:
    scene = overhanging(0.6)
    rested = settle(scene)
    back = [msgspec.structs.replace(new, pose=old.pose) for new, old in zip(rested.objects, scene.objects, strict=True)]
    assert msgspec.structs.replace(rested, objects=tuple(back)) == scene
    assert middle(rested.objects[1])[2] == pytest.approx(HALF, abs=0.01), "the overhanging box is down on the floor"


def test_the_trace_tells_the_motion() -> None:
    (motion,) = stability(stage(cube(0.0, 0.0, 0.5)))
    seconds, heights = motion.trace[:, 0], motion.trace[:, 3]
    assert seconds[0] == 0.0
    assert heights[0] == pytest.approx(0.5)
    assert (np.diff(seconds) > 0).all()
    # Free fall; an integrator of first order may be off by what the last of its steps of 5 ms takes.
    one_step = 1.01 * 9.81 * seconds.max() * 0.005
    assert np.allclose(heights, 0.5 - 9.81 * seconds**2 / 2, atol=one_step)
    assert motion.shift == pytest.approx(0.5 - heights[-1], abs=one_step)
    assert 0.05 < motion.shift < 0.1, "watching ends when it has fallen"


# What would change it

AROUND = {"left": (-1.0, 0.0, 0.0), "right": (1.0, 0.0, 0.0), "front": (0.0, -1.0, 0.0), "behind": (0.0, 1.0, 0.0)}


@pytest.mark.parametrize(("towards", "back"), [(1.0, "left"), (-1.0, "right")])
def test_an_overhanging_box_is_saved_by_moving_it_back_onto_the_other_only(towards: float, back: str) -> None:
    scene = overhanging(0.6, towards=towards)
    found = possible_changes(scene, 1, AROUND, distances=(0.05, 0.15, 0.3, 0.4))
    # Its middle is 0.36 m from the other's, whose flat top reaches 0.26 m: 0.05 m is too little, 0.15 m enough.
    assert found == {back: 0.15}


def test_a_place_inside_another_object_is_no_possible_change() -> None:
    apart = 0.5
    scene = stage(cube(0.0, 0.0), cube(2 * HALF + apart, 0.0))
    towards = {"towards the other": (-1.0, 0.0, 0.0)}
    assert possible_changes(scene, 1, towards, distances=(apart - 0.02,)) == {"towards the other": apart - 0.02}
    # Three centimeters inside, both would be pushed apart by less than what counts as having moved.
    assert possible_changes(scene, 1, towards, distances=(apart + 0.03,)) == {}
    simulation = Simulation(scene)
    simulation.reset({1: (-apart - 0.03, 0.0, 0.0)})
    assert simulation.overlap(1) == pytest.approx(0.03, abs=0.002)
    simulation.reset()
    assert simulation.overlap(1) < 1e-6


def test_results_do_not_depend_on_what_was_simulated_before() -> None:
    scene = overhanging(0.6)
    fresh = Simulation(scene)
    fresh.reset()
    first = fresh.watch([0, 1])
    for offset in ((0.3, 0.0, 0.0), (-0.3, 0.1, 0.2), (0.0, 0.0, 0.0)):
        fresh.reset({1: offset})
        fresh.run(0.4)
    fresh.reset()
    again = fresh.watch([0, 1])
    for one, other in zip(first, again, strict=True):
        assert one[:3] == other[:3]
        assert np.array_equal(one.trace, other.trace)
    alone = possible_changes(scene, 1, AROUND, distances=(0.05, 0.15))
    assert possible_changes(scene, 1, AROUND, distances=(0.05, 0.15), simulation=fresh) == alone


def test_the_same_objects_are_compiled_once_wherever_they_are_and_others_anew() -> None:
    def compiled(scene: Scene) -> bool:
        before = physics._compiled.cache_info().misses
        Simulation(scene)
        return physics._compiled.cache_info().misses > before

    physics._compiled.cache_clear()
    assert compiled(stage(cube(0.0, 0.0)))
    assert not compiled(stage(cube(1.0, 0.5)))
    assert compiled(stage(msgspec.structs.replace(cube(0.0, 0.0), scale=0.5)))
    assert compiled(room(cube(0.0, 0.0))), "there are walls"


def test_who_changes_a_model_changes_no_other() -> None:
    scene = leaning("test_foam_plank", 55.0)
    assert not friction_of(scene, 0.0)
    assert stable(scene)


def test_a_new_simulation_has_objects_where_the_scene_has_them() -> None:
    Simulation(stage(cube(0.0, 0.0)))
    (pose,) = Simulation(stage(cube(1.0, 0.5))).poses()
    assert pose.position[:2] == (1.0, 0.5)


def test_watching_ends_when_everything_is_at_rest() -> None:
    standing = Simulation(stage(cube(0.0, 0.0)))
    (motion,) = standing.watch([0], beyond=math.inf)
    assert motion.stable
    assert motion.trace[-1, 0] < Thresholds().seconds
    both = Simulation(stage(cube(0.0, 0.0), cube(3.0, 0.0, 40.0)))
    still, falling = both.watch([0, 1], beyond=math.inf)
    assert falling.trace[-1, 0] == pytest.approx(Thresholds().seconds), "something still falls"
    assert still.shift == pytest.approx(motion.shift, abs=1e-6)


def test_what_sleeps_wakes_when_it_is_hit() -> None:
    low, high = Simulation(stage(cube(0.0, 0.0), cube(0.25, 0.0, 3.0))).watch([0, 1], beyond=math.inf)
    assert high.trace[20, 3] > 1.0, "until then the lower one has been at rest for long"
    (alone,) = Simulation(stage(cube(0.0, 0.0))).watch([0])
    assert low.turn > 5 * alone.turn
