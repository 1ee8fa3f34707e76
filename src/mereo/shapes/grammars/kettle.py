"""Kettles: electric jugs on a plate, slender ones to pour with, and those that whistle on a stove."""

from __future__ import annotations

import numpy as np

from mereo.shapes.appliances import cord
from mereo.shapes.articulation import sliding, turning
from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.joinery import Profile, sized
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, bent, box, cylinder, hull, lathe, shell, sphere, tube, union
from mereo.shapes.style import Style

_PROFILES: dict[str, Profile] = {
    "jug": [(1.0, 0.0), (0.98, 0.3), (0.86, 0.7), (0.72, 1.0)],
    "straight": [(1.0, 0.0), (1.0, 0.5), (0.97, 1.0)],
    "dome": [(1.0, 0.0), (1.02, 0.2), (0.96, 0.5), (0.8, 0.78), (0.5, 1.0)],
    "pear": [(0.9, 0.0), (1.0, 0.2), (0.88, 0.5), (0.66, 0.8), (0.6, 1.0)],
    "cone": [(1.0, 0.0), (0.86, 0.4), (0.68, 0.8), (0.58, 1.0)],
    "squat": [(0.92, 0.0), (1.0, 0.22), (0.94, 0.55), (0.74, 0.85), (0.56, 1.0)],
}
"""Radius and height from the foot to the mouth, as shares."""
_KINDS = {"jug": 2.4, "glass": 1.4, "retro": 1.4, "slender": 1.6, "stove": 2.2}


@grammar("kettle")
def kettle(style: Style) -> Part:
    """The spout points to -x and the handle to +x, or the handle arches over the lid."""
    kind = style.pick("kind", _KINDS)
    shapes: dict[str, dict[str, float]] = {
        "jug": {"jug": 1, "straight": 1, "cone": 1},
        "glass": {"straight": 1, "jug": 1, "pear": 0.7},
        "retro": {"dome": 1, "pear": 1},
        "slender": {"cone": 1, "squat": 1, "dome": 0.7},
        "stove": {"dome": 1, "squat": 1.4, "cone": 1},
    }
    profile = _PROFILES[style.pick("profile", shapes[kind])]
    low = kind in ("slender", "stove")
    radius = style.number("radius", 0.075, 0.1) if low else style.number("radius", 0.068, 0.084)
    height = radius * (style.number("height", 1.2, 1.7) if low else style.number("height", 2.2, 2.8))
    plate = 0.022 if kind != "stove" else 0.0
    points = [(r, z + plate) for r, z in sized(profile, radius, height)]
    top, mouth = points[-1][1], points[-1][0]
    glass = kind == "glass"
    body = [
        leaf(
            "container",
            _container(points),
            "glass" if glass else style.pick("material", {"": 2, "plastic": 1, "ceramic": 0.3}),
        )
    ]
    body += [leaf("spout", _spout(style, kind, points), "plastic" if glass else "metal"), _handle(style, kind, points)]
    if kind == "jug" and style.maybe("gauge", 0.6):
        body.append(leaf("window", _gauge(points), "glass"))
    if kind != "stove":
        key = box((0.022, 0.03, 0.014), (radius + 0.012, 0, plate + 0.012), bevel=0.003)
        body.append(turning(leaf("button", key, "plastic"), (0, 1, 0), (radius, 0, plate + 0.012), (-15, 15)))
    return part("kettle", part("body", body), _lid(style, kind, mouth, top), _base(style, kind, radius, plate))


def _container(points: list[tuple[float, float]]) -> Solid:
    """Hollow, with a floor of its own."""
    floor = points[0]
    return shell([(0.004, floor[1]), (0.6 * floor[0], floor[1]), *points], 0.003, sectors=8)


def _width_at(points: list[tuple[float, float]], z: float) -> float:
    return float(np.interp(z, [point[1] for point in points], [point[0] for point in points]))


def _spout(style: Style, kind: str, points: list[tuple[float, float]]) -> Solid:
    """A beak at the rim, a swan's neck, or a stout tube with a cap."""
    bottom, (mouth, top) = points[0][1], points[-1]
    tall = top - bottom
    if kind in ("jug", "glass", "retro") and not (kind == "retro" and style.maybe("tube spout", 0.5)):
        reach = style.number("beak", 0.02, 0.035)
        z = top - 0.28 * tall
        x = -_width_at(points, z)
        side = 0.55 * mouth
        lip = [(-mouth - reach, 0.2 * y) for y in (-reach, reach)] + [(-0.82 * mouth, y) for y in (-side, side)]
        rim = [(a, b, top + 0.002) for a, b in lip] + [(0.96 * a, 0.9 * b, top - 0.008) for a, b in lip]
        rim += [(x, 0.0, z)] + [(0.97 * x, y, z + 0.03) for y in (-0.024, 0.024)]
        return hull(np.array(rim))
    if kind == "slender":
        z, out = bottom + 0.2 * tall, style.number("neck", 0.07, 0.11)
        x, end = -_width_at(points, z), top + style.number("neck rise", -0.01, 0.03)
        path = [
            (x + 0.01, 0, z),
            (x - 0.45 * out, 0, z),
            (x - 0.4 * out, 0, end),
            (x - out, 0, end),
            (x - out - 0.012, 0, end - 0.006),
        ]
        return tube(bent(path), 0.0075, segments=10)
    z = bottom + style.number("spout place", 0.35, 0.55) * tall
    x, out = -_width_at(points, z), style.number("spout reach", 0.05, 0.08)
    tip = (x - out, 0.0, max(top, z + 0.8 * out))
    pipe = bar((x + 0.02, 0, z), tip, 0.04, round=True, taper=0.55)
    if kind == "stove" and style.maybe("whistle", 0.6):
        return union(pipe, sphere(0.016, tip, segments=16))
    return pipe


