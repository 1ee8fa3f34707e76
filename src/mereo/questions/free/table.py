"""What a function table can say, found by the types of its rows: who filters by color, who counts, who relates."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property

from mereo.programs import BOOLEAN, INTEGER, INTEGER_SET, OBJECT, OBJECT_SET, PART_SET, Function, Language, Type
from mereo.questions.free.notation import Unsayable

__all__ = ["Table"]

_SETS = {"object": OBJECT_SET, "part": PART_SET, "surface": PART_SET}


@dataclass(frozen=True, eq=False)
class Table:
    """The functions of a language by what they do."""

    language: Language
    roles: Mapping[str, str] = field(default_factory=dict)
    """What is done by the name of who does it, where types cannot tell, since words are open: `filter`, or
    `filter_category` for one attribute; `relate` and, from the subjects on, `inverse`; `query`, `intersect`, `known`,
    `known_reverse`."""

    def role(self, *names: str) -> Function | None:
        """Who is named for the first of some roles that is given to anybody."""
        return self._first(self.language.function(self.roles[name]) for name in names if name in self.roles)

    def filter(self, kind: str, attribute: str) -> Function | None:
        """Who keeps those of a set that have a value."""
        given = self.role(f"filter_{attribute}", "filter") if kind == "object" else None
        if given is not None or attribute not in self.language.vocabulary.attributes:
            return given
        values = self.language.vocabulary.attributes[attribute].values
        return self._first(
            f
            for f in self._taking(_SETS[kind])
            if f.output == _SETS[kind]
            and len(f.values) == 1
            and f.values[0].values == values
            and f.name.startswith("filter")
        )

    def about(self, kind: str, attribute: str, verb: str) -> Function | None:
        """The function of an attribute that begins with a verb: `query`, `same` or `equal`."""
        keeps, given = self.filter(kind, attribute), self.role(verb) if kind == "object" else None
        if given is not None:
            return given
        return None if keeps is None else self.language.functions.get(f"{verb}_{keeps.name.removeprefix('filter_')}")

    def told(self, attribute: str) -> Function | None:
        """Who tells of one object whether it has a value."""
        if attribute not in self.language.vocabulary.attributes:
            return None
        values = self.language.vocabulary.attributes[attribute].values
        return self._first(
            f
            for f in self._taking(OBJECT)
            if f.output == BOOLEAN and len(f.values) == 1 and f.values[0].values == values
        )

    def query_of(self, attribute: str) -> Function | None:
        """Who tells the value of one object, though nobody filters by it."""
        values = self.language.vocabulary.attributes[attribute].values
        return self._first(f for f in self._taking(OBJECT) if f.output.values == values and not f.values)

    def kinds_of(self, attribute: str) -> Iterator[str]:
        """Of whom an attribute is known: objects, parts or both."""
        return (kind for kind in ("object", "part") if self.filter(kind, attribute) is not None)

    def relate(self, kind: str, relation: str) -> Function | None:
        """Who finds what stands in a relation."""
        if "relate" in self.roles:
            return self.role("relate")
        taken = OBJECT if kind == "object" else PART_SET
        return self._first(
            f
            for f in self._taking(taken)
            if f.output == _SETS[kind] and len(f.values) == 1 and relation in (f.values[0].values or ())
            and f.name.startswith("relate")
        )  # fmt: skip

    def relations(self, kind: str, word: str) -> list[str]:
        """All relations that a word may mean: itself, or those of parts that end in it."""
        if "relate" in self.roles:
            return [word]
        taken = OBJECT if kind == "object" else PART_SET
        names = (
            name
            for f in self._taking(taken)
            if f.name.startswith("relate")
            for t in f.values
            for name in t.values or ()
        )
        return [name for name in names if name == word or name.endswith(f" {word}")]

    def ordinal(self) -> Function | None:
        """Who finds the second from the left."""
        return self._first(f for f in self._taking(OBJECT_SET) if f.output == OBJECT_SET and len(f.values) == 2)

    def exist(self, kind: str) -> Function:
        """Who tells whether there is any; of parts nobody can where nothing has any."""
        found = (f for f in self._taking(_SETS[kind]) if f.output == BOOLEAN and not f.values)
        if kind == "object":
            return self._sure(found)
        of_parts = self._first(found)
        if of_parts is None:
            raise Unsayable
        return of_parts

    def count(self, kind: str) -> list[Function]:
        """Who counts, one after another; nobody in a language without numbers."""
        one = self._first(f for f in self._taking(_SETS[kind]) if f.output in (INTEGER, INTEGER_SET) and not f.values)
        if one is None or one.output == INTEGER:
            return [] if one is None else [one]
        return [one, self._sure(f for f in self._taking(INTEGER_SET) if f.output == INTEGER)]

    def join(self, kind: str, verb: str) -> Function | None:
        """Who unites or intersects two sets."""
        if verb in self.roles:
            return self.role(verb)
        taken = _SETS[kind]
        return self._first(
            f for f in self._taking(taken, taken) if f.output == taken and f.name.startswith(verb) and not f.values
        )

    def compare(self, word: str) -> Function | None:
        """Who compares two numbers."""
        return self._first(f for f in self._taking(INTEGER, INTEGER) if f.output == BOOLEAN and f.name.startswith(word))

    def reckon(self, verb: str) -> Function | None:
        """Who adds or takes away."""
        return self._first(f for f in self._taking(INTEGER, INTEGER) if f.output == INTEGER and f.name.startswith(verb))

    @cached_property
    def everything(self) -> Function:
        """Who gives all objects."""
        return self._sure(f for f in self._taking() if f.output == OBJECT_SET)

    @cached_property
    def unique(self) -> Function | None:
        """Who gives the one of a set; nobody where all that is said is said of sets."""
        return self._first(f for f in self._taking(OBJECT_SET) if f.output == OBJECT and not f.values)

    def named(self, name: str) -> Function | None:
        """The function of a name, where the language has it."""
        return self.language.functions.get(name)

    def _taking(self, *inputs: Type) -> Iterator[Function]:
        return (f for f in self.language.functions.values() if f.inputs == inputs)

    @staticmethod
    def _first(functions: Iterable[Function]) -> Function | None:
        return next(iter(functions), None)

    @staticmethod
    def _sure(functions: Iterable[Function]) -> Function:
        found = next(iter(functions), None)
        if found is None:
            raise ValueError("a language that is asked freely can look, count and point")
        return found
