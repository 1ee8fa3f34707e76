"""Any benchmark can be referred to: a zoo whose animals are described by their parts, which are pointed at, too."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from kit import CommandLine
from mereo.benchmarks.benchmark import Benchmark, Referring, all_benchmarks
from mereo.benchmarks.refer.describe import NUMBER, SIDE, VISIBLE, ReferringDescriber
from mereo.benchmarks.refer.false_premises import referring_options
from mereo.benchmarks.refer.ordinals import ordinal_function, ranked
from mereo.benchmarks.refer.speech import OrdinalSpeech
from mereo.chance import fast, generator
from mereo.datasets.build import Rows, build_dataset
from mereo.datasets.rows import append, new_columns
from mereo.datasets.store import QUESTION_FIELDS, SCENE_FIELDS, Shard, read_table
from mereo.masks import decode
from mereo.programs import OBJECT, OBJECT_SET, PART_SET, Function, Language, set_functions, value_type
from mereo.questions.describe import Describer, Description, Descriptions
from mereo.questions.generate import Asker
from mereo.questions.phrase import NounPhrases
from mereo.questions.rules import Rules
from mereo.questions.template_set import TemplateSet
from mereo.questions.toml_templates import load_templates
from mereo.world import Attribute, Entity, Vocabulary, World, along, make_world, members

PARTS = ("leg", "tail", "wing", "horn")
VOCABULARY = Vocabulary.of([Attribute("part", PARTS)], relations=("left", "right"))
TEMPLATES = """
[[template]]
name = "animals"
type = "animals"
text = ["The {A.plural}"]
program = "filter[{A}](scene())"

