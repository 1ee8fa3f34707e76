"""What a question asks, before it has words: a description, and what is asked of what it finds."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol

from mereo.benchmarks.cric.assembly import Assembly
from mereo.benchmarks.cric.components import components
from mereo.benchmarks.cric.description import Description, Known, Related, Word
from mereo.benchmarks.cric.predicates import manner
from mereo.benchmarks.cric.sayings import NUMBERS, THE, said
from mereo.benchmarks.cric.wording import Spoken, Wording, agreeing, worded
from mereo.benchmarks.cric.words import is_plural

__all__ = ["Draft", "Exists", "Fills", "Has", "Is", "Stands", "items_of", "parts_of"]

_LOOSE = re.compile(r"(?:seen?|\{noun\}) \{how\}")
"""Texts that say a relation without "is"."""
_TWO = 2
"""The texts of a component in which nothing but the noun stands before what is said of it."""


class Draft(Protocol):
    """One question."""

    @property
    def description(self) -> Description:
        """What it speaks of in the first place."""

    def assemble(self, program: Assembly) -> int:
        """Add all steps but the last, and say which of these the answer is about."""

    @property
    def last(self) -> tuple[str, ...]:
        """The last step: the function, and its value if it has one."""

    @property
    def item(self) -> Known | None:
        """The item that is asked about besides the description."""

    def spoken(self, wording: Wording) -> Spoken:
        """In words."""


@dataclass(frozen=True, slots=True)
class Fills:
    """Which thing fills an item: "What utensil can cut food?" """

    description: Description
    item: Known

    def assemble(self, program: Assembly) -> int:
        """See `Draft`."""
        return program.describe(self.description._replace(known=(self.item, *self.description.known)))

    @property
    def last(self) -> tuple[str, ...]:
        """See `Draft`."""
        return ("recognition", self.description.asked_as)

    def spoken(self, wording: Wording) -> Spoken:
        """What follows a relation would seem to speak of the other thing, so only the verb itself may."""
        saying = said(self.item.query, self.item.plain, several=is_plural(self.description.noun))
        assert saying is not None, "only what can be said is asked about"
        queries, free = components().queries, not self.description.related
        does, asked = queries.object_does, queries.object_asked
        if not free:
            does, asked = does[:_TWO], asked[:_TWO]
        forms = [("does", does, saying.does), ("asked", asked, saying.asked)]
        forms += [("that_does", queries.object_that_does, saying.does)] * free
        forms += [("that_done", queries.object_that_done, saying.done)] * free
        form, texts, items = wording.chance.choice([one for one in forms if one[2]])
        clause = wording.visible(self.item, wording.chance.choice(items))
        noun = wording.phrase(self.description, ends=False)
        return wording.one_of(form, texts, {"{noun}": noun, "{item}": clause})


@dataclass(frozen=True, slots=True)
class Stands:
    """Which thing stands so to one that is described: "What is next to the object that can hold liquid?" """

    description: Description
    """Its only relation is the one that is asked about."""
    item: None = None

    @property
    def related(self) -> Related:
        """The relation that is asked about."""
        return self.description.related[0]

    def assemble(self, program: Assembly) -> int:
        """See `Draft`."""
        return program.describe(self.description)

    @property
    def last(self) -> tuple[str, ...]:
        """See `Draft`."""
        return ("recognition", self.description.asked_as)

    def spoken(self, wording: Wording) -> Spoken:
        """See `Draft`."""
        queries, related = components().queries, self.related
        form = "subject" if related.subject else "whereon"
        if self.description.vague and not self.description.words and wording.chance.random() < 0.5:
            form += "_any"
        noun = wording.phrase(self.description._replace(related=()), ends=False)
        how = wording.how(related.predicate)
        places = {"{noun}": noun, "{how}": how, **agreeing(related.other), THE: wording.the(related.other)}
        texts = getattr(queries, form)
        if manner(related.predicate) == "part":  # a part is not seen part of something
            texts = [text for text in texts if not _LOOSE.search(text)]
        return wording.one_of(form, texts, places)


@dataclass(frozen=True, slots=True)
class Has:
    """What a thing is like: "What color is the utensil that can cut food?" """

    description: Description
    kind: str
    item: None = None

    def assemble(self, program: Assembly) -> int:
        """See `Draft`."""
        return program.describe(self.description)

    @property
    def last(self) -> tuple[str, ...]:
        """See `Draft`."""
        return ("recognition", self.kind)

    def spoken(self, wording: Wording) -> Spoken:
        """See `Draft`."""
        numbers = NUMBERS[is_plural(self.description.noun)]
        texts = components().attributes[self.kind].asked
        return wording.one_of(self.kind, texts, {**numbers, THE: wording.the(self.description)})


@dataclass(frozen=True, slots=True)
class Exists:
    """Whether there is such a thing: "Is there a red mug that can hold liquid?" """

    description: Description
    item: None = None

    def assemble(self, program: Assembly) -> int:
        """See `Draft`."""
        return program.describe(self.description, definite=False)

    @property
    def last(self) -> tuple[str, ...]:
        """See `Draft`."""
        return ("verify",)

    def spoken(self, wording: Wording) -> Spoken:
        """See `Draft`."""
        return wording.one_of("exists", components().queries.exists, {"{a}": wording.any(self.description)})


@dataclass(frozen=True, slots=True)
class Is:
    """Whether one thing fills an item, or is like this: "Is the food on the plate a type of fast food?" """

    description: Description
    item: Known | None = None
    word: Word | None = None

    def assemble(self, program: Assembly) -> int:
        """See `Draft`."""
        things = program.describe(self.description)
        if self.item is not None:
            return program.ask_item(self.item, things)
        assert self.word is not None, "one of the two is asked"
        return program.ask_word(self.word.word, things)

    @property
    def last(self) -> tuple[str, ...]:
        """See `Draft`."""
        return ("verify",)

    def spoken(self, wording: Wording) -> Spoken:
        """See `Draft`."""
        several = is_plural(self.description.noun)
        the = wording.the(self.description)
        if self.item is not None:
            saying = said(self.item.query, self.item.plain, several=several)
            assert saying is not None, "only what can be said is asked about"
            spoken = wording.one_of(f"is-{self.item.query.relation}", saying.verify, {THE: the})
            return spoken._replace(text=wording.visible(self.item, spoken.text))
        assert self.word is not None, "one of the two is asked"
        texts = components().attributes[self.word.kind].verify
        places = {**NUMBERS[several], **worded(self.word.word), THE: the}
        return wording.one_of(f"is-{self.word.kind}", texts, places)


def items_of(draft: Draft) -> Iterator[Known]:
    """All items that a question speaks of."""
    if draft.item is not None:
        yield draft.item
    waiting = [draft.description]
    while waiting:
        description = waiting.pop()
        yield from description.known
        waiting += [related.other for related in description.related]
        waiting += [item.beside for item in description.known if item.beside]
        if draft.item is not None and description is draft.description and draft.item.beside:
            waiting.append(draft.item.beside)


def parts_of(description: Description) -> Iterator[str]:
    """The components that a description is put together from, by name."""
    for word in description.words:
        yield word.kind
    for item in description.known:
        yield item.query.relation
        if item.beside:
            yield from parts_of(item.beside)
    for related in description.related:
        yield manner(related.predicate)
        yield from parts_of(related.other)
