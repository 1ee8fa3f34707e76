"""How a batch of programs is run at once: what stands at the same depth, and is of the same module, runs together.

Networks that hold the weights of all modules in one stack run even more together: all that takes as many inputs.

Programs are tables (b, s, 1 + a) int64: for each of at most s steps the number of its module, -1 where there is no
step, and the places of the at most a steps that it takes, -1 where it takes fewer. The last step is what is wanted.
Where modules are told words besides, these are a table (b, s, v) int64. Programs about one scene begin alike, so equal
steps of one scene are run once.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, islice
from typing import NamedTuple

import torch
from torch import Tensor

__all__ = ["Group", "Layout", "Level", "Rank", "Steps", "cut", "execute", "execute_together", "lay_out"]


class Group(NamedTuple):
    """n steps of one module that run together."""

    module: int
    scene: Tensor
    """(n,) int64: which scene each is about."""
    words: Tensor
    """(n, v) int64: what each is told."""


class Steps(NamedTuple):
    """n steps of several modules that run together, as all take as many inputs."""

    modules: Tensor
    """(n,) int64: which each is of. Those of one stand together."""
    scene: Tensor
    words: Tensor
    groups: tuple[tuple[int, int], ...]
    """As of their `Rank`."""


Run = Callable[[Group, Sequence[Tensor]], Tensor]
"""run(some steps, what they take): (n, ...) for n of them. Who takes nothing is given the scene."""
RunTogether = Callable[[Steps, Sequence[Tensor]], Tensor]


class _Step(NamedTuple):
    """What makes a step the same as another."""

    scene: int
    module: int
    inputs: tuple[int, ...]
    words: tuple[int, ...]


class Rank(NamedTuple):
    """Steps of one level that take as many inputs; those of one module stand together."""

    takes: int
    """How many inputs; one where they take the scene."""
    groups: tuple[tuple[int, int], ...]
    """Modules, and how many steps are of each."""

    @property
    def size(self) -> int:
        """How many steps."""
        return sum(many for _, many in self.groups)


class Level(NamedTuple):
    """Steps of one depth."""

    pool: tuple[int, ...]
    """The levels whose values they take; nothing where they take the scene."""
    ranks: tuple[Rank, ...]
    """Those that take fewer come first."""

    @property
    def cuts(self) -> list[int]:
        """How many steps have each input, rank by rank and input by input."""
        return [rank.size for rank in self.ranks for _ in range(rank.takes)]


class Layout(NamedTuple):
    """How a batch is run."""

    levels: tuple[Level, ...]
    places: Tensor
    """(any,) int64: where inputs stand in the pool of their level, level by level and in there as it is cut."""
    ends: Tensor
    """(b,) int64: the place of each program's last step among all steps that are run, level by level."""
    steps: Tensor
    """(b, s) int64: the same of every step, -1 where there is none."""
    modules: Tensor
    """(any,) int64: the module of each step that is run, level by level."""
    scenes: Tensor
    """(any,) int64: the scene of each of them."""
    words: Tensor
    """(any, v) int64: what each of them is told."""


def lay_out(programs: Tensor, scene_of: Tensor | None = None, words: Tensor | None = None) -> Layout:
    """The layout of a batch, on its device. This waits for the device once.

    programs : (b, s, 1 + a) · scene_of : (b,), each of its own where it is None · words : (b, s, v), if there are any
    """
    told = programs[..., :0] if words is None else words
    width, table = programs.shape[-1], torch.cat([programs, told], -1).tolist()
    scenes = range(len(table)) if scene_of is None else scene_of.tolist()
    known: dict[_Step, int] = {}
    keys: list[_Step] = []
    depths: list[int] = []
    steps = [[-1] * programs.shape[1] for _ in table]
    for own, program, scene in zip(steps, table, scenes, strict=True):
        for place, step in enumerate(program):
            if step[0] < 0:
                break
            inputs = tuple(own[one] for one in step[1:width] if one >= 0)
            key = _Step(scene, step[0], inputs, tuple(step[width:]))
            number = known.get(key)
            if number is None:
                number = known[key] = len(keys)
                keys.append(key)
                depths.append(1 + max((depths[one] for one in inputs), default=-1))
            own[place] = number
    return _arranged(keys, depths, steps, told)


