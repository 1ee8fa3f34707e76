"""How a batch of programs is run at once: what stands at the same depth, and is of the same module, runs together.

Programs are tables (b, s, 1 + a) int64: for each of at most s steps the number of its module, -1 where there is no
step, and the places of the at most a steps that it takes, -1 where it takes fewer. The last step is what is wanted.
Where modules are told words besides, these are a table (b, s, v) int64. Programs about one scene begin alike, so equal
steps of one scene are run once.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

import torch
from torch import Tensor

__all__ = ["Group", "Layout", "Level", "execute", "lay_out"]


class Group(NamedTuple):
    """n steps that run together."""

    module: int
    scene: Tensor
    """(n,) int64: which scene each is about."""
    words: Tensor
    """(n, v) int64: what each is told."""


Run = Callable[[Group, Sequence[Tensor]], Tensor]
"""run(some steps, what they take): (n, ...) for n of them. Who takes nothing is given the scene."""


class _Step(NamedTuple):
    """What makes a step the same as another."""

    scene: int
    module: int
    inputs: tuple[int, ...]
    words: tuple[int, ...]


class Level(NamedTuple):
    """Steps of one depth: those that take fewer come first, and those of one module stand together."""

    pool: tuple[int, ...]
    """The levels whose values they take; nothing where they take the scene."""
    taken: tuple[tuple[int, int], ...]
    """By input from where to where the places in that pool stand in `Layout.places`; the last steps have them all."""
    groups: tuple[tuple[int, int, int], ...]
    """Module, how many steps, how many inputs."""


class Layout(NamedTuple):
    """How a batch is run."""

    levels: tuple[Level, ...]
    places: Tensor
    """(any,) int64: where in the pool of its level the inputs of each step stand, level by level."""
    ends: Tensor
    """(b,) int64: the place of each program's last step among all steps that are run, level by level."""
    steps: Tensor
    """(b, s) int64: the same of every step, -1 where there is none."""
    scenes: Tensor
    """(any,) int64: the scene of each step that is run, level by level."""
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
        inputs = [keys[number].inputs for number in own]
        pool = tuple(sorted({depths[one] for some in inputs for one in some}))
        begins = dict(zip(pool, _before([len(members[one]) for one in pool]), strict=True))
        taken = []
        for argument in range(max(1, *map(len, inputs))):
            first = len(places)
            if pool:
                some = (one[argument] for one in inputs if len(one) > argument)
                places += [begins[depths[one]] + where[one] for one in some]
            else:
                places += [keys[number].scene for number in own]
            taken.append((first, len(places)))
        levels.append(Level(pool, tuple(taken), _groups([keys[number] for number in own])))
        for at, number in enumerate(own):
            where[number], place[number] = at, total + at
        total += len(own)
    table = torch.tensor([[place[number] for number in own] for own in steps], dtype=torch.int64)
    ends = table.gather(1, (table >= 0).sum(1, keepdim=True).sub(1).clamp(min=0))[:, 0]
    ran = [keys[number] for own in members for number in own]
    scenes, words = torch.tensor([step.scene for step in ran]), torch.tensor([step.words for step in ran])
    tables = (torch.tensor(places), ends, table, scenes, words.view(len(ran), told.shape[-1]))
    return Layout(tuple(levels), *(one.to(told.device, torch.int64) for one in tables))


def _before(counts: Sequence[int]) -> list[int]:
    return [sum(counts[:place]) for place in range(len(counts))]


def _groups(keys: Sequence[_Step]) -> tuple[tuple[int, int, int], ...]:
    found: dict[tuple[int, int], int] = {}
    for key in keys:
        found[len(key.inputs), key.module] = found.get((len(key.inputs), key.module), 0) + 1
    return tuple((module, count, inputs) for (inputs, module), count in found.items())


def execute(run: Run, layout: Layout, start: Tensor) -> list[Tensor]:
    """The values of all steps, level by level. start : (g, ...), what is known of each scene"""
    values: list[Tensor] = []
    begin = 0
    for level in layout.levels:
        pool = [values[one] for one in level.pool] or [start]
        source = pool[0] if len(pool) == 1 else torch.cat(pool)
        inputs = [source.index_select(0, layout.places[first:end]) for first, end in level.taken]
        count, done, found = len(inputs[0]), 0, []
        for module, many, takes in level.groups:
            # Whoever takes more stands at the end, so an input that not all have is counted from there.
            own = [one[done - (count - len(one)) :][:many] for one in inputs[: max(1, takes)]]
            ran = slice(begin + done, begin + done + many)
            found.append(run(Group(module, layout.scenes[ran], layout.words[ran]), own))
            done += many
        begin += count
        values.append(found[0] if len(found) == 1 else torch.cat(found))
    return values
