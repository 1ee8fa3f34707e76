"""PartNet's folders in and out: one annotated shape as trees, meshes and points.

    meta.json                    who annotated which model
    result.json                  the raw tree; its leaves name meshes
    result_after_merging.json    the final tree; every node names meshes, `ori_id` points to the raw node
    objs/ or textured_objs/      the meshes, y up, front towards +z
    point_sample/                10,000 points with the raw leaf that each lies on

What we write has two files more, which PartNet's own tools pass over: `mereo.json` and `pieces.bin` keep the name, the
facts, the joints, the materials and the convex pieces of a shape. Folders without them hold shapes of no known size:
they are taken as meters.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from itertools import count
from pathlib import Path

import msgspec

from mereo.errors import BadInput
from mereo.files import read_json, write_bytes
from mereo.folders import new_folder
from mereo.names import inside
from mereo.shapes.frames import PARTNET, resting
from mereo.shapes.joint import Joint
from mereo.shapes.mesh import Floats, Mesh, joined
from mereo.shapes.obj import read_obj, write_obj
from mereo.shapes.part import Part, Shape
from mereo.shapes.partnet_extra import Extra, first_mesh, read_extra, write_extra
from mereo.shapes.partnet_points import sample_of, write_points
from mereo.shapes.partnet_tree import TreeNode, completed, merge, read_tree, write_tree
from mereo.shapes.partnet_unmerge import unmerge
from mereo.shapes.points import PointCloud
from mereo.shapes.template import AndOrTemplate, all_templates

__all__ = ["Annotation", "Meta", "is_partnet", "partnet_name", "read_annotation", "read_partnet", "write_partnet"]

RAW, MERGED = "result.json", "result_after_merging.json"
_MESHES = ("objs", "textured_objs")
_KEPT = ("anno_id", "version", "user_id", "model_id")
"""What `meta.json` says that goes into the facts of a shape and back."""


class Meta(msgspec.Struct, frozen=True, omit_defaults=True):
    """The content of `meta.json`."""

    anno_id: str
    model_cat: str
    version: str = ""
    user_id: str = ""
    model_id: str = ""
    original_model_cat: str = ""
    """What the shape was annotated as, where PartNet moved it to another category since."""


@dataclass(frozen=True)
class Annotation:
    """The trees of a folder."""

    meta: Meta
    raw: TreeNode
    merged: TreeNode
    """Every path of it is a label, as far as the template knows its parts."""
    template: AndOrTemplate | None


@dataclass(frozen=True)
class _Body:
    """The meshes of a folder by name, our frame; empty where there are none."""

    meshes: Mapping[str, Mesh] = field(default_factory=dict)
    pieces: Mapping[str, tuple[Floats, ...]] = field(default_factory=dict)
    joints: Mapping[tuple[str, str], Joint] = field(default_factory=dict)
    """By label and the first of the names of a part's meshes."""
    materials: Mapping[str, str] = field(default_factory=dict)


def is_partnet(folder: Path) -> bool:
    """Whether a folder looks like a shape."""
    return (folder / RAW).is_file() or (folder / MERGED).is_file()


def partnet_name(category: str) -> str:
    """What PartNet calls one of our categories, or our own name for those it does not have."""
    known = all_templates().get(category)
    return known.partnet if known and known.partnet else category


def read_annotation(folder: Path) -> Annotation:
    """The trees of a folder, merged by us where the merged one is missing."""
    if not folder.is_dir():
        raise BadInput("there is no such folder", file=folder)
    meta = read_json(folder / "meta.json", type=Meta)
    template = _template_of(meta)
    raw = read_tree(folder / RAW)
    try:
        merged = read_tree(folder / MERGED) if (folder / MERGED).is_file() else merge(raw, template)
    except BadInput as error:
        raise error.within(file=folder / RAW) from None
    return Annotation(meta, raw, completed(merged, raw, template), template)


def read_partnet(folder: Path, *, raw: bool = False, meshes: bool = True) -> Shape:
    """The shape in a folder, with its merged parts; with the annotator's own if `raw`. Parts keep the files' numbers.

    meshes : whether to read them too; where there are none beside the trees the parts have none
    """
    known = read_annotation(folder)
    tree = known.raw if raw else known.merged
    extra = read_extra(folder)
    body = _read_body(folder, known.raw, extra) if meshes else _Body()
    if extra:
        body = replace(body, joints=extra.joints_by_part(), materials=extra.materials or {})
    root = _part(tree, "", body)
    if extra:
        return Shape(extra.category, root, extra.name, extra.facts)
    category = known.template.category if known.template else known.meta.model_cat
    return Shape(category, root, known.meta.anno_id, {name: getattr(known.meta, name) for name in _KEPT})


