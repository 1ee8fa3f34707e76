"""A template in which parts that annotators take for each other are one, and those that are hard to tell are gone."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Mapping
from dataclasses import replace
from pathlib import Path

from mereo.annotation.agreement import Confusion, Refined
from mereo.annotation.own_template import own_tree
from mereo.errors import BadInput
from mereo.files import new_file
from mereo.shapes.template import AndOrTemplate, Label

__all__ = ["refined_template", "write_template"]

Below = Mapping[str, list[str]]


def refined_template(template: AndOrTemplate, found: Confusion, change: Refined) -> AndOrTemplate:
    """The template without the labels that become others or nothing.

    What lies below such a label goes with it, but the label stays where somebody used a part below it that is kept.
    What has no parts left is a leaf, and what could be of one kind only has that as its part.
    """
    into = {path: group[0] for group in change.merged for path in group[1:]} | dict.fromkeys(change.removed, "")
    into = {path: kept for path, kept in into.items() if path in template.labels and path != template.root}
    stay = [path for path in found.paths if path not in into]
    gone = [path for path in into if not _above_any(path, stay)]
    labels = {path: label for path, label in template.labels.items() if not _below_any(path, gone)}
    if len(labels) == len(template.labels):
        raise BadInput("no parts are confused so often that they should be merged or left out")
    loose = {into[path] for path in gone}
    counts = {path: bounds for path, bounds in template.counts.items() if path in labels and path not in loose}
    return _consistent(replace(template, labels=labels, counts=counts, renamed=_renamed(template, into, gone)))


def _renamed(template: AndOrTemplate, into: Mapping[str, str], gone: Collection[str]) -> dict[str, str]:
    """By path that was merged or left out what it is now, so that earlier annotations can be told in these names."""

    def now(path: str) -> str:
        above = next((one for one in gone if _below_any(path, [one])), None)
        return path if above is None else into[above]

    moved = {path: now(path) for path in template.labels if now(path) != path}
    return {raw: now(path) for raw, path in template.renamed.items()} | moved


def _consistent(template: AndOrTemplate) -> AndOrTemplate:
    """With And- and Or-nodes as its labels have them."""
    below = _below(template.labels)
    kinds: dict[str, set[str]] = {}
    for path, names in below.items():
        kinds.setdefault(_name(path), set()).update(names)
    labels = {
        path: _renewed(label, below[path], len(kinds[_name(path)]) == 1) for path, label in template.labels.items()
    }
    everything: dict[str, dict[str, int | str]] = {}
    alternatives: dict[str, tuple[str, ...]] = {}
    for path, label in labels.items():
        name = _name(path)
        if label.kind == "all":
            usual = template.everything.get(name, {})
            everything.setdefault(name, {}).update({one: usual.get(one, 1) for one in below[path]})
        elif label.kind == "one":
            alternatives[name] = tuple(dict.fromkeys([*alternatives.get(name, ()), *below[path]]))
    return replace(template, labels=labels, everything=everything, alternatives=alternatives)


def _renewed(label: Label, below: Collection[str], single: bool) -> Label:
    if not below:
        return label._replace(kind="leaf", levels=label.levels | {3} if label.kind != "leaf" else label.levels)
    return label._replace(kind="all") if single and label.kind == "one" else label


def _below(labels: Iterable[str]) -> dict[str, list[str]]:
    found: dict[str, list[str]] = {path: [] for path in labels}
    for path in found:
        above = path.rpartition("/")[0]
        if above:
            found[above].append(_name(path))
    return found


def _name(path: str) -> str:
    return path.rpartition("/")[2]


def _below_any(path: str, others: Iterable[str]) -> bool:
    """Whether a path is one of some others, or lies below one."""
    return any(f"{path}/".startswith(f"{other}/") for other in others)


def _above_any(path: str, others: Iterable[str]) -> bool:
    return any(other.startswith(f"{path}/") for other in others)


def write_template(template: AndOrTemplate, path: Path) -> None:
    """Write a template as a file that a project can begin with, and read it back before it has its name."""
    if path.exists():
        raise BadInput("is there already: give another name", file=path)
    with new_file(path) as scratch:
        scratch.write_text("\n".join([*_lines(template), ""]), encoding="utf-8")
        try:
            own_tree(scratch)
        except BadInput as error:
            raise error.within(file=path) from None


def _lines(template: AndOrTemplate) -> Iterable[str]:
    """A text of JSON is one of TOML."""
    yield f"root = {json.dumps(template.root)}"
    yield "labels = ["
    for label in template.labels.values():
        sets = "".join(map(str, sorted(label.levels))) + ("h" if label.hierarchical else "")
        yield f"  {json.dumps(f'{label.number} {label.path} {label.kind} {sets}'.strip())},"
    yield "]"
    tables: Mapping[str, Mapping[str, object]] = {
        "all": {name: _inline(parts) for name, parts in template.everything.items()},
        "one": {name: json.dumps(list(kinds)) for name, kinds in template.alternatives.items()},
        "merge": {raw: json.dumps(path) for raw, path in template.renamed.items()},
        "counts": {path: json.dumps(list(bounds)) for path, bounds in template.counts.items()},
    }
    for title, rows in tables.items():
        if rows:
            yield f"\n[{title}]"
            yield from (f"{json.dumps(name)} = {value}" for name, value in rows.items())


def _inline(parts: Mapping[str, int | str]) -> str:
    return "{ " + ", ".join(f"{json.dumps(name)} = {json.dumps(usual)}" for name, usual in parts.items()) + " }"
