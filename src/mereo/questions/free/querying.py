"""What questions for a value mean: "what color is it", "the cube: large or small?"."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from mereo.questions.free.asking import BARE
from mereo.questions.free.lexicon import Attribute, Form
from mereo.questions.free.meaning import Asked, Is, Of, Phrase
from mereo.questions.free.posting import pronoun, question_of, with_mark
from mereo.questions.free.rules import rule


@rule("which_value")
def which_value(*said: Any) -> Any:
    """ "The gray cube: large or small?"."""
    phrase, *heads = (one for one in said if isinstance(one, Phrase))
    values = [*(head.head for head in heads), *(one for one in said if not isinstance(one, Phrase))]
    names = {value.attribute if isinstance(value, Is) else "" for value in values}
    told = {mark.attribute for mark in phrase.marks if isinstance(mark, Is)} | {""}
    one = len(names) == 1 and not names & told and phrase.marks and not phrase.several
    made = query_of(Attribute(names.pop()), phrase) if one else None
    return None if made is None else (made, 0.5)


@rule("which_value_first")
def which_value_first(one: Is, other: Is, phrase: Phrase) -> Any:
    """ "Large or small, the gray cube?"; "blue or gray cubes" are of either sort."""
    return which_value(phrase, one, other) if phrase.definite else None


@rule("options")
def options(*said: Any) -> Any:
    """ "What size is the ball: large or small?", "Rubber or metal: what is the cube made of?"."""
    question = next(one for one in said if isinstance(one, Asked))
    heads = [one.head if isinstance(one, Phrase) else one for one in said if one is not question]
    named = {head.attribute if isinstance(head, Is) else "" for head in heads}
    return question if question.head == "query" and named == {question.word} else None


@rule("query_left")
def query_left(*said: Any) -> Any:
    made = query_of(*said)
    return None if made is None else (made, BARE - 0.5)


@rule("query")
def query_of(*said: Any) -> Asked | None:
    name = next((one for one in said if isinstance(one, Attribute)), None)
    phrase = next((one for one in said if isinstance(one, Phrase)), None)
    return None if name is None or phrase is None else question_of("query", phrase, word=name.name)


@rule("queries")
def queries(*said: Any) -> Any:
    """ "What are the color and the shape of it?": two questions, of which neither is the one that is asked."""
    names = [one for one in said if isinstance(one, Attribute)]
    phrase = next(one for one in said if isinstance(one, Phrase))
    return [(query_of(name, phrase), 0.0) for name in names]


@rule("query_had")
def query_had(*said: Any) -> Asked | None:
    """ "What color legs does the chair have?"."""
    name = next(one for one in said if isinstance(one, Attribute))
    phrases = [one for one in said if isinstance(one, Phrase)]
    parts = next((one for one in phrases if one.kind == "part"), None)
    whole = next((one for one in phrases if one.kind == "object"), None)
    if parts is None or whole is None or parts.others or whole.others:
        return None
    return query_of(name, replace(parts, definite=True).with_marks(Of(whole)))


@rule("query_had_left")
def query_had_left(*said: Any) -> Any:
    """ "second chair from the right, seat color"."""
    return query_had(*said), BARE


@rule("query_known")
def query_known(name: Attribute, phrase: Phrase) -> Asked | None:
    """ "Which color has the cube": of something known."""
    return query_of(name, phrase) if phrase.definite else None


@rule("query_known_such")
def query_known_such(name: Attribute, phrase: Phrase, mark: Any) -> Asked | None:
    """ "What color does the thing have that is behind the cube?"."""
    return query_such(name, phrase, mark) if phrase.definite else None


@rule("query_it")
def query_it(name: Attribute) -> Asked | None:
    return question_of("query", pronoun(), word=name.name)


@rule("query_its", agrees=True)
def query_its(*said: Any) -> Asked | None:
    """ "What is their color?" asks of several, "its" of one."""
    name = next(one for one in said if isinstance(one, Attribute))
    several = any(isinstance(one, Form) and one.several for one in said)
    return question_of("query", replace(pronoun(), several=several or None), word=name.name)


@rule("query_such")
def query_such(name: Attribute, phrase: Phrase, mark: Any) -> Asked | None:
    such = with_mark(phrase, mark)
    return question_of("query", replace(such, definite=True), word=name.name) if such else None
