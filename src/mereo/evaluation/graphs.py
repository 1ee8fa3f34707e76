"""Small graphs as SVG: nodes in columns, arrows between them. Parts of a page, or files that open in any browser.

As with charts the page's style sheet has the colors, to suit day and night, and a file brings a style of its own.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Literal, NamedTuple

__all__ = ["STYLE", "Arrow", "Node", "as_file", "draw_graph"]

Kind = Literal["seen", "known", "here", "wrong"]

STYLE = (
    ".graph{font-family:system-ui,sans-serif}.graph text{font-size:13px;fill:#1c1f23}.graph .note{font-size:11px;"
    "fill:#666b73}.graph .said{font-size:11.5px;paint-order:stroke;stroke:#fff;stroke-width:7px;stroke-linejoin:round}"
    ".graph rect{stroke-width:1.3}.graph path{fill:none;stroke-width:1.5}.graph .seen{--c:#0f766e;--f:#e3f3f1}"
    ".graph .known{--c:#7c3aed;--f:#f1ebfd}.graph .here{--c:#b45309;--f:#fdf1dc}.graph .wrong{--c:#b3261e;--f:#fbeae9}"
    ".graph rect{fill:var(--f);"
    "stroke:var(--c)}.graph path{stroke:var(--c)}.graph .tip{fill:var(--c);stroke:none}.graph .said{fill:var(--c)}"
    ".graph .dashed{stroke-dasharray:4 4}"
)
"""For white paper; pages have the like for day and night."""
_LETTER, _SMALL = 7.3, 6.2
"""About how wide letters are, pixels."""
_TIP = 7.0
_EDGE = 8.0
"""Around everything."""
_CROWD = 3
_APART, _JOINED = 20.0, 38.0
"""Between nodes of a column, and between those that an arrow joins."""


class Node(NamedTuple):
    """A box with a text."""

    key: str
    text: str
    kind: Kind = "seen"
    note: str = ""
    """What stands below the text, small."""
    link: str = ""
    """Where a click leads."""

    @property
    def width(self) -> float:
        """As much as its texts need, pixels."""
        return 24 + max(_LETTER * len(self.text), _SMALL * len(self.note))

    @property
    def height(self) -> float:
        """One line or two."""
        return 46.0 if self.note else 30.0


class Arrow(NamedTuple):
    """From one node to another, by their keys."""

    tail: str
    head: str
    said: str = ""
    kind: Kind = "seen"
    dashed: bool = False


class _Place(NamedTuple):
    column: int
    row: int
    x: float
    y: float
    width: float
    height: float

    @property
    def middle(self) -> float:
        return self.y + self.height / 2


def draw_graph(columns: Sequence[Sequence[Node]], arrows: Sequence[Arrow], *, label: str) -> str:
    """Nodes in columns from left to right, with arrows between neighboring columns and within one.

    label : what the drawing shows, for those who cannot see it
    """
    columns = [column for column in columns if column]
    places, width, height = _placed(columns, arrows)
    drawn = [line for arrow in arrows for line in _arrow(arrow, places)]
    for column in columns:
        drawn += [_node(node, places[node.key]) for node in column]
    ends = Counter(end for arrow in arrows for end in (arrow.tail, arrow.head))
    said = [_said(arrow, places, ends[arrow.tail] - ends[arrow.head]) for arrow in arrows if arrow.said]
    return (
        f'<svg class="graph" role="img" aria-label="{escape(label)}" viewBox="0 0 {width:.0f} {height:.0f}" '
        f'width="{width:.0f}" height="{height:.0f}" xmlns="http://www.w3.org/2000/svg">\n'
        + "\n".join([*drawn, *said])
        + "\n</svg>"
    )


def as_file(drawing: str) -> str:
    """The same as a file of its own, on white paper."""
    start, end = drawing.split(">", 1)
    return f'{start}>\n<style>{STYLE}</style>\n<rect width="100%" height="100%" style="fill:#fff;stroke:none"/>{end}\n'


def _placed(columns: Sequence[Sequence[Node]], arrows: Sequence[Arrow]) -> tuple[Mapping[str, _Place], float, float]:
    """Where every node lies, with the width and height of all."""
    at = {node.key: (c, r) for c, column in enumerate(columns) for r, node in enumerate(column)}
    within = [arrow for arrow in arrows if at[arrow.tail][0] == at[arrow.head][0]]
    near = {(at[a.tail][0], min(at[a.tail][1], at[a.head][1])) for a in within if _are_neighbors(at, a)}
    far = [_SMALL * len(arrow.said) for arrow in within if not _are_neighbors(at, arrow)]
    x, places = _EDGE + (max(far) + 34 if far else 0), dict[str, _Place]()
    for number, column in enumerate(columns):
        wide = max(node.width for node in column)
        for row, y in enumerate(_levels(column, number, near, _wanted(column, arrows, places))):
            places[column[row].key] = _Place(number, row, x, y, wide, column[row].height)
        crossing = [_SMALL * len(a.said) for a in arrows if {at[a.tail][0], at[a.head][0]} == {number, number + 1}]
        x += wide + 88 + max(crossing, default=0)
    top = min(place.y for place in places.values()) - _EDGE
    moved = {key: place._replace(y=place.y - top) for key, place in places.items()}
    right, low = (max(ends) for ends in zip(*((p.x + p.width, p.y + p.height) for p in moved.values()), strict=True))
    return moved, right + _EDGE, low + _EDGE


def _wanted(column: Sequence[Node], arrows: Sequence[Arrow], places: Mapping[str, _Place]) -> list[float | None]:
    """For each node the height at which what it is joined to lies, of what lies already."""
    found: list[float | None] = []
    for node in column:
        others = [a.head if a.tail == node.key else a.tail for a in arrows if node.key in (a.tail, a.head)]
        levels = [places[other].middle for other in others if other in places]
        found.append(sum(levels) / len(levels) if levels else None)
    return found


def _levels(
    column: Sequence[Node], number: int, near: set[tuple[int, int]], wanted: Sequence[float | None]
) -> list[float]:
    """Where the nodes of a column begin: one below the other, on the whole as near to where they belong as can be.

    Between those that an arrow joins is room for its words.
    """
    tops = [0.0]
    for row, node in enumerate(column[:-1]):
        tops.append(tops[-1] + node.height + (_JOINED if (number, row) in near else _APART))
    aside = [w - top - node.height / 2 for w, top, node in zip(wanted, tops, column, strict=True) if w is not None]
    return [top + (sum(aside) / len(aside) if aside else 0.0) for top in tops]


def _are_neighbors(at: Mapping[str, tuple[int, int]], arrow: Arrow) -> bool:
    return abs(at[arrow.tail][1] - at[arrow.head][1]) == 1


def _node(node: Node, place: _Place) -> str:
    x = place.x + place.width / 2
    y = place.middle + (4.5 if not node.note else -3.5)
    note = f'<text class="note" x="{x:.1f}" y="{y + 16:.1f}" text-anchor="middle">{escape(node.note)}</text>'
    box = (
        f'<g class="{node.kind}"><rect x="{place.x:.1f}" y="{place.y:.1f}" width="{place.width:.1f}" '
        f'height="{place.height:.1f}" rx="8"/><text x="{x:.1f}" y="{y:.1f}" text-anchor="middle">{escape(node.text)}'
        f"</text>{note if node.note else ''}</g>"
    )
    return f'<a href="{escape(node.link)}">{box}</a>' if node.link else box


def _arrow(arrow: Arrow, places: Mapping[str, _Place]) -> Iterator[str]:
    (x, y), (a, b), (c, d), (u, v) = points = _curve(places[arrow.tail], places[arrow.head])
    dashed = " dashed" if arrow.dashed else ""
    path = f"M{x:.1f} {y:.1f}C{a:.1f} {b:.1f} {c:.1f} {d:.1f} {u:.1f} {v:.1f}"
    yield f'<g class="{arrow.kind}"><path class="line{dashed}" d="{path}"/>{_tip(points)}</g>'


def _tip(points: Sequence[tuple[float, float]]) -> str:
    """A small triangle where the arrow ends, which is always upright or level."""
    (c, d), (u, v) = points[2:]
    if abs(u - c) >= abs(v - d):
        back = -_TIP if u > c else _TIP
        return f'<path class="tip" d="M{u:.1f} {v:.1f}l{back} {-_TIP / 2}v{_TIP}z"/>'
    back = -_TIP if v > d else _TIP
    return f'<path class="tip" d="M{u:.1f} {v:.1f}l{-_TIP / 2} {back}h{_TIP}z"/>'


def _curve(tail: _Place, head: _Place) -> tuple[tuple[float, float], ...]:
    """The four points of a curve from one node to another."""
    if tail.column != head.column:
        x, u = (tail.x + tail.width, head.x) if tail.column < head.column else (tail.x, head.x + head.width)
        half = (x + u) / 2
        return (x, tail.middle), (half, tail.middle), (half, head.middle), (u, head.middle)
    if abs(tail.row - head.row) == 1:
        x = tail.x + tail.width / 2
        y, v = (tail.y + tail.height, head.y) if tail.row < head.row else (tail.y, head.y + head.height)
        return (x, y), (x, (2 * y + v) / 3), (x, (y + 2 * v) / 3), (x, v)
    out = tail.x - 36
    return (tail.x, tail.middle), (out, tail.middle), (out, head.middle), (head.x, head.middle)


def _said(arrow: Arrow, places: Mapping[str, _Place], crowd: int) -> str:
    """The words of an arrow: halfway, or away from where many arrows meet.

    crowd : how many more arrows meet where it begins than where it ends
    """
    tail, head = places[arrow.tail], places[arrow.head]
    points = _curve(tail, head)
    t = 0.5 if abs(crowd) < _CROWD else 0.66 if crowd > 0 else 0.34
    weights = ((1 - t) ** 3, 3 * t * (1 - t) ** 2, 3 * t * t * (1 - t), t**3)
    x, y = (sum(w * point[axis] for w, point in zip(weights, points, strict=True)) for axis in (0, 1))
    anchor, aside = "middle", 0.0
    if tail.column == head.column:
        near = abs(tail.row - head.row) == 1
        anchor, aside = ("start", 8.0) if near else ("end", -6.0)
    return (
        f'<text class="said {arrow.kind}" x="{x + aside:.1f}" y="{y + 4:.1f}" text-anchor="{anchor}">'
        f"{escape(arrow.said)}</text>"
    )
