"""Shapes of all grammars: sound bodies in one piece, standing on the ground, as their templates have it.

Twelve shapes of each category; five hundred with MEREO_THOROUGH=1 in the environment. Tests that take a `category` are
run category by category, so that each shape is made once and forgotten when its category is done.
"""

from __future__ import annotations

import hashlib
import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import lru_cache
from itertools import combinations

import numpy as np
import pytest
import trimesh
from manifold3d import Manifold
from manifold3d import Mesh as ManifoldMesh

from kit import THOROUGH, complaint
from mereo.chance import generator
from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import SPLITS, all_grammars, family_number, make_shape
from mereo.shapes.joint import Joint
from mereo.shapes.mesh import Floats, Mesh
from mereo.shapes.outlines import rectangle
from mereo.shapes.part import Shape
from mereo.shapes.physical import MassProperties, mass_of
from mereo.shapes.sizes import resting_of, usual_length, usual_weight
from mereo.shapes.solids import Solid, bar, board, box, cylinder, union
from mereo.shapes.template import AndOrTemplate, all_templates, criticise, misfits, template_of

COUNT = 500 if THOROUGH else 12
SEED = 20
SLIVER = 1e-6
"""The height in meters below which a triangle has nearly no area."""
CATEGORIES = list(all_grammars())
HELD = {"ceiling_lamp", "wall_lamp", "street_lamp"}
"""Kinds of lamps that are held by a ceiling or a wall, or bolted to the ground."""
SOLIDS = {"cube", "sphere", "cylinder"}
"""CLEVR's solids, each of which is one body."""


@pytest.fixture(scope="module", params=CATEGORIES)
def category(request: pytest.FixtureRequest) -> str:
    """Every category in turn."""
    return str(request.param)


def made(category: str, k: int, *, other: bool = False) -> Shape:
    """The k-th shape of a category, of a family that no other has, or another instance of that family."""
    splits = list(SPLITS)
    family, instance = k // len(splits), k % 3 + other
    return make_shape(category, seed=SEED, split=splits[k % len(splits)], family=family, instance=instance)


@lru_cache(maxsize=1)
def shapes(category: str) -> tuple[Shape, ...]:
    """Shapes of families from all splits."""
    return tuple(made(category, k) for k in range(COUNT))


@lru_cache(maxsize=1)
def masses(category: str) -> dict[str, MassProperties]:
    """What the shapes weigh, by name."""
    return {shape.name: mass_of(shape) for shape in shapes(category)}


def faults(category: str, fault_of: Callable[[Shape], str | None]) -> list[str]:
    """What is wrong with the shapes of a category, by their names and choices."""
    found = ((shape, fault_of(shape)) for shape in shapes(category))
    return [f"{shape.name}: {fault} ({dict(shape.facts['choices'])})" for shape, fault in found if fault]


def meshes(shape: Shape) -> Iterator[tuple[str, Mesh]]:
    for leaf in shape.leaves():
        assert leaf.mesh is not None
        yield leaf.label, leaf.mesh


def test_leaves_are_closed_bodies(category: str) -> None:
    def fault_of(shape: Shape) -> str | None:
        bad = [label for label, mesh in meshes(shape) if not (mesh.is_watertight() and mesh.volume() > 0)]
        return f"open or inside out: {bad}" if bad else None

    assert faults(category, fault_of) == []


def test_leaves_stay_closed_bodies_for_those_who_load_them(category: str) -> None:
    """trimesh takes vertices for one that are closer than 1e-8."""

    def fault_of(shape: Shape) -> str | None:
        bad = {}
        for label, mesh in meshes(shape):
            loaded = trimesh.Trimesh(mesh.vertices, mesh.faces)
            thin = int((Mesh.of(loaded.vertices, loaded.faces).face_heights() < SLIVER).sum())
            if thin or not loaded.is_watertight:
                bad[label] = f"{thin} of {len(loaded.faces)} triangles thin, watertight {loaded.is_watertight}"
        return f"{bad}" if bad else None

    assert faults(category, fault_of) == []


def test_leaves_have_no_slivers(category: str) -> None:
    def fault_of(shape: Shape) -> str | None:
        thin = {label: int((mesh.face_heights() < SLIVER).sum()) for label, mesh in meshes(shape)}
        return f"slivers: {thin}" if any(thin.values()) else None

    assert faults(category, fault_of) == []


