"""Template files: ours in TOML and those of the CLEVR family in JSON; what is wrong in one is said where it stands."""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tomllib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import OFFICIAL_TEMPLATES, ROOT, complaint, official_templates, world
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.official import DESCRIBER, DIALECT
from mereo.benchmarks.clevr.questions import clevr_questions
from mereo.benchmarks.clevr.recipe import TYPES
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.templates import load_family
from mereo.errors import BadInput
from mereo.questions.pattern import patterns_of
from mereo.questions.phrase import NounPhrases, Said, Speech, article, plural
from mereo.questions.template import Choose, Describe, Template
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates
from mereo.questions.toml_text import parse_text

FAMILIES = {
    "zero_hop",
    "one_hop",
    "two_hop",
    "three_hop",
    "single_and",
    "single_or",
    "same_relate",
    "compare_integer",
    "comparison",
}


def toml(
    folder: Path,
    *,
    text: str = '["How many {A.plural} are there?"]',
    program: str = "count(filter[{A}](scene()))",
    constraints: str = "[]",
    more: str = "",
) -> tuple[Template, ...]:
    lines = ["[[template]]", 'name = "mine"', 'type = "count"', f"text = {text}", f'program = "{program}"']
    (folder / "own.toml").write_text("\n".join([*lines, f"constraints = {constraints}", more]))
    return load_templates(folder, language=LANGUAGE, describer=DESCRIBER)


# Our own


def test_all_nine_families_have_templates_of_our_own() -> None:
    templates = clevr_questions().templates
    assert {template.family for template in templates} == FAMILIES
    assert len(templates) >= 90
    assert len({template.title for template in templates}) == len(templates)
    assert {template.type for template in templates} <= set(TYPES)
    assert all(len(template.texts) >= 3 for template in templates)


@pytest.mark.skipif(not OFFICIAL_TEMPLATES.is_dir(), reason=f"there is no {OFFICIAL_TEMPLATES}")
def test_no_text_of_ours_is_one_of_the_official_ones() -> None:
    def bare(source: str) -> str:
        return "".join(character for character in source.lower() if character.isalpha() or character == " ")

    theirs = {bare(text.source) for template in official_templates().templates for text in template.texts}
    ours = {bare(text.source) for template in clevr_questions().templates for text in template.texts}
    assert len(ours) > 300
    assert ours.isdisjoint(theirs)


def test_a_template_is_its_program_with_descriptions_as_single_choices(tmp_path: Path) -> None:
    (template,) = toml(
        tmp_path,
        text='["What color is the {B} {R} the {A}?"]',
        program="query_color(unique(filter[{B}](relate[{R}](unique(filter[{A}](scene()))))))",
        constraints='["unnamed({B}, color)"]',
    )
    scene, landmark, target, query = template.nodes
    assert isinstance(landmark, Describe)
    assert isinstance(target, Describe)
    assert (landmark.hole, landmark.goal, landmark.relation, landmark.unnamed) == ("A", "unique", None, frozenset())
    assert (target.hole, target.goal, target.relation, target.unnamed) == ("B", "unique", "R", frozenset({"color"}))
    assert (query.inputs, target.inputs, landmark.inputs, scene.inputs) == ((2,), (1,), (0,), ())
    assert template.output.name == "Color"
    assert template.title == "own/mine"