def _template_of(meta: Meta) -> AndOrTemplate | None:
    names = (meta.original_model_cat, meta.model_cat)
    known = all_templates()
    by_name = {template.partnet: template for template in known.values() if template.partnet} | known
    return next((by_name[name] for name in names if name in by_name), None)


def _read_body(folder: Path, raw: TreeNode, extra: Extra | None) -> _Body:
    objs = next((folder / name for name in _MESHES if (folder / name).is_dir()), None)
    if objs is None:
        return _Body()
    found = {
        name: read_obj(inside(objs, f"{name}.obj", file=folder, field="objs")) for name in sorted(set(raw.all_objs()))
    }
    turned = {name: Mesh.of(PARTNET.to_ours(m.vertices), m.faces) for name, m in found.items() if len(m.faces)}
    if not turned:
        raise BadInput("has meshes without a single triangle", file=objs)
    if extra is None:
        from mereo.shapes.pieces import hull_corners

        found = resting(turned)
        return _Body(found, {name: (hull_corners(mesh.vertices),) for name, mesh in found.items()})
    return _Body(turned, extra.read_pieces(folder))


def _part(node: TreeNode, above: str, body: _Body) -> Part:
    """A node with the meshes that are its own: those that none of its children has."""
    label = f"{above}/{node.name}" if above else node.name
    children = tuple(_part(child, label, body) for child in node.children)
    of_children = {name for child in node.children for name in (child.objs or child.all_objs())}
    own = [name for name in node.objs if name not in of_children and name in body.meshes]
    mesh = joined([body.meshes[name] for name in own])[0] if own else None
    pieces = tuple(piece for name in own for piece in body.pieces.get(name, ()))
    first = first_mesh(node)
    joint, material = body.joints.get((label, first)), body.materials.get(first, "")
    return Part(node.name, children, mesh, pieces, label, node.id, joint, "" if children else material)


def write_partnet(shape: Shape, folder: Path, *, raw: bool = False, points: PointCloud | None = None) -> None:
    """Write a shape as a new folder, whole or not at all.

    raw : whether the parts are those of an annotator, to be merged, and not the final ones
    points : a cloud on the shape to write as its point sample
    """
    template = all_templates().get(shape.category)
    names = {part.id: f"new-{number}" for number, part in enumerate(_owners(shape))}
    own = _node(shape.root, names)
    if raw:
        raw_tree, merged = own, merge(own, template)
    else:
        raw_tree, places = unmerge(own, template)
        whole = all(node.id in places for node in own.walk())
        (merged,) = _merged_nodes(own, places, (node.id for node in own.walk()) if whole else count())
    known = {"anno_id": shape.name, "version": "1", "user_id": "mereo", "model_id": shape.name} | dict(shape.facts)
    meta = Meta(model_cat=partnet_name(shape.category), **{name: str(known[name]) for name in _KEPT})
    with new_folder(folder) as scratch:
        write_bytes(scratch / "meta.json", msgspec.json.encode(meta))
        write_tree(raw_tree, scratch / RAW)
        write_tree(merged, scratch / MERGED)
        for part in shape.leaves():
            if part.mesh is not None:
                turned = Mesh(PARTNET.to_theirs(part.mesh.vertices), part.mesh.faces)
                write_obj(turned, scratch / "objs" / f"{names[part.id]}.obj")
        write_extra(shape, own, names, scratch)
        if points is not None:
            number_of = {leaf.objs[0]: leaf.id for leaf in raw_tree.leaves()}
            numbers = {part: number_of[name] for part, name in names.items()}
            write_points(sample_of(shape, points, numbers=numbers), scratch)


def _owners(shape: Shape) -> Iterator[Part]:
    """The parts that name a mesh: those that have one, and leaves of a tree without."""
    return (part for part in shape.parts() if part.mesh is not None or not part.children)


def _node(part: Part, names: Mapping[int, str]) -> TreeNode:
    objs = (names[part.id],) if part.id in names else ()
    return TreeNode(part.id, part.name, part.name, tuple(_node(child, names) for child in part.children), objs)


def _merged_nodes(node: TreeNode, places: Mapping[int, int], numbers: Iterator[int]) -> tuple[TreeNode, ...]:
    """A node of the final tree, as PartNet would merge it; what no raw node stands for gives way to its children."""
    if node.id not in places:
        return tuple(below for child in node.children for below in _merged_nodes(child, places, numbers))
    number = next(numbers)
    children = tuple(below for child in node.children for below in _merged_nodes(child, places, numbers))
    objs = (*(name for child in children for name in child.objs), *node.objs)
    return (TreeNode(number, node.name, node.name, children, objs, places[node.id]),)
