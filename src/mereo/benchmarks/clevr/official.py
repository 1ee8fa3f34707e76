"""CLEVR's own files: scenes, questions and templates, with the functions, constraints and words of the last."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.clevr_family.format import FamilyFormat
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.templates import Dialect, composites_by, described, null, outputs_differ, words_differ
from mereo.questions.describe import Describer
from mereo.questions.phrase import Said
from mereo.world import World

__all__ = ["DESCRIBER", "DIALECT", "FORMAT"]

DESCRIBER = Describer(tuple(VOCABULARY.attributes), VOCABULARY)

_PAIR = ("<Z>", "<Z2>"), ("<C>", "<C2>"), ("<M>", "<M2>"), ("<S>", "<S2>")


def _other(text: str, said: Said) -> str:
    """Drop "other" between two descriptions that already exclude each other ("another cube … the sphere").

    As in the official generator only where the holes are exactly those of two descriptions.
    """
    if " other " not in text and " another " not in text:
        return text
    filled = {hole: word for hole, word in said.fillings.items() if " " not in hole}
    if set(filled) != {hole for pair in _PAIR for hole in pair}:
        return text
    if not any(filled[one] and filled[two] and filled[one] != filled[two] for one, two in _PAIR):
        return text
    return text.replace(" other ", " ").replace(" another ", " a ")


DIALECT = Dialect(
    language=LANGUAGE,
    describer=DESCRIBER,
    composites=composites_by(described),
    constraints={"NULL": null, "OUT_NEQ": outputs_differ, "NEQ": words_differ},
    unnamed_word={"Shape": "thing"},
    finish=_other,
)


def _world(record: Mapping[str, Any]) -> World:
    return world_from_record(record, VOCABULARY)


FORMAT = FamilyFormat(LANGUAGE, DIALECT, _world, asked_by="CLEVR-v1.0")