def test_each_substitution_makes_a_template_and_also_adds_texts_to_those_that_match(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("""
[[template]]
name = "query_{Q}"
type = "query_{Q}"
each = [{ Q = "size" }, { Q = "color" }]
text = ["What {Q} is the {A}?"]
also = [{ Q = "size", text = ["How big is the {A}?"] }]
program = "query_{Q}(unique(filter[{A}](scene())))"
constraints = ["unnamed({A}, {Q})"]
""")
    size, color = load_templates(tmp_path, language=LANGUAGE, describer=DESCRIBER)
    assert [text.source for text in size.texts] == ["What size is the {A}?", "How big is the {A}?"]
    assert [text.source for text in color.texts] == ["What color is the {A}?"]
    assert (size.title, color.title, size.index, color.index) == ("own/query_size", "own/query_color", 0, 1)


def test_each_substitution_also_chooses_the_words_of_holes(tmp_path: Path) -> None:
    (tmp_path / "own.toml").write_text("""
[[template]]
name = "count_{q}"
type = "count"
each = [{ q = "red" }, { q = "blue" }]
text = ["How many are {V}?"]
program = "count(filter_color[{V}](scene()))"
words = { V = ["{q}"] }
""")
    found = [template.nodes[1] for template in load_templates(tmp_path, language=LANGUAGE, describer=DESCRIBER)]
    assert [node.type.values for node in found if isinstance(node, Choose)] == [("red",), ("blue",)]


def test_a_word_that_stands_twice_must_be_present_both_times(tmp_path: Path) -> None:
    (template,) = toml(
        tmp_path,
        text='["Are there more {V} cubes than balls?"]',
        program=(
            "greater_than(count(filter_color[{V}](filter_shape[cube](scene()))), "
            "count(filter_color[{V}](filter_shape[sphere](scene()))))"
        ),
        constraints='["present({V})"]',
    )
    functions = [getattr(template.nodes[present.node], "function", "") for present in template.present]
    assert functions == ["filter_color", "filter_color"]
    assert len({present.node for present in template.present}) == 2


def test_what_is_only_heard_is_read_by_and_never_said(tmp_path: Path) -> None:
    (template,) = toml(tmp_path, text='["How many {A.plural}?"]', more='heard = ["Count {A.plural}!"]')
    assert [text.source for text in template.texts] == ["How many {A.plural}?"]
    assert [list(pattern.fixed) for pattern in patterns_of(template)] == [["how", "many"], ["count"]]


def test_a_word_hole_takes_all_words_of_its_functions_type(tmp_path: Path) -> None:
    (template,) = toml(tmp_path, text='["How many are {V}?"]', program="count(filter_color[{V}](scene()))")
    node = template.nodes[1]
    assert isinstance(node, Choose)
    assert node.type.values == VOCABULARY.words("color")


@pytest.mark.parametrize(
    ("changes", "sentence"),
    [
        (
            {"text": '["How many {B.plural}?"]'},
            "field 'text': hole {B} of 'How many {B.plural}?' is not in the program",
        ),
        (
            {"text": '["How many are there?"]'},
            "field 'text': hole {A} of 'How many are there?' is not said exactly once",
        ),
        (
            {"more": 'heard = ["How many are there?"]'},
            "field 'text': hole {A} of 'How many are there?' is not said exactly once",
        ),
        ({"text": '["How many [{A.plural}?"]'}, "field 'text': the text 'How many [{A.plural}?' has a stray bracket"),
        ({"text": '["How many {A}]?"]'}, "field 'text': the text 'How many {A}]?' has a stray bracket"),
        ({"text": '["{A} {B C}?"]'}, "field 'text': the text '{A} {B C}?' has a stray bracket"),
        (
            {"program": "coun(filter[{A}](scene()))"},
            "field 'program': there is no function 'coun' (did you mean 'count'?)",
        ),
        (
            {"program": "count(filtr[{A}](scene()))"},
            "field 'program': there is no function 'filtr' (did you mean 'filter'?)",
        ),
        ({"program": "count(filter[{A}](scene())"}, "program: at its end: expected ')'"),
        (
            {"program": "count(filter[red](scene()))"},
            "field 'program': filter takes one hole and one input: filter[{A}](…)",
        ),
        (
            {"program": "count(filter[{A}](relate[left](unique(scene()))))"},
            "field 'program': 'left' should be a hole such as {R}",
        ),
        (
            {"program": "count(union(filter[{A}](scene())))"},
            "field 'program': union does not fit union(ObjectSet, ObjectSet) -> ObjectSet",
        ),
        (
            {"program": "count(union(filter[{A}](scene()), filter[{A}](scene())))"},
            "field 'program': the hole {A} stands twice in the program",
        ),
        (
            {"program": "count(filter_shape[{A}](filter_color[{A}](scene())))"},
            "field 'program': filter_shape cannot take the hole {A}, which may be 'gray'",
        ),
        (
            {"program": "query_color(unique(filter[{A}](scene())))"},
            "field 'constraints': could give its answer away: add unnamed({A}, color)",
        ),
        (
            {"program": "count(same_shape(unique(filter[{A}](scene()))))", "constraints": '["unnamed({A}, size)"]'},
            "field 'constraints': could give its answer away: add unnamed({A}, shape)",
        ),
        ({"constraints": '["unnamed({B}, size)"]'}, "field 'constraints': {B} is no description of the program"),
        (
            {"constraints": '["unnamed({A}, sise)"]'},
            "field 'constraints': objects are not described by 'sise' (did you mean 'size'?)",
        ),
        (
            {"constraints": '["unamed({A}, size)"]'},
            "field 'constraints': there is no constraint 'unamed' (did you mean 'unnamed'?)",
        ),
        (
            {"constraints": '["differ({A}, {B})"]'},
            "field 'constraints': {B} of differ({A}, {B}) is no hole of the program",
        ),
    ],
)
def test_a_mistake_in_a_template_of_ours_names_file_template_and_field(
    tmp_path: Path, changes: dict[str, str], sentence: str
) -> None:
    with pytest.raises(BadInput) as caught:
        toml(tmp_path, **changes)
    assert str(caught.value) == f"{tmp_path / 'own.toml'}, template 0 ('mine'), {sentence}"


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        ("[[template", "is not TOML"),
        ('[[template]]\nname = "a"\n', "missing required field `type`"),
        ('[[templates]]\nname = "a"\n', "unknown field `templates`"),
        ("", "missing required field `template`"),
    ],
)
def test_a_file_that_is_no_template_file_is_named(tmp_path: Path, content: str, reason: str) -> None:
    (tmp_path / "own.toml").write_text(content)
    with pytest.raises(BadInput) as caught:
        load_templates(tmp_path, language=LANGUAGE, describer=DESCRIBER)
    assert str(caught.value).startswith(str(tmp_path / "own.toml"))
    assert reason in str(caught.value)


