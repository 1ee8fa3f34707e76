"""The knowledge that comes with mereo: complete over what scenes show, without contradiction, and refused where bad."""

from __future__ import annotations

from collections import Counter, defaultdict
from pathlib import Path

import pytest

from mereo.errors import BadInput
from mereo.knowledge.embedded import Base, embedded_base, embedded_knowledge, entities, read_base
from mereo.knowledge.facts import Fact
from mereo.knowledge.relations import relations
from mereo.knowledge.undecided import unclear, undecided
from mereo.shapes.template import all_templates

LEAST = {
    "IsA": 250,
    "IsATaxonomy": 90,
    "UsedFor": 180,
    "CapableOf": 180,
    "AtLocation": 170,
    "HasProperty": 180,
    "HasA": 100,
    "HasPrerequisite": 60,
    "ReceivesAction": 120,
    "HasSubevent": 50,
    "MadeFrom": 60,
}
"""Items of each relation, at least."""
SOLIDS = {"cube", "cylinder", "sphere"}
IDLE_WORDS = {"a", "an", "the", "of", "your", "own", "for", "in", "on", "at", "to", "with", "from", "is", "be", "it"}

VOCABULARY = """
[categories]
tool = { source = "what one works with" }
food = { source = "what one eats" }

[entities.all]
knife = { is = ["tool"], shape = "knife" }
fork = { is = ["tool"], shape = "fork" }
apple = { is = ["food"], shape = "apple" }
blade = { is = ["tool"], labels = ["blade"] }
milk = { is = ["food"] }
"""
CUTTING = """
relation = "UsedFor"

[[fact]]
tail = "cutting food"
heads = ["knife", "blade"]
also_not = ["fork"]
never = ["food"]
source = "what knives are made for"
"""


def a_base(folder: Path, facts: str = CUTTING, vocabulary: str = VOCABULARY) -> Base:
    (folder / "entities.toml").write_text(vocabulary)
    (folder / "used_for.toml").write_text(facts)
    return read_base(folder)


def fact_of(base: Base, relation: str) -> Fact:
    [fact] = [fact for fact in base.facts if fact.relation == relation]
    return fact


def test_the_shipped_base_decides_every_pair_of_what_scenes_show() -> None:
    base = embedded_base()
    assert undecided(base.facts, base.vocabulary.entities) == []


def test_few_pairs_are_left_to_opinion() -> None:
    base = embedded_base()
    shown = sum(entity.shown for entity in entities().values())
    assert 0 < len(unclear(base.facts, entities())) < shown * len(base.facts) / 14


def test_the_checker_finds_the_one_pair_that_is_left_open(tmp_path: Path) -> None:
    base = a_base(tmp_path, CUTTING.replace('also_not = ["fork"]\n', ""))
    assert undecided(base.facts, base.vocabulary.entities) == [("fork", "… UsedFor cutting food")]


def test_the_checker_finds_a_thing_that_is_new(tmp_path: Path) -> None:
    base = a_base(tmp_path, vocabulary=VOCABULARY + 'spoon = { is = ["tool"], shape = "spoon" }\n')
    assert undecided(base.facts, base.vocabulary.entities) == [("spoon", "… UsedFor cutting food")]


def test_what_scenes_cannot_show_need_not_be_decided(tmp_path: Path) -> None:
    base = a_base(tmp_path, CUTTING.replace('never = ["food"]', 'never = ["apple"]'))
    assert "milk" not in fact_of(base, "UsedFor").false
    assert undecided(base.facts, base.vocabulary.entities) == []


def test_what_is_unclear_is_decided_but_listed(tmp_path: Path) -> None:
    base = a_base(tmp_path, CUTTING.replace('also_not = ["fork"]', 'unclear = ["fork"]'))
    assert undecided(base.facts, base.vocabulary.entities) == []
    assert unclear(base.facts, base.vocabulary.entities) == [("fork", "… UsedFor cutting food")]
    assert "fork" not in {item.head for item in base.items() if item.relation == "UsedFor"}


