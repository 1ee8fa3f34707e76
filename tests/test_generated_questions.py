"""Every question that is generated is answered right, worth asking, and well said.

Judged by the naive executor in `naive.py`, over many scenes, with our templates and with CLEVR's own.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import pytest

import naive
from kit import OFFICIAL_TEMPLATES, Asked, official_templates, questions
from mereo.benchmarks.clevr.language import VOCABULARY, WORDS
from mereo.benchmarks.clevr.questions import RULES, load_questions
from mereo.files import read_json
from mereo.questions.rules import CLEVR_RULES

SCENES = 300
KINDS = ("our", "official")
SINKS = ("unique", "count", "exist")
NARROWING = re.compile(r"filter_(\w+)")
TELLING = re.compile(r"(?:filter|same)_(\w+)")
"""Being of the same color as another tells a color too, once that one's is known."""
ASKING = re.compile(r"(?:query|same)_(\w+)")

WEAKER = re.compile(r"one_hop/(count|exist)_(size|color|material|shape)")
"""Templates that filter once more after the description: there the relation is only needed by the description."""


@pytest.fixture(params=KINDS)
def asked(request: pytest.FixtureRequest) -> tuple[Asked, ...]:
    """Ten questions about each of many scenes."""
    if request.param == "official" and not OFFICIAL_TEMPLATES.is_dir():
        pytest.skip(f"there is no {OFFICIAL_TEMPLATES}: CLEVR's own templates are not part of the repository")
    return questions(request.param, SCENES)


@pytest.fixture
def ours() -> tuple[Asked, ...]:
    return questions("our", SCENES)


def describe(one: Asked) -> str:
    return f"{one.question.text} {one.question.program} -> {one.question.answer!r}"


def test_every_scene_gets_all_its_questions_each_of_another_template(asked: tuple[Asked, ...]) -> None:
    assert len(asked) == 10 * SCENES
    for first in range(0, len(asked), 10):
        group = asked[first : first + 10]
        assert len({id(one.scene) for one in group}) == 1
        assert len({one.question.template.title for one in group}) == 10


def test_the_naive_executor_gives_the_stated_answer_and_the_same_value_at_every_step(asked: tuple[Asked, ...]) -> None:
    for one in asked:
        outputs = naive.run(one.nodes, one.scene)
        assert outputs == [node["_output"] for node in one.nodes], describe(one)
        assert outputs[-1] == one.question.answer, describe(one)
        assert type(outputs[-1]) is type(one.question.answer), describe(one)


def test_every_unique_has_exactly_one_referent(asked: tuple[Asked, ...]) -> None:
    seen = 0
    for one in asked:
        outputs = naive.run(one.nodes, one.scene)
        for output, node in zip(outputs, one.nodes, strict=True):
            if node["type"] == "unique":
                assert outputs[node["inputs"][0]] == [output], describe(one)
                seen += 1
    assert seen > len(asked)


def user_of(nodes: Sequence[naive.Node], position: int) -> int:
    """The one step that takes a step's result."""
    (user,) = (i for i, node in enumerate(nodes) if position in node["inputs"])
    return user


def narrowed(nodes: Sequence[naive.Node], relation: int) -> list[int]:
    """The steps through which a relation's result goes as a set, itself first, before something is made of it."""
    steps = [relation]
    while nodes[user := user_of(nodes, steps[-1])]["type"] not in SINKS:
        steps.append(user)
    return steps


def test_dropping_any_relation_of_our_questions_changes_what_is_referred_to(ours: tuple[Asked, ...]) -> None:
    relations = 0
    for one in ours:
        nodes = one.nodes
        outputs = naive.run(nodes, one.scene)
        by_description = WEAKER.fullmatch(one.question.template.title) is not None
        for position, node in enumerate(nodes):
            if node["type"] != "relate":
                continue
            end = narrowed(nodes, position)[-2 if by_description else -1]
            everything = {"type": "scene", "inputs": [], "value_inputs": []}
            without = naive.run([*nodes[:position], everything, *nodes[position + 1 : end + 1]], one.scene)
            assert without[end] != outputs[end], f"{describe(one)}: step {position} is idle"
            relations += 1
    assert relations > len(ours) / 2