def test_a_folder_without_templates_is_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"holds no template$"):
        load_templates(tmp_path, language=LANGUAGE, describer=DESCRIBER)


# Putting into words

SPEECH = Speech(
    {"metal": ("metal", "shiny"), "sphere": ("sphere", "ball"), "left": ("left of", "to the left of")},
    NounPhrases(("size", "color", "material"), "shape", ("thing", "object")),
)


def spoken(text: str, referents: dict[str, int] | None = None, **fillings: Any) -> set[str]:
    said = Said(fillings, referents or {}, world(0))
    texts = [SPEECH.say([parse_text(text)], said, random.Random(seed)) for seed in range(60)]
    return {text for text in texts if text is not None}


def test_holes_are_filled_with_noun_phrases_synonyms_plurals_and_articles() -> None:
    assert spoken("is there a {A}?", A={"shape": "cube"}) == {"Is there a cube?"}
    assert spoken("is there a {A}?", A={"color": "red", "size": "large"}) == {
        "Is there a large red thing?",
        "Is there a large red object?",
    }
    assert spoken("a {A}?", A={}) == {"A thing?", "An object?"}
    assert spoken("how many {A.plural}?", A={"material": "metal", "shape": "sphere"}) == {
        f"How many {adjective} {noun}?" for adjective in ("metal", "shiny") for noun in ("spheres", "balls")
    }
    assert spoken("what is {R} it?", R="left") == {"What is left of it?", "What is to the left of it?"}


