"""What a model or the grammar proposes for a work as it stands, with the ordinary actions that take each part over."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from mereo.annotation.actions import Action
from mereo.annotation.geometry.blobs import read_mesh
from mereo.annotation.geometry.predicted import read_instances
from mereo.annotation.geometry.proposals import Proposed, from_grammar, from_instances
from mereo.annotation.geometry.taking import taken
from mereo.annotation.home import Home
from mereo.annotation.project import Project
from mereo.annotation.state import State
from mereo.annotation.views import WorkView
from mereo.chance import generator
from mereo.errors import BadInput

__all__ = ["Offer", "offers"]

Pieces = tuple[tuple[int, str], ...]


class Offer(NamedTuple):
    """A proposed part, and how it is taken over."""

    part: Proposed
    actions: list[Action]


def offers(project: Project, view: WorkView) -> list[Offer]:
    """What can be taken over in a work: nothing of what is given to a part, and nothing that contradicts this."""
    pieces = tuple(view.state.pieces.items())
    predictions = project.settings.predictions
    if predictions:
        found = _predicted(project, predictions, view.row.shape.name, pieces)
    else:
        found = _guessed(project.tree.template.category, project.home, pieces)
    return [offer for part in found if (offer := _offer(view.state, part)) is not None]


def _offer(state: State, part: Proposed) -> Offer | None:
    free = part._replace(pieces=tuple(piece for piece in part.pieces if piece not in state.owner))
    try:
        return Offer(free, taken(state, free))
    except BadInput:
        return None


def _predicted(project: Project, predictions: str, name: str, pieces: Pieces) -> list[Proposed]:
    template = project.tree.template
    meshes = {piece: read_mesh(project.home, digits) for piece, digits in pieces}
    said = read_instances(project.home.beside(predictions), name, template)
    return from_instances(meshes, said, template, rng=generator(0, "offers"))


@lru_cache(maxsize=128)
def _guessed(category: str, home: Home, pieces: Pieces) -> list[Proposed]:
    """Kept for those who take over one part after the other: only cuts change what the grammar says."""
    meshes = {piece: read_mesh(home, digits) for piece, digits in pieces}
    return from_grammar(category, meshes)
