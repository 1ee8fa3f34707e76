"""Whom words mean that name nobody: "it", "the blue one", and "the seat" where a chair was named."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from mereo.questions.free.meaning import Alike, Asked, At, Besides, Has, Is, Not, Of, Phrase, exchanged
from mereo.questions.free.posting import IT, ONES, marks_of, posted, priced

__all__ = ["besides_it", "of_the_same", "settled", "speaks_of_it", "speaks_of_them"]


def settled(question: Asked, counterparts: Mapping[str, Mapping[str, str]]) -> Any:
    """A whole question with all words for what they mean in it; None where something is said to be like itself.

    counterparts : see `renamed`
    """
    made = resolved(question)
    return None if made is None else renamed(of_one_kind(without_others(made)), counterparts)


def speaks_of_it(question: Any) -> bool:
    return bool(exchanged(question, lambda phrase: Phrase() if IT in phrase.marks else None) != question)


def speaks_of_them(question: Asked) -> bool:
    several = exchanged(question, lambda phrase: Phrase() if IT in phrase.marks and phrase.several else None)
    return bool(several != question)


def of_one_kind(question: Asked) -> Any:
    """ "Is the red chair left of the blue one?": of the only kind that is named."""
    heads: dict[Any, None] = {}
    loose = list[Phrase]()

    def look(phrase: Phrase) -> None:
        if phrase.kind == "object" and ONES in phrase.marks:
            loose.extend([phrase] if heads else [])  # not "the blue one" before "the bed"
        elif phrase.kind == "object" and phrase.marks:
            heads[phrase.head] = None

    exchanged(question, look)
    head = next(iter(heads), None)
    if not loose or not isinstance(head, Is) or len(heads) > 1:
        return question

    def change(phrase: Phrase) -> Phrase | None:
        if phrase not in loose or phrase.others or any(isinstance(mark, At | Has) for mark in phrase.marks):
            return None
        marks = tuple(mark for mark in phrase.marks if mark != ONES)
        return replace(phrase, head=head, marks=(head, *marks)) if marks and phrase.definite else None

    return exchanged(question, change)


def of_the_same(question: Asked, name: str | None) -> Any:
    """ "Which part of the chair has the color of the seat?": known parts that nobody owns are rather those of it.

    name : what parts are asked for by: "Which planes are parallel to its seat?" asks for any
    """
    owners: dict[Phrase, None] = {}

    def look(phrase: Phrase) -> None:
        wholes = [mark.whole for mark in phrase.marks if isinstance(mark, Of) and phrase.kind == "part"]
        owners.update(dict.fromkeys(wholes))

    exchanged(question, look)
    whole = next(iter(owners), None)
    if whole is None or len(owners) > 1 or not whole.one_known:
        return question
    sought = question.phrases[0] if question.head == "query" and question.word == name else None

    def change(phrase: Phrase) -> Phrase | None:
        bare = phrase.kind == "part" and phrase.definite and isinstance(phrase.head, Is)
        owned = any(isinstance(mark, Of) for mark in phrase.marks)
        kept = owned or phrase.others or phrase == sought
        return phrase.with_marks(Of(whole)) if bare and not kept else None

    return exchanged(question, change)


def resolved(question: Asked) -> Any:
    """The question with "it" and "its" meaning the first thing that is spoken of as known, and not by it.

    None where nothing else is: "the ball behind the cube that has its color" tells of no cube of the cube's color.
    """
    if not speaks_of_it(question):
        return than_the_first(question)
    known: list[Phrase] = []
    called: list[Phrase] = []  # "the chair legs"

    def look(phrase: Phrase) -> None:
        if phrase.kind == "object" and phrase.definite and IT not in phrase.marks:
            known.append(phrase)
        owners = [mark.whole for mark in phrase.marks if isinstance(mark, Of) and IT not in mark.whole.marks]
        called.extend(replace(whole, definite=True) for whole in owners if phrase.definite and not whole.definite)

    exchanged(question, look)
    known = known or called
    if known and all(map(speaks_of_it, known)):
        return None

    def meant(phrase: Phrase) -> Phrase | None:
        if IT not in phrase.marks:
            return None
        marks = tuple(mark for mark in phrase.marks if mark not in (IT, ONES))
        of = [one for one in known if bool(one.several) == bool(phrase.several)]
        if of:
            return replace(of[0], others=()).with_marks(*marks)
        return replace(phrase, marks=marks) if phrase.several else None

    return exchanged(question, meant)


def renamed(question: Asked, counterparts: Mapping[str, Mapping[str, str]]) -> Any:
    """ "more vertical bars than horizontal ones": parts that are called by how they lie are others where they lie
    otherwise.

    counterparts : by a relation and a surface, what parts of a name are called that stand in it to that
    """

    def change(phrase: Phrase) -> Phrase | None:
        if phrase.kind != "part" or not isinstance(phrase.head, Is):
            return None
        for mark in (one for one in phrase.marks if isinstance(one, At) and one.other.kind == "surface"):
            surface = mark.other.marks[0] if mark.other.marks else None
            names = counterparts.get(f"{mark.relation} {surface.value}", {}) if isinstance(surface, Is) else {}
            if phrase.head.value in names:
                head = replace(phrase.head, value=names[phrase.head.value])
                rest = tuple(one for one in phrase.marks if one not in (mark, phrase.head))
                return replace(phrase, head=head, marks=(head, *rest))
        return None

    return exchanged(question, change)


def than_the_first(question: Asked) -> Any:
    """The question with "the other cube" for the one that is not the one spoken of before."""
    first: list[Phrase] = []

    def change(phrase: Phrase) -> Phrase | None:
        alone = phrase.kind == "object" and phrase.one_known
        if alone and phrase.other and first and phrase.head in (None, first[0].head):
            return besides_it(phrase, first[0])
        if alone and not phrase.other:
            first.append(phrase)
        return None

    return exchanged(question, change)


def besides_it(phrase: Phrase, known: Phrase) -> Phrase | None:
    """ "the other cube", after something was spoken of: one that is not it."""
    made = posted(replace(phrase, other=False), Besides(known))
    such: Phrase | None = priced(made)[0]
    return such


def without_others(value: Any) -> Any:
    """What "other things" are: what stands to something is another anyway, what does not is told to be."""

    def change(phrase: Phrase) -> Phrase | None:
        if not phrase.other:
            return None
        marks = [without_others(mark) for mark in phrase.marks]
        denied = [one.mark for mark in marks for one in marks_of(mark) if isinstance(one, Not)]
        left = [mark.other for mark in denied if isinstance(mark, At | Alike) and mark.other.definite]
        out = [Besides(other) for other in dict.fromkeys(left) if IT not in other.marks and other.kind == phrase.kind]
        more = tuple(without_others(one) for one in phrase.others)
        return replace(phrase, marks=(*marks, *out), others=more, other=False)

    return exchanged(value, change)
