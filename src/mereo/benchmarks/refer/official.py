"""CLEVR-Ref+'s own files: scenes, expressions and templates, with the functions, constraints and words of the last."""

from __future__ import annotations

from mereo.benchmarks.refer.describe import NUMBER, SIDE, ReferringDescriber
from mereo.benchmarks.refer.false_premises import referring_options
from mereo.benchmarks.refer.importing import ReferFormat
from mereo.benchmarks.refer.language import CLEVR_REF, NAMED, WORDS, clevr_ref_world, official_ranked, visible_sets
from mereo.clevr_family.templates import Composite, Dialect, Draft, composites_by, described, null, outputs_differ
from mereo.questions.phrase import Said
from mereo.questions.rules import Rules
from mereo.questions.template import Describe, Goal, Node

__all__ = ["DIALECT", "FORMAT"]

_RULES = Rules(trivial_share=0.0, fewest=1)
"""CLEVR's rules for the number of objects that are referred to, which is never none; no relation may be idle."""

_DESCRIBER = ReferringDescriber(
    NAMED,
    CLEVR_REF.vocabulary,
    numbers=tuple(WORDS["official"]["numbers"]),
    sides=tuple(WORDS["official"]["sides"]),
    ranked=official_ranked,
    visible=visible_sets,
    by_kind=False,
    idle_ordinals=True,
    draw_up=referring_options,
)


def _referred(goal: Goal, *, related: bool) -> Composite:
    """A composite that refers to objects: by an ordinal only where the hole's name begins with r.

    A description must say something, unless a relation says it.
    """
    make = described(goal, related=related)

    def referred(dialect: Dialect, draft: Draft, inputs: tuple[int, ...], holes: list[str]) -> Node:
        node = make(dialect, draft, inputs, holes)
        assert isinstance(node, Describe)
        ordinals = node.slots.get(NUMBER, "").startswith("<r") and SIDE in node.slots
        unnamed = node.unnamed if ordinals else node.unnamed | {NUMBER, SIDE}
        return node._replace(named=not related, unnamed=unnamed)

    return referred


def _finish(text: str, said: Said) -> str:
    """Every expression points: "The cubes …", also after "Find …;"."""
    parts = []
    for part in text.replace("the the ", "the ").split("; "):
        opened = part.lower().startswith(("the ", "any ", "find ", "look at "))
        words = part if opened else f"the {part}"
        parts.append(words[:1].upper() + words[1:])
    return "; ".join(parts)


DIALECT = Dialect(
    language=CLEVR_REF,
    describer=_DESCRIBER,
    composites=composites_by(_referred, {"": "set", "_unique": "unique", "_count": "set"}),
    constraints={"NULL": null, "OUT_NEQ": outputs_differ},
    unnamed_word={"Shape": "thing"},
    rules=_RULES,
    finish=_finish,
    refers=True,
)

FORMAT = ReferFormat(CLEVR_REF, DIALECT, clevr_ref_world, asked_by="CLEVR-Ref+-v1.0")
