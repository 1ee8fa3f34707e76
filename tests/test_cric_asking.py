"""CRIC's questions: put together from components, each sound, none giving its answer away."""

from __future__ import annotations

import random
from collections import Counter
from functools import cache

import pytest
from msgspec.structs import replace

from cric_graphs import strewn_graph
from mereo.benchmarks.cric.asking import Questioner
from mereo.benchmarks.cric.components import components
from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing
from mereo.benchmarks.cric.inflection import base_phrase, gerund_phrase
from mereo.benchmarks.cric.lore import BLANK, VISION, Query, lore_of_base, lore_of_items
from mereo.benchmarks.cric.question import TYPES, CricQuestion, question_row
from mereo.benchmarks.cric.sayings import describable, said
from mereo.chance import fast, generator
from mereo.knowledge import Item, embedded_base, entities
from mereo.programs import parse_program
from naive_cric import faults

LORE = lore_of_base(embedded_base())
QUESTIONER = Questioner(LORE)
SCENES, EACH = 60, 10


@cache
def asked() -> list[tuple[SceneGraph, CricQuestion]]:
    """Some hundred questions, about scenes that are strewn by chance."""
    found = []
    for number in range(SCENES):
        graph = strewn_graph(number)
        found += [(graph, one) for one in QUESTIONER.ask(graph, EACH, chance=fast(generator(1, number)))]
    return found


def test_a_naive_executor_agrees_with_every_question() -> None:
    assert len(asked()) == SCENES * EACH
    assert [(question.text, wrong) for graph, question in asked() if (wrong := faults(question, graph))] == []


def test_the_naive_executor_would_tell() -> None:
    graph, question = next(one for one in asked() if one[1].type == "QueryAtt")
    (more,) = (thing for place, thing in enumerate(graph.things) if question.target >> place & 1)
    twice = SceneGraph(
        graph.image_id,
        *(graph.width, graph.height),
        (*graph.things, Thing("again", more.name, attributes=more.attributes)),
        (
            *graph.relations,
            *(Stated("again", one.predicate, one.object) for one in graph.relations if one.subject == more.id),
        ),
    )
    assert faults(question, twice)


def test_all_five_types_are_asked_of_and_verified_questions_are_yes_as_often_as_no() -> None:
    types = Counter(question.type for _, question in asked())
    assert set(types) == set(TYPES)
    assert min(types.values()) > len(asked()) / 20
    answers = Counter(question.answer for _, question in asked() if question.type.startswith("Verify"))
    assert set(answers) == {"yes", "no"}
    assert abs(answers["yes"] - answers["no"]) < 3 * sum(answers.values()) ** 0.5


def test_what_is_seen_can_be_asked_about_without_knowledge() -> None:
    visual = Questioner(LORE, visual=True)
    found = [
        (strewn_graph(number), one)
        for number in range(20)
        for one in visual.ask(strewn_graph(number), EACH, chance=fast(generator(1, number)))
    ]
    assert len(found) == 20 * EACH
    assert [(one.text, wrong) for graph, one in found if (wrong := faults(one, graph, visual=True))] == []
    types = Counter(one.type for _, one in found)
    assert set(types) == {"QueryObjSG", "QueryAtt", "VerifyAtt"}
    assert min(types.values()) > len(found) / 6
    assert all(not one.queries and not one.sub_graph.knowledge for _, one in found)
    answers = Counter(one.answer for _, one in found if one.type == "VerifyAtt")
    assert set(answers) == {"yes", "no"}
    assert abs(answers["yes"] - answers["no"]) < 3 * sum(answers.values()) ** 0.5
    assert faults(found[0][1], found[0][0])
    assert all(faults(one, graph, visual=True) for graph, one in asked()[:20])


def test_no_answer_is_said_in_its_question() -> None:
    for _, question in asked():
        assert question.answer in ("yes", "no") or question.answer not in question.text.lower()


