"""Phrases become graphs by the parts of speech of their words, and items with them relations between things."""

from __future__ import annotations

import sys
from collections import Counter
from itertools import product
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import OFFICIAL_DATA
from mereo.errors import MissingExtra
from mereo.knowledge import (
    Edge,
    Item,
    Node,
    PhraseGraph,
    completed,
    item_graph,
    parsed,
    read_knowledge,
    relations,
    tagging,
)
from mereo.knowledge.figures import bands, coverage, degrees
from mereo.knowledge.item_graph import head_graph, tail_graph
from mereo.knowledge.lemmas import verb_of
from mereo.knowledge.readings import pattern_file
from mereo.knowledge.tagging import tagged, tagger

pytest.importorskip("textblob", reason="textblob is not installed")

TRIPLES = OFFICIAL_DATA / "conceptnet" / "triples_100k.tsv"
THE_AGENT = Node("", "agent")


def drawn(graph: PhraseGraph | None) -> str:
    """A graph in one line: edges as `from -label> to`, or the nodes where there are none."""
    if graph is None:
        return "nothing"
    names = {place: node.name or "@" for place, node in enumerate(graph.nodes)}
    edges = [f"{names[edge.source]} -{edge.label}> {names.get(edge.target, '·')}" for edge in graph.edges]  # type: ignore[arg-type]
    return "; ".join(edges) or " | ".join(names.values())


def test_the_phrase_of_the_paper_becomes_its_graph() -> None:
    assert parsed("moving food from plate to mouth") == PhraseGraph(
        nodes=(THE_AGENT, Node("food", "thing"), Node("plate", "thing"), Node("mouth", "thing")),
        edges=(Edge(0, "move", 1), Edge(1, "from", 2), Edge(1, "to", 3)),
        pattern="action thing preposition thing preposition thing",
    )


@pytest.mark.parametrize(
    ("phrase", "opening", "graph"),
    [
        ("ordering food", "verb", "@ -order> food"),
        ("climb hills", "verb", "@ -climb> hill"),
        ("guard your house", "verb", "@ -guard> house"),
        ("floss your teeth", "verb", "@ -floss> tooth"),
        ("move food", "verb", "@ -move> food"),
        ("eaten", "verb", "@ -eaten> ·"),
        ("fried in a pan", "verb", "@ -fried in> pan"),
        ("be turned on", "verb", "@ -be turned on> ·"),
        ("serve boiled eggs", "verb", "@ -serve> boiled egg"),
        ("keeping food cold", "verb", "@ -keep> food; food -is> cold"),
        ("sit on", "verb", "@ -sit on> ·"),
        ("sit on chair", "verb", "@ -sit on> chair"),
        ("take your clothes off", "verb", "@ -take off> clothes"),
        ("sleep and dream", "verb", "@ -sleep and dream> ·"),
        ("hold bread and butter", "verb", "@ -hold> bread; @ -hold> butter"),
        ("see dog run", "verb", "@ -see> dog; dog -run> ·"),
        ("make phone call", "verb", "@ -make> phone call"),
        ("use knife to cut bread", "verb", "@ -use> knife; knife -to cut> bread"),
        ("you ring your bell", "verb", "you -ring> bell"),
        ("keep warm in winter", "verb", "@ -keep warm in> winter"),
        ("end of life", "verb", "end -of> life"),
        ("make music", "verb", "@ -make> music"),
        ("four legs", "noun", "four leg"),
        ("the washing machine", "noun", "washing machine"),
        ("glasses", "noun", "glasses"),
        ("trash can", "noun", "trash can"),
        ("tap", "noun", "tap"),
        ("building", "noun", "building"),
        ("set of keys", "noun", "set -of> key"),
        ("washing machine", "noun", "washing machine"),
        ("live entity", "noun", "live entity"),
        ("knives and forks", "noun", "knife | fork"),
        ("person who fixes cars", "noun", "person -fix> car"),
        ("tip of your tongue", "noun", "tip -of> tongue"),
        ("sour", "", "sour"),
        ("very large", "", "very large"),
        ("bad for your health", "", "@ -bad for> health"),
        ("easy to clean", "", "@ -easy to clean> ·"),
        ("in front of house", "", "@ -in> front; front -of> house"),
        ("know how stock market perform", "verb", "nothing"),
        ("if you", "noun", "nothing"),
        ("cut food " * 11, "verb", "nothing"),
        ("", "", "nothing"),
        ("?!", "", "nothing"),
    ],
)
def test_phrases_are_taken_apart(phrase: str, opening: str, graph: str) -> None:
    assert drawn(parsed(phrase, opening=opening)) == graph


@given(st.text(max_size=40))
@settings(max_examples=60)
def test_any_text_is_parsed_or_not_and_edges_lie_between_its_nodes(text: str) -> None:
    for opening in ("", "verb", "noun"):
        graph = parsed(text, opening=opening)
        for edge in graph.edges if graph else ():
            assert graph is not None
            assert 0 <= edge.source < len(graph.nodes)
            assert edge.target is None or 0 < edge.target < len(graph.nodes)
            assert edge.label