[[template]]
name = "parts"
type = "parts"
text = ["The {P.plural} of the {B} {R} the {A}"]
program = "filter_part[{P}](own_parts(unique(filter[{B}](relate[{R}](unique(filter[{A}](scene())))))))"
constraints = ["apart({B}, {P})"]
"""


def own_parts(world: World, animal: int) -> int:
    return world.parts[animal]


def filter_part(world: World, parts: int, part: str) -> int:
    return parts & world.having["part"][part]


def having(world: World, animals: int, part: str) -> int:
    return sum(1 << k for k in members(animals) if world.parts[k] & world.having["part"][part])


PART = value_type("Part", PARTS)
LANGUAGE = Language.of(
    "zoo",
    VOCABULARY,
    [
        *set_functions(value_type("Relation", VOCABULARY.relations)),
        ordinal_function(["first", "second", "third"], ["left"]),
        Function("having", (OBJECT_SET,), (PART,), OBJECT_SET, having, "the animals that have such a part"),
        Function("own_parts", (OBJECT,), (), PART_SET, own_parts, "the parts of the animal"),
        Function("filter_part", (PART_SET,), (PART,), PART_SET, filter_part, "the parts of this name"),
    ],
)


@dataclass(frozen=True)
class Keeper(Describer):
    """Describes animals by a part that they have."""

    def descriptions(self, world: World) -> Descriptions:
        key = Keeper
        if key not in world.memory:
            world.memory[key] = Seen(self, world)
        found: Descriptions = world.memory[key]
        return found

    def steps(self, description: Description) -> Iterator[tuple[str, tuple[Any, ...]]]:
        if description[0] is not None:
            yield "having", (description[0],)


class Seen(Descriptions):
    def __init__(self, describer: Describer, world: World):
        self.describer, self.world, self.tables = describer, world, {}

    def denoted(self, description: Description) -> int:
        part = description[0]
        return self.world.objects if part is None else having(self.world, self.world.objects, part)

    def grouped(self, unnamed: frozenset[str]) -> list[tuple[int, tuple[Description, ...]]]:
        groups: dict[int, list[Description]] = {}
        for word in (None, *PARTS):
            if word is None or "part" not in unnamed:
                groups.setdefault(self.denoted((word,)), []).append((word,))
        return [(bits, tuple(found)) for bits, found in groups.items() if bits]


def zoo(index: int) -> dict[str, Any]:
    rng = generator(3, "zoo", index)
    animals = [
        {"at": 10.0 * k, "parts": [str(part) for part in rng.choice(PARTS, int(rng.integers(1, 4)))]} for k in range(5)
    ]
    return {"objects": animals}


def world_of(record: Mapping[str, Any]) -> World:
    animals = record["objects"]
    entities = [
        Entity(f"animal {k}", numbers={"pixel": (one["at"], 5.0, 4.0), "picture": (50, 20)})
        for k, one in enumerate(animals)
    ]
    for k, one in enumerate(animals):
        entities += [Entity(f"{k}/{n}", "part", {"part": part}, f"animal {k}") for n, part in enumerate(one["parts"])]
    places = [[one["at"], 0.0, 0.0] for one in animals] + [[0.0, 0.0, 0.0]] * (len(entities) - len(animals))
    mask = (1 << len(animals)) - 1
    related = {
        name: [row & mask for row in along(places, (sign, 0.0, 0.0), margin=1.0)]
        for name, sign in (("left", -1.0), ("right", 1.0))
    }
    return make_world(entities, VOCABULARY, related=related)


def masks_of(row: Mapping[str, Any]) -> list[Any]:
    """Animals are columns of the picture, their parts rows of these."""
    animals = json.loads(row["scene"])["objects"]
    masks = [np.zeros((20, 50), bool) for _ in animals]
    for k, mask in enumerate(masks):
        mask[:, 10 * k : 10 * k + 8] = True
    for k, one in enumerate(animals):
        for n in range(len(one["parts"])):
            mask = np.zeros((20, 50), bool)
            mask[6 * n : 6 * n + 6, 10 * k : 10 * k + 8] = True
            masks.append(mask)
    return masks


@cache
def templates(folder: Path, *, false_premise: bool) -> TemplateSet:
    describer = ReferringDescriber(
        ("part", NUMBER, SIDE, VISIBLE),
        VOCABULARY,
        base=Keeper(("part",), VOCABULARY),
        numbers=("first", "second", "third"),
        sides=("left",),
        ranked=ranked,
        false_premise=false_premise,
        draw_up=referring_options,
    )
    found = load_templates(folder, language=LANGUAGE, describer=describer, refers=True)
    ways = {"left": {"first": ["first {one}"], "later": ["{nth} {one}"]}}
    return TemplateSet(found, OrdinalSpeech(phrases=NounPhrases(("part",), "", ("animal",)), ordinals=ways))


@pytest.fixture
def referring(tmp_path: Path) -> Referring:
    folder = tmp_path / "templates"
    folder.mkdir()
    (folder / "zoo.toml").write_text(TEMPLATES)

    def expressions(*, false_premise: bool) -> tuple[TemplateSet, Rules]:
        least, most = (0, 0) if false_premise else (1, 10)
        rules = Rules(trivial_share=0.0, dropped="derivation", balanced=False, fewest=least, most=most)
        return templates(folder, false_premise=false_premise), rules

    return Referring(LANGUAGE, expressions, lambda row: world_of(json.loads(row["scene"])), masks_of)


@dataclass(frozen=True)
class ZooRecipe:
    """Scenes that nobody asks about yet."""

    seed: int = 0
    benchmark: str = "zoo"
    piecemeal: bool = False
    question_fields: pa.Schema = QUESTION_FIELDS

    @property
    def scene_fields(self) -> pa.Schema:
        return SCENE_FIELDS

    def settings(self) -> dict[str, Any]:
        return {}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        name = f"{split}-{index}"
        return {"scene_id": name, "split": split, "index": index, "objects": 5, "scene": json.dumps(zoo(index))}

    def shard(self, shard: Shard, scenes: list[dict[str, Any]]) -> Rows:
        rows = Rows(new_columns(SCENE_FIELDS), new_columns(QUESTION_FIELDS))
        for row in scenes:
            append(rows.scenes, row)
        return rows


@pytest.fixture
def dataset(tmp_path: Path, referring: Referring, monkeypatch: pytest.MonkeyPatch) -> Path:
    zoos = Benchmark("zoo", "animals", (LANGUAGE,), referring=lambda: referring)
    monkeypatch.setitem(all_benchmarks().loaders, "zoo", lambda: zoos)
    build_dataset(ZooRecipe(), tmp_path / "zoo", splits={"val": 12}, shard_size=1000)
    return tmp_path / "zoo"


def test_parts_are_pointed_at_audited_and_judged(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    out = tmp_path / "refer"
    mereo("build", "refer", out, "--scenes-from", dataset)
    rows = read_table(out / "questions" / "val-00000.parquet").to_pylist()
    scenes = {row["scene_id"]: row for row in read_table(out / "scenes" / "val-00000.parquet").to_pylist()}
    assert {row["subtype"] for row in rows} == {"animals", "parts"}
    for row in rows:
        masks = masks_of(scenes[row["scene_id"]])
        world = world_of(json.loads(scenes[row["scene_id"]]["scene"]))
        if row["subtype"] == "parts":
            assert all(world.entities[k].kind == "part" for k in row["referred"][-1])
        meant = np.any([masks[k] for k in row["referred"][-1]], axis=0)
        assert np.array_equal(decode({"size": row["size"], "counts": row["masks"][-1]}), meant)
    assert "nothing is wrong" in mereo("audit", out).out
    mereo("point", out, tmp_path / "oracle.jsonl")
    assert "100.0" in mereo("evaluate", out, tmp_path / "oracle.jsonl").out
    assert "filter_part into" in mereo("figures", out, tmp_path / "oracle.jsonl", tmp_path / "figures").out


def test_false_premises_about_parts_refer_to_nothing(dataset: Path, tmp_path: Path, mereo: CommandLine) -> None:
    out = tmp_path / "false"
    mereo("build", "refer", out, "--scenes-from", dataset, "--preset", "false_premise")
    rows = read_table(out / "questions" / "val-00000.parquet").to_pylist()
    assert rows
    assert all(row["referred"][-1] == [] for row in rows)
    assert "nothing is wrong" in mereo("audit", out).out


def test_survivors_are_even_for_any_way_to_describe(referring: Referring) -> None:
    templates, rules = referring.expressions(false_premise=False)
    alone = tuple(template for template in templates.templates if template.name == "animals")
    asker = Asker(TemplateSet(alone, templates.speech), LANGUAGE, rules)
    world = world_of(zoo(4))
    possible = {having(world, world.objects, part).bit_count() for part in PARTS} - {0} | {1}
    found: Counter[int] = Counter()
    for seed in range(1500):
        (said,) = asker.ask(world, 1, chance=fast(generator(seed, "even")))
        found[said.answer.bit_count()] += 1
    assert set(found) == possible
    assert len(possible) > 2
    for number in possible:
        assert found[number] == pytest.approx(1500 / len(possible), rel=0.1)


def test_a_part_that_is_pointed_at_does_not_describe_its_animal(referring: Referring) -> None:
    templates, rules = referring.expressions(false_premise=False)
    asker = Asker(templates, LANGUAGE, rules)
    for index in range(40):
        for said in asker.ask(world_of(zoo(index)), 2, chance=fast(generator(index, "apart"))):
            if said.template.name == "parts":
                (part,) = said.program.steps[-1].values
                place = len(said.program.steps) - 3
                while said.program.steps[place].function != "relate":
                    assert part not in said.program.steps[place].values
                    place -= 1


def test_a_benchmark_that_cannot_be_referred_to_says_so(
    dataset: Path, tmp_path: Path, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch
) -> None:
    mute = Benchmark("zoo", "animals", (LANGUAGE,))
    monkeypatch.setitem(all_benchmarks().loaders, "zoo", lambda: mute)
    error = mereo("build", "refer", tmp_path / "refer", "--scenes-from", dataset, code=2).err
    assert "benchmark zoo has no referring expressions" in error
