"""Projects, people and pieces for the tests of annotation."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import numpy as np

from mereo.annotation.accounts import Person, Role
from mereo.annotation.actions import Action, Choose, Cut, Finish, Group, Have
from mereo.annotation.geometry.blobs import keep_mesh
from mereo.annotation.library import add_shape
from mereo.annotation.project import Project
from mereo.annotation.queue import next_work
from mereo.annotation.state import State, begin
from mereo.annotation.store import Store
from mereo.annotation.tables import Account, now
from mereo.annotation.tree import tree_of
from mereo.shapes.mesh import Mesh
from mereo.shapes.template import template_of

LEG = "chair/chair_base/regular_leg_base/leg"
_CORNERS = np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], float)
_SIDES = [(0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3)]
_TRIANGLES = [triangle for a, b, c, d in _SIDES for triangle in ((a, b, c), (a, c, d))]


def box(x: float, y: float, z: float, *, at: Sequence[float] = (0, 0, 0)) -> Mesh:
    """A closed box with its lowest corner at a place."""
    return Mesh.of(_CORNERS * (x, y, z) + np.asarray(at), _TRIANGLES)


def obj(path: Path) -> Path:
    """A mesh file of two boxes."""
    lines, start = [], 1
    for name, mesh in (("seat", box(1, 1, 0.1, at=(0, 0, 1))), ("leg", box(0.1, 0.1, 1))):
        lines += [f"o {name}", *(f"v {x} {y} {z}" for x, y, z in mesh.vertices)]
        lines += [f"f {a + start} {b + start} {c + start}" for a, b, c in mesh.faces]
        start += len(mesh.vertices)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))
    return path


def started(pieces: int = 4) -> State:
    """The state in which nothing of a chair was done yet."""
    return begin(tree_of(template_of("chair")), {number: f"{number:064x}" for number in range(pieces)})


@contextmanager
def project(folder: Path, address: str = "", *, shapes: int = 1, annotators: int = 2) -> Iterator[Project]:
    """A project of chairs, each of a seat, a back and four legs, all of them boxes."""
    made = Project.create(folder, category="chair", annotators=annotators, database=address)
    legs = [box(0.1, 0.1, 1, at=(x, y, 0)) for x in (0, 0.9) for y in (0, 0.9)]
    meshes = [box(1, 1, 0.1, at=(0, 0, 1)), box(1, 0.1, 1, at=(0, 0.9, 1.1)), *legs]
    names = ["seat", "back", "leg", "leg", "leg", "leg"]
    for number in range(shapes):
        kept = [keep_mesh(mesh, made.home) for mesh in meshes]
        add_shape(made, f"chair-{number}", list(zip(names, kept, strict=True)), frame="{}")
    try:
        yield made
    finally:
        made.close()


def person(project: Project, name: str, role: Role = "annotator") -> Person:
    """An account that nobody can log in by, since hashing takes its time."""
    with project.database.writing() as session:
        row = Account(name=name, role=role, hashed="", active=True, begun=now())
        session.add(row)
        session.flush()
        return Person(row.id, name, role)


def do(store: Store, work: int, who: Person, *actions: Action) -> State:
    """Do things one after the other, and give what stands then."""
    number = store.open_work(work, who).row.number
    for place, action in enumerate(actions):
        store.act(work, who, str(uuid4()), number + place, action)
    return store.open_work(work, who).state


WHOLE_CHAIR: tuple[Action, ...] = (
    Have(0, "chair_seat", 1),
    Have(0, "chair_back", 1),
    Have(0, "chair_base", 1),
    Choose(3, "regular_leg_base"),
    Have(4, "leg", 4),
    Group(1, (0,)),
    Group(2, (1,)),
    *(Group(5 + leg, (2 + leg,)) for leg in range(4)),
)
"""Every piece is given to what it is."""

ACROSS = Cut(0, ((0.5, -0.5, 1.1), (0.5, 1.5, 1.1)), (0.0, 0.0, -1.0))
"""The seat is cut in two halves."""


def annotate(store: Store, who: Person, *actions: Action) -> int:
    """The next work of somebody, finished with these actions."""
    work = next_work(store.project, who)
    assert work is not None
    do(store, work, who, *actions, Finish())
    return work
