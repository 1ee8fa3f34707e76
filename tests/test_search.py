"""The search finds an instance where there is one, only such as the rules allow, each as likely as it should be.

Judged by a search that tries everything: all descriptions, all relations, all words, over plain lists of objects. The
objects of ragged worlds lack some attributes and have several values of others.
"""

from __future__ import annotations

import math
import random
from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import product
from typing import Any, NamedTuple

import pytest

import naive
from kit import THOROUGH, scene
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.chance import generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.records import relation_rows, world_from_record
from mereo.clevr_family.strewing import Strewing, strewn_scene
from mereo.programs import Language, value_type
from mereo.programs.library import attribute_functions, integer_functions, set_functions
from mereo.questions.describe import Describer
from mereo.questions.plan import make_plan
from mereo.questions.rules import Rules, answers_of
from mereo.questions.search import find_instance
from mereo.questions.template import Again, Apply, Choose, Describe, Template
from mereo.questions.toml_templates import load_templates
from mereo.world import Attribute, Entity, Vocabulary, World, make_world

ATTRIBUTES = ("size", "material", "shape")
"""Few enough for a search that tries everything."""

ONE, OTHER = "unique(filter[{A}](scene()))", "unique(filter[{B}](scene()))"
PROGRAMS = {
    "zero": (f"query_size({ONE})", ["unnamed({A}, size)"]),
    "one": (f"query_size(unique(filter[{{B}}](relate[{{R}}]({ONE}))))", ["unnamed({B}, size)"]),
    "count": (f"count(filter[{{B}}](relate[{{R}}]({ONE})))", []),
    "two": (
        f"query_shape(unique(filter[{{C}}](relate[{{R2}}](unique(filter[{{B}}](relate[{{R}}]({ONE})))))))",
        ["unnamed({B}, size)", "unnamed({C}, shape)"],
    ),
    "word": (f"count(filter_color[{{V}}](filter[{{B}}](relate[{{R}}]({ONE}))))", ["unnamed({B}, size)"]),
    "words": (
        f"equal_integer(count(relate[{{R}}]({ONE})), count(relate[{{R2}}]({OTHER})))",
        ["differ({R}, {R2})", "unnamed({A}, size)", "unnamed({B}, shape)"],
    ),
    "and": (
        f"query_shape(unique(filter[{{C}}](intersect(relate[{{R}}]({ONE}), relate[{{R2}}]({OTHER})))))",
        ["differ({A}, {B})", "unnamed({A}, size)", "unnamed({B}, material)", "unnamed({C}, shape)"],
    ),
    "compared": (
        f"equal_material(query_material({ONE}), query_material(unique(filter[{{C}}](relate[{{R}}]({OTHER})))))",
        ["differ({A}, {C})", "unnamed({A}, material)", "unnamed({C}, material)", "unnamed({B}, size)"],
    ),
    "same": (f"query_shape(unique(filter[{{B}}](same_size({ONE}))))", ["unnamed({A}, size)", "unnamed({B}, shape)"]),
}
"""Every way in which nodes can depend on each other, by name: the program, and its constraints."""

FANCIFUL = {
    "exist": ("exist(filter[{A}](scene()))", []),
    "numbers": ("equal_integer(count(filter[{A}](scene())), count(filter[{B}](scene())))", []),
    "more": ("greater_than(count(filter[{A}](scene())), count(filter[{B}](scene())))", []),
    "or": ("count(union(filter[{A}](scene()), filter[{B}](scene())))", ["differ({A}, {B})"]),
}
"""Those in which a description may also be out of thin air."""

RAGGED_VOCABULARY = Vocabulary.of(
    [Attribute(name, known.values, multiple=name == "material") for name, known in VOCABULARY.attributes.items()],
    relations=VOCABULARY.relations,
)
RAGGED_LANGUAGE = Language.of(
    "ragged",
    RAGGED_VOCABULARY,
    [
        *set_functions(value_type("Relation", VOCABULARY.relations)),
        *integer_functions(),
        *(
            function
            for name, attribute in RAGGED_VOCABULARY.attributes.items()
            for function in attribute_functions(attribute, value_type(name.capitalize(), attribute.values))
        ),
    ],
)

