"""Understanding questions about pictures and what is known of their things, in one's own words.

Nothing was generated from templates here, so all is read by the grammar of free words. Its words are those of the
embedded knowledge and of the attributes that are known; what is known is said as its relations are.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import cache
from pathlib import Path

from mereo.benchmarks.cric.components import components, sayable
from mereo.benchmarks.cric.graph import KINDS, kinds_of_words
from mereo.benchmarks.cric.inflection import base_phrase, gerund_phrase
from mereo.benchmarks.cric.language import LANGUAGE, VOCABULARY
from mereo.benchmarks.cric.lore import Query, queries_of_base
from mereo.benchmarks.cric.sayings import NUMBERS, forms
from mereo.benchmarks.cric.words import words
from mereo.knowledge import embedded_base, entities
from mereo.questions.free.lexicon import Entry, Lexicon
from mereo.questions.free.listener import FreeListener
from mereo.questions.free.meaning import Is, Known, Phrase
from mereo.questions.hearing import Hearing
from mereo.questions.phrase import Speech, plural
from mereo.questions.template_set import TemplateSet
from mereo.questions.understand import Listener

__all__ = ["listener"]

_ACTS = ("UsedFor", "CapableOf")
_ARTICLES = ("a", "an", "the", "your")


@cache
def listener() -> Listener:
    """Understands questions in one's own words."""
    speech = Speech()
    return Listener(TemplateSet((), speech, "CRIC"), Hearing(speech, VOCABULARY), LANGUAGE, FreeListener(_lexicon()))


def _lexicon() -> Lexicon:
    file = Lexicon.read(LANGUAGE, Path(__file__).with_name("lexicon.toml"))
    more = file.own["more"]
    spoken: dict[str, dict[str, list[str]]] = {"name": {}}
    for name, entity in entities().items():
        spoken["name"][name] = [name, *entity.synonyms, *more["name"].get(name, ())]
    for word, kind in kinds_of_words().items():
        ways = more.get(kind, {})
        others = {phrase for value, phrases in ways.items() if value != word for phrase in phrases}
        spoken.setdefault(kind, {})[word] = [phrase for phrase in ways.get(word, [word]) if phrase not in others]
    known = (*_categories(more["category"]), *_known(file.own["known"]))
    return replace(file, own={**file.own, "words": spoken}, more=known)


def _categories(more: Mapping[str, list[str]]) -> Iterator[tuple[str, Entry]]:
    """What several names are: "fruit". Who asks for the material of a thing asks for no name."""
    every = embedded_base().vocabulary.categories
    for category in (name for name, told in every.items() if told.said and name not in KINDS):
        for phrase in more.get(category, (category,)):
            yield from _nouns(phrase, Phrase((Is("category", category),)))


def _nouns(phrase: str, meant: Phrase) -> Iterator[tuple[str, Entry]]:
    head = meant.marks[0]
    yield phrase, Entry("NOUN", replace(meant, head=head, several=False))
    if plural(phrase) != phrase:
        yield plural(phrase), Entry("NOUN", replace(meant, head=head, several=True))


def _known(texts: Mapping[str, Mapping[str, list[str]]]) -> Iterator[tuple[str, Entry]]:
    """The phrases of all that is known."""
    for query in queries_of_base(embedded_base()):
        places = {f"{{{place}}}": word for place, word in _places(query).items()}
        about = components().items[query.relation]
        in_words = sayable((*about.does, *about.done), {**NUMBERS[0], **places})[0]
        for token, ways in texts.get(query.relation, {}).items():
            for phrase in sayable(ways, places):
                mark = Known(query, in_words, query.reverse)
                if token == "NOUN":
                    yield from _nouns(phrase, Phrase((mark,)))
                else:
                    yield from ((way, Entry(token, mark)) for way in _ways(phrase))


def _places(query: Query) -> dict[str, str]:
    """What an item says at the places of a text, and some forms more than questions are made of.

    What is found "on the table" may be seen there; only of places that no picture shows something is known.
    """
    found = _doing(query) if query.relation in _ACTS else dict(forms(query, query))
    if "base" in found:
        verb, space, rest = found["base"].partition(" ")
        found["bases"] = f"{plural(verb)}{space}{rest}"
    if "place" in found and not entities()[query.tail].shown:
        how, _, place = found["place"].partition(" ")
        bare = " ".join(word for word in place.split() if word not in _ARTICLES)
        found["the_place"] = f"{how} the {bare}"
    return {**found, "bare": query.tail}


def _doing(query: Query) -> dict[str, str]:
    """What is done, in the forms of its verb; what is no gerund and not what a thing can do has none."""
    base, gerund = base_phrase(query.tail), gerund_phrase(query.tail)
    return {"base": base, "gerund": gerund} if base != query.tail or query.relation != "UsedFor" else {"gerund": base}


def _ways(phrase: str) -> Iterator[str]:
    """A phrase as it is, without articles, and with one after its verb."""
    yield phrase
    every = phrase.split()
    yield " ".join(word for word in every if word not in _ARTICLES)
    for place, word in enumerate(every[1:], 1):
        if word not in _ARTICLES and every[place - 1] not in (*words().determiners, *words().before_things):
            yield " ".join((*every[:place], "the", *every[place:]))