def _arranged(keys: Sequence[_Step], depths: Sequence[int], steps: Sequence[Sequence[int]], told: Tensor) -> Layout:
    """keys : every step that is run · told : (b, s, v), for its width and its device"""
    members: list[list[int]] = [[] for _ in range(1 + max(depths, default=-1))]
    for number, depth in enumerate(depths):
        members[depth].append(number)
    place, total = [-1] * (len(keys) + 1), 0  # the last one for what is not there
    where = [0] * len(keys)
    levels, places = [], list[int]()
    for own in members:
        own.sort(key=lambda number: (len(keys[number].inputs), keys[number].module))
        pool = tuple(sorted({depths[one] for number in own for one in keys[number].inputs}))
        begins = dict(zip(pool, _before([len(members[one]) for one in pool]), strict=True))
        ranks = []
        for takes, some in groupby((keys[number] for number in own), lambda key: len(key.inputs)):
            alike = list(some)
            for argument in range(takes):
                inputs = (key.inputs[argument] for key in alike)
                places += [begins[depths[one]] + where[one] for one in inputs]
            if not takes:
                places += [key.scene for key in alike]
            ranks.append(Rank(max(1, takes), tuple(Counter(key.module for key in alike).items())))
        levels.append(Level(pool, tuple(ranks)))
        for at, number in enumerate(own):
            where[number], place[number] = at, total + at
        total += len(own)
    table = torch.tensor([[place[number] for number in own] for own in steps], dtype=torch.int64)
    ends = table.gather(1, (table >= 0).sum(1, keepdim=True).sub(1).clamp(min=0))[:, 0]
    ran = [keys[number] for own in members for number in own]
    words = torch.tensor([step.words for step in ran]).view(len(ran), told.shape[-1])
    modules, scenes = torch.tensor([step.module for step in ran]), torch.tensor([step.scene for step in ran])
    tables = (torch.tensor(places), ends, table, modules, scenes, words)
    return Layout(tuple(levels), *(one.to(told.device, torch.int64) for one in tables))


def _before(counts: Sequence[int]) -> list[int]:
    return [sum(counts[:place]) for place in range(len(counts))]


def cut(sizes: Sequence[int], *tensors: Tensor) -> Iterator[tuple[Tensor, ...]]:
    """Pieces of tensors, from each one of these sizes after the other.

    All are cut at once, since the gradient of every single slice would be as large as the whole.
    """
    return zip(*(one.split(list(sizes)) for one in tensors), strict=True)


def execute(run: Run, layout: Layout, start: Tensor) -> list[Tensor]:
    """The values of all steps, level by level. start : (g, ...), what is known of each scene"""

    def apart(steps: Steps, inputs: Sequence[Tensor]) -> Tensor:
        pieces = cut([many for _, many in steps.groups], steps.scene, steps.words, *inputs)
        each = zip(steps.groups, pieces, strict=True)
        return _joined([run(Group(module, scene, words), own) for (module, _), (scene, words, *own) in each])

    return execute_together(apart, layout, start)


def execute_together(run: RunTogether, layout: Layout, start: Tensor) -> list[Tensor]:
    """As `execute`, with steps of different modules run together where they take as many inputs."""
    values: list[Tensor] = []
    sizes = [rank.size for level in layout.levels for rank in level.ranks]
    told = cut(sizes, layout.modules, layout.scenes, layout.words)
    places = layout.places.split([sum(level.cuts) for level in layout.levels])
    for level, taken in zip(layout.levels, places, strict=True):
        source = _joined([values[one] for one in level.pool] or [start])
        inputs = iter(source.index_select(0, taken).split(level.cuts))
        found = []
        for rank in level.ranks:
            modules, scene, words = next(told)
            found.append(run(Steps(modules, scene, words, rank.groups), list(islice(inputs, rank.takes))))
        values.append(_joined(found))
    return values


def _joined(values: Sequence[Tensor]) -> Tensor:
    return values[0] if len(values) == 1 else torch.cat(list(values))
