"""SHOP-VRB's own files: scenes, questions and templates, with the functions, constraints and words of the last."""

from __future__ import annotations

from functools import partial

from mereo.benchmarks.shop.language import SHOP_VRB, TEXTUAL, VISUAL, VOCABULARY, shop_world
from mereo.clevr_family.format import FamilyFormat
from mereo.clevr_family.nodes import Spelling
from mereo.clevr_family.templates import (
    Composite,
    Dialect,
    Draft,
    composites_by,
    described,
    none_of,
    null,
    one_of,
    outputs_differ,
    words_differ,
)
from mereo.questions.describe import Describer
from mereo.questions.rules import Rules
from mereo.questions.template import Describe, Goal, Node

__all__ = ["DIALECT", "FORMAT", "RULES", "SPELLING"]

RULES = Rules(most=7)
"""CLEVR's rules, with as many objects as SHOP-VRB's scenes have at most."""

_SEEN = Describer(VISUAL, VOCABULARY)
_SEEN_AND_READ = Describer((*VISUAL, *TEXTUAL), VOCABULARY)


def _described(goal: Goal, *, related: bool) -> Composite:
    """A composite that describes objects by what is seen of them, and by what is read where it has holes for that.

    "Any things" is a description, too.
    """
    make = described(goal, related=related, empty=True)

    def by_holes(dialect: Dialect, draft: Draft, inputs: tuple[int, ...], holes: list[str]) -> Node:
        node = make(dialect, draft, inputs, holes)
        assert isinstance(node, Describe)
        if set(TEXTUAL).isdisjoint(node.slots):
            return node._replace(describer=_SEEN, unnamed=node.unnamed.difference(TEXTUAL))
        return node

    return by_holes


DIALECT = Dialect(
    language=SHOP_VRB,
    describer=_SEEN_AND_READ,
    composites=composites_by(_described),
    constraints={
        "NULL": null,
        "OUT_NEQ": outputs_differ,
        "NEQ": words_differ,
        "ONE_OF": one_of,
        "ONE_OF_FORCE": partial(one_of, needed=True),
        "NONE_OF": none_of,
    },
    unnamed_word={"Name": "thing"},
    rules=RULES,
    mending=("phrasings.json", "plurals.json"),
)

SPELLING = Spelling(names="function", alone=True, throughout=True)

FORMAT = FamilyFormat(SHOP_VRB, DIALECT, shop_world, asked_by=("SHOP-VRB", "SHOP-VRB-text"), spelling=SPELLING)
