"""A program: a typed tree of functions, held as steps in the order in which they run."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

__all__ = ["Program", "Step"]


class Step(NamedTuple):
    """One function, applied to earlier steps and to literal values."""

    function: str
    inputs: tuple[int, ...] = ()
    values: tuple[Any, ...] = ()


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
        from mereo.programs.notation import format_program

        return format_program(self)

    def __len__(self) -> int:
        return len(self.steps)

    def canonical(self) -> Program:
        """The same program with only the steps that its answer needs, each as late as its first use allows."""
        order: list[int] = []
        place: dict[int, int] = {}
        waiting = [len(self.steps) - 1]
        while waiting:
            position = waiting[-1]
            missing = [i for i in self.steps[position].inputs if i not in place]
            if missing:
                waiting.append(missing[0])
                continue
            waiting.pop()
            if position not in place:
                place[position] = len(order)
                order.append(position)
        return Program(_moved(self.steps, order, place))

    def replaced(self, position: int, step: Step) -> Program:
        """The program with one step exchanged and whatever nothing needs any more left out."""
        return Program((*self.steps[:position], step, *self.steps[position + 1 :])).canonical()


def _moved(steps: Sequence[Step], order: Iterable[int], place: dict[int, int]) -> tuple[Step, ...]:
    return tuple(steps[p]._replace(inputs=tuple(place[i] for i in steps[p].inputs)) for p in order)