def test_there_are_enough_items_of_every_relation() -> None:
    counts = Counter(item.relation for item in embedded_knowledge())
    assert counts.keys() == relations().keys() == LEAST.keys()
    assert {relation: count for relation, count in counts.items() if count < LEAST[relation]} == {}
    assert counts.total() >= 1200


def test_no_item_stands_there_twice_and_all_have_a_source() -> None:
    items = embedded_knowledge()
    assert len({(item.head, item.relation, item.tail) for item in items}) == len(items)
    assert all(item.source.strip() for item in items)


def test_names_and_phrases_are_written_as_those_of_other_sources() -> None:
    words = {text for item in embedded_knowledge() for text in (item.head, item.tail)}
    assert {text for text in words if text != " ".join(text.lower().split()) or "_" in text or "{" in text} == set()


def test_every_category_of_shapes_is_an_entity_and_every_part_a_label() -> None:
    shapes = [entity.shape for entity in entities().values() if entity.shape]
    assert sorted(shapes) == sorted(set(all_templates()) - SOLIDS)
    paths = [f"/{path}" for template in all_templates().values() for path in template.labels]
    ends = [end for entity in entities().values() for end in entity.labels]
    assert [end for end in ends if not any(path.endswith(f"/{end}") for path in paths)] == []


def test_no_label_is_two_entities() -> None:
    ends = Counter(end for entity in entities().values() for end in entity.labels)
    assert [end for end, times in ends.items() if times > 1] == []


def test_every_category_of_shapes_has_five_facts_besides_what_it_is() -> None:
    facts = Counter(name for fact in embedded_base().facts if fact.relation != "IsA" for name in fact.true)
    assert {entity.name for entity in entities().values() if entity.shape and facts[entity.name] < 5} == set()


def test_every_entity_that_facts_name_is_known() -> None:
    for fact in embedded_base().facts:
        assert fact.false.union(fact.unclear, fact.true) <= entities().keys()
    places = {item.tail for item in embedded_knowledge() if item.relation in ("AtLocation", "HasA", "MadeFrom")}
    assert places - entities().keys() == set()


def test_nothing_is_inherited_through_a_name_that_is_both_thing_and_category() -> None:
    kinds = {item.tail for item in embedded_knowledge() if item.relation in ("IsA", "IsATaxonomy")}
    assert kinds & entities().keys() == set()


def stems(phrase: str) -> frozenset[str]:
    """The words of a phrase that matter, without the endings that a relation asks for."""
    words = [word for word in phrase.split() if word not in IDLE_WORDS]
    return frozenset(word.removesuffix("s").removesuffix("ing").removesuffix("ed").rstrip("e") for word in words)


def test_no_two_facts_mean_the_same() -> None:
    said = defaultdict(list)
    for fact in embedded_base().facts:
        relation = "does" if fact.relation in ("UsedFor", "CapableOf", "ReceivesAction") else fact.relation
        relation = "is" if fact.relation in ("IsA", "IsATaxonomy", "HasProperty") else relation
        said[relation, stems(f"{fact.head} {fact.tail}")].append(fact.name)
    assert [names for names in said.values() if len(names) > 1] == []


def test_no_fact_of_use_names_the_thing_it_is_true_of() -> None:
    def gives_away(fact: Fact) -> bool:
        return any(f" {name} " in f" {fact.head} {fact.tail} " for name in fact.true)

    use = [fact for fact in embedded_base().facts if fact.relation in ("UsedFor", "CapableOf", "HasPrerequisite")]
    assert [fact.name for fact in use if gives_away(fact)] == []


def test_an_event_lists_what_it_needs(tmp_path: Path) -> None:
    facts = CUTTING.replace("UsedFor", "HasSubevent").replace('tail = "cutting food"', 'head = "slicing"')
    facts = facts.replace("heads", "tails").replace("[[fact]]", '[[fact]]\ntail = "using the {}"')
    items = [item for item in a_base(tmp_path, facts).items() if item.relation == "HasSubevent"]
    assert [(item.head, item.tail) for item in items] == [
        ("slicing", "using the knife"),
        ("slicing", "using the blade"),
    ]