@pytest.mark.parametrize(
    ("item", "between"),
    [
        (
            Item("fork", "UsedFor", "moving food from plate to mouth"),
            ["fork, can move, food", "food, from, plate", "food, to, mouth"],
        ),
        (Item("knife and fork", "UsedFor", "eat food"), ["knife, can eat, food", "fork, can eat, food"]),
        (Item("dog", "IsA", "animal"), ["dog, is a type of, animal"]),
        (Item("lemon", "HasProperty", "sour"), ["lemon, is, sour"]),
        (Item("fast food", "HasProperty", "bad for your health"), ["fast food, is bad for, health"]),
        (Item("orange", "ReceivesAction", "eaten"), ["orange, can be eaten, "]),
        (
            Item("cleaning clothing", "HasSubevent", "operating the washing machine"),
            [", clean, clothing", ", operate, washing machine"],
        ),
    ],
)
def test_items_say_what_holds_between_things(item: Item, between: list[str]) -> None:
    graph = item_graph(item)
    assert graph is not None
    assert [", ".join(one) for one in graph.between()] == between


def test_every_form_of_the_patterns_is_made_of_pieces_and_every_edge_of_places() -> None:
    file = pattern_file()
    for pattern in file.patterns:
        pieces = pattern.form.split()
        assert set(pieces) <= file.pieces.keys()
        for edge in pattern.graph:
            source, label, target = edge.split()
            places = [place for place in (source, *label.split("+"), target) if place.isdigit()]
            assert all(int(place) < len(pieces) for place in places)
            assert {source, target} - set(places) <= {"agent", "none"}


def test_a_verb_is_found_by_its_forms() -> None:
    forms = "moving ordering cutting eating visited washes tries hoping building running using kisses carried guard"
    verbs = "move order cut eat visit wash try hope build run use kiss carry guard"
    assert " ".join(word.verb for word in tagged(forms)) == verbs
    assert not verb_of("thing", {"th": "VB", "thing": "NN"})
    assert [tagged(word)[0].verb for word in ("music", "kitchen")] == ["", ""]


def test_the_same_fact_in_other_words_is_satisfied_by_both() -> None:
    items = [Item("knife", "UsedFor", "cut food", weight=2.0), Item("scissors", "UsedFor", "cutting the food")]
    assert {item.tail for item in completed(items, [])} == {"cut food"}


def test_spacy_tags_where_its_model_is_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[str] = []

    def model(text: str) -> list[Any]:
        read.append(text)
        tags = {"they": "PRP", "can": "MD", "guards": "VBZ", "houses": "NNS"}
        return [SimpleNamespace(text=word, tag_=tags[word], lemma_=word.rstrip("s")) for word in text.split()]

    spacy = ModuleType("spacy")
    spacy.load = lambda name, exclude: model  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "spacy", spacy)
    monkeypatch.setattr(tagging, "find_spec", lambda name: name)
    tagger.cache_clear()
    try:
        words = tagged("guards houses", opening="verb")
    finally:
        tagger.cache_clear()
    assert [tuple(word) for word in words] == [("guards", "VBZ", "guard", "guard"), ("houses", "NNS", "house", "")]
    assert read == ["they can guards houses"], "the model is told what the phrase begins with"


def test_without_a_tagger_a_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(tagging, "find_spec", lambda name: None)
    tagger.cache_clear()
    with pytest.raises(MissingExtra, match=r"^reading phrases needs packages that are not installed: .*knowledge"):
        tagged("cut food")
    tagger.cache_clear()


ITEMS = [
    Item("fork", "UsedFor", "lift food"),
    Item("spoon", "UsedFor", "moving food to mouth"),
    Item("fork", "AtLocation", "kitchen"),
    Item("mouth", "HasA", "tongue"),
    Item("if you", "HasA", "bread"),
]


def test_degrees_are_what_comparing_all_pairs_gives() -> None:
    entities = [(item.head, head_graph(item)) for item in ITEMS] + [(item.tail, tail_graph(item)) for item in ITEMS]
    things = [set(graph.things if graph else ()) or {name} for name, graph in entities]
    pairs = [(one, other) for one, other in product(range(len(entities)), repeat=2) if one != other]
    same = Counter(one for one, other in pairs if entities[one][0] == entities[other][0])
    shared = Counter(one for one, other in pairs if things[one] & things[other])
    found = degrees(ITEMS)
    assert found.before == Counter(same[place] for place in range(len(entities)))
    assert found.after == Counter(shared[place] for place in range(len(entities)))
    assert sum(band.before for band in bands(found)) == pytest.approx(1)
    assert bands(found)[0].after < bands(found)[0].before, "parsing connects"


def test_coverage_counts_heads_and_tails_by_pattern_and_relation() -> None:
    found = coverage(ITEMS)
    assert (found.phrases, found.parsed, found.longer) == (10, 9, (3, 2))
    assert found.patterns["thing"] == 7
    assert found.relations["HasA"] == (4, 3)
    assert sum(found.patterns.values()) == found.parsed


@pytest.mark.skipif(not TRIPLES.is_file(), reason=f"there is no {TRIPLES}")
def test_most_of_the_real_phrases_are_parsed_in_every_relation() -> None:
    items = read_knowledge(TRIPLES).knowledge.items()[::20]
    found = coverage(items)
    assert found.share > 0.95
    assert set(found.relations) <= set(relations())
    assert all(parsed > 0.9 * phrases for phrases, parsed in found.relations.values())
