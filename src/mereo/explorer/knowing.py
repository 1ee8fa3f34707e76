"""Knowledge on a page: items as sentences whose ends lead on, what steps took from it, and a name's neighborhood."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from html import escape
from itertools import chain, zip_longest
from typing import NamedTuple
from urllib.parse import quote, urlencode

from mereo.datasets.inspector import Known
from mereo.evaluation.graphs import Arrow, Node, draw_graph
from mereo.knowledge import Item, Knowledge, relations
from mereo.knowledge.relations import TAXONOMY

__all__ = ["About", "about", "draw_neighborhood", "knowledge_address", "known_html", "listed_html"]
__all__ += ["name_link"]

_DRAWN = 7
"""Neighbors that are drawn on each side."""
_LONG = 34
"""Letters of a phrase that are drawn."""
_LISTED = 150
"""Items of one relation that are listed."""
_OTHERS = 3
"""Others that something is true of, which are named before the rest is counted."""


class About(NamedTuple):
    """All that is said of a name."""

    name: str
    of: tuple[Item, ...]
    """Items that begin with it."""
    by: tuple[Item, ...]
    """Items that end with it."""
    shared: Mapping[tuple[str, str], tuple[str, ...]]
    """By relation and tail of the first what else they are said of."""


def about(knowledge: Knowledge, name: str) -> About:
    """Look a name up."""
    of, by = knowledge.items(head=name), knowledge.items(tail=name)
    shared: dict[tuple[str, str], list[str]] = defaultdict(list)
    if of:
        for item in knowledge.items(tail={item.tail for item in of}, relation={item.relation for item in of}):
            if item.head != name:
                shared[item.relation, item.tail].append(item.head)
    return About(name, of, by, {key: tuple(names) for key, names in shared.items()})


def knowledge_address(of: str, **query: str) -> str:
    """Where something is looked up. of : the key of the knowledge"""
    told = {"of": of, **{name: value for name, value in query.items() if value}}
    return f"/knowledge?{urlencode(told, quote_via=quote)}"


def name_link(name: str, of: str) -> str:
    """A name that leads to all that is said of it."""
    return f'<a class="k-name" href="{escape(knowledge_address(of, name=name))}">{escape(name)}</a>'


def known_html(known: Mapping[int, Known], at: int, of: str) -> str:
    """What steps took from knowledge, those of the step that is shown lit and those of later ones dim."""
    return "".join(
        f'<div class="k-step{" on" if step == at else " later" if step > at else ""}" data-known="{step}">'
        f"<i>{step + 1}</i><div>{_told(known[step], of)}</div></div>"
        for step in sorted(known)
    )


def _told(known: Known, of: str) -> str:
    lines = [f"<p>{_sentence(item, of)}</p>" for item in known.items] or ["<p>nothing that is here</p>"]
    for said, names in (("not so of", known.false), ("some would say so of", known.unclear)):
        if names:
            lines.append(f"<small>{said} {escape(', '.join(names))}</small>")
    return "".join(lines)


def _sentence(item: Item, of: str) -> str:
    return f"{name_link(item.head, of)} <em>{_words(item.relation)}</em> {name_link(item.tail, of)}"


def listed_html(found: About, of: str) -> str:
    """All items of a name, relation by relation."""
    lines = []
    for relation, items in _grouped(found.of).items():
        told = _listed([name_link(item.tail, of) + _also(item, found, of) for item in items[:_LISTED]], len(items))
        lines.append(f"<section><h2>{escape(found.name)} <em>{_words(relation)}</em></h2><ul>{told}</ul></section>")
    for relation, items in _grouped(found.by).items():
        told = _listed([name_link(item.head, of) for item in items[:_LISTED]], len(items))
        title = f"<h2>what <em>{_words(relation)}</em> {escape(found.name)}</h2>"
        lines.append(f'<section class="k-short">{title}<ul>{told}</ul></section>')
    return "".join(lines)


def _listed(lines: Sequence[str], count: int) -> str:
    """Lines of a list, and how many more there are."""
    rest = [f"<small>and {count - len(lines):,} more</small>"] if count > len(lines) else []
    return "".join(f"<li>{line}</li>" for line in [*lines, *rest])


def _words(relation: str) -> str:
    """What a relation says; that experts call something so is told from that everybody does."""
    words = relations()[relation].words
    return escape(words.replace("is a", "is to experts a", 1) if relation == TAXONOMY else words)


def _also(item: Item, found: About, of: str) -> str:
    """What else an item is said of."""
    others = found.shared.get((item.relation, item.tail), ())
    if not others:
        return ""
    rest = f" and {len(others) - _OTHERS:,} more" if len(others) > _OTHERS else ""
    return f"<small>also {', '.join(name_link(name, of) for name in others[:_OTHERS])}{rest}</small>"


def draw_neighborhood(found: About, of: str) -> str:
    """A name with some of what is said of it on either side, of every relation some."""
    left, right = _some(found.by), _some(found.of)
    here = Node("here", _short(found.name), "here")
    heads = [Node(f"head {k}", _short(item.head), "known", link=_link(item.head, of)) for k, item in enumerate(left)]
    tails = [Node(f"tail {k}", _short(item.tail), "known", link=_link(item.tail, of)) for k, item in enumerate(right)]
    arrows = [Arrow(f"head {k}", "here", relations()[item.relation].words, "known") for k, item in enumerate(left)]
    arrows += [Arrow("here", f"tail {k}", relations()[item.relation].words, "known") for k, item in enumerate(right)]
    return draw_graph([heads, [here], tails], arrows, label=f"What is said of {found.name}")


def _link(name: str, of: str) -> str:
    return knowledge_address(of, name=name)


def _short(text: str) -> str:
    return text if len(text) <= _LONG else f"{text[: _LONG - 1].rstrip()}…"


def _grouped(items: Iterable[Item]) -> dict[str, list[Item]]:
    """Items by relation, in the order in which relations are listed; those with more to be said for them first."""
    found: dict[str, list[Item]] = {relation: [] for relation in relations()}
    for item in sorted(items, key=lambda one: -one.weight):
        found[item.relation].append(item)
    return {relation: own for relation, own in found.items() if own}


def _some(items: Sequence[Item]) -> list[Item]:
    """The first of each relation, then the second of each, and so on, as far as there is room; then in order."""
    turns = chain.from_iterable(zip_longest(*_grouped(items).values()))
    chosen = [item for item in turns if item is not None][:_DRAWN]
    order = list(relations())
    return sorted(chosen, key=lambda item: (order.index(item.relation), item.tail, item.head))