def _handle(style: Style, kind: str, points: list[tuple[float, float]]) -> Part:
    """A bow at the back; over the lid of a stove kettle, an arch that can be laid over."""
    bottom, top = points[0][1], points[-1][1]
    tall, thick = top - bottom, style.number("handle", 0.008, 0.012)
    if kind == "stove":
        z = bottom + 0.72 * tall
        x, rise = _width_at(points, z) + 0.004, style.number("arch", 0.09, 0.13)
        right = [(0.8 * x, 0.0, top + rise), (x, 0.0, top + 0.7 * rise), (x, 0.0, z)]
        rod = tube(bent([*((-a, b, c) for a, b, c in reversed(right)), *right]), 0.6 * thick, segments=10)
        grip = bar((-0.36 * x, 0.0, top + rise), (0.36 * x, 0.0, top + rise), 2.6 * thick, round=True)
        arch = union(rod, grip)
        return turning(leaf("handle", arch, "metal"), (1, 0, 0), (0, 0.0, z), (-60, 60))
    out = style.number("handle reach", 0.05, 0.07)
    high, low = (top - 0.012, bottom + 0.12 * tall)
    ends = [(_width_at(points, z) - 0.004, 0.0, z) for z in (high, low)]
    x = max(ends[0][0], ends[1][0]) + out
    shape = style.pick("handle shape", {"bow": 1.4, "square": 1, "open": 1, "ear": 0.8})
    path = [ends[0], (x, 0.0, high + 0.012), (x, 0.0, low), ends[1]]
    if shape == "ear":
        path = [
            ends[0],
            (x, 0.0, high),
            (0.9 * x, 0.0, bottom + 0.4 * tall),
            (_width_at(points, bottom + 0.4 * tall) - 0.004, 0.0, bottom + 0.4 * tall),
        ]
    elif shape == "open":
        path = [ends[0], (x - 0.02, 0.0, high + 0.014), (x, 0.0, high - 0.02), (x + 0.004, 0.0, low + 0.1 * tall)]
    elif shape == "square":
        path = [
            ends[0],
            (x - 0.01, 0.0, high),
            (x, 0.0, high),
            (x, 0.0, high - 0.01),
            (x, 0.0, low + 0.01),
            (x, 0.0, low),
            (x - 0.01, 0.0, low),
            ends[1],
        ]
    line = bent(path, rounds=1 if shape == "square" else 2)
    return leaf("handle", tube(line, thick, segments=10).scaled(y=style.number("handle width", 1.0, 1.6)), "plastic")


def _gauge(points: list[tuple[float, float]]) -> Solid:
    """A strip of glass in the side that faces the viewer, to see how much water there is."""
    (bottom, top) = points[0][1], points[-1][1]
    zs = np.linspace(bottom + 0.2 * (top - bottom), bottom + 0.8 * (top - bottom), 5)
    line = np.array([(0, -_width_at(points, z) + 0.001, z) for z in zs])
    return tube(line, 0.006, segments=8)


def _lid(style: Style, kind: str, mouth: float, top: float) -> Part:
    """Hinged at the back of electric kettles, lifted off others; some have a knob."""
    high = style.number("lid height", 0.008, 0.02)
    cover = lathe(
        [(mouth - 0.004, -0.006), (mouth - 0.001, 0.002), (0.75 * mouth, 0.7 * high), (0.2 * mouth, high)]
    ).at(z=top)
    made = [leaf("lid_surface", cover, style.pick("lid material", {"metal": 1, "plastic": 1.4}))]
    if kind in ("slender", "stove", "retro") or style.maybe("lid knob", 0.4):
        radius = style.number("lid knob size", 0.01, 0.016)
        stem = lathe(
            [(0.5 * radius, -0.006), (0.5 * radius, 0.006), (radius, 0.014), (0.8 * radius, 0.024)], segments=16
        )
        made.append(leaf("knob", stem.at(z=top + high), "plastic"))
    lid = part("lid", made)
    if kind in ("slender", "stove"):
        return sliding(lid, (0, 0, 1), (0, 0.06))
    opened = style.number("lid open", 40, 85) * style.maybe("stands open", 0.25)
    return turning(lid, (0, 1, 0), (0.94 * mouth, 0, top), (0, 90), stands=opened)


def _base(style: Style, kind: str, radius: float, plate: float) -> Part | None:
    """The plate that heats an electric kettle, perhaps with its cord."""
    if kind == "stove":
        return None
    disk = cylinder(1.06 * radius, plate + 0.001, top=0.98 * radius, bevel=0.005)
    cable = cord((0.0, radius, 0.008), length=0.2) if style.maybe("cord", 0.4) else None
    return part("base", leaf("surface", disk, "plastic"), leaf("cord", cable, "rubber") if cable else None)
