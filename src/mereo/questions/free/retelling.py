"""From a program back to what it asks, so that one that somebody else wrote can be said in words."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import cached_property, partial

from mereo.programs import Function, Program, Step
from mereo.questions.free.compose import Composer
from mereo.questions.free.meaning import Alike, Asked, At, Has, Is, Of, Phrase, Ranked
from mereo.questions.free.notation import Unsayable

__all__ = ["Retelling"]

_COMPARED = ("equal", "less", "greater")
Said = Callable[[Step, list[Step]], Phrase]
"""Says whom a step means, of a program with these steps."""
Head = Callable[[Step, list[Step]], Asked]
"""Says what a last step asks."""


class Retelling:
    """Says what programs ask that are composed as ours are; of others it says nothing.

    What it says is composed again, so that no program is said to be another.
    """

    def __init__(self, composer: Composer):
        self.composer, self.table = composer, composer.table

    def asked(self, program: Program) -> Asked | None:
        """What a program asks; None where there are no words for it."""
        meant = _less_unique(program.canonical(), self.table.unique)
        try:
            asked = self._asked(list(meant.steps))
        except Unsayable:
            return None
        if asked.head == "refer" and len(meant.steps) < len(program.canonical().steps):
            asked = replace(asked, phrases=(replace(asked.phrases[0], definite=True),))
        return asked if any(made.program == meant for made in self.composer.programs(asked)) else None

    def _asked(self, steps: list[Step]) -> Asked:
        head = self._heads.get(steps[-1].function)
        return Asked("refer", (self._said(steps[-1], steps),)) if head is None else head(steps[-1], steps)

    def _said(self, step: Step, steps: list[Step]) -> Phrase:
        if step.function not in self._phrases:
            raise Unsayable
        return self._phrases[step.function](step, steps)

    def _inputs(self, step: Step, steps: list[Step]) -> list[Phrase]:
        return [self._said(steps[place], steps) for place in step.inputs]

    @cached_property
    def _heads(self) -> dict[str, Head]:
        found: dict[str, Head] = {}
        for kind in self._kinds:
            found[self.table.exist(kind).name] = partial(self._head, "exist", "")
            for counts in self.table.count(kind)[-1:]:
                found[counts.name] = self._count
        for verb in _COMPARED:
            compares = self.table.compare(verb)
            if compares is not None:
                found[compares.name] = partial(self._of_numbers, "compare", verb)
        minus = self.table.reckon("minus")
        if minus is not None:
            found[minus.name] = partial(self._of_numbers, "difference", "")
        for kind, attribute in self._attributes:
            query, equal = (self.table.about(kind, attribute, verb) for verb in ("query", "equal"))
            if query is not None:
                found[query.name] = partial(self._head, "query", attribute)
            if equal is not None:
                found[equal.name] = partial(self._equal, attribute)
        return found

    @cached_property
    def _phrases(self) -> dict[str, Said]:
        found: dict[str, Said] = {self.table.everything.name: lambda step, steps: Phrase()}
        if self.table.unique is not None:
            found[self.table.unique.name] = lambda step, steps: replace(self._inputs(step, steps)[0], definite=True)
        for kind, attribute in self._attributes:
            keeps, same = self.table.filter(kind, attribute), self.table.about(kind, attribute, "same")
            if keeps is not None:
                found[keeps.name] = partial(self._valued, attribute)
            if same is not None:
                found[same.name] = partial(self._alike, kind, attribute)
        for kind in self._kinds:
            for relates in (f for f in self.table.language.functions.values() if f.name.startswith("relate")):
                if relates.output == self.table.exist(kind).inputs[0] and len(relates.values) == 1:
                    found[relates.name] = partial(self._placed, kind)
            both = self.table.join(kind, "intersect")
            if both is not None:
                found[both.name] = self._both
        ordinal, either = self.table.ordinal(), self.table.join("object", "union")
        if ordinal is not None:
            found[ordinal.name] = self._ranked
        if either is not None:
            found[either.name] = self._either
        return found | (self._of_parts if self.composer.part is not None else {})

    @cached_property
    def _of_parts(self) -> dict[str, Said]:
        return {
            "expand_parts": self._parts,
            "own_parts": self._parts,
            "filter_part_exist": lambda step, steps: self._having(self._inputs(step, steps)[0], None),
            "filter_part_count": self._having_so_many,
            "surface": lambda step, steps: Phrase((Is("surface", step.values[0]),), "surface", definite=True),
        }

    @property
    def _kinds(self) -> tuple[str, ...]:
        return ("object",) if self.composer.part is None else ("object", "part")

    @property
    def _attributes(self) -> Iterator[tuple[str, str]]:
        if self.table.roles:  # who does the same for all attributes does not tell which is meant
            return iter(())
        return ((kind, name) for kind in self._kinds for name in self.table.language.vocabulary.attributes)

    def _head(self, head: str, word: str, step: Step, steps: list[Step]) -> Asked:
        return Asked(head, tuple(self._inputs(step, steps)), word)

    def _count(self, step: Step, steps: list[Step]) -> Asked:
        return Asked("count", (self._counted(step, steps),))

    def _counted(self, step: Step, steps: list[Step]) -> Phrase:
        """Whom a number counts."""
        counts = {function.name for kind in self._kinds for function in self.table.count(kind)}
        while step.function in counts:
            step = steps[step.inputs[0]]
        return replace(self._said(step, steps), several=True)

    def _of_numbers(self, head: str, word: str, step: Step, steps: list[Step]) -> Asked:
        counts = {functions[-1].name for kind in self._kinds if (functions := self.table.count(kind))}
        if any(steps[place].function not in counts for place in step.inputs):
            raise Unsayable
        return Asked(head, tuple(self._counted(steps[place], steps) for place in step.inputs), word)

    def _equal(self, attribute: str, step: Step, steps: list[Step]) -> Asked:
        told = [self._asked(steps[: place + 1]) for place in step.inputs]
        if any(one.head != "query" or one.word != attribute for one in told):
            raise Unsayable
        return Asked("equal", tuple(one.phrases[0] for one in told), attribute)

    def _valued(self, attribute: str, step: Step, steps: list[Step]) -> Phrase:
        return self._inputs(step, steps)[0].with_marks(Is(attribute, step.values[0]))

    def _ranked(self, step: Step, steps: list[Step]) -> Phrase:
        return self._inputs(step, steps)[0].with_marks(Ranked(*step.values))

    def _alike(self, kind: str, attribute: str, step: Step, steps: list[Step]) -> Phrase:
        return Phrase((Alike(attribute, replace(self._inputs(step, steps)[0], definite=True)),), kind)

    def _placed(self, kind: str, step: Step, steps: list[Step]) -> Phrase:
        return Phrase((At(step.values[0], replace(self._inputs(step, steps)[0], definite=True)),), kind)

    def _both(self, step: Step, steps: list[Step]) -> Phrase:
        one, other = self._inputs(step, steps)
        if one.others or other.others:
            raise Unsayable
        return one.with_marks(*other.marks)

    def _either(self, step: Step, steps: list[Step]) -> Phrase:
        one, other = self._inputs(step, steps)
        return replace(one, others=(*one.others, replace(other, others=()), *other.others))

    def _parts(self, step: Step, steps: list[Step]) -> Phrase:
        whole = self._inputs(step, steps)[0]
        every = step.function == "expand_parts"
        if every and not (whole.marks or whole.others):
            return Phrase(kind="part")
        return Phrase((Of(replace(whole, definite=True, several=True) if every else whole),), "part")

    def _having_so_many(self, step: Step, steps: list[Step]) -> Phrase:
        counts = steps[step.inputs[0]]
        return self._having(self._counted(counts, steps), step.values[0])

    def _having(self, parts: Phrase, count: int | None) -> Phrase:
        """The wholes of some parts."""
        whole = next((mark.whole for mark in parts.marks if isinstance(mark, Of)), Phrase())
        own = tuple(mark for mark in parts.marks if not isinstance(mark, Of))
        return replace(whole, definite=False, several=None).with_marks(Has(replace(parts, marks=own), count))


def _less_unique(program: Program, unique: Function | None) -> Program:
    """A program that only shows a thing, without the step that says that there is just one."""
    last = len(program.steps) - 1
    is_one = unique is not None and program.steps[last].function == unique.name
    return Program(program.steps[:last]) if is_one and program.steps[last].inputs == (last - 1,) else program