RULES = {
    "ours": Rules(trivial_share=0.0, dropped="derivation"),
    "clevr": Rules(),
}


class Kind(NamedTuple):
    """One kind of worlds, and templates for them."""

    language: Language
    templates: dict[str, Template]

    def record(self, index: int, *, most: int = 5) -> naive.Scene:
        """A small scene."""
        record = strewn_scene(generator(11, "small", index), strewing=Strewing(fewest=2, most=most))
        return ragged(record, random.Random(index)) if self.language is RAGGED_LANGUAGE else record

    def world(self, record: naive.Scene) -> World:
        """The world of such a scene."""
        return ragged_world(record) if self.language is RAGGED_LANGUAGE else world_from_record(record, VOCABULARY)


def ragged(record: naive.Scene, chance: random.Random) -> naive.Scene:
    """The same scene in which objects lack some attributes, and are made of both materials or of none."""
    for thing in record["objects"]:
        for name in ("size", "shape", "color"):
            if chance.random() < 0.2:
                del thing[name]
        thing["material"] = [word for word in VOCABULARY.words("material") if chance.random() < 0.6]
    return record


def ragged_world(record: naive.Scene) -> World:
    names = VOCABULARY.attributes
    entities = [
        Entity(
            str(i), attributes={n: tuple(v) if isinstance(v, list) else v for n, v in thing.items() if n in names and v}
        )
        for i, thing in enumerate(record["objects"])
    ]
    tables = record["relationships"]
    related = {name: relation_rows(tables[name], name, len(entities)) for name in VOCABULARY.relations}
    return make_world(entities, RAGGED_VOCABULARY, related=related)


@pytest.fixture(scope="module")
def kinds(tmp_path_factory: pytest.TempPathFactory) -> dict[str, Kind]:
    folder = tmp_path_factory.mktemp("templates")
    for name, (program, constraints) in (PROGRAMS | FANCIFUL).items():
        holes = " ".join(
            sorted({f"{{{hole}}}" for hole in ("A", "B", "C", "R", "R2", "V") if f"{{{hole}}}" in program})
        )
        (folder / f"{name}.toml").write_text(
            f'[[template]]\nname = "{name}"\ntype = "any"\ntext = ["{holes}?"]\n'
            f'program = "{program}"\nconstraints = {constraints!r}\n'
        )

    def kind(language: Language) -> Kind:
        describer = Describer(ATTRIBUTES, language.vocabulary)
        templates = load_templates(folder, language=language, describer=describer)
        return Kind(language, {template.name: template for template in templates})

    return {"whole": kind(LANGUAGE), "ragged": kind(RAGGED_LANGUAGE)}


@pytest.fixture
def templates(kinds: dict[str, Kind]) -> dict[str, Template]:
    return kinds["whole"].templates


def small_scene(index: int) -> naive.Scene:
    return strewn_scene(generator(11, "small", index), strewing=Strewing(fewest=2, most=5))


# The search that tries everything


class Option(NamedTuple):
    pick: Any
    """None, a word, or (relation, description)."""
    value: Any
    described: list[int] | None = None
    """The set before anything was made of it."""
    weight: float = 1.0
    fanciful: bool = False


