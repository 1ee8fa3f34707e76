"""Whom a pronoun means after something was said to have parts: "The chair has arms. What color are they?"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.asking import verified
from mereo.questions.free.meaning import Asked, Either, Has, Is, Of, Phrase
from mereo.questions.free.owning import Owning
from mereo.questions.free.posting import IT, ONES, priced
from mereo.questions.free.telling import told_bare, told_of, told_such

__all__ = ["Pronouns"]

_PARTS = 0.5
"""How much rather a pronoun means parts, where it is asked for what only parts have."""
_AGAIN = 1.5
"""What it costs to ask whether there is something, and then again whether there is: "… anything, any part of it"."""
_NUMBERS = ("count", "compare", "difference", "figure")


class Pronouns(Owning):
    """Meanings of rules by their names, of questions after a statement that tells of parts."""

    def told_had(self, whole: Phrase, parts: Phrase, question: Asked) -> Any:
        """ "If the chair has arms, what is their color?": that of the arms; things have a name, and parts a color."""
        asked, *more = question.phrases
        own = parts.kind == "part" and not parts.others and not parts.definite and whole.one_known
        alike = bool(parts.several) == bool(asked.several)
        if not own or more or not alike or not self._asks_of_parts(question):
            return None
        rest = [mark for mark in asked.marks if mark not in (IT, ONES)]
        had = replace(parts, definite=True, counted=asked.counted).with_marks(Of(whole), *rest)
        if question.head == "verify":
            made = verified(had, question.mark)
            asks, cost = priced(made)
            return asks, cost - _PARTS
        return replace(question, phrases=(had,)), -_PARTS

    def told_such(self, given: Phrase, mark: Any, question: Asked) -> Any:
        """ "The chair has arms. Are they blue?" asks of the arms, and not of the chair."""
        return None if isinstance(mark, Has) and self._asks_of_parts(question) else told_such(given, mark, question)

    def told(self, given: Phrase, question: Asked) -> Any:
        """ "There is a chair with arms. Are they blue?"."""
        had = self._told_of_parts(given, question)
        return told_of(given, question) if had is None else self.told_had(replace(given, definite=True), had, question)

    def told_bare(self, given: Phrase, question: Asked) -> Any:
        """ "The chair with arms, are they blue?"."""
        had = self._told_of_parts(given, question)
        if had is None:
            return told_bare(given, question)
        return self.told_had(replace(given, definite=True), had, question)

    def told_if_any(self, given: Phrase, question: Asked) -> Any:
        """ "Do you see a cube, is it big?"; who asks whether there is something wants nothing shown."""
        made = None if question.head == "refer" else self.told_bare(given, question)
        if made is None or question.head != "exist":
            return made
        asked, cost = priced(made)
        return asked, cost + _AGAIN

    def _told_of_parts(self, given: Phrase, question: Asked) -> Phrase | None:
        """The parts that something is said to have, if a pronoun may mean them."""
        had = next((mark.parts for mark in given.marks if isinstance(mark, Has)), None)
        return had if not given.others and self._asks_of_parts(question) else None

    def _asks_of_parts(self, question: Asked) -> bool:
        """Whether of what a pronoun means a number is asked, or what only parts have, such as a color."""
        marks = question.mark.ways if isinstance(question.mark, Either) else (question.mark,)
        named = {mark.attribute for mark in marks if isinstance(mark, Is)} if question.mark else {question.word}
        meant = any(IT in phrase.marks for phrase in question.phrases)
        asked = question.head in ("query", "verify") and bool(named) and named <= self.of_parts
        return meant and (asked or (question.head in _NUMBERS and bool(self.of_parts)))
