"""A trained parser without the data that it learned from: it proposes programs for any question."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

import torch

from mereo.errors import BadInput, MereoError
from mereo.models.grammar import program_of
from mereo.models.rewarded import Rewarded
from mereo.programs import Language, Program
from mereo.training.keeping import load_weights
from mereo.training.lexicon import UNKNOWN
from mereo.training.sight_stages import new_parser
from mereo.training.understanding import PARSER, REWARDED

if TYPE_CHECKING:
    from mereo.training.run import Run

__all__ = ["proposer"]

_LONGEST = 128
"""Tokens of a program that is proposed."""
_KNOWN = 0.5
"""The share of words that must be known to whoever proposes."""


def proposer(run: Run, language: Language) -> Callable[[str], Program | None]:
    """What the parser of a run makes of questions; None where it knows too few of their words."""
    if PARSER not in run.stages:
        known = f"it learned {', '.join(run.stages)}" if run.stages else "it learns nothing"
        raise BadInput(f"has no parser: row {run.row} has no such stage, {known}", file=run.place)
    lexicon, device = run.lexicon, torch.device("cpu")
    parser = new_parser(lexicon, language, longest=_LONGEST)
    if REWARDED in run.stages:
        load_weights(Rewarded(parser, lambda numbers, programs: []), run.place / REWARDED, device=device)
    else:
        load_weights(parser, run.place / PARSER, device=device)
    parser.eval()

    def propose(question: str) -> Program | None:
        words = lexicon.read(question)
        if sum(word != UNKNOWN for word in words) <= _KNOWN * len(words):
            return None
        (tokens,) = parser.parse(torch.tensor([words]))
        try:
            return program_of(parser.grammar.spell(tokens), language)
        except MereoError:
            return None

    return propose