def test_no_category_that_is_said_has_a_single_member() -> None:
    for _, question in asked():
        for step in question.trace.executable.program.steps:
            if step.function == "find_hypernym":
                assert len(LORE.of_category(step.values[0])) > 1


def test_what_is_wrong_is_told_of_no_and_of_nothing_else() -> None:
    kinds = set()
    for _, question in asked():
        assert (question.wrong_part is not None) == (question.answer == "no")
        if question.wrong_part:
            kinds.add(question.wrong_part.kind)
            assert question.wrong_part.instead != question.wrong_part.asked
            assert question.trace.values[question.wrong_part.step] == 0
            assert question.target == 0
    assert {"attribute", "knowledge"} <= kinds <= {"attribute", "knowledge", "relation"}


def test_wordings_do_not_tell_yes_from_no() -> None:
    """What a true question is changed into is said by the same components."""
    yes, no = (
        Counter(
            question.wording.split(" + ")[0].rpartition("-")[0] for _, question in asked() if question.answer == answer
        )
        for answer in ("yes", "no")
    )
    common = [wording for wording in yes | no if yes[wording] + no[wording] >= 15]
    assert common
    for wording in common:
        assert abs(yes[wording] - no[wording]) <= 4 * (yes[wording] + no[wording]) ** 0.5


def test_the_same_chance_asks_the_same() -> None:
    first, again = (
        [question_row(one, "s", "train", 0) for one in QUESTIONER.ask(strewn_graph(3), 8, chance=random.Random(2))]
        for _ in range(2)
    )
    assert first == again
    assert [str(parse_program(row["program"])) for row in first] == [row["program"] for row in first]


def test_every_component_has_several_wordings() -> None:
    whole = components()
    for item in whole.items.values():
        assert len(item.does) + len(item.done) >= 4
        assert len(item.verify) >= 4
    for kind, attribute in whole.attributes.items():
        assert len(attribute.before) + len(attribute.does) >= 4
        assert len(attribute.verify) >= 4
        assert len(attribute.asked) >= 4 or kind == "other"
    for relation in whole.relations.values():
        assert all(len(texts) >= 4 for texts in (relation.bare, relation.does, relation.whereon))
    assert all(len(getattr(whole.queries, field)) >= 4 for field in whole.queries.__struct_fields__)


def test_every_item_of_the_embedded_knowledge_can_be_said_without_anything_left_open() -> None:
    for query in LORE.facts:
        for several in (False, True):
            saying = said(query, query, several=several)
            assert saying is not None, query
            for text in (*saying.does, *saying.done, *saying.asked):
                assert "{" not in text
                assert BLANK not in text
            assert all(text.count("{") == 1 and "{the}" in text for text in saying.verify)


PICTURE = SceneGraph(
    "1",
    480,
    320,
    things=(
        Thing("k", "knife", attributes={"color": ("gray",)}),
        Thing("b", "bread", attributes={"color": ("brown",)}),
        Thing("c", "chopping board", attributes={"color": ("yellow",)}),
        Thing("m", "mug", attributes={"color": ("white",)}),
        Thing("s", "scissors", attributes={"color": ("red",)}),
    ),
    relations=(Stated("b", "on", "c"), Stated("m", "left of", "c")),
)


def texts(graph: SceneGraph, count: int = 300) -> dict[str, CricQuestion]:
    return {one.text: one for one in Questioner(LORE).ask(graph, count, chance=random.Random(1))}


def test_things_are_described_where_an_item_speaks_of_them() -> None:
    picture = SceneGraph("1", 480, 320, (PICTURE.things[0], *PICTURE.things[1:4:2]), PICTURE.relations[:0])
    compared = [one for one in texts(picture).values() if VISION in str(one.trace.executable.program)]
    assert any("cutting the" in one.text or "cut the" in one.text for one in compared)
    assert all(VISION not in one.text for one in compared)


def test_plural_names_are_spoken_of_in_the_plural() -> None:
    said_of = [text for text in texts(PICTURE) if "the scissors" in text or "the red scissors" in text]
    assert not [text for text in said_of if "scissors is" in text or "scissors has" in text]


