"""The programs of expressions for module networks: the true ones, or those that a parser makes of the words."""

from __future__ import annotations

from collections.abc import Sequence

from mereo.models.modular.modules import Module, modules_of
from mereo.programs import Language, Program
from mereo.training.row import Desk
from mereo.training.understanding import parsed, read_programs

__all__ = ["language_of", "modules_known", "programs_of"]


def language_of(desk: Desk) -> Language:
    """That of the dataset's expressions, which hangs on whose scenes they are about."""
    return desk.corpus.inspector.language


def modules_known(desk: Desk) -> tuple[Module, ...]:
    """All modules that programs of the desk's lexicon may use."""
    return modules_of(language_of(desk), desk.lexicon.tokens)


def programs_of(desk: Desk, split: str, places: Sequence[int] | None = None) -> list[Program | None]:
    """Of a split's expressions as they were understood; the true ones by the choice `programs`.

    places : of those that are wanted, where not all are
    """
    return read_programs(parsed(desk, split, language_of(desk), places))
