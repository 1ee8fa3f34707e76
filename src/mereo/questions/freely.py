"""What a question in one's own words comes to in a world, and what to tell where it comes to nothing."""

from __future__ import annotations

from collections.abc import Sequence

from mereo.questions.free.listener import FreeListener, FreeReading
from mereo.questions.free.weighing import Weighed, weigh
from mereo.questions.understood import Reading, Understood
from mereo.world import World

__all__ = ["freely"]


def freely(question: str, world: World | None, listener: FreeListener) -> Understood:
    """What a question means by the grammar of free words, weighed in a world."""
    heard = listener.hear(question)
    weighed = Weighed(tuple(heard.readings)) if world is None else weigh(heard.readings, world, listener)

    def reading(found: FreeReading, text: str = question) -> Reading:
        return Reading(text, None, found.program, listener.paraphrase.asked(found.asked))

    unsure = tuple(reading(found, listener.paraphrase.asked(found.asked)) for found in weighed.unsure)
    told = weighed.told
    if heard.unknown:
        told = f"Nothing here is known about {_listed(heard.unknown)}."
    elif heard.unsayable:
        told = "This is understood, but what is here cannot tell it."
    elif heard.lost:
        told = "This can be understood in too many ways."
    elif unsure:
        told = "This can be understood in several ways."
    choices = tuple(reading(choice.reading, choice.said) for choice in weighed.choices)
    read = weighed.readings[0].words if weighed.readings else heard.words
    mended = {word: other for word, other in zip(heard.words, read, strict=True) if word != other}
    return Understood(tuple(map(reading, weighed.readings)), unsure, told, choices, mended)


def _listed(words: Sequence[str]) -> str:
    return " or ".join(f"“{word}”" for word in words)