def test_solids_that_share_planes_have_no_vertices_that_nearly_coincide() -> None:
    """Whatever they are made of: the planes of boxes, boards and turned work are the same but for the last digits."""
    rng = generator(5)
    for _ in range(50):
        width, depth, thick = rng.uniform(0.1, 0.9, 3)
        floor = box((width, depth, thick), (0, 0, thick / 2))
        rim = board(rectangle(width, depth).minus(rectangle(width / 3, depth / 3)), 2 * thick)
        for solid in (union(floor, rim), cylinder(width, thick).minus(floor)):
            corners = as_built(solid).triangles
            assert np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).min() > SLIVER


def test_slivers_between_planes_that_nearly_coincide_are_simplified_away() -> None:
    near = union(box((1, 1, 1)), box((0.7, 0.7, 1.0), (0.15, 0.15, 3e-8)))
    assert as_built(near).face_heights().min() < SLIVER
    assert near.mesh().face_heights().min() > 0.1
    assert near.mesh().volume() == pytest.approx(1.0)
    assert near.mesh().is_watertight()


@pytest.mark.parametrize(("split", "family", "instance"), [("train", 105, 0), ("test", 57, 2)])
def test_edges_that_are_short_by_chance_are_collapsed(split: str, family: int, instance: int) -> None:
    """A fold of this blanket and a spindle of that headboard meet others half a micrometer beside a corner."""
    bed = make_shape("bed", seed=SEED, split=split, family=family, instance=instance)
    assert min(mesh.face_heights().min() for _, mesh in meshes(bed)) > SLIVER


def as_built(solid: Solid) -> Mesh:
    """The surface as the kernel has it."""
    raw = solid.body.to_mesh64()
    return Mesh.of(np.asarray(raw.vert_properties)[:, :3], raw.tri_verts)


def test_the_height_of_a_triangle_is_that_over_its_longest_side() -> None:
    corners = [(0, 0, 0), (4, 0, 0), (1, 0.5, 0), (2, 0, 0)]
    mesh = Mesh.of(corners, [(0, 1, 2), (2, 0, 1), (0, 3, 1), (0, 0, 0)])
    assert mesh.face_heights().tolist() == [0.5, 0.5, 0.0, 0.0]


def test_a_bar_faces_where_it_is_told_to() -> None:
    flat = bar((0, 0, 0), (0, 0, 1), 0.2, 0.1, facing=np.array([1.0, 0.0, 0.3]))
    assert np.ptp(flat.bounds(), axis=0) == pytest.approx((0.1, 0.2, 1.0))


def test_leaves_have_neither_too_few_nor_too_many_triangles(category: str) -> None:
    def fault_of(shape: Shape) -> str | None:
        sizes = {label: len(mesh.faces) for label, mesh in meshes(shape)}
        bad = {label: size for label, size in sizes.items() if not 12 <= size <= 5_000}
        total = sum(len(mesh.faces) for _, mesh in meshes(shape))
        return f"{bad or total} triangles" if bad or total >= 60_000 else None

    assert faults(category, fault_of) == []


def test_shapes_are_in_one_piece(category: str) -> None:
    """Leaves that are at most 2 cm apart are joined; all must be joined in the end."""

    def fault_of(shape: Shape) -> str | None:
        groups = loose_groups([mesh for _, mesh in meshes(shape)], gap=0.02)
        labels = [label for label, _ in meshes(shape)]
        return f"loose: {[sorted({labels[k] for k in group}) for group in groups[1:]]}" if len(groups) > 1 else None

    assert faults(category, fault_of) == []


def loose_groups(parts: list[Mesh], *, gap: float) -> list[list[int]]:
    """Which bodies hang together, largest group first: union-find over exact distances where boxes are close."""
    bodies = [Manifold(ManifoldMesh(m.vertices.astype(np.float32), m.faces.astype(np.uint32))) for m in parts]
    boxes = np.array([mesh.bounds() for mesh in parts])
    parent = list(range(len(parts)))

    def find(k: int) -> int:
        while parent[k] != k:
            k = parent[k]
        return k

    reaches = (boxes[:, None, 0] <= boxes[None, :, 1] + gap).all(2)
    for a, b in np.argwhere(np.triu(reaches & reaches.T, 1)).tolist():
        if find(a) != find(b) and bodies[a].min_gap(bodies[b], 2 * gap) <= gap:
            parent[find(a)] = find(b)
    groups: dict[int, list[int]] = {}
    for k in range(len(parts)):
        groups.setdefault(find(k), []).append(k)
    return sorted(groups.values(), key=len, reverse=True)


