"""Scene graphs by chance over the embedded vocabulary, and plain questions about them, where tests need many."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import msgspec
import pyarrow as pa

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, graph_world
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import BLANK, Lore, Query, lore_of_base
from mereo.benchmarks.cric.question import CricQuestion, Described, SubGraph, Used, WrongPart
from mereo.benchmarks.cric.recipe import CricRecipe
from mereo.chance import fast, generator
from mereo.datasets.store import SCENE_FIELDS
from mereo.knowledge import embedded_base
from mereo.programs import compile_program
from mereo.world import World

COLORS = ("red", "blue", "white", "brown", "black", "green")
SHARES = (8, 4, 4, 2, 1, 1)
"""How frequent they are: pictures have many things of one color and few of another."""


@cache
def embedded_lore() -> Lore:
    """What the base that comes with mereo tells."""
    return lore_of_base(embedded_base())


@cache
def _names() -> tuple[str, ...]:
    return tuple(sorted(embedded_base().vocabulary.entities))


def strewn_graph(chance: random.Random, image_id: str = "1") -> SceneGraph:
    """Some things in a row, of which the first names come most often."""
    names = _names()
    chosen = [names[int(len(names) * chance.random() ** 2)] for _ in range(chance.randint(6, 12))]
    things = tuple(
        Thing(str(k), name, (30 * k, 40, 25, 30), {"color": tuple(chance.choices(COLORS, SHARES))})
        for k, name in enumerate(chosen)
    )
    beside = tuple(Stated(str(k), "left of", str(k + 1)) for k in range(len(things) - 1))
    return SceneGraph(image_id, 480, 320, things, beside, image_filename=f"{image_id}.png")


class Plain:
    """Asks plainly: by one item of knowledge that only one thing of the picture fills."""

    def __init__(self, lore: Lore):
        self.lore = lore

    def ask(self, graph: SceneGraph, count: int, *, chance: random.Random) -> list[CricQuestion]:
        """So many questions, or fewer where there are not as many."""
        world, doubtful = (graph_world(graph, self.lore, doubtful=doubt) for doubt in (False, True))
        every = list(self._every(graph, world, doubtful, chance))
        return chance.sample(every, min(count, len(every)))

    def _every(self, graph: SceneGraph, world: World, doubtful: World, chance: random.Random) -> Iterator[CricQuestion]:
        facts = list(self.lore.facts)
        of_things = [self.lore.queries_of(thing.name) for thing in graph.things]
        known = [chance.choice(own) for own in of_things if own for _ in range(3)]
        for query in dict.fromkeys([*known, *chance.sample(facts, 4)]):
            found = f"{_found(query)}(initial())"
            sure, perhaps = (compile_program(found, LANGUAGE)(one).values[-1] for one in (world, doubtful))
            words = f"{query.relation} {' '.join(query[::2])}"
            if not perhaps:
                nothing = WrongPart("knowledge", words, step=1)
                yield _question(f"Is there anything for {words}?", "VerifyKG", f"verify({found})", world, wrong=nothing)
            if sure != perhaps or sure.bit_count() != 1:
                continue
            thing, definite = graph.things[sure.bit_length() - 1], (1,)
            color, other = thing.attributes["color"][0], chance.choice(COLORS)
            head, relation, tail = (part.replace(BLANK, thing.name) for part in query)
            used = SubGraph(knowledge=(Used(head, relation, tail, 1),))
            seen = msgspec.structs.replace(used, attributes=(Described(thing.id, color),))
            wrong = WrongPart("attribute", other, color, step=2) if other != color else None
            for text, type, program, own, part in (
                (f"Is there one thing for {words}?", "VerifyKG", f"verify({found})", used, None),
                (f"What is for {words}?", "QueryObjKG", f"recognition[object]({found})", used, None),
                (f"What color is what is for {words}?", "QueryAtt", f"recognition[color]({found})", seen, None),
                (f"Is what is for {words} {other}?", "VerifyAtt", f"verify(find[{other}]({found}))", seen, wrong),
            ):
                yield _question(text, type, program, world, definite, own, part)


def _found(query: Query) -> str:
    function = "find_kg_reverse" if query.reverse else "find_kg"
    return f"{function}[{', '.join(query)}]"


def _question(
    text: str,
    type: str,
    program: str,
    world: World,
    definite: tuple[int, ...] = (),
    used: SubGraph = SubGraph(),  # noqa: B008
    wrong: WrongPart | None = None,
) -> CricQuestion:
    trace = compile_program(program, LANGUAGE)(world)
    target = 0 if wrong else trace.values[-2]
    return CricQuestion(text, type, type, trace, target, definite, used, (), wrong)


@dataclass(frozen=True)
class Strewn:
    """Scenes as a build wants them, without pictures."""

    seed: int
    piecemeal: bool = False
    fields: pa.Schema = SCENE_FIELDS
    told: tuple[str, ...] = ()

    @property
    def names(self) -> Sequence[str]:
        """The embedded vocabulary."""
        return _names()

    def settings(self) -> dict[str, Any]:
        """Without pictures."""
        return {"pictures": False}

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """A row from its number alone."""
        graph = strewn_graph(fast(generator(self.seed, split, index)), f"{split}-{index:06d}")
        return {
            "scene_id": graph.image_id,
            "split": split,
            "index": index,
            "objects": len(graph.things),
            "scene": msgspec.json.encode({"graph": graph}).decode(),
        }


class PlainRecipe(CricRecipe):
    """A recipe that asks plainly."""

    def asker(self, lore: Lore) -> Plain:
        """Who asks."""
        return Plain(lore)
