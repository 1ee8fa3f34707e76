"""A program: a typed tree of functions, held as steps in the order in which they run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from mereo.programs.step import Step, format_step

__all__ = ["Program", "arranged", "needed"]


@dataclass(frozen=True)
class Program:
    """Steps of which each uses only earlier ones; the last one gives the answer."""

    steps: tuple[Step, ...]

    def __post_init__(self) -> None:
        if not self.steps:
            raise ValueError("a program has at least one step")
        for position, step in enumerate(self.steps):
            for i in step.inputs:
                if not 0 <= i < position:
                    raise ValueError(f"step {position} ({step.function}) takes a step that does not come before it")

    def __str__(self) -> str:
        """One line that `parse_program` reads back as the same tree."""
        steps = self.canonical().steps
        uses = [0] * len(steps)
        for step in steps:
            for i in step.inputs:
                uses[i] += 1
        names: dict[int, str] = {}
        texts: list[str] = []
        shared: list[str] = []
        for position, step in enumerate(steps):
            inputs = ", ".join(names.get(i, texts[i]) for i in step.inputs)
            texts.append(f"{format_step(step)}({inputs})")
            if uses[position] > 1:
                names[position] = f"${len(names) + 1}"
                shared.append(f"{names[position]} = {texts[position]}; ")
        return "".join(shared) + texts[-1]

    def __len__(self) -> int:
        return len(self.steps)

    def canonical(self) -> Program:
        """The same program with only the steps that its answer needs, each as late as its first use allows."""
        return arranged(self.steps, needed(self.steps, len(self.steps) - 1))

    def replaced(self, position: int, step: Step) -> Program:
        """The program with one step exchanged and whatever nothing needs any more left out."""
        return Program((*self.steps[:position], step, *self.steps[position + 1 :])).canonical()


class _Taking(Protocol):
    @property
    def inputs(self) -> tuple[int, ...]: ...


def needed(steps: Sequence[_Taking], answer: int) -> list[int]:
    """The steps that one of them needs, itself the last, each as late as its first use allows."""
    order: list[int] = []
    seen: set[int] = set()
    waiting = [answer]
    while waiting:
        position = waiting[-1]
        missing = [i for i in steps[position].inputs if i not in seen]
        if missing:
            waiting.append(missing[0])
            continue
        waiting.pop()
        if position not in seen:
            seen.add(position)
            order.append(position)
    return order


def arranged(steps: Sequence[Step], order: Sequence[int]) -> Program:
    """The program of some steps in this order."""
    place = {old: new for new, old in enumerate(order)}
    return Program(tuple(steps[p]._replace(inputs=tuple(place[i] for i in steps[p].inputs)) for p in order))
