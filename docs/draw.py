"""Draws the pictures of these pages: `python docs/draw.py` writes docs/pictures/*.svg, always the same bytes.

A symbolic scene has no pixels, but it has places, sizes and a camera. That is enough for a simple perspective drawing,
and for showing what every step of a program refers to.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any

from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.questions import RULES, clevr_questions
from mereo.chance import fast, generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.strewing import strewn_scene
from mereo.datasets.answers import plain_answer
from mereo.programs import format_step
from mereo.questions.generate import Asker, Question

PICTURES = Path(__file__).with_name("pictures")

INK, QUIET, ACCENT, PAPER = "#23262d", "#6d727d", "#f08a24", "#fbfaf8"
SANS = "font-family=\"Inter, 'Segoe UI', 'Helvetica Neue', Helvetica, Arial, sans-serif\""
MONO = "font-family=\"'JetBrains Mono', 'SF Mono', Consolas, 'DejaVu Sans Mono', monospace\""
PAINT = {
    "gray": (112, 116, 122),
    "red": (201, 52, 47),
    "blue": (50, 92, 214),
    "green": (42, 138, 66),
    "brown": (142, 88, 44),
    "purple": (135, 62, 190),
    "cyan": (44, 184, 196),
    "yellow": (240, 200, 48),
}

Vector = tuple[float, float, float]
Point = tuple[float, float]
Color = tuple[float, float, float]


def main() -> None:
    """Write all pictures."""
    PICTURES.mkdir(exist_ok=True)
    (PICTURES / "one-question.svg").write_text(one_question(seed=88, template="one_hop/query_shape", steps=8))
    (PICTURES / "scenes.svg").write_text(four_scenes(seed=3))


def asked(scene: Mapping[str, Any], seed: int) -> list[Question]:
    """Every template's question about a scene."""
    asker = Asker(clevr_questions(), LANGUAGE, RULES)
    world = world_from_record(scene, VOCABULARY)
    return list(asker.ask(world, len(asker.plans), chance=fast(generator(seed, "docs", "questions"))))


