"""CLEVR's own template files: which functions and constraints they use, and their words."""

from __future__ import annotations

from mereo.benchmarks.clevr.language import LANGUAGE, VOCABULARY
from mereo.clevr_family.templates import Dialect, described, null, outputs_differ, words_differ
from mereo.questions.describe import Describer
from mereo.questions.phrase import Said

__all__ = ["DESCRIBER", "DIALECT"]

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
    composites={
        "filter": described("set", related=False),
        "filter_unique": described("unique", related=False),
        "filter_count": described("count", related=False),
        "filter_exist": described("exist", related=False),
        "relate_filter": described("set", related=True),
        "relate_filter_unique": described("unique", related=True),
        "relate_filter_count": described("count", related=True),
        "relate_filter_exist": described("exist", related=True),
    },
    constraints={"NULL": null, "OUT_NEQ": outputs_differ, "NEQ": words_differ},
    unnamed_word={"Shape": "thing"},
    finish=_other,
)
