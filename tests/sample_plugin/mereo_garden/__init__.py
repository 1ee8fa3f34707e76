"""A benchmark that lives in a package of its own: plants in beds, with a language and functions of their own."""

from collections.abc import Mapping
from typing import Any

from mereo.benchmarks.benchmark import Benchmark
from mereo.clevr_family.format import FamilyFormat
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.templates import Dialect, described
from mereo.programs import INTEGER, OBJECT_SET, Function, Language, attribute_functions, set_functions, value_type
from mereo.questions.describe import Describer
from mereo.world import Attribute, Vocabulary, World, members

PETALS = {"rose": 5, "lily": 6, "fern": 0}

VOCABULARY = Vocabulary.of(
    [Attribute("plant", tuple(PETALS)), Attribute("bloom", ("white", "pink"))], relations=["shaded_by"]
)


def count_petals(world: World, plants: int) -> int:
    """A function that no other language has."""
    return sum(PETALS[world.value["plant"][index]] for index in members(plants))


LANGUAGE = Language.of(
    "garden",
    VOCABULARY,
    [
        *set_functions(value_type("Shade", VOCABULARY.relations)),
        *(
            function
            for attribute in VOCABULARY.attributes.values()
            for function in attribute_functions(attribute, value_type(attribute.name.capitalize(), attribute.values))
        ),
        Function("count_petals", (OBJECT_SET,), (), INTEGER, count_petals, "how many petals the plants have together"),
    ],
    about="plants, what they bloom like, and who shades whom",
)

DIALECT = Dialect(
    language=LANGUAGE,
    describer=Describer(tuple(VOCABULARY.attributes), VOCABULARY),
    composites={"filter_count": described("count", related=False), "filter_petals": described("set", related=False)},
    constraints={},
    unnamed_word={"Plant": "plant"},
)


def _world(record: Mapping[str, Any]) -> World:
    return world_from_record(record, VOCABULARY)


BENCHMARK = Benchmark(
    name="garden",
    about="plants in beds",
    languages=(LANGUAGE,),
    formats=(FamilyFormat(LANGUAGE, DIALECT, _world, asked_by="Garden"),),
)