class Everything:
    """All instances of a template in a scene, found by trying all there is."""

    def __init__(self, template: Template, scene: naive.Scene, rules: Rules):
        self.template, self.scene, self.rules = template, scene, rules
        self.objects = list(range(len(scene["objects"])))
        every = product(*((None, *VOCABULARY.words(attribute)) for attribute in ATTRIBUTES))
        self.denoted = {description: self.fitting(description) for description in every}

    def answers(self, *, fanciful: bool) -> dict[tuple[Any, ...], Any]:
        """The answer of every instance, by its picks. fanciful : also with descriptions that fit nothing"""

        def walk(done: list[Option]) -> Iterator[list[Option]]:
            if len(done) == len(self.template.nodes):
                if self.needs_its_relations(done):
                    yield done
                return
            for option in self.options(len(done), done):
                if (fanciful or not option.fanciful) and self.told_apart([*done, option]):
                    yield from walk([*done, option])

        return {tuple(option.pick for option in done): done[-1].value for done in walk([])}

    def probabilities(self, welcome: Sequence[Any]) -> dict[tuple[Any, ...], float]:
        """How likely a search over shuffled options, depth first, is to end at each instance.

        The first option that leads to success is any of those that do, by weight.
        """

        def rest(done: list[Option]) -> dict[tuple[Any, ...], float]:
            if len(done) == len(self.template.nodes):
                return {(): 1.0} if done[-1].value in welcome and self.needs_its_relations(done) else {}
            ways = [
                (option, rest([*done, option]))
                for option in self.options(len(done), done)
                if not option.fanciful and self.told_apart([*done, option])
            ]
            total = sum(option.weight for option, further in ways if further)
            return {
                (option.pick, *picks): probability * option.weight / total
                for option, further in ways
                for picks, probability in further.items()
            }

        return rest([])

    def options(self, k: int, done: Sequence[Option]) -> Iterator[Option]:
        node = self.template.nodes[k]
        inputs = [done[i].value for i in node.inputs]
        if isinstance(node, Describe):
            yield from self.descriptions(node, inputs[0])
            return
        if isinstance(node, Again):
            words: list[Any] = [done[node.of].pick]
        else:
            words = [None] if isinstance(node, Apply) else list(node.type.values or ())
        for word in words:
            literals = list(node.values) if isinstance(node, Apply) else [word]
            value = self.applied(node.function, inputs, literals)
            if value is not None:
                yield Option(word, value)

    def applied(self, function: str, inputs: list[Any], literals: list[Any]) -> Any:
        try:
            return naive.run_step(function, inputs, literals, self.scene)
        except naive.NoValue:
            return None

    def descriptions(self, node: Describe, given: Any) -> Iterator[Option]:
        found = []
        for relation in VOCABULARY.relations if node.relation else [None]:
            scope = self.scene["relationships"][relation][given] if relation else given
            for description, denoted in self.denoted.items():
                subset = [i for i in denoted if i in scope]
                if self.usable(node, description, denoted, subset):
                    trivial = relation is not None and subset == denoted
                    found.append((relation, description, subset, trivial, not denoted))
        idle = sum(trivial for _, _, _, trivial, _ in found)
        share = self.rules.trivial_share
        weight = min(1.0, round((len(found) - idle) * share / (1 - share)) / idle) if idle else 0.0
        for relation, description, subset, trivial, fanciful in found:
            named = [attribute for attribute, value in zip(ATTRIBUTES, description, strict=True) if value]
            if node.unnamed.isdisjoint(named) and (weight or not trivial):
                value = self.made(node.goal, subset)
                yield Option((relation, description), value, subset, weight if trivial else 1.0, fanciful)

    def fitting(self, description: tuple[str | None, ...]) -> list[int]:
        pairs = [(name, value) for name, value in zip(ATTRIBUTES, description, strict=True) if value]
        things = self.scene["objects"]
        return [i for i in self.objects if all(value in naive.values_of(things[i], name) for name, value in pairs)]

    def usable(self, node: Describe, description: Any, denoted: list[int], subset: list[int]) -> bool:
        if node.named and not any(description):
            return False
        if not denoted and (node.relation is not None or node.goal == "unique"):
            return False
        return len(subset) == 1 if node.goal == "unique" else bool(subset) or node.goal != "set" or not node.relation

    def made(self, goal: str, subset: list[int]) -> Any:
        if goal == "unique":
            return subset[0]
        return {"set": subset, "count": len(subset), "exist": bool(subset)}[goal]

    def told_apart(self, done: Sequence[Option]) -> bool:
        last = len(done) - 1
        for differ in self.template.differ:
            if max(differ.one, differ.other) == last:
                one, other = done[differ.one], done[differ.other]
                if differ.of == "value" and one.value == other.value:
                    return False
                if differ.of == "word" and one.pick == other.pick:
                    return False
                if differ.of == "set" and one.described and one.described == other.described:
                    return False
        return True

    def needs_its_relations(self, done: Sequence[Option]) -> bool:
        """No relation is idle, unless it leads to a description at once, or the rules are the official ones."""
        nodes = list(enumerate(self.template.nodes))
        relations = [k for k, node in nodes if isinstance(node, Choose) and node.function == "relate"]
        if self.rules.dropped == "derivation":
            relations += [k for k, node in nodes if isinstance(node, Describe) and node.relation and node.goal == "set"]
        return not any(self.idle(k, done) for k in relations)

    def idle(self, relation: int, done: Sequence[Option]) -> bool:
        """Whether the question comes to the same with the whole scene in place of a relation's result."""
        values = [option.value for option in done]
        described = isinstance(self.template.nodes[relation], Describe)
        values[relation] = self.denoted[done[relation].pick[1]] if described else self.objects
        for k in range(relation + 1, len(values)):
            node = self.template.nodes[k]
            if relation not in self.sources(k):
                continue
            inputs = [values[i] for i in node.inputs]
            if isinstance(node, Describe):
                subset = [i for i in self.denoted[done[k].pick[1]] if i in inputs[0]]
                if self.rules.dropped == "derivation" and node.goal != "set":
                    return subset == done[k].described
                if node.goal == "unique" and len(subset) != 1:
                    return False
                values[k] = self.made(node.goal, subset)
                continue
            if self.rules.dropped == "derivation" and node.function in ("unique", "count", "exist"):
                return bool(inputs[0] == done[node.inputs[0]].value)
            values[k] = self.applied(node.function, inputs, self.literals(node, done[k]))
            if values[k] is None:
                return False
        return bool(values[-1] == done[-1].value)

    def literals(self, node: Apply | Again | Choose, option: Option) -> list[Any]:
        return list(node.values) if isinstance(node, Apply) else [option.pick]

    def sources(self, k: int) -> set[int]:
        inputs = self.template.nodes[k].inputs
        return set(inputs).union(*(self.sources(i) for i in inputs))