def test_a_text_that_is_too_long_is_said_otherwise_or_not_at_all() -> None:
    brief = replace(SPEECH, longest=4)
    long, short = parse_text("How many of all things are {A.plural}?"), parse_text("How many {A.plural}?")
    said = Said({"A": {"shape": "cube"}}, {}, world(0))
    assert {brief.say([long, short], said, random.Random(seed)) for seed in range(20)} == {"How many cubes?"}
    assert brief.say([long], said, random.Random(0)) is None


def test_all_marks_of_a_text_say_visible_or_none_does() -> None:
    text = parse_text("are {visible} arms more than {visible} legs?")
    said, now_and_then = Said({}, {}, world(0)), replace(SPEECH, visibly=0.5)
    assert {now_and_then.say([text], said, random.Random(seed)) for seed in range(60)} == {
        "Are arms more than legs?",
        "Are visible arms more than visible legs?",
    }
    must, other = replace(said, visible=True), parse_text("are arms more than legs?")
    assert {SPEECH.say([text, other], must, random.Random(seed)) for seed in range(20)} == {
        "Are visible arms more than visible legs?"
    }


def test_words_in_brackets_are_said_half_the_time_and_leave_no_gap() -> None:
    assert spoken("are any [of the things] , or [of them] red?") == {
        "Are any, or red?",
        "Are any of the things, or red?",
        "Are any, or of them red?",
        "Are any of the things, or of them red?",
    }


def test_other_is_said_of_what_the_landmark_is_too() -> None:
    first = world(0).value
    its_color, its_shape = first["color"][0], first["shape"][0]
    another_color = next(color for color in VOCABULARY.words("color") if color != its_color)
    text, landmark = "is there {another B than A} like the {A}?", {"shape": its_shape}
    alike = spoken(text, {"A": 0}, A=landmark, B={"color": its_color})
    assert alike == {
        f"Is there another {its_color} {noun} like the {one}?"
        for noun in ("thing", "object")
        for one in SPEECH.words.get(its_shape, (its_shape,))
    }
    apart = spoken(text, {"A": 0}, A=landmark, B={"color": another_color})
    assert not any("another" in one for one in apart)
    assert all(f"Is there a {another_color} " in one for one in apart)


@pytest.mark.parametrize(
    ("noun", "several"),
    [("cube", "cubes"), ("box", "boxes"), ("soda can", "soda cans"), ("knife", "knives"), ("berry", "berries"),
     ("toy", "toys"), ("wine glass", "wine glasses"), ("brush", "brushes"), ("scissors", "scissors"), ("man", "men"),
     ("policewoman", "policewomen"), ("child", "children"), ("person", "people"), ("foot", "feet"), ("mouse", "mice"),
     ("potato", "potatoes"), ("piano", "pianos"), ("roof", "roofs"), ("fish", "fish"), ("stairs", "stairs"),
     ("jeans", "jeans"), ("cubes", "cubes"), ("children", "children"), ("lens", "lenses"), ("ottoman", "ottomans"),
     ("furniture", "furniture"), ("TV", "TVs"), ("chest of drawers", "chests of drawers"), ("Cup", "Cups")],
)  # fmt: skip
def test_plurals(noun: str, several: str) -> None:
    assert plural(noun) == several


def test_the_plurals_of_our_own_nouns_are_regular_but_for_shelves() -> None:
    nouns: set[str] = set()
    for file in (ROOT / "src/mereo").rglob("vocabulary.toml"):
        words = tomllib.loads(file.read_text())
        phrase = words.get("phrase", words.get("speech", {}))
        nouns.update(phrase.get("anything", ()))
        for name in {phrase.get("noun"), "category", "part"} & words.get("attributes", {}).keys():
            for value in words["attributes"][name]:
                nouns.update(words.get("words", {}).get(value, [value]))
    assert len(nouns) >= 30

    def regular(noun: str) -> str:
        return noun[:-1] + "ies" if noun.endswith("dy") else noun + "s"

    assert {noun: plural(noun) for noun in nouns if plural(noun) != regular(noun)} == {"shelf": "shelves"}


def test_plurals_are_looked_up_only_where_one_is_said() -> None:
    code = "import sys, mereo.questions.phrase, mereo.questions.generate; assert 'pluralizer' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)