def test_loose_parts_would_be_found() -> None:
    cube = Mesh.of(np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)]), CUBE)
    far, near = np.eye(4), np.eye(4)
    far[0, 3], near[0, 3] = 1.03, 1.01
    assert cube.is_watertight()
    assert len(loose_groups([cube, cube.moved(far)], gap=0.02)) == 2
    assert len(loose_groups([cube, cube.moved(near)], gap=0.02)) == 1


CUBE = [(0, 1, 3), (0, 3, 2), (4, 6, 7), (4, 7, 5), (0, 4, 5), (0, 5, 1), (2, 3, 7), (2, 7, 6), (0, 2, 6), (0, 6, 4)]
CUBE += [(1, 5, 7), (1, 7, 3)]


def test_shapes_rest_on_the_ground_over_the_origin(category: str) -> None:
    def fault_of(shape: Shape) -> str | None:
        low, high = shape.bounds()
        middle = (low + high)[:2] / 2
        return f"box from {low} to {high}" if abs(low[2]) > 1e-6 or np.abs(middle).max() > 1e-6 else None

    assert faults(category, fault_of) == []


def test_shapes_stand_without_falling_over(category: str) -> None:
    """The center of mass lies above the area between the points that touch the ground, but for what is held.

    A rocking chair rolls until it does, so its rockers count from end to end.
    """

    def fault_of(shape: Shape) -> str | None:
        if resting_of(category) != "stands" or HELD & {part.name for part in shape.parts()}:
            return None
        rockers = [mesh.vertices for label, mesh in meshes(shape) if label.endswith("/rocker")]
        vertices = shape.mesh().vertices
        feet = np.concatenate([vertices[vertices[:, 2] < 0.01], *rockers])
        out = outside_footprint(masses(category)[shape.name].center[:2], feet[:, :2])
        return f"its weight lies {100 * out:.1f} cm outside its footprint" if out > 0 else None

    assert faults(category, fault_of) == []


def test_shapes_are_as_long_as_such_things_are(category: str) -> None:
    low, high = usual_length(category)

    def fault_of(shape: Shape) -> str | None:
        longest = float(np.ptp(shape.bounds(), axis=0).max())
        return None if low <= longest <= high else f"{longest:.3f} m long, not {low:g} to {high:g}"

    assert faults(category, fault_of) == []


def test_shapes_weigh_what_such_things_weigh(category: str) -> None:
    low, high = usual_weight(category)

    def fault_of(shape: Shape) -> str | None:
        mass = masses(category)[shape.name].mass
        return None if low <= mass <= high else f"weighs {mass:.3g} kg, not {low:g} to {high:g}"

    assert faults(category, fault_of) == []


def test_what_moves_moves_from_end_to_end_and_stays_whole(category: str) -> None:
    """Of all joints of a shape at once, as far as they go; what spins goes half round."""

    def fault_of(shape: Shape) -> str | None:
        found = joints(shape)
        bad = [f"part {number}: {joint}" for number, joint in found.items() if not is_sound(joint)]
        ends = ({number: ends_of(joint)[k] for number, joint in found.items()} for k in (0, 1))
        for moved in (posed(shape, values) for values in ends):
            bad += [
                label for label, mesh in meshes(moved) if not (np.isfinite(mesh.vertices).all() and mesh.volume() > 0)
            ]
        return f"{bad}" if bad else None

    assert faults(category, fault_of) == []


def is_sound(joint: Joint) -> bool:
    """Whether an axis has a direction and a joint stands within its range."""
    unit = abs(np.linalg.norm(joint.axis) - 1) < 1e-9
    return bool(unit and np.isfinite(joint.origin).all() and joint.low <= joint.at <= joint.high)


def ends_of(joint: Joint) -> tuple[float, float]:
    """The least and the greatest value; what spins has none."""
    return (-90.0, 90.0) if joint.kind == "spin" else (joint.low, joint.high)


def outside_footprint(point: Floats, feet: Floats) -> float:
    """How far a point lies outside the convex outline of others, seen from 360 sides; negative inside."""
    turns = np.radians(np.arange(360))
    sides = np.stack([np.cos(turns), np.sin(turns)])
    return float((point @ sides - (feet @ sides).max(0)).max())