def test_unclear_words_and_relations_are_not_asked_about() -> None:
    unsure = SceneGraph(
        PICTURE.image_id,
        *(PICTURE.width, PICTURE.height),
        tuple(
            Thing(one.id, one.name, attributes=one.attributes, unclear={"color": ("black",)} if one.id == "k" else {})
            for one in PICTURE.things
        ),
        unclear=PICTURE.relations,
    )
    for text, question in texts(unsure).items():
        assert faults(question, unsure) == [], text
        assert not {"relate", "relate_reverse"} & {step.function for step in question.trace.executable.program.steps}
        assert not (question.answer == "gray" and question.type == "QueryAtt")


def test_only_candidates_are_pointed_at() -> None:
    shut = tuple(Thing(one.id, one.name, attributes=one.attributes, candidate=one.id != "k") for one in PICTURE.things)
    graph = SceneGraph("1", 480, 320, shut, PICTURE.relations)
    assert all(not question.target & 1 for question in texts(graph).values())


def test_a_picture_of_which_nothing_is_known_is_not_asked_about() -> None:
    assert texts(SceneGraph("1", 9, 9, (Thing("a", "gargoyle"),))) == {}
    assert texts(SceneGraph("1", 9, 9, ())) == {}


def test_items_of_others_are_said_in_the_form_that_fits() -> None:
    items = [
        Item("fork", "UsedFor", "lift food"),
        Item("horse", "CapableOf", "running fast"),
        Item("fork", "IsA", "tool"),
    ]
    lore = lore_of_items(items, ["fork", "horse"])
    used, able = Query(BLANK, "UsedFor", "lift food"), Query(BLANK, "CapableOf", "running fast")
    assert {used, able} <= set(lore.facts)
    saying, other = said(used, used), said(able, able)
    assert saying is not None
    assert "is used for lifting food" in saying.does
    assert other is not None
    assert "can run fast" in other.does


@pytest.mark.parametrize(
    ("base", "gerund"),
    [("cut food", "cutting food"), ("bake", "baking"), ("open", "opening"), ("edit", "editing"), ("lie on", "lying on"),
     ("squeeze", "squeezing"), ("pour tea", "pouring tea"), ("bring", "bringing"), ("measure", "measuring"),
     ("roll", "rolling"), ("stir", "stirring"), ("sprinkle", "sprinkling"), ("reheat", "reheating")],
)  # fmt: skip
def test_verbs_bend_both_ways(base: str, gerund: str) -> None:
    assert gerund_phrase(base) == gerund == gerund_phrase(gerund)
    assert base_phrase(gerund) == base


def test_a_thing_is_described_only_where_a_noun_phrase_may_stand() -> None:
    def open_to(pattern: str, word: str, relation: str = "UsedFor") -> bool:
        return describable(Query(BLANK, relation, pattern), Query(BLANK, relation, pattern.replace(VISION, word)))

    assert open_to("cutting VISION", "food")
    assert open_to("covering VISION", "a pot")
    assert not open_to("lifting a hot VISION", "pan")
    assert not open_to("toasting VISION of bread", "slices")
    assert not open_to("moving food from VISION to mouth", "plate")
    assert not open_to(VISION, "handle", "HasA")


def test_all_things_of_the_embedded_knowledge_are_numbered() -> None:
    assert {"scissors", "earphones"} <= {name for name, entity in entities().items() if entity.number == "plural"}


def test_a_material_that_is_a_thing_is_asked_for_by_its_name() -> None:
    rubber, found = Thing("r", "rubber", attributes={"material": ("plastic",)}), list[CricQuestion]()
    for number in range(30):
        graph = strewn_graph(number)
        wider = replace(graph, things=(*graph.things, rubber))
        found += QUESTIONER.ask(wider, 20, chance=random.Random(number))
    spoken = [one for one in found if "material" in one.text and one.target == 1 << len(one.trace.world) - 1]
    assert {one.answer for one in spoken if one.type == "QueryObjKG"} == {"rubber"}