# What is claimed


def welcomes(template: Template, rules: Rules) -> Iterator[tuple[Any, ...]]:
    """All answers, and each by itself: a search for a rare answer must come through all dead ends."""
    answers = answers_of(template.output, rules)
    yield answers
    yield from ((answer,) for answer in answers)


RAGGED = [name for name in PROGRAMS if name != "compared"]
"""What is compared is the material, of which objects of ragged worlds have several."""


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize(
    ("kind", "name"), [*(("whole", name) for name in PROGRAMS), *(("ragged", name) for name in RAGGED)]
)
def test_an_instance_is_found_exactly_where_there_is_one(
    kinds: dict[str, Kind], kind: str, name: str, rules: str
) -> None:
    worlds, chosen = kinds[kind], RULES[rules]
    template = worlds.templates[name]
    plan = make_plan(template, worlds.language, chosen)
    seen: Counter[bool] = Counter()
    for index in range(8):
        record = worlds.record(index)
        answers = Everything(template, record, chosen).answers(fanciful=False)
        for number, welcome in enumerate(welcomes(template, chosen)):
            possible = {picks for picks, answer in answers.items() if answer in welcome}
            for attempt in range(3):
                world = worlds.world(record)
                chance = random.Random(3 * number + attempt)
                found = find_instance(plan, world, welcome=set(welcome), chance=chance)
                assert (found is not None) == bool(possible), (index, welcome)
                if found is not None:
                    assert found.picks in possible
                    assert found.answer == answers[found.picks]
                seen[found is not None] += 1
    assert min(seen[True], seen[False]) >= 3


@pytest.mark.parametrize("rules", RULES)
@pytest.mark.parametrize("kind", ["whole", "ragged"])
@pytest.mark.parametrize("name", FANCIFUL)
def test_with_descriptions_out_of_thin_air_what_is_found_is_allowed_and_what_fits_is_found(
    kinds: dict[str, Kind], kind: str, name: str, rules: str
) -> None:
    worlds, chosen = kinds[kind], RULES[rules]
    template = worlds.templates[name]
    plan = make_plan(template, worlds.language, chosen)
    out_of_thin_air = 0
    for index in range(6):
        record = worlds.record(index, most=4)
        everything = Everything(template, record, chosen)
        allowed, solid = everything.answers(fanciful=True), everything.answers(fanciful=False)
        for number, welcome in enumerate(welcomes(template, chosen)):
            needed = any(answer in welcome for answer in solid.values())
            for attempt in range(5):
                world = worlds.world(record)
                found = find_instance(plan, world, welcome=set(welcome), chance=random.Random(5 * number + attempt))
                if found is None:
                    assert not needed, (index, welcome)
                else:
                    assert allowed[found.picks] == found.answer
                    assert found.answer in welcome
                    out_of_thin_air += found.picks not in solid
    assert out_of_thin_air > 5