def test_shapes_follow_their_template(category: str) -> None:
    template = template_of(category)
    assert faults(category, lambda shape: "; ".join(misfits(shape, template)) or None) == []


def test_parts_are_numbered_from_the_root(category: str) -> None:
    for shape in shapes(category):
        parts = list(shape.parts())
        assert [part.id for part in parts] == list(range(len(parts)))
        assert all(child.label == f"{part.label}/{child.name}" for part in parts for child in part.children)


def test_every_leaf_has_convex_pieces(category: str) -> None:
    for shape in shapes(category)[:60]:
        for leaf in shape.leaves():
            assert leaf.pieces
            assert all(Manifold.hull_points(np.ascontiguousarray(piece)).volume() > 0 for piece in leaf.pieces)


def test_families_differ_and_instances_are_alike(category: str) -> None:
    """Two families are never the same body, but of a solid; two instances of a family have the same parts."""
    assert len({body_of(shape) for shape in shapes(category)}) == (1 if category in SOLIDS else COUNT)
    for k, shape in enumerate(shapes(category)[:4]):
        assert [part.label for part in made(category, k, other=True).parts()] == [part.label for part in shape.parts()]


@pytest.mark.parametrize("solid", sorted(SOLIDS))
def test_a_solid_leaves_nothing_to_choose(solid: str) -> None:
    assert not make_shape(solid, seed=SEED, family=3, instance=2).facts["choices"]


def body_of(shape: Shape) -> bytes:
    """All triangles of a shape, whatever it is called."""
    return b"".join(mesh.vertices.tobytes() + mesh.faces.tobytes() for _, mesh in meshes(shape))


def test_no_family_is_in_two_splits() -> None:
    numbers = {split: {family_number(split, k) for k in range(1_000)} for split in SPLITS}
    assert all(len(own) == 1_000 for own in numbers.values())
    for one, other in combinations(numbers.values(), 2):
        assert not one & other


def test_every_family_is_in_a_split() -> None:
    assert sorted(k for own in SPLITS.values() for k in own) == list(range(20))


def test_unknown_splits_and_categories_are_named() -> None:
    assert "no split of shapes 'trian' (did you mean 'train'?)" in (
        complaint(lambda: make_shape(CATEGORIES[0], seed=0, split="trian")) or ""
    )
    assert "no category with a grammar 'chiar'" in (complaint(lambda: make_shape("chiar", seed=0)) or "")


def digest(shape: Shape) -> str:
    """A fingerprint of all that a shape is."""
    content = hashlib.sha256(repr(dict(shape.facts)).encode())
    for part in shape.parts():
        content.update(f"{part.id} {part.label}".encode())
        if part.mesh is not None:
            content.update(part.mesh.vertices.tobytes() + part.mesh.faces.tobytes())
        for piece in part.pieces:
            content.update(piece.tobytes())
    return content.hexdigest()


def test_the_same_seed_gives_the_same_bytes(category: str) -> None:
    for k in (3, 8):
        assert digest(made(category, k)) == digest(shapes(category)[k])


def test_another_process_makes_the_same_bytes() -> None:
    """Whatever order that process keeps its sets in."""
    code = (
        "from test_shapes import CATEGORIES, digest, make_shape\n"
        "for category in CATEGORIES:\n"
        "    print(category, digest(make_shape(category, seed=7, family=5)))"
    )
    outputs = [
        subprocess.run(
            [sys.executable, "-c", code],
            check=True,
            capture_output=True,
            text=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path), "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "2")
    ]
    here = "".join(f"{category} {digest(make_shape(category, seed=7, family=5))}\n" for category in CATEGORIES)
    assert outputs == [here, here]


@pytest.mark.parametrize("template", all_templates().values(), ids=lambda template: template.category)
def test_templates_meet_the_criteria_of_experts(template: AndOrTemplate) -> None:
    assert criticise(template) == []


@pytest.mark.parametrize("name", ["leg", "wheel", "door", "drawer", "handle", "shelf", "caster", "foot"])
def test_labels_are_shared_across_categories(name: str) -> None:
    users = [
        category
        for category, template in all_templates().items()
        if any(label.rpartition("/")[2] == name for label in template.labels)
    ]
    assert len(users) > 1
