"""Which of several parts of one name is meant: by step of a label path a number from 1."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence

from mereo.shapes.part import Part
from mereo.shapes.template import AndOrTemplate

__all__ = ["Place", "child_places", "of_one_kind", "places_of", "ranked"]

Place = tuple[int, ...]


def child_places(part: Part, above: Place = ()) -> Iterator[tuple[Part, Place]]:
    """A part and all below it with their places, parents first."""
    here = above or (1,)
    yield part, here
    seen: Counter[str] = Counter()
    for child in part.children:
        seen[child.name] += 1
        yield from child_places(child, (*here, seen[child.name]))


def places_of(labels: Sequence[str], template: AndOrTemplate) -> list[Place]:
    """Places for parts of which only the labels are known: as few parents as the template's counts allow."""
    seen: Counter[str] = Counter()
    found = []
    for label in labels:
        seen[label] += 1
        found.append(_place(label, seen[label], template))
    return found


def _place(label: str, number: int, template: AndOrTemplate) -> Place:
    above = label.rpartition("/")[0]
    if not above:
        return (1,)
    if above == template.root:  # there is one whole
        return (1, number)
    most = 1 if _is_choice(above, template) else template.counts.get(label, (0, number))[1] or 1
    parent, own = divmod(number - 1, most)
    return (*_place(above, parent + 1, template), own + 1)


def of_one_kind(weights: Mapping[str, float], template: AndOrTemplate) -> set[str]:
    """Labels of which no two contradict each other: below every Or-node only the kind that weighs the most."""
    kept = dict(weights)
    for above in template.labels:
        if _is_choice(above, template):
            kinds: dict[str, float] = {}
            for label, weight in kept.items():
                if label.startswith(f"{above}/"):
                    kind = label.removeprefix(f"{above}/").partition("/")[0]
                    kinds[kind] = kinds.get(kind, 0.0) + weight
            lost = [f"{above}/{kind}" for kind in sorted(kinds, key=lambda one: -kinds[one])[1:]]
            kept = {label: weight for label, weight in kept.items() if not _is_below(label, lost)}
    return set(kept)


def _is_choice(label: str, template: AndOrTemplate) -> bool:
    return label in template.labels and template.labels[label].kind == "one"


def _is_below(label: str, others: Sequence[str]) -> bool:
    return any(f"{label}/".startswith(f"{other}/") for other in others)


def ranked(parts: Sequence[tuple[str, Place]]) -> list[Place]:
    """Places counted anew without gaps, in the same order, whole paths of parents included."""
    new: dict[tuple[tuple[str, int], ...], int] = {}
    for path in sorted({tuple(steps[: k + 1]) for steps in map(_steps, parts) for k in range(len(steps))}):
        name = path[-1][0]
        twins = [one for one in new if one[:-1] == path[:-1] and one[-1][0] == name]
        new[path] = len(twins) + 1
    return [tuple(new[tuple(steps[: k + 1])] for k in range(len(steps))) for steps in map(_steps, parts)]


def _steps(part: tuple[str, Place]) -> list[tuple[str, int]]:
    label, place = part
    return list(zip(label.split("/"), place, strict=True))
