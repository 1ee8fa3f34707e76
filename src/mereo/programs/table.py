"""The function table: a language is one typed list of functions, and everything else is derived from it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from mereo.errors import UnknownName
from mereo.programs.types import Type
from mereo.world import Vocabulary

__all__ = ["Function", "Language"]


@dataclass(frozen=True)
class Function:
    """One row of the table: a function of a world, earlier results and literal values."""

    name: str
    inputs: tuple[Type, ...]
    values: tuple[Type, ...]
    output: Type
    call: Callable[..., Any]
    """call(world, *inputs, *values); raises a `ProgramFailure` where there is no answer."""
    about: str
    asks: str | None = None
    """The attribute of its object that this function is about, which a question must then not give away."""
    equality: bool = False
    """Whether it tells if its two inputs are equal."""

    @property
    def signature(self) -> str:
        """How it is written and what it gives: `relate[Relation](Object) -> ObjectSet`."""
        values = f"[{', '.join(map(str, self.values))}]" if self.values else ""
        return f"{self.name}{values}({', '.join(map(str, self.inputs))}) -> {self.output}"


@dataclass(frozen=True, eq=False)
class Language:
    """What programs may say: a vocabulary and the functions over it."""

    name: str
    vocabulary: Vocabulary
    functions: Mapping[str, Function]
    about: str = ""
    compiled: dict[Any, Any] = field(default_factory=dict, repr=False)
    """What the compiler keeps of programs that it has seen, by their structure."""

    @staticmethod
    def of(name: str, vocabulary: Vocabulary, functions: Iterable[Function], *, about: str = "") -> Language:
        """A language from its rows."""
        table: dict[str, Function] = {}
        for function in functions:
            if function.name in table:
                raise ValueError(f"language {name} has two functions named {function.name}")
            table[function.name] = function
        return Language(name, vocabulary, table, about)

    def __repr__(self) -> str:
        return f"Language({self.name}: {len(self.functions)} functions)"

    def __str__(self) -> str:
        """A line for every function: what it takes, what it gives, what it means."""
        return "\n".join(f"{function.signature}  {function.about}" for function in self.functions.values())

    def function(self, name: str) -> Function:
        """The row of this name."""
        if name not in self.functions:
            raise UnknownName(f"function in language {self.name} named", name, self.functions)
        return self.functions[name]

    def extended(self, name: str, functions: Iterable[Function], *, about: str = "") -> Language:
        """A larger language on the same vocabulary."""
        return Language.of(name, self.vocabulary, (*self.functions.values(), *functions), about=about)
