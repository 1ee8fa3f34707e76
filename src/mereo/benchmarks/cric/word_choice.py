"""What the words of others become: synonyms one word, plurals mostly the singular, rare words nothing.

That follows from how often all words occur, so it is settled once for all graphs.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Mapping
from pathlib import Path

import msgspec

from mereo.benchmarks.cric.cleaning_rules import Groups, rules
from mereo.benchmarks.cric.graph import OTHER, SceneGraph, kind_of_word
from mereo.errors import BadInput
from mereo.files import read_bytes
from mereo.knowledge import singular

__all__ = ["Counts", "Fewest", "WordChoice", "read_aliases", "word_choice"]

_PUNCTUATION = ".,;:!?\"'`()[]{}*-_/\\ "


_MOST_WORDS = 4
_PLURALS = ("s", "es", "ses")


class Fewest(msgspec.Struct, frozen=True):
    """How often a word must occur to be kept."""

    names: int = 1
    attributes: int = 1
    predicates: int = 1


class Counts(msgspec.Struct):
    """How often words occur, as they are written."""

    names: Counter[str] = msgspec.field(default_factory=Counter)
    attributes: Counter[str] = msgspec.field(default_factory=Counter)
    predicates: Counter[str] = msgspec.field(default_factory=Counter)

    def add(self, graph: SceneGraph) -> None:
        """Count the words of a graph."""
        self.names.update(thing.name for thing in graph.things)
        for thing in graph.things:
            self.attributes.update(thing.attributes.get(OTHER, ()))
        self.predicates.update(stated.predicate for stated in graph.relations)


class WordChoice(msgspec.Struct, frozen=True):
    """What every word becomes, as it was written; those that are not here are dropped."""

    names: Mapping[str, str]
    attributes: Mapping[str, str]
    predicates: Mapping[str, str]

    @property
    def kept_names(self) -> frozenset[str]:
        """All names that things have."""
        return frozenset(self.names.values())


def read_aliases(path: str | Path) -> Groups:
    """Synonyms of a file: each line a group apart by commas, the first being the word that stays."""
    try:
        lines = read_bytes(path).decode().splitlines()
    except UnicodeDecodeError:
        raise BadInput("is no text in UTF-8", file=path) from None
    if lines and not any("," in line for line in lines):
        raise BadInput("has no line with words apart by commas: it is no list of synonyms", file=path)
    return [[word for word in map(_plain, line.split(",")) if word] for line in lines]


def word_choice(
    counts: Counts, *, names: Groups = (), predicates: Groups = (), fewest: Fewest | None = None
) -> WordChoice:
    """What all words that were counted become.

    names, predicates : groups of synonyms that go before ours, those of names for attributes as well
    """
    least, ours = fewest or Fewest(), rules().synonyms
    bare = {written: _bare(written) for written in counts.names}
    called = _renamed(_singular(counts.names, bare), _aliases([*names, *ours.names]))
    kept = _frequent(counts.names, called, least.names, refused=_is_no_name)
    related = {written: _bare(written, leading=rules().copulas) for written in counts.predicates}
    return WordChoice(
        kept,
        _attributes(counts.attributes, _aliases([*ours.attributes, *names]), set(kept.values()), least.attributes),
        _frequent(
            counts.predicates,
            _renamed(related, _aliases([*predicates, *ours.predicates])),
            least.predicates,
            refused=_is_no_predicate,
        ),
    )


def _aliases(groups: Groups) -> dict[str, str]:
    """By a word the one that stays; where a word stands in several groups the first counts, but no chain goes round."""
    first: dict[str, str] = {}
    for group in groups:
        for word in group[1:]:
            if word != group[0]:
                first.setdefault(word, group[0])
    return {word: _end(word, first) for word in first}


def _end(word: str, first: Mapping[str, str]) -> str:
    seen = [word]
    while (after := first.get(seen[-1])) is not None and after not in seen:
        seen.append(after)
    return min(seen[seen.index(after) :]) if after is not None else seen[-1]


def _renamed(words: Mapping[str, str], aliases: Mapping[str, str]) -> dict[str, str]:
    return {
        written: _called(_plain(written), aliases) or _called(word, aliases) or word for written, word in words.items()
    }


def _called(word: str, aliases: Mapping[str, str]) -> str | None:
    """The alias of a word. Lists of aliases take endings off by rule (vases, va; glasses, glass); we know plurals."""
    alias = aliases.get(word)
    if alias and word.startswith(alias) and word[len(alias) :] in _PLURALS:
        return aliases.get(singular(word), singular(word)) if singular(word) != word else word
    return alias


def _attributes(
    counts: Counter[str], aliases: Mapping[str, str], names: Collection[str], fewest: int
) -> dict[str, str]:
    """Attributes, but for names of things that somebody wrote among them: `find` would take the one for the other."""
    settled = _renamed({written: _bare(written) for written in counts}, aliases)
    found = _frequent(counts, settled, fewest)
    return {written: word for written, word in found.items() if word not in names or kind_of_word(word) != OTHER}


def _bare(written: str, *, leading: Collection[str] = frozenset()) -> str:
    """A word without what says nothing. leading : more that says nothing in front of it"""
    return _without(_plain(written), rules().articles.union(leading), rules().articles)


def _plain(written: str) -> str:
    return " ".join(written.lower().replace("_", " ").split()).strip(_PUNCTUATION)


def _without(word: str, leading: Collection[str], trailing: Collection[str]) -> str:
    words = word.split()
    while len(words) > 1 and words[0] in leading:
        del words[0]
    while len(words) > 1 and words[-1] in trailing:
        del words[-1]
    return " ".join(words)


def _singular(counts: Counter[str], words: Mapping[str, str]) -> dict[str, str]:
    """Names of several as that of one where people say that at least as often: windows, but not pants."""
    often = Counter[str]()
    for written, count in counts.items():
        often[words[written]] += count
    one = {name: singular(name) for name in often}
    many = {name for name in often if one[name] != name and often[one[name]] >= often[name]}
    return {written: one[name] if name in many else name for written, name in words.items()}


def _frequent(
    counts: Counter[str], settled: Mapping[str, str], fewest: int, *, refused: Callable[[str], bool] = lambda _: False
) -> dict[str, str]:
    """Words that occur often enough and can be said."""
    often = Counter[str]()
    for written, count in counts.items():
        often[settled[written]] += count
    kept = {word for word, count in often.items() if count >= fewest and _is_said(word) and not refused(word)}
    return {written: word for written, word in settled.items() if word in kept}


def _is_said(word: str) -> bool:
    """Whether these are a few words of letters: no quotations, no sentences."""
    return 0 < len(word.split()) <= _MOST_WORDS and all(letter.isalnum() or letter in " -'&" for letter in word)


def _is_no_name(word: str) -> bool:
    return singular(word) in rules().unnamed or word in rules().unnamed


def _is_no_predicate(word: str) -> bool:
    """Whether words lead to no thing: neither a verb nor a preposition does, as in `fully` or `have been`."""
    first, last = word.split()[0], word.split()[-1]
    return not (last in rules().prepositions or first.endswith("ing") or (first == last and first.endswith("s")))
