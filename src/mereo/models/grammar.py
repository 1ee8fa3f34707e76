"""Programs as sequences of tokens, and which token may follow which.

A program is written in prefix order: a function's name, its values as `[value]`, then its inputs, depth first. What
several steps use is written out as often as it is used. A sequence is read from left to right with a stack of places
that are still to be filled, and where a place is an argument of a function, its type says what may stand there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.errors import BadInput
from mereo.programs import Language, Program, Step, Type, format_step, parse_program

__all__ = ["BEGIN", "END", "PAD", "Grammar", "Reading", "program_of", "tokens_of"]

PAD, BEGIN, END = 0, 1, 2
"""The tokens of any list that are no part of a program: filling, its begin and its end."""
_LONGEST = 10_000
"""Tokens of a program, at most: each use of a shared step may double them."""
_WHOLE, _DONE = 0, 1
"""The places that belong to no function: for a whole program, and for what follows one."""
_NEVER = 1 << 20
"""What a place needs that nothing can fill."""


def tokens_of(program: Program | str) -> list[str]:
    """A program, or a line of notation, in prefix order."""
    steps = (parse_program(program) if isinstance(program, str) else program).steps
    written: list[list[str]] = []
    for step in steps:
        tokens = [step.function, *(_value_token(value) for value in step.values)]
        for i in step.inputs:
            tokens += written[i]
            if len(tokens) > _LONGEST:
                raise BadInput(f"it is longer than {_LONGEST:,} tokens when all is written out", record="program")
        written.append(tokens)
    return written[-1]


def program_of(tokens: Sequence[str], language: Language) -> Program:
    """The program of a sequence, each step used once; a `BadInput` where it is none."""
    steps: list[Step] = []
    filled: list[int] = []
    values: list[Any] = []
    # From right to left everything that a function takes has been read before it.
    for token in reversed(tokens):
        if _is_value(token):
            values.append(_value_of(token))
            continue
        takes = len(language.function(token).inputs)
        if takes > len(filled):
            raise BadInput(f"'{token}' takes {takes} inputs and {len(filled)} follow", record="program")
        inputs = tuple([filled.pop() for _ in range(takes)])
        steps.append(Step(token, inputs, tuple(reversed(values))))
        filled.append(len(steps) - 1)
        values = []
    if len(filled) != 1 or values:
        raise BadInput(f"{len(tokens)} tokens that are not one program", record="program")
    return Program(tuple(steps)).canonical()


def _is_value(token: str) -> bool:
    return token.startswith("[")


def _value_token(value: Any) -> str:
    return format_step(Step("", (), (value,)))


def _value_of(token: str) -> Any:
    return parse_program(f"value{token}()").steps[0].values[0]


class Reading(NamedTuple):
    """How far b sequences have been read."""

    stack: Tensor
    """(b, s) int64: the places that are still to be filled, the next one on top."""
    height: Tensor
    """(b,) int64: how many of them there are, with the one at the bottom for what follows a program."""
    needed: Tensor
    """(b,) int64: the fewest tokens that fill all of them."""
    left: Tensor
    """(b,) int64: how many tokens may still come."""


class Grammar(nn.Module):
    """Which tokens may follow in programs of a language, as tables on the device where the network is.

    tokens : as in a lexicon, with `PAD`, `BEGIN` and `END` in front; a value may stand wherever its type admits it
    longest : how many tokens a program may have
    """

    admits: Tensor
    """(places, tokens) bool: what may fill a place."""
    needs: Tensor
    """(places,) int64: the fewest tokens that fill it."""
    opens: Tensor
    """(tokens, a) int64: the places that a token opens, the first one last, then filled up."""
    brings: Tensor
    """(tokens,) int64: how many these are."""
    owes: Tensor
    """(tokens,) int64: the fewest tokens that fill them."""

    def __init__(self, language: Language, tokens: Sequence[str], *, longest: int):
        super().__init__()
        self.language, self.tokens, self.longest = language, tuple(tokens), longest
        places = _places(language, tokens)
        admits = torch.zeros(2 + len(places), len(tokens), dtype=torch.bool)
        admits[_WHOLE] = torch.tensor([token in language.functions for token in tokens])
        admits[_DONE, END] = True
        fitting = {(place.type, place.literal): None for place in places}
        rows = {kind: torch.tensor([_fits(token, *kind, language) for token in tokens]) for kind in fitting}
        opened: list[list[int]] = [[] for _ in tokens]
        for number, place in enumerate(places, 2):
            admits[number] = rows[place.type, place.literal]
            opened[place.of].append(number)
        opened[END] = [_DONE]
        needs, owes = _fewest(admits, opened)
        self._keep("admits", admits & (owes < _NEVER))
        self._keep("needs", needs)
        self._keep("owes", owes)
        widest = max(map(len, opened))
        self._keep("opens", torch.tensor([[*reversed(some), *[_DONE] * (widest - len(some))] for some in opened]))
        self._keep("brings", torch.tensor([len(some) for some in opened]))

    def _keep(self, name: str, table: Tensor) -> None:
        # Tables follow from language and tokens, so they go with the network to its device and not into its file.
        self.register_buffer(name, table, persistent=False)

    @property
    def places(self) -> int:
        """How many places there are: each argument of each function is one."""
        return len(self.admits)

    def spell(self, numbers: Sequence[int]) -> list[str]:
        """The tokens of these numbers."""
        return [self.tokens[number] for number in numbers]

    def start(self, count: int) -> Reading:
        """Nothing read yet, for so many sequences."""
        device = self.admits.device
        stack = torch.full((count, self.longest + self.opens.shape[1] + 1), _DONE, dtype=torch.int64, device=device)
        stack[:, 1] = _WHOLE
        whole = torch.ones(count, dtype=torch.int64, device=device)
        return Reading(stack, whole * 2, whole * self.needs[_WHOLE], whole * self.longest)

    def wanted(self, reading: Reading) -> Tensor:
        """(b,): the place that the next token fills."""
        return reading.stack.gather(1, reading.height[:, None] - 1)[:, 0]

    def allowed(self, reading: Reading) -> Tensor:
        """(b, tokens) bool: what may come next, so that the rest can still be written."""
        wanted = self.wanted(reading)
        rest = (reading.needed - self.needs[wanted])[:, None] + self.owes + 1
        fits = rest <= reading.left[:, None]
        fits[:, END] = True
        return self.admits[wanted] & fits

    def read(self, reading: Reading, token: Tensor) -> Reading:
        """One token further. token : (b,) int64; after one that may not stand there nothing sensible is wanted."""
        opens = self.opens[token]
        wanted, below = self.wanted(reading), reading.height - 1
        # Columns beyond what the token opens are written too; they lie above the top, where nobody looks.
        columns = below[:, None] + torch.arange(opens.shape[1], device=token.device)
        stack = reading.stack.scatter(1, columns.clamp(max=reading.stack.shape[1] - 1), opens)
        height = (below + self.brings[token]).clamp(1, reading.stack.shape[1])
        real = (token > END).long()
        needed = reading.needed + real * (self.owes[token] - self.needs[wanted])
        return Reading(stack, height, needed, reading.left - real)

    def walk(self, program: Tensor) -> Tensor:
        """(b, p + 1) int64: the places that the tokens of programs fill, and what follows. program : (b, p) int64

        All at once, as `read` would find it token by token: what a token fills lies where the stack ends before it, and
        is of the last token that wrote there.
        """
        token = torch.where(program > END, program, END)
        wide = max(2, self.opens.shape[1])
        opens = functional.pad(self.opens[token], (0, wide - self.opens.shape[1], 1, 0))
        opens[:, 0, :2] = opens.new_tensor([_DONE, _WHOLE])  # as if a token before the first had written these two
        brings = functional.pad(self.brings[token], (1, 0), value=2)
        number = torch.arange(brings.shape[1], device=program.device)
        top = (brings.cumsum(1) - number - 1).clamp(min=0)
        base = functional.pad(top[:, :-1], (1, 0))
        wrote = (base[:, None] <= top[..., None]) & (top[..., None] < (base + brings)[:, None])
        last = torch.where(wrote.tril(), number, 0).amax(-1)
        return opens.flatten(1).gather(1, last * wide + (top - base.gather(1, last)).clamp(0, wide - 1))


class _Place(NamedTuple):
    """An argument of a function: of which token, of which type, and whether a value or the output of another."""

    of: int
    type: Type
    literal: bool


def _places(language: Language, tokens: Sequence[str]) -> list[_Place]:
    found: list[_Place] = []
    for number, token in enumerate(tokens):
        function = language.functions.get(token)
        if function is not None:
            found += [_Place(number, type, True) for type in function.values]
            found += [_Place(number, type, False) for type in function.inputs]
    return found


def _fits(token: str, type: Type, literal: bool, language: Language) -> bool:
    if literal:
        return _is_value(token) and type.admits(_value_of(token))
    return token in language.functions and language.functions[token].output == type


def _fewest(admits: Tensor, opened: Sequence[Sequence[int]]) -> tuple[Tensor, Tensor]:
    """The fewest tokens that fill each place, and those that fill all that each token opens."""
    needs = torch.full((len(admits),), _NEVER)
    needs[_DONE] = 0
    while True:
        owes = torch.tensor([sum(int(needs[place]) for place in some) for some in opened]).clamp(max=_NEVER)
        fewer = torch.where(admits, owes + 1, _NEVER).amin(1).clamp(max=_NEVER)
        fewer[_DONE] = 0
        if torch.equal(fewer, needs):
            return needs, owes
        needs = fewer