@pytest.mark.parametrize(
    ("words", "expected"),
    [
        ("object", "an"),
        ("red object", "a"),
        ("apple", "an"),
        ("used cup", "a"),
        ("unique one", "a"),
        ("umbrella", "an"),
        ("hourglass", "an"),
        ("horse", "a"),
        ("utensil", "a"),
        ("unidentified object", "an"),
        ("one-armed bandit", "a"),
        ("onion", "an"),
        ("usual cup", "a"),
        ("SUV", "an"),
        ("TV", "a"),
        ("UFO", "a"),
        ("L-shaped sofa", "an"),
        ("8-legged spider", "an"),
    ],
)
def test_articles_follow_the_sound(words: str, expected: str) -> None:
    assert article(words) == expected


# Those of the CLEVR family

METADATA = {
    "dataset": "CLEVR-v1.0",
    "types": {
        "Size": list(VOCABULARY.words("size")),
        "Color": list(VOCABULARY.words("color")),
        "Shape": list(VOCABULARY.words("shape")),
        "Relation": list(VOCABULARY.relations),
        "Integer": None,
    },
}


def record() -> dict[str, Any]:
    return {
        "text": ["How many <Z> <S>s are [either] <R> the <C> <S2>?"],
        "nodes": [
            {"type": "scene", "inputs": []},
            {"type": "filter_unique", "inputs": [0], "side_inputs": ["<C>", "<S2>"]},
            {"type": "relate_filter_count", "inputs": [1], "side_inputs": ["<R>", "<Z>", "<S>"]},
        ],
        "params": [
            {"type": "Size", "name": "<Z>"},
            {"type": "Color", "name": "<C>"},
            {"type": "Shape", "name": "<S>"},
            {"type": "Shape", "name": "<S2>"},
            {"type": "Relation", "name": "<R>"},
        ],
        "constraints": [{"type": "NULL", "params": ["<S2>"]}],
    }


def family(folder: Path, *records: dict[str, Any]) -> TemplateSet:
    (folder / "templates").mkdir(exist_ok=True)
    (folder / "templates" / "theirs.json").write_text(json.dumps(records))
    (folder / "metadata.json").write_text(json.dumps(METADATA))
    return load_family(folder / "templates", metadata=folder / "metadata.json", synonyms=None, dialect=DIALECT)


def test_a_template_of_the_family_loads_as_it_is(tmp_path: Path) -> None:
    loaded = family(tmp_path, record())
    (template,) = loaded.templates
    _, landmark, counted = template.nodes
    assert isinstance(landmark, Describe)
    assert isinstance(counted, Describe)
    assert (landmark.goal, landmark.slots) == ("unique", {"color": "<C>", "shape": "<S2>"})
    assert landmark.unnamed == {"size", "material", "shape"}
    assert (counted.goal, counted.relation, counted.unnamed) == ("count", "<R>", frozenset({"color", "material"}))
    assert (template.source, template.index, template.output.name) == ("theirs.json", 0, "Integer")
    assert loaded.dataset == "CLEVR-v1.0"


@pytest.mark.skipif(not OFFICIAL_TEMPLATES.is_dir(), reason=f"there is no {OFFICIAL_TEMPLATES}")
def test_clevrs_own_templates_load_unchanged_and_completely() -> None:
    templates = official_templates().templates
    by_family = {name: [one for one in templates if one.family == name] for name in FAMILIES}
    assert {name: (len(found), sum(len(one.texts) for one in found)) for name, found in by_family.items()} == {
        "compare_integer": (9, 21),
        "comparison": (16, 87),
        "one_hop": (6, 28),
        "same_relate": (28, 151),
        "single_and": (5, 25),
        "single_or": (8, 30),
        "three_hop": (6, 30),
        "two_hop": (6, 30),
        "zero_hop": (6, 23),
    }


