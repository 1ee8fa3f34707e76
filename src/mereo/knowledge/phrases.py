"""Phrases as graphs: `moving food from plate to mouth` is who moves food, food from a plate, food to a mouth.

The parts of speech of the words are matched against the patterns of `patterns.toml`, the first that fits the whole
phrase. What fits none is not guessed at.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import cache, lru_cache
from itertools import product
from typing import NamedTuple

import msgspec

from mereo.knowledge.item import normalized
from mereo.knowledge.readings import pattern_file, readings
from mereo.knowledge.tagging import Word, tagged

__all__ = ["AGENT", "THING", "Edge", "Node", "PhraseGraph", "parsed"]

AGENT, THING, QUALITY, NONE = "agent", "thing", "quality", "none"
_LONGEST = 20
"""Words of a phrase. What is longer is a text, which no pattern is made for and which would take long to find out."""


class Node(msgspec.Struct, frozen=True, order=True):
    """A thing or a quality that a phrase names, with what it says of it; or its agent, which it does not name."""

    word: str
    role: str
    attributes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """All that is said of it: `fast food`, where the word is `food`."""
        return " ".join((*self.attributes, self.word))


class Edge(msgspec.Struct, frozen=True, order=True):
    """A verb or preposition between two nodes, by their places; no target where nothing follows a verb."""

    source: int
    label: str
    target: int | None


class PhraseGraph(msgspec.Struct, frozen=True):
    """What a phrase says. Two phrases say the same if nodes and edges are the same."""

    nodes: tuple[Node, ...]
    edges: tuple[Edge, ...]
    pattern: str

    @property
    def things(self) -> tuple[str, ...]:
        """The things it names."""
        return tuple(node.word for node in self.nodes if node.role == THING)

    @property
    def meaning(self) -> tuple[tuple[Node, ...], tuple[Edge, ...]]:
        """What it says, without how it was found out."""
        return self.nodes, self.edges


class _Form(NamedTuple):
    """A pattern that can be matched."""

    name: str
    kinds: tuple[str, ...]
    shape: re.Pattern[str]
    edges: tuple[tuple[str, str, str], ...]


class _Fitting(NamedTuple):
    """A form that fits a phrase, and which words each of its pieces takes."""

    form: _Form
    spans: tuple[range, ...]


@lru_cache(maxsize=1 << 16)
def parsed(phrase: str, *, opening: str = "") -> PhraseGraph | None:
    """The graph of a phrase, or None where no pattern fits.

    `opening` says what it begins with where that is known, as from its relation: "verb" or "noun".
    """
    text = normalized(phrase)
    if text.count(" ") >= _LONGEST:
        return None
    words = tagged(text, opening=opening)
    for letters in readings(words, opening):
        found = _fitting(letters)
        if found:
            return _graph(found, words, letters)
    return None


@lru_cache(maxsize=1 << 14)
def _fitting(letters: str) -> _Fitting | None:
    """The first form that fits. Phrases are many, ways to build one are few."""
    for form in _forms():
        match = form.shape.fullmatch(letters)
        if match:
            return _Fitting(form, tuple(range(*match.span(f"p{place}")) for place in range(len(form.kinds))))
    return None


def _graph(fitting: _Fitting, words: Sequence[Word], letters: str) -> PhraseGraph:
    """Fill a pattern's graph with words."""
    form, spans = fitting
    nodes: list[Node] = []
    places: dict[str, list[int | None]] = {NONE: [None]}
    if any(AGENT in (source, target) for source, _, target in form.edges):
        nodes.append(Node("", AGENT))
        places[AGENT] = [0]
    for place, (kind, span) in enumerate(zip(form.kinds, spans, strict=True)):
        made = _nodes(kind, span, words, letters)
        places[str(place)] = list(range(len(nodes), len(nodes) + len(made)))
        nodes += made
    edges = [
        Edge(source, _label(label, spans, words, letters), target)
        for start, label, end in form.edges
        for source, target in product(places[start], places[end])
        if source is not None
    ]
    return PhraseGraph(tuple(nodes), tuple(edges), form.name)


def _nodes(kind: str, span: range, words: Sequence[Word], letters: str) -> list[Node]:
    if kind == "quality":
        return [Node(" ".join(words[place].text for place in span if letters[place] != "D"), QUALITY)]
    if kind not in ("things", "named", "pronoun"):
        return []
    return [_thing(part, words, letters) for part in _split(span, letters)]


def _thing(part: Sequence[int], words: Sequence[Word], letters: str) -> Node:
    """A thing by its nouns, of which the last is one of many; what stands before them is said of it."""
    start = next((place for place in part if letters[place] in "NOSG"), part[-1])
    last = words[part[-1]]
    name = [words[place].text for place in range(start, part[-1])]
    name.append(last.lemma if last.tag.startswith("NN") else last.text)
    said = tuple(words[place].text for place in part if place < start and letters[place] not in "DC")
    return Node(" ".join(name), THING, said)


def _split(span: range, letters: str) -> list[list[int]]:
    """The things that are joined by `and`: apart where a noun stands before it."""
    parts: list[list[int]] = [[]]
    for place in span:
        if letters[place] == "C" and parts[-1] and letters[place - 1] in "NOQD":
            parts.append([])
        else:
            parts[-1].append(place)
    return parts


def _label(label: str, spans: Sequence[range], words: Sequence[Word], letters: str) -> str:
    """The words of an edge: verbs as a dictionary lists them, but for participles, which turn who does it round."""
    if not label[0].isdigit():
        return label
    places = [place for piece in label.split("+") for place in spans[int(piece)]]
    return " ".join(_said(words[place], acts=letters[place] in "VGE") for place in places)


def _said(word: Word, *, acts: bool) -> str:
    bare = word.text == word.verb or word.text.endswith(("ing", "s")) or word.tag in ("VB", "VBP", "VBZ")
    return word.verb if acts and word.verb and bare else word.text


@cache
def _forms() -> tuple[_Form, ...]:
    """All patterns ready to be matched, those with a subject after those without."""
    file = pattern_file()
    plain = [_form(one.name, one.form, one.graph) for one in file.patterns]
    spoken = [
        _form(f"thing {one.name}", f"things {one.form}", _shifted(one.graph)) for one in file.patterns if one.subject
    ]
    return (*plain, *spoken)


def _shifted(graph: Sequence[str]) -> list[str]:
    """A graph with one more piece in front, which is the agent."""
    moved = (re.sub(r"\d+", lambda place: str(int(place[0]) + 1), edge) for edge in graph)
    return [re.sub(rf"\b{AGENT}\b", "0", edge) for edge in moved]


def _form(name: str, form: str, graph: Sequence[str]) -> _Form:
    kinds = tuple(form.split())
    shape = "".join(f"(?P<p{place}>{_piece(kind)})" for place, kind in enumerate(kinds))
    edges = [edge.split() for edge in graph]
    return _Form(name, kinds, re.compile(shape), tuple((source, label, target) for source, label, target in edges))


@cache
def _piece(kind: str) -> str:
    """A piece with those that it is made of written out."""
    pieces = pattern_file().pieces
    return re.sub(r"\{(\w+)\}", lambda inner: f"(?:{_piece(inner[1])})", f"(?:{pieces[kind]})")