def told_of(nodes: Sequence[naive.Node], position: int) -> Iterator[str]:
    """The attributes by which the objects of a set, or the one object of it, are described; not those of landmarks."""
    node = nodes[position]
    told = TELLING.fullmatch(node["type"])
    if told is not None:
        yield told[1]
    if node["type"] in ("unique", "union", "intersect") or node["type"].startswith("filter_"):
        for i in node["inputs"]:
            yield from told_of(nodes, i)


def test_our_questions_never_tell_what_they_ask_of_an_object(ours: tuple[Asked, ...]) -> None:
    asking = 0
    for one in ours:
        for node in one.nodes:
            match = ASKING.fullmatch(node["type"])
            if match is not None:
                assert match[1] not in set(told_of(one.nodes, node["inputs"][0])), describe(one)
                asking += 1
    assert asking > len(ours) / 3


def test_no_question_for_an_attribute_tells_it(asked: tuple[Asked, ...]) -> None:
    """CLEVR's own comparisons may tell one of the two sides; its questions for an attribute never do."""
    asking = 0
    for one in asked:
        last = one.nodes[-1]
        match = ASKING.fullmatch(last["type"])
        if match is not None:
            assert match[1] not in set(told_of(one.nodes, last["inputs"][0])), describe(one)
            asking += 1
    assert asking > len(asked) / 10


def synonyms(kind: str) -> Mapping[str, Sequence[str]]:
    if kind == "our":
        words: Mapping[str, Sequence[str]] = WORDS["words"]
        return words
    return read_json(OFFICIAL_TEMPLATES / "synonyms.json", type=dict[str, list[str]])


def words_for(kind: str) -> dict[str, str]:
    """Every word or phrase that names a value, with the value: `big` is large, `to the left of` is left."""
    known = synonyms(kind)
    values = [value for attribute in VOCABULARY.attributes.values() for value in attribute.values]
    found = {word: value for value in values for word in known.get(value, [value])}
    found |= {f"{word}s": value for word, value in found.items() if value in VOCABULARY.attributes["shape"].values}
    return found | {"left": "left", "right": "right", "behind": "behind", "front": "front"}


@pytest.mark.parametrize("kind", KINDS)
def test_the_text_names_exactly_the_values_of_the_program(kind: str) -> None:
    """So what the program does not tell of an object, the words do not tell either."""
    if kind == "official" and not OFFICIAL_TEMPLATES.is_dir():
        pytest.skip(f"there is no {OFFICIAL_TEMPLATES}: CLEVR's own templates are not part of the repository")
    meaning = words_for(kind)
    for one in questions(kind, SCENES):
        text = re.sub(r"\bhow big\b", "", one.question.text.lower())
        said = Counter(meaning[word] for word in re.findall(r"\w+", text) if word in meaning)
        meant = Counter(value for node in one.nodes for value in node["value_inputs"])
        assert said == meant, describe(one)


def test_a_question_about_one_description_never_says_its_answer(asked: tuple[Asked, ...]) -> None:
    """With no other object in the question, no word for the answer may stand in it at all."""
    checked = 0
    for one in asked:
        if one.question.template.family != "zero_hop" or not isinstance(one.question.answer, str):
            continue
        both = {**synonyms("our"), **(synonyms("official") if OFFICIAL_TEMPLATES.is_dir() else {})}
        words = {one.question.answer, *both.get(one.question.answer, ())}
        text = one.question.text.lower().replace("how big", "")
        assert not any(re.search(rf"\b{word}s?\b", text) for word in words), describe(one)
        checked += 1
    assert checked > SCENES / 10


