"""How large the networks of a row are, without a dataset: made for the words of a benchmark's language."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

from mereo.benchmarks.benchmark import benchmark
from mereo.programs import Language
from mereo.training.row import Desk, Stage
from mereo.workbench.rows import Model, learning_of

if TYPE_CHECKING:
    from mereo.datasets.store import Manifest
    from mereo.models.learner import Learner
    from mereo.training.corpus import Corpus
    from mereo.training.lexicon import Lexicon

__all__ = ["parameters_of", "sample_desk"]

_USUAL = "ptr"
"""Whose words and levels a row that fits any benchmark is measured with."""
_WORDS = 100
_SIZE = 213, 320


def parameters_of(model: Model) -> dict[str, int] | None:
    """By stage how many numbers a row learns from a dataset of usual words; None where that takes a real one."""
    from mereo.models.learner import parameters

    desk = sample_desk(model.benchmark or _USUAL)
    found = {}
    for stage in model.row.stages:
        try:
            desk.networks[stage.name] = _laid_out(stage, desk)
        except _Unknown:
            return None
        found[stage.name] = parameters(desk.networks[stage.name])
    return found


def _laid_out(stage: Stage, desk: Desk) -> Learner:
    """A network whose numbers have no value, which takes no time; or with values, where it cannot be made without."""
    import torch

    try:
        with torch.device("meta"):
            return stage.network(desk)
    except RuntimeError:  # what PyTorch raises where somebody asks for a value
        return stage.network(desk)


def sample_desk(name: str) -> Desk:
    """A desk with the words of a benchmark's first language, and no data."""
    import torch

    own = benchmark(name)
    return Desk(_no_data(name), _lexicon(own.languages[0]), torch.device("cpu"))


def _lexicon(language: Language) -> Lexicon:
    from mereo.training.lexicon import Lexicon

    types = {type.name: type for one in language.functions.values() for type in (*one.values, one.output)}
    values = list(dict.fromkeys(value for type in types.values() for value in type.values or ()))
    words = (*values, *(f"word{number}" for number in range(_WORDS)))
    answers = (*values, "yes", "no", *map(str, range(11)))
    tokens = (*language.functions, *(f"[{value}]" for value in values))
    return Lexicon(("", "<unknown>", *words), answers, ("", "<begin>", "<end>", *tokens))


class _Unknown(LookupError):
    """What only a real dataset tells."""


class _NoData(SimpleNamespace):
    """What a network may ask of a corpus before there is one."""

    def __getattr__(self, name: str) -> Any:
        raise _Unknown(name)


def _no_data(name: str) -> Corpus:
    manifest, see = SimpleNamespace(benchmark=name, settings={}), learning_of(name).seeing
    told: dict[str, Any] = {"manifest": manifest, "size": _SIZE, "splits": ()}
    seeing = see(cast("Manifest", manifest)) if see is not None else None
    if seeing is not None:
        told |= {"seeing": seeing, "levels": seeing.levels}
    return cast("Corpus", _NoData(**told))