def one_question(*, seed: int, template: str, steps: int) -> str:
    """A scene, a question about it, and what every step of its program refers to."""
    scene = strewn_scene(generator(seed, "docs"))
    question = next(q for q in asked(scene, seed) if q.template.title == template and len(q.program) == steps)
    width, big, small, across = 1200, (676, 430), (262, 166), 4
    defs, drawn = Drawing(scene, big, "o").shapes()
    body = [panel(24, 24, *big, content=uses(drawn))]
    x, y = 24 + big[0] + 36, 82
    body.append(label(x, 42, "QUESTION", size=15, color=ACCENT, weight=700, spacing=2))
    lines = wrapped(question.text, 27)
    body += [label(x, y + 38 * i, line, size=29, weight=600) for i, line in enumerate(lines)]
    y += 38 * len(lines) + 16
    body.append(label(x, y, "PROGRAM", size=15, color=ACCENT, weight=700, spacing=2))
    pieces = nested(str(question.program), 44)
    body += [label(x, y + 28 + 23 * i, line, size=16, color=QUIET, mono=True) for i, line in enumerate(pieces)]
    body.append(label(x, 24 + big[1] - 46, "ANSWER", size=15, color=ACCENT, weight=700, spacing=2))
    body.append(label(x, 24 + big[1] - 8, plain_answer(question.answer), size=34, weight=700))
    shown: list[int] = []
    top = 24 + big[1] + 34
    for number, step in enumerate(question.trace.steps()):
        shown = step.referred or shown
        column, row = number % across, number // across
        left, upper = 24 + column * (small[0] + 34.6), top + row * (small[1] + 62)
        found = f"{len(step.referred)} found" if step.type.form == "entities" else ""
        value = found or ("" if step.referred else plain_answer(step.value))
        body.append(thumbnail(left, upper, small, big, drawn, shown, value, loud=not found))
        body.append(label(left + 2, upper + small[1] + 26, f"{number + 1}", size=17, color=ACCENT, weight=700))
        body.append(label(left + 26, upper + small[1] + 26, format_step(step.step), size=17, mono=True, weight=600))
    rows = -(-len(question.program) // across)
    return document(width, int(top + rows * (small[1] + 62)), defs, body)


def four_scenes(*, seed: int) -> str:
    """Four scenes with a question each."""
    width, size, defs, body = 1200, (564, 360), [], []
    kinds = ("compare_integer", "single_and", "same_relate", "two_hop")
    scenes = (strewn_scene(generator(seed, "docs", number)) for number in count())
    busy = (scene for scene in scenes if 5 <= len(scene["objects"]) <= 8)
    for number, (kind, scene) in enumerate(zip(kinds, busy, strict=False)):
        questions = [q for q in asked(scene, seed) if q.template.family == kind and q.answer]
        question = min(questions, key=lambda q: len(q.text))
        more, drawn = Drawing(scene, size, f"s{number}o").shapes()
        defs += more
        x, y = 24 + (number % 2) * (size[0] + 24), 24 + (number // 2) * (size[1] + 138)
        body.append(panel(x, y, *size, content=uses(drawn)))
        lines = wrapped(question.text, 52)
        body += [label(x + 4, y + size[1] + 32 + 27 * i, line, size=21) for i, line in enumerate(lines)]
        answer = plain_answer(question.answer)
        body.append(label(x + 4, y + size[1] + 32 + 27 * len(lines), answer, size=21, color=ACCENT, weight=700))
    return document(width, 2 * (size[1] + 138) + 6, defs, body)


@dataclass(frozen=True)
class Shape:
    """One drawn object: its name among the definitions, and a ring on the ground around it."""

    name: str
    index: int
    ring: str


class Drawing:
    """A scene in perspective."""

    def __init__(self, scene: Mapping[str, Any], size: tuple[int, int], prefix: str):
        self.scene, self.size, self.prefix = scene, size, prefix
        x, y, z = scene["camera"]
        self.eye: Vector = (1.6 * x, 1.6 * y, 1.6 * z)  # from farther away, upright edges stay upright
        self.ahead = unit(minus((-0.15, 0.15, 0.15), self.eye))
        self.right = unit(cross(self.ahead, (0, 0, 1)))
        self.up = cross(self.right, self.ahead)
        self.focal = 1.86 * size[0]
        light = minus(minus((0, 0, 1.05), scaled(self.right, 0.75)), scaled(self.ahead, 0.35))
        self.light = unit(light)

    def shapes(self) -> tuple[list[str], list[Shape]]:
        """The definitions of all objects, and the objects from the farthest to the nearest."""
        things = list(enumerate(self.scene["objects"]))
        things.sort(key=lambda pair: -dot(minus(tuple(pair[1]["3d_coords"]), self.eye), self.ahead))
        defs, drawn = [], []
        for index, thing in things:
            name = f"{self.prefix}{index}"
            radius = thing["3d_coords"][2]
            x, y = thing["3d_coords"][:2]
            solid = {"sphere": self.sphere, "cube": self.cube, "cylinder": self.cylinder}[thing["shape"]]
            more, body = solid(name, thing, (x, y), radius)
            stands = 0.8 if thing["shape"] == "sphere" else 1.12
            defs += [*more, f'<g id="{name}">{self.shadow(x, y, radius, stands)}{body}</g>']
            drawn.append(Shape(name, index, path(self.circle(x, y, 0, 1.32 * radius))))
        return defs, drawn

    def project(self, point: Vector) -> Point:
        """Where a point of the world is on the picture."""
        away = minus(point, self.eye)
        scale = self.focal / dot(away, self.ahead)
        return self.size[0] / 2 + scale * dot(away, self.right), self.size[1] / 2 - scale * dot(away, self.up)

    def circle(self, x: float, y: float, z: float, radius: float) -> list[Point]:
        """A level circle."""
        turns = [2 * math.pi * i / 48 for i in range(48)]
        return [self.project((x + radius * math.cos(t), y + radius * math.sin(t), z)) for t in turns]

    def shadow(self, x: float, y: float, radius: float, stands: float) -> str:
        """A long soft shadow away from the light, and a dark one where the object stands."""
        reach = 0.62 * radius / self.light[2]
        fx, fy = x - self.light[0] * reach, y - self.light[1] * reach
        layers = [(fx, fy, 1.55, "shade"), ((x + fx) / 2, (y + fy) / 2, 1.25, "shade"), (x, y, stands, "contact")]
        return "".join(
            f'<path d="{path(self.circle(a, b, 0, r * radius))}" fill="url(#{n})"/>' for a, b, r, n in layers
        )

    def sphere(self, name: str, thing: Mapping[str, Any], at: Point, radius: float) -> tuple[list[str], str]:
        """A ball: one radial gradient, and for metal the reflections of a lamp, the room and the ground."""
        color, metal = PAINT[thing["color"]], thing["material"] == "metal"
        center = (*at, radius)
        cx, cy = self.project(center)
        away = math.dist(center, self.eye)
        r = self.focal * radius / math.sqrt(away**2 - radius**2)
        if metal:
            stops = [(0, lit(color, 0.75)), (0.22, lit(color, 0.28)), (0.5, color), (0.78, dim(color, 0.52))]
            stops += [(0.93, dim(color, 0.66)), (1, dim(color, 0.45))]
        else:
            stops = [(0, lit(color, 0.34)), (0.4, lit(color, 0.08)), (0.75, dim(color, 0.24)), (1, dim(color, 0.5))]
        defs = [radial(name, stops, fx=0.36, fy=0.27)]
        body = f'<circle cx="{n(cx)}" cy="{n(cy)}" r="{n(r)}" fill="url(#{name}-g)"/>'
        body += (
            f'<ellipse cx="{n(cx + 0.1 * r)}" cy="{n(cy + 0.62 * r)}" rx="{n(0.62 * r)}" ry="{n(0.3 * r)}" '
            f'fill="url(#bounce)" opacity="{0.75 if metal else 0.3}"/>'
        )
        if metal:
            body += (
                f'<ellipse cx="{n(cx - 0.33 * r)}" cy="{n(cy - 0.44 * r)}" rx="{n(0.25 * r)}" ry="{n(0.145 * r)}" '
                f'transform="rotate(-38 {n(cx - 0.33 * r)} {n(cy - 0.44 * r)})" fill="#fff" opacity=".92"/>'
                f'<ellipse cx="{n(cx + 0.56 * r)}" cy="{n(cy - 0.3 * r)}" rx="{n(0.055 * r)}" ry="{n(0.2 * r)}" '
                f'transform="rotate(-28 {n(cx + 0.56 * r)} {n(cy - 0.3 * r)})" fill="#fff" opacity=".5"/>'
            )
        return defs, body

    def cylinder(self, name: str, thing: Mapping[str, Any], at: Point, radius: float) -> tuple[list[str], str]:
        """A can: the outline of its two rims, shaded across, and its lid."""
        color, metal = PAINT[thing["color"]], thing["material"] == "metal"
        r, height = 0.92 * radius, 1.84 * radius
        top, bottom = self.circle(*at, height, r), self.circle(*at, 0, r)
        left, right = min(x for x, _ in top), max(x for x, _ in top)
        if metal:
            stops = [(0, dim(color, 0.5)), (0.1, dim(color, 0.1)), (0.2, lit(color, 0.8)), (0.29, lit(color, 0.7))]
            stops += [(0.4, color), (0.66, dim(color, 0.55)), (0.84, dim(color, 0.3)), (0.92, lit(color, 0.32))]
            stops += [(1, dim(color, 0.45))]
            lid = [(0, lit(color, 0.8)), (0.45, lit(color, 0.3)), (0.6, lit(color, 0.6)), (1, lit(color, 0.12))]
        else:
            stops = [(0, dim(color, 0.14)), (0.28, lit(color, 0.12)), (0.6, dim(color, 0.16)), (1, dim(color, 0.48))]
            lid = [(0, lit(color, 0.34)), (1, lit(color, 0.16))]
        defs = [linear(name, stops, (left, 0), (right, 0)), linear(f"{name}-t", lid, top[24], top[0])]
        body = f'<path d="{path(hull([*top, *bottom]))}" fill="url(#{name}-g)"/>'
        body += f'<path d="{path(top)}" fill="url(#{name}-t-g)" stroke="{code(lit(color, 0.5))}" stroke-width=".8"/>'
        return defs, body

    def cube(self, name: str, thing: Mapping[str, Any], at: Point, radius: float) -> tuple[list[str], str]:
        """A block: the faces that look towards the eye, with slightly rounded edges."""
        color, metal = PAINT[thing["color"]], thing["material"] == "metal"
        half = 0.80 * radius
        turn = math.radians(thing["rotation"])
        axes: list[Vector] = [(math.cos(turn), math.sin(turn), 0), (-math.sin(turn), math.cos(turn), 0), (0, 0, 1)]
        center: Vector = (*at, half)
        defs, body, edge = [], "", 0.05 * half * self.focal / dot(minus(center, self.eye), self.ahead)
        for k, axis in enumerate(axes):
            for sign in (-1, 1):
                normal = scaled(axis, sign)
                middle = plus(center, scaled(normal, half))
                if dot(normal, minus(self.eye, middle)) <= 0:
                    continue
                one, two = (scaled(axes[j], half * 0.965) for j in range(3) if j != k)
                corners = [plus(plus(middle, scaled(one, a)), scaled(two, b)) for a, b in SQUARE]
                points = [self.project(corner) for corner in corners]
                bright = 0.5 * (1 + dot(normal, self.light))
                base = lit(color, (bright - 0.62) * 1.0) if bright > 0.62 else dim(color, (0.62 - bright) * 1.15)
                if metal:
                    stops = [(0, lit(base, 0.52)), (0.3, lit(base, 0.1)), (0.46, lit(base, 0.42)), (0.56, base)]
                    stops += [(1, dim(base, 0.3))]
                else:
                    stops = [(0, lit(base, 0.1)), (1, dim(base, 0.14))]
                face = f"{name}-{k}"
                ends = min(points, key=lambda p: p[0] + p[1]), max(points, key=lambda p: p[0] + p[1])
                defs.append(linear(face, stops, *ends))
                rim = code(lit(base, 0.2 if metal else 0.07))
                body += f'<path d="{path(points)}" fill="url(#{face}-g)" stroke="{rim}" stroke-width="{n(edge)}"/>'
        return defs, f'<g stroke-linejoin="round">{body}</g>'


SQUARE = ((-1, -1), (1, -1), (1, 1), (-1, 1))


def panel(x: float, y: float, width: float, height: float, *, content: str) -> str:
    """The stage on which a scene stands."""
    clip = f"c{n(x)}-{n(y)}".replace(".", "_")
    frame = f'width="{n(width)}" height="{n(height)}" rx="14"'
    return (
        f'<g transform="translate({n(x)} {n(y)})"><clipPath id="{clip}"><rect {frame}/></clipPath>'
        f'<g clip-path="url(#{clip})"><rect {frame} fill="url(#stage)"/><rect {frame} fill="url(#glow)"/>{content}</g>'
        f'<rect {frame} fill="none" stroke="#000" stroke-opacity=".08"/></g>'
    )


def uses(drawn: Iterable[Shape], *, only: Sequence[int] | None = None) -> str:
    """Objects, those that are not meant faded."""
    content = ""
    for shape in drawn:
        meant = only is None or shape.index in only
        if meant and only is not None:
            content += f'<path d="{shape.ring}" fill="{ACCENT}" fill-opacity=".28" stroke="{ACCENT}" stroke-width="5"/>'
        content += f'<use href="#{shape.name}"' + ("/>" if meant else ' opacity=".16"/>')
    return content


def thumbnail(
    x: float,
    y: float,
    size: tuple[int, int],
    full: tuple[int, int],
    drawn: list[Shape],
    shown: list[int],
    value: str,
    *,
    loud: bool,
) -> str:
    """The scene in small with what a step refers to, and its value where it is none of the objects."""
    whole = len(shown) == len(drawn)
    content = f'<g transform="scale({size[0] / full[0]:.4f})">{uses(drawn, only=None if whole else shown)}</g>'
    if value:
        high = 36 if loud else 28
        letters = high * 0.58
        wide, top = high * 0.8 + 0.62 * letters * len(value), size[1] - high - 10
        content += (
            f'<rect x="{n(size[0] - wide - 10)}" y="{top}" width="{n(wide)}" height="{high}" rx="{high // 2}" '
            f'fill="{ACCENT if loud else "#fff"}" opacity="{1 if loud else 0.75}"/>'
            f'<text x="{n(size[0] - wide / 2 - 10)}" y="{n(top + 0.7 * high)}" {SANS} font-size="{n(letters)}" '
            f'font-weight="{700 if loud else 500}" fill="{"#fff" if loud else INK}" text-anchor="middle">{value}</text>'
        )
    return panel(x, y, *size, content=content)


def label(
    x: float,
    y: float,
    text: str,
    *,
    size: int,
    color: str = INK,
    weight: int = 400,
    mono: bool = False,
    spacing: float = 0,
) -> str:
    """One line of text."""
    safe = text.replace("&", "&amp;").replace("<", "&lt;").replace(" ", "\u00a0")
    extra = f' letter-spacing="{spacing}"' if spacing else ""
    font = MONO if mono else SANS
    look = f'{font} font-size="{size}" font-weight="{weight}" fill="{color}"{extra}'
    return f'<text x="{n(x)}" y="{n(y)}" {look}>{safe}</text>'


def document(width: int, height: int, defs: Iterable[str], body: Iterable[str]) -> str:
    """A whole SVG file on its own paper, so that it can be read on any page."""
    shared = [
        '<linearGradient id="stage" x2="0" y2="1">',
        fade((0, "#f4f2ee", 1), (0.3, "#e4e1db", 1), (1, "#cfcbc3", 1)),
        '</linearGradient><radialGradient id="glow" cx=".4" cy=".45" r=".75">',
        fade((0, "#fff", 0.55), (0.6, "#fff", 0), (1, "#4a443b", 0.2)),
        '</radialGradient><radialGradient id="shade">',
        fade((0, "#2a241c", 0.34), (0.55, "#2a241c", 0.16), (1, "#2a241c", 0)),
        '</radialGradient><radialGradient id="contact">',
        fade((0.55, "#1c1812", 0.55), (1, "#1c1812", 0)),
        '</radialGradient><radialGradient id="bounce">',
        fade((0, "#fff6e6", 0.55), (1, "#fff6e6", 0)),
        "</radialGradient>",
    ]
    content = "\n".join(["<defs>", *shared, *defs, "</defs>", *body])
    paper = f'<rect width="{width}" height="{height}" rx="20" fill="{PAPER}"/>'
    return f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}">\n{paper}\n{content}\n</svg>\n'


def fade(*stops: tuple[float, str, float]) -> str:
    """The stops of a gradient as (place, color, opacity)."""
    return "".join(f'<stop offset="{at}" stop-color="{color}" stop-opacity="{o}"/>' for at, color, o in stops)


def wrapped(text: str, width: int) -> list[str]:
    """Text in lines of at most so many letters."""
    lines = [""]
    for word in text.split():
        if len(lines[-1]) + len(word) >= width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return lines


def nested(program: str, width: int) -> list[str]:
    """A program broken after opening brackets."""
    lines = [""]
    for piece in program.replace("(", "(\n").split("\n"):
        if len(lines[-1]) + len(piece) > width:
            lines.append("  ")
        lines[-1] += piece
    return lines


def radial(name: str, stops: Iterable[tuple[float, Color]], *, fx: float, fy: float) -> str:
    """A gradient around a point of a shape's box."""
    return f'<radialGradient id="{name}-g" cx=".5" cy=".5" r=".5" fx="{fx}" fy="{fy}">{_stops(stops)}</radialGradient>'


def linear(name: str, stops: Iterable[tuple[float, Color]], start: Point, end: Point) -> str:
    """A gradient from one point of the picture to another."""
    ends = f'x1="{n(start[0])}" y1="{n(start[1])}" x2="{n(end[0])}" y2="{n(end[1])}"'
    return f'<linearGradient id="{name}-g" gradientUnits="userSpaceOnUse" {ends}>{_stops(stops)}</linearGradient>'


def _stops(stops: Iterable[tuple[float, Color]]) -> str:
    return "".join(f'<stop offset="{at}" stop-color="{code(color)}"/>' for at, color in stops)


def lit(color: Color, share: float) -> Color:
    """A color with some white in it."""
    r, g, b = (part + (255 - part) * share for part in color)
    return r, g, b


def dim(color: Color, share: float) -> Color:
    """A color with some black in it."""
    r, g, b = (part * (1 - share) for part in color)
    return r, g, b


def code(color: Color) -> str:
    """A color as SVG writes it."""
    return "#" + "".join(f"{round(min(max(part, 0), 255)):02x}" for part in color)


def path(points: Sequence[Point]) -> str:
    """A closed line through points."""
    return "M" + "L".join(f"{n(x)} {n(y)}" for x, y in points) + "Z"


def n(number: float) -> str:
    """A number short enough for a small file."""
    return f"{number:.1f}".removesuffix(".0")


def hull(points: Iterable[Point]) -> list[Point]:
    """The convex outline of points, by Andrew's monotone chain."""
    ordered = sorted(set(points))
    outline: list[Point] = []
    for way in (ordered, ordered[::-1]):
        chain: list[Point] = []
        for p in way:
            while len(chain) > 1 and _turn(chain[-2], chain[-1], p) <= 0:
                chain.pop()
            chain.append(p)
        outline += chain[:-1]
    return outline


def _turn(a: Point, b: Point, c: Point) -> float:
    return (b[0] - a[0]) * (c[1] - a[1]) - (b[1] - a[1]) * (c[0] - a[0])


def plus(a: Vector, b: Vector) -> Vector:
    """a + b"""
    return a[0] + b[0], a[1] + b[1], a[2] + b[2]


def minus(a: Vector, b: Vector) -> Vector:
    """a - b"""
    return a[0] - b[0], a[1] - b[1], a[2] - b[2]


def scaled(a: Vector, by: float) -> Vector:
    """a, so many times as long"""
    return a[0] * by, a[1] * by, a[2] * by


def dot(a: Vector, b: Vector) -> float:
    """The inner product."""
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2]


def cross(a: Vector, b: Vector) -> Vector:
    """The vector product."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def unit(a: Vector) -> Vector:
    """a with length 1"""
    return scaled(a, 1 / math.sqrt(dot(a, a)))


if __name__ == "__main__":
    main()
