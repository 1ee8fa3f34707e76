"""What people say of themselves while they ask, which says nothing of the scene: left out before a sentence is read."""

from __future__ import annotations

import re

from mereo.questions.free.lexicon import ENGLISH, Lexicon, spoken, ways_to_say

__all__ = ["without_asides"]

_ENDS = re.compile(r"(?<=[,.;:!?])\s+|\s+[-–—]+\s+")
"""Where a clause ends."""


def without_asides(sentence: str, lexicon: Lexicon) -> str:
    """A sentence without what was taken back, and without clauses in which somebody speaks of themselves.

    A clause with a word for anything that can be here is never left out.
    """
    clauses = _after_restart(_ENDS.split(sentence))
    kept = [clause for clause in clauses if not _is_aside(clause, lexicon)]
    return " ".join(kept or clauses)


def _after_restart(clauses: list[str]) -> list[str]:
    """The clauses after the last of which all that was said before is taken back: "no, wait"."""
    restarts = {tuple(spoken(phrase)) for phrase in ENGLISH["asides"]["restarts"]}
    ends = [place + 1 for place, clause in enumerate(clauses[:-1]) if tuple(spoken(clause)) in restarts]
    return clauses[ends[-1] :] if ends else clauses


def _is_aside(clause: str, lexicon: Lexicon) -> bool:
    words = tuple(spoken(clause))
    starts = (tuple(spoken(way)) for phrase in ENGLISH["asides"]["begins"] for way in ways_to_say(phrase))
    return any(words[: len(start)] == start for start in starts) and not lexicon.content.intersection(words)
