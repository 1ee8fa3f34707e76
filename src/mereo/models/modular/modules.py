"""Which modules there are, and programs in their numbers. A module is a function of a language with its values."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import numpy as np
import torch
from torch import Tensor

from mereo.programs import Language, Program, Step, format_step, parse_program

__all__ = ["Module", "modules_of", "steps_of"]


class Module(NamedTuple):
    """One of them."""

    name: str
    """As a step is written: `filter_color[red]`."""
    inputs: int
    """How many steps it takes; one that takes none is given the scene."""


def modules_of(language: Language, tokens: Sequence[str]) -> tuple[Module, ...]:
    """All that programs of a language may use, if they are made of these tokens, in the order of the language's table.

    tokens : as a lexicon has them, names of functions, and values in brackets
    """
    known = set(tokens)
    values = [parse_program(f"value{token}()").steps[0].values[0] for token in tokens if token.startswith("[")]
    found = []
    for function in language.functions.values():
        if function.name in known:
            fitting = [[value for value in values if type.admits(value)] for type in function.values]
            names = (format_step(Step(function.name, (), own)) for own in product(*fitting))
            found += [Module(name, len(function.inputs)) for name in names]
    return tuple(found)


def steps_of(programs: Sequence[Program | None], modules: Sequence[Module]) -> Tensor:
    """(b, s, 1 + a) int64: programs as `models/modular/layout.py` runs them; no step at all where one is not known.

    A program with a module that is none of these is not known either.
    """
    number = {module.name: place for place, module in enumerate(modules)}
    most = max((len(program) for program in programs if program is not None), default=1)
    table = np.full((len(programs), most, 1 + max(1, *(module.inputs for module in modules))), -1, np.int64)
    for row, program in zip(table, programs, strict=True):
        names = [] if program is None else [number.get(format_step(step), -1) for step in program.steps]
        if program is not None and -1 not in names:
            row[: len(names), 0] = names
            for own, step in zip(row, program.steps, strict=False):
                own[1 : 1 + len(step.inputs)] = step.inputs
    return torch.from_numpy(table)
