"""What is wrong with an instance that could be asked, but had better not be."""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Iterator
from functools import lru_cache
from itertools import combinations
from typing import Any

from mereo.questions.describe import Description
from mereo.questions.hearing import words_of
from mereo.questions.phrase import plural
from mereo.questions.search import Instance
from mereo.questions.template import Choose, Describe

__all__ = ["fault_of", "says", "telling_words"]


def fault_of(instance: Instance) -> str | None:
    """Why an instance should not be asked in its words, whatever the world."""
    if _repeats_itself(instance):
        return "two sides are described alike"
    if _describes_alike(instance):
        return "two descriptions name the same"
    if _is_unsaid(instance) and _says_its_answer(instance):
        return "the answer stands in the question"
    return None


def _is_unsaid(instance: Instance) -> bool:
    plan = instance.plan
    return plan.template.unsaid or (plan.rules.unsaid and plan.template.output.form in ("value", "values"))


def _repeats_itself(instance: Instance) -> bool:
    """Whether two sides that must be told apart are described alike, or one as a kind of the other."""
    for differ in instance.plan.template.differ:
        if differ.of != "set":
            continue
        (one_relation, one), (other_relation, other) = instance.picks[differ.one], instance.picks[differ.other]
        if one_relation is None and other_relation is None and (_covers(one, other) or _covers(other, one)):
            return True
    return False


def _covers(general: Description, special: Description) -> bool:
    return all(value is None or value == other for value, other in zip(general, special, strict=True))


def _describes_alike(instance: Instance) -> bool:
    """Whether two descriptions say the same of what they describe: four gray legs left of four gray legs."""
    found = [
        (node.describer, pick[1])
        for node, pick in zip(instance.plan.template.nodes, instance.picks, strict=True)
        if isinstance(node, Describe)
    ]
    return any(describer.alike(one, other) for (describer, one), (_, other) in combinations(found, 2))


def _says_its_answer(instance: Instance) -> bool:
    """Whether a word that was picked is the answer, or has it in it, as "leg bar" has "leg"."""
    answers = [words_of(word) for word in _words(instance.answer)]
    for word in _picked(instance):
        if isinstance(word, str):
            said = words_of(word)
            if any(_within(answer, said) for answer in answers):
                return True
    return False


def says(text: str, instance: Instance, *, measures: Iterable[str] = ()) -> bool:
    """Whether a text says an answer that it must not, such as "top" in "on top of".

    measures : what is asked for, which may be named by one of its answers
    """
    if not _is_unsaid(instance):
        return False
    for measure in measures:
        text = text.lower().replace(measure, "")
    said = words_of(text)
    return any(_within(words_of(form), said) for word in _words(instance.answer) for form in (word, plural(word)))


def _words(answer: Any) -> tuple[str, ...]:
    return answer if isinstance(answer, tuple) else (answer,)


def _within(few: tuple[str, ...], many: tuple[str, ...]) -> bool:
    """Whether some words stand in others, one after the other."""
    return any(many[start : start + len(few)] == few for start in range(len(many) - len(few) + 1))


def _picked(instance: Instance) -> Iterator[Any]:
    """Every value that was picked."""
    for node, pick in zip(instance.plan.template.nodes, instance.picks, strict=True):
        if isinstance(node, Choose):
            yield pick
        elif isinstance(node, Describe):
            yield from (value for value in (pick[0], *pick[1]) if value is not None)


def telling_words(instance: Instance) -> dict[Hashable, int]:
    """What of the words of a question may tell its answer, each with how many words it is: one, or two together."""
    found: dict[Hashable, int] = {}
    chosen = []
    for node, pick in zip(instance.plan.template.nodes, instance.picks, strict=True):
        if type(node) is Choose:
            chosen.append(pick)
        elif type(node) is Describe:
            found |= _telling(*pick)
    return found | dict.fromkeys(chosen, 1) | dict.fromkeys(combinations(chosen, 2), 2)


@lru_cache(1 << 14)
def _telling(relation: str | None, description: Description) -> dict[Hashable, int]:
    """The same of a description: also which attributes it names, since one that fits nothing must not be known by how
    much it says."""
    named = [(place, value) for place, value in enumerate(description) if value is not None]
    found: dict[Hashable, int] = dict.fromkeys([value for _, value in named], 1)
    if relation is not None:
        found[relation] = 1
    found[tuple(place for place, _ in named)] = 1
    return found | dict.fromkeys(combinations(named, 2), 2)