LIKELY = [
    *(("whole", name, "ours") for name in PROGRAMS),
    *(("whole", name, "clevr") for name in ("one", "count", "word", "compared")),
    *(("ragged", name, "ours") for name in ("one", "count", "same")),
    ("ragged", "word", "clevr"),
]


@pytest.mark.parametrize(("kind", "name", "rules"), LIKELY)
def test_each_instance_is_as_likely_as_in_a_search_over_shuffled_options(
    kinds: dict[str, Kind], kind: str, name: str, rules: str
) -> None:
    worlds, chosen = kinds[kind], RULES[rules]
    template = worlds.templates[name]
    plan = make_plan(template, worlds.language, chosen)
    # Not all answers are welcome, so that there are dead ends that must not shift the odds.
    welcome = answers_of(template.output, chosen)[1:]
    for index in range(100):
        record = worlds.record(index)
        expected = Everything(template, record, chosen).probabilities(welcome)
        if len(expected) > 5:
            break
    world, chance, samples = worlds.world(record), random.Random(7), 10_000 if THOROUGH else 4_000
    counts: Counter[Any] = Counter()
    for _ in range(samples):
        found = find_instance(plan, world, welcome=set(welcome), chance=chance)
        assert found is not None
        counts[found.picks] += 1
    assert set(counts) <= set(expected)
    statistic, freedom = chi_square(counts, {picks: samples * p for picks, p in expected.items()})
    assert statistic < quantile(freedom), f"{statistic:.0f} with {freedom} degrees of freedom"


def chi_square(counts: Counter[Any], expected: dict[Any, float]) -> tuple[float, int]:
    """Pearson's statistic and its degrees of freedom; what is expected fewer than 8 times is taken together."""
    bins = [(counts[key], amount) for key, amount in expected.items() if amount >= 8]
    rare = [(counts[key], amount) for key, amount in expected.items() if amount < 8]
    if sum(amount for _, amount in rare) >= 8:
        bins.append((sum(count for count, _ in rare), sum(amount for _, amount in rare)))
    return sum((count - amount) ** 2 / amount for count, amount in bins), max(len(bins) - 1, 1)


def quantile(freedom: int) -> float:
    """What chi-square exceeds once in thirty thousand times (Wilson and Hilferty's approximation, 4 deviations)."""
    spread = 2 / (9 * freedom)
    return freedom * (1 - spread + 4 * math.sqrt(spread)) ** 3


def test_a_world_without_an_instance_says_which_rule_stood_in_the_way(templates: dict[str, Template]) -> None:
    record = scene(0)
    for thing in record["objects"]:
        thing.update(size="small", shape="cube")
    plan = make_plan(templates["zero"], LANGUAGE, RULES["ours"])
    blame: Counter[str] = Counter()
    world = world_from_record(record, VOCABULARY)
    answers = set(VOCABULARY.words("size"))
    assert find_instance(plan, world, welcome=answers, chance=random.Random(1), blame=blame) is None
    assert blame == {"nothing fits {A} (unique)": 1}


def test_the_same_chance_finds_the_same_instance(templates: dict[str, Template]) -> None:
    plan = make_plan(templates["two"], LANGUAGE, RULES["ours"])
    shapes = set(VOCABULARY.words("shape"))

    def picks(seed: int) -> list[Any]:
        chance = random.Random(seed)
        worlds = [world_from_record(small_scene(index), VOCABULARY) for index in range(10)]
        return [find_instance(plan, world, welcome=shapes, chance=chance) for world in worlds]

    assert [found and found.picks for found in picks(1)] == [found and found.picks for found in picks(1)]
    assert [found and found.picks for found in picks(1)] != [found and found.picks for found in picks(2)]