def test_categories_reach_up_to_the_widest(tmp_path: Path) -> None:
    deep = VOCABULARY.replace("[entities.all]", 'cutlery = { source = "s", within = ["tool"] }\n\n[entities.all]')
    base = a_base(tmp_path, vocabulary=deep.replace('fork = { is = ["tool"]', 'fork = { is = ["cutlery"]'))
    assert base.vocabulary.entities["fork"].categories == ("cutlery", "tool")
    assert {item.tail for item in base.items() if item.head == "fork"} == {"cutlery", "tool"}


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        (
            '"fork"]',
            '"frok"]',
            "used_for.toml, fact 1 'cutting food', field 'also_not': there is no entity or category",
        ),
        ('["food"]', '["fod"]', "field 'never': there is no entity or category 'fod' (did you mean 'food'?)"),
        ('"UsedFor"', '"UsedFro"', "used_for.toml, field 'relation': there is no relation 'UsedFro'"),
        ('"UsedFor"', '"/r/UsedFor"', "there is no relation '/r/UsedFor'"),
        ('["fork"]', '["fork", "knife"]', "fact 1 'cutting food': is both true and false of 'knife'"),
        ('["food"]', '["tool"]', "is both true and false of 'blade'"),
        ('["fork"]', '["fork"]\nunclear = ["fork"]', "is both false and unclear of 'fork'"),
        ('"blade"]', '"knife"]', "is said to be true of 'knife' twice"),
        ('"what knives are made for"', '" "', "fact 1 'cutting food', field 'source': says nothing"),
        ('source = "what knives are made for"', "", "missing required field `source`"),
        ("also_not", "also", "unknown field `also`"),
        ("heads", "tails", "must have a head"),
        ('heads = ["knife", "blade"]', "", "must be true of some heads or of some tails"),
        ('tail = "cutting food"', 'head = "cutting food"', "must have a tail and no head"),
        (CUTTING, CUTTING + CUTTING.partition("\n\n")[2], "fact '… UsedFor cutting food': stands there twice"),
    ],
)
def test_bad_facts_are_refused_in_one_sentence(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in CUTTING
    with pytest.raises(BadInput) as refused:
        a_base(tmp_path, CUTTING.replace(old, new))
    assert complaint in str(refused.value)
    assert "used_for.toml" in str(refused.value)


def test_a_fact_in_two_files_is_refused(tmp_path: Path) -> None:
    (tmp_path / "also.toml").write_text(CUTTING)
    with pytest.raises(BadInput, match=r"used_for\.toml, fact '… UsedFor cutting food': stands in 'also\.toml' too"):
        a_base(tmp_path)


@pytest.mark.parametrize(
    ("old", "new", "complaint"),
    [
        ('fork = { is = ["tool"]', 'fork = { is = ["tol"]', "entity 'fork', field 'is': there is no category 'tol'"),
        ('"what one eats" }', '"s", within = ["meal"] }', "category 'food', field 'within': there is no category"),
        ('"what one eats" }', '"s", unclear = ["mlik"] }', "field 'unclear': there is no entity 'mlik'"),
        ('"what one eats" }', '"s", unclear = ["apple"] }', "category 'food': is both true and unclear of 'apple'"),
        ('"what one eats"', '""', "category 'food', field 'source': says nothing"),
        ("milk =", "food =", "entity 'food': 'food' is also a category"),
        ('is = ["food"] }', 'is = ["food"], synonyms = ["fork"] }', "entity 'milk': 'fork' is also 'fork'"),
        ("milk =", '[entities.more]\nfork = { is = ["tool"] }\nmilk =', "entity 'fork': stands there twice"),
    ],
)
def test_bad_vocabularies_are_refused_in_one_sentence(tmp_path: Path, old: str, new: str, complaint: str) -> None:
    assert old in VOCABULARY
    with pytest.raises(BadInput) as refused:
        a_base(tmp_path, vocabulary=VOCABULARY.replace(old, new))
    assert complaint in str(refused.value)
    assert "entities.toml" in str(refused.value)