def put(*path: str | int, to: Any) -> Callable[[dict[str, Any]], None]:
    def change(content: Any) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = to

    return change


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            put("text", 0, to="How <X>?"),
            "field 'text': the text 'How <X>?' has the hole <X>, which params does not bind",
        ),
        (put("text", to=[]), "field 'text': must have at least one text"),
        (
            put("nodes", 1, "side_inputs", to=["<Q>"]),
            "field 'nodes': node 1 (filter_unique) takes the hole <Q>, which params does not bind",
        ),
        (
            put("nodes", 1, "type", to="filter_uniqe"),
            "field 'nodes': node 1: there is no function 'filter_uniqe' (did you mean 'filter_unique'?)",
        ),
        (
            put("nodes", 1, "inputs", to=[2]),
            "field 'nodes': node 1 (filter_unique) takes a node that does not come before it",
        ),
        (put("nodes", 1, "inputs", to=[0, 0]), "field 'nodes': node 1 (filter_unique) must have one input"),
        (put("nodes", 0, to={"type": "count"}), "field 'nodes': node 0 does not fit count(ObjectSet) -> Integer"),
        (put("nodes", 0, to={"inputs": []}), "field 'nodes': node 0 names no function"),
        (put("params", 0, "type", to="Siz"), "field 'params': there is no type 'Siz' (did you mean 'Size'?)"),
        (
            put("params", 0, "type", to="Relation"),
            "field 'nodes': objects are not described by relation (there is: color, material, shape, size)",
        ),
        (
            put("constraints", 0, "type", to="NUL"),
            "field 'constraints': there is no constraint 'NUL' (did you mean 'NULL'?)",
        ),
        (put("constraints", 0, "params", to=["<Y>"]), "field 'constraints': no node takes the hole <Y>"),
        (put("constraints", 0, "params", to=["<R>"]), "field 'constraints': the hole <R> cannot stay empty"),
        (
            put("constraints", 0, to={"type": "OUT_NEQ", "params": [1, 7]}),
            "field 'constraints': there is no node 7",
        ),
        (
            put("constraints", 0, to={"type": "NEQ", "params": ["<S>", "<S2>"]}),
            "field 'constraints': NEQ compares holes of single values, not of descriptions",
        ),
    ],
)
def test_a_mistake_in_a_template_of_theirs_names_file_template_and_field(
    tmp_path: Path, change: Callable[[dict[str, Any]], None], sentence: str
) -> None:
    wrong = record()
    change(wrong)
    with pytest.raises(BadInput) as caught:
        family(tmp_path, record(), wrong)
    assert str(caught.value) == f"{tmp_path / 'templates' / 'theirs.json'}, template 1, {sentence}"


def test_a_field_of_another_type_is_named(tmp_path: Path) -> None:
    wrong = record()
    wrong["text"] = "How many?"
    with pytest.raises(BadInput, match=r"theirs\.json, field '\$\[0\]\.text': expected `array`, got `str`$"):
        family(tmp_path, wrong)


def test_files_that_are_not_there_are_named(tmp_path: Path) -> None:
    family(tmp_path, record())
    metadata = tmp_path / "metadata.json"
    with pytest.raises(BadInput, match=r"nowhere: there is no such folder$"):
        load_family(tmp_path / "nowhere", metadata=metadata, synonyms=None, dialect=DIALECT)
    with pytest.raises(BadInput, match=r"metadat: there is no such file$"):
        load_family(tmp_path / "templates", metadata=tmp_path / "metadat", synonyms=None, dialect=DIALECT)
    with pytest.raises(BadInput, match=r"synonyms: there is no such file$"):
        load_family(tmp_path / "templates", metadata=metadata, synonyms=tmp_path / "synonyms", dialect=DIALECT)


@given(st.text(alphabet="{}[]AB. otherhan", max_size=25))
def test_any_text_of_a_template_is_read_or_refused_in_one_sentence(text: str) -> None:
    said = complaint(lambda: parse_text(text))
    assert said is None or (said.startswith("field 'text': the text ") and said.endswith(" has a stray bracket"))