def test_all_templates_are_used_alike() -> None:
    """Within a window, in which the least used come first."""
    window = [one.question.template.title for one in questions("our", SCENES)[: 10 * RULES.window]]
    uses = Counter(window)
    assert set(uses) == {template.title for template in load_questions().templates}
    assert max(uses.values()) - min(uses.values()) <= 2


@pytest.mark.skipif(not OFFICIAL_TEMPLATES.is_dir(), reason=f"there is no {OFFICIAL_TEMPLATES}")
def test_all_official_templates_are_used_alike_but_the_one_that_can_only_be_asked_once() -> None:
    """`compare_integer` 0 asks whether two counts that must differ are equal: "no" is its one answer, then refused."""
    uses = Counter(one.question.template.title for one in questions("official", SCENES)[: 10 * CLEVR_RULES.window])
    assert set(uses) == {template.title for template in official_templates().templates}
    assert uses.pop("compare_integer/0") == 1
    assert max(uses.values()) - min(uses.values()) <= 2


def test_yes_and_no_are_answered_alike(asked: tuple[Asked, ...]) -> None:
    answers = Counter(one.question.answer for one in asked if isinstance(one.question.answer, bool))
    assert abs(answers[True] - answers[False]) / answers.total() < 0.04
    assert answers.total() > 1000


def test_the_values_of_an_attribute_are_answered_alike(asked: tuple[Asked, ...]) -> None:
    answers = Counter(one.question.answer for one in asked if isinstance(one.question.answer, str))
    for attribute in VOCABULARY.attributes.values():
        counts = [answers[value] for value in attribute.values]
        assert min(counts) > 0.4 * max(counts), attribute.name


def test_texts_are_clean_sentences(asked: tuple[Asked, ...]) -> None:
    for one in asked:
        text = one.question.text
        # One of CLEVR's own texts has no question mark: what its author wrote is kept.
        marked = all(variant.source.endswith("?") for variant in one.question.template.texts)
        assert re.fullmatch(r"[A-Z][a-z ,;]*\?" if marked else r"[A-Z][a-z ,;]*\??", text), text
        assert not re.search(r"  | [?;,.]|[;,](?! )", text), text
        assert not re.search(r"\b(\w+) \1\b", text), text


def test_our_texts_have_the_right_articles(ours: tuple[Asked, ...]) -> None:
    """All of CLEVR's words are spoken as they are spelt: a vowel asks for "an"."""
    seen: Counter[str] = Counter()
    for one in ours:
        for article, word in re.findall(r"\b(an?) (\w+)", one.question.text, re.IGNORECASE):
            assert (article.lower() == "an") == (word[0] in "aeiou"), one.question.text
            seen[article.lower()] += 1
    assert min(seen["a"], seen["an"]) > 10


def test_our_texts_say_other_only_of_what_the_landmark_also_is(ours: tuple[Asked, ...]) -> None:
    """ "Another red cube than the sphere" would be odd: the sphere is no red cube in the first place."""
    others = 0
    for one in ours:
        if not re.fullmatch(r"same_relate/\w+_(described|related|same_\w+)", one.question.template.title):
            continue
        outputs = naive.run(one.nodes, one.scene)
        same = next(i for i, node in enumerate(one.nodes) if node["type"].startswith("same_"))
        landmark = one.scene["objects"][outputs[one.nodes[same]["inputs"][0]]]
        described = filters_after(one.nodes, same)
        fits = all(landmark[attribute] == value for attribute, value in described.items())
        assert fits == bool(re.search(r"\b(an)?other\b", one.question.text, re.IGNORECASE)), describe(one)
        others += fits
    assert others > 20


def filters_after(nodes: Sequence[naive.Node], position: int) -> dict[str, Any]:
    """The description of what a step gives: the filters right after it."""
    found: dict[str, Any] = {}
    for node in nodes[position + 1 :]:
        match = NARROWING.fullmatch(node["type"])
        if match is None:
            break
        found[match[1]] = node["value_inputs"][0]
    return found
