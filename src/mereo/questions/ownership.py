"""Programs owned by splits: what is asked to train is not asked again to test.

Splits that draw from the same few thousand programs share many, and a model may remember them. So each program belongs
to one split, by a digest of its text. Programs of little variety cannot be dealt out: there are five ways to ask how
many things of a category there are. These are common to all splits, and kept rare.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Literal, NamedTuple

from mereo.chance import mark
from mereo.programs import Language, Program, Step, format_step
from mereo.questions.filling import described, literals_of, program_of
from mereo.questions.plan import Plan
from mereo.questions.rules import Rules
from mereo.questions.search import Instance
from mereo.questions.template import Describe

__all__ = ["Ownership", "is_common", "owner_of"]

_NUMBERS = 10
"""How many numbers a literal may be taken to be."""


def owner_of(program: Program, language: Language, rules: Rules) -> str | None:
    """The split that alone may ask a program; None where all may."""
    return None if not rules.owners or is_common(program, language, rules) else _owner(str(program), rules)


def _owner(text: str, rules: Rules) -> str:
    at = mark(text) / 2**64 * sum(rules.owners.values())
    for split, share in rules.owners.items():
        at -= share
        if at < 0:
            return split
    return split


def is_common(program: Program, language: Language, rules: Rules) -> bool:
    """Whether there are too few programs that differ from it by their literals alone."""
    return _variety([step.function for step in program.steps], language) < rules.variety


def _variety(functions: Iterable[str], language: Language) -> int:
    variety = 1
    for function in functions:
        for type in language.function(function).values:
            variety *= len(type.values) if type.values else _NUMBERS
    return variety


class _Stretch(NamedTuple):
    """Steps that follow on each other: the text around that of their inputs, and how many there are like them."""

    before: str
    after: str
    variety: int


class Ownership:
    """Whose programs instances stand for, found without writing them out: most turn out to belong to others."""

    def __init__(self, language: Language, rules: Rules, split: str | None):
        self._language, self._rules, self._split = language, rules, split
        self._kept: dict[Any, _Stretch] = {}

    def of(self, instance: Instance) -> Literal["own", "common", "another's"]:
        """Whether the split alone may ask the program, all may, or another alone; its own where splits own none."""
        owned = self._split is not None and bool(self._rules.owners)
        if not owned and self._rules.common == 1:
            return "own"
        stretches, variety = self._stretches(instance), 1
        for stretch in stretches:
            variety *= stretch.variety
        if variety < self._rules.variety:
            return "common"
        if not owned:
            return "own"
        # A node that says nothing is no step, so that others may take from its input in its stead.
        all_say = all(stretch.before for stretch in stretches)
        text = _text(instance.plan, stretches) if all_say else str(program_of(instance))
        return "own" if _owner(text, self._rules) == self._split else "another's"

    def _stretches(self, instance: Instance) -> list[_Stretch]:
        kept, picks, found = self._kept, instance.picks, []
        for node, pick in zip(instance.plan.template.nodes, picks, strict=True):
            # A describer is known by where it is: to compare what it knows would take longer than all the rest.
            what = id(node.describer) if isinstance(node, Describe) else node.function
            said = (node.goal, pick) if isinstance(node, Describe) else literals_of(node, pick, picks)
            stretch = kept.get((what, said))
            if stretch is None:
                calls = described(node, pick) if isinstance(node, Describe) else [(node.function, said)]
                stretch = kept[what, said] = self._stretch(calls)
            found.append(stretch)
        return found

    def _stretch(self, calls: Sequence[tuple[str, tuple[Any, ...]]]) -> _Stretch:
        texts = [format_step(Step(function, (), values)) + "(" for function, values in reversed(calls)]
        return _Stretch("".join(texts), ")" * len(texts), _variety([function for function, _ in calls], self._language))


def _text(plan: Plan, stretches: Sequence[_Stretch]) -> str:
    """The program of a plan as `str` writes it."""
    nodes, shared = plan.template.nodes, plan.shared
    said, named = [""] * len(nodes), list[str]()
    for k in plan.order:
        inputs, (before, after, _) = nodes[k].inputs, stretches[k]
        inner = said[inputs[0]] if len(inputs) == 1 else ", ".join([said[i] for i in inputs])
        said[k] = f"{before}{inner}{after}"
        if k in shared:
            named.append(f"${len(named) + 1} = {said[k]}; ")
            said[k] = f"${len(named)}"
    return "".join(named) + said[-1]
