"""Carts: pushed or pulled on two to four wheels, to serve, to shop, to garden, to work, to sell from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np

from mereo.shapes.grammar import grammar, leaf, part
from mereo.shapes.grammars.table import Fittings
from mereo.shapes.mesh import Floats
from mereo.shapes.outlines import Outline, Point, ellipse, polygon, rectangle
from mereo.shapes.part import Part
from mereo.shapes.solids import Solid, bar, board, box, cylinder, hull, lathe, prism, ring, shell, tube, union
from mereo.shapes.style import Style

Parts = list[Part]
Span = tuple[float, float]


@grammar("cart")
def cart(style: Style) -> Part:
    """What carries, and what it rolls on. It moves towards -y; whoever pushes it stands at +y."""
    kinds = {
        "utility": (2.4, _utility),
        "tea": (1.6, _tea),
        "round tea": (0.7, _round_tea),
        "platform": (1.8, _platform),
        "supermarket": (2.2, _supermarket),
        "hand truck": (1.8, _hand_truck),
        "wagon": (2.2, _wagon),
        "barrow": (1.3, _barrow),
        "handcart": (1.2, _handcart),
        "tool": (1.3, _tool),
        "shopper": (1.0, _shopper),
        "luggage": (0.9, _luggage),
        "book": (0.9, _book),
        "laundry": (0.9, _laundry),
        "stall": (0.9, _stall),
    }
    kind = style.pick("kind", {name: weight for name, (weight, _) in kinds.items()})
    body, wheels = kinds[kind][1](style)
    return part("cart", part("body", body), part("wheel_base", wheels))


def _measures(style: Style, **spans: Span) -> list[float]:
    """Several numbers of the style at once, by name."""
    return [style.number(name.replace("_", " "), *span) for name, span in spans.items()]


def _leaves(name: str, solids: Iterable[Solid]) -> Parts:
    return [leaf(name, solid) for solid in solids]


def _corners(x: float, y: float) -> list[Span]:
    """Front left first, then around."""
    return [(-x, -y), (x, -y), (x, y), (-x, y)]


def _pair(solid: Solid) -> list[Solid]:
    """A solid and its mirror image on the other side."""
    return [solid, solid.mirrored("x")]


def _frame(*, upright: Iterable[Solid] = (), level: Iterable[Solid] = (), whole: Iterable[Solid] = ()) -> Part:
    made = {"frame_vertical_bar": upright, "frame_horizontal_bar": level, "frame_holistic": whole}
    return part("frame", [leaf(name, solid) for name, solids in made.items() for solid in solids])


def _wheel(radius: float, width: float, kind: str) -> Solid:
    """A wheel around the origin that rolls along y: a plain roller, a disc with a tyre, or spokes."""
    if kind == "spoked":
        rim, hub = ring(radius - width / 2, width), cylinder(0.16 * radius, 1.5 * width).at(z=-0.75 * width)
        spoke = bar((0, 0, 0), (0.97 * radius - width / 2, 0, 0), 0.35 * width, round=True, sides=8)
        solid = union(rim, hub, *(spoke.turned(z=45 * k) for k in range(8)))
    elif kind == "disc":
        half = [(0.25, 0.6), (0.25, 0.25), (0.66, 0.25), (0.7, 0.5), (0.92, 0.42), (1.0, 0.2)]
        both = [*half, *((r, -z) for r, z in half[::-1])]
        solid = lathe([(radius * r, -width * z) for r, z in both], segments=32)
    else:
        solid = cylinder(radius, width, bevel=0.15 * width).at(z=-width / 2)
    return solid.turned(y=90)


def _casters(spots: Iterable[Span], height: float) -> Parts:
    """A swivelling wheel under each place, which lies at a height."""
    radius, width = 0.4 * height, 0.22 * height + 0.006
    trail, top = 0.25 * radius, 2 * radius + 0.012
    cheek = box((0.005, 0.9 * radius, 1.25 * radius), (width / 2 + 0.004, trail, 1.4 * radius))
    yoke = union(*_pair(cheek), box((width + 0.013, 0.9 * radius, 0.006), (0, trail, top)))
    pin = cylinder(0.006, width + 0.012).at(z=-width / 2 - 0.006).turned(y=90)
    wheel = union(_wheel(radius, width, "plain"), pin).at(0, trail, radius)
    stem = cylinder(0.16 * radius + 0.006, height - top + 0.008, (0, 0, top - 0.004))
    solids = {"wheel": wheel, "caster_yoke": yoke, "caster_stem": stem}
    return [part("caster", [leaf(name, solid.at(*spot)) for name, solid in solids.items()]) for spot in spots]


def _axle(track: float, y: float, radius: float, width: float, kind: str) -> Parts:
    """Two wheels and what joins them. track : between the middles of the wheels"""
    reach = track / 2 + 0.6 * width
    rod = bar((-reach, y, radius), (reach, y, radius), 0.022, round=True)
    return [leaf("axle", rod), *_leaves("wheel", _pair(_wheel(radius, width, kind).at(track / 2, y, radius)))]


def _pipe(path: Sequence[Point], thick: float, *, turn: float = 0.05) -> Solid:
    """A tube through corners that are rounded by about a radius, straight between them."""
    points = [np.asarray(point, np.float64) for point in path]
    line = [points[0]]
    for before, corner, after in zip(points, points[1:], points[2:], strict=False):
        sides = [(before - corner), (after - corner)]
        start, end = (corner + side * min(0.49, turn / float(np.linalg.norm(side))) for side in sides)
        line += [(1 - s) ** 2 * start + 2 * s * (1 - s) * corner + s * s * end for s in np.linspace(0, 1, 6)]
    return tube([*line, points[-1]], thick / 2)


def _push_bar(x: float, start: Span, end: Span, thick: float = 0.025) -> Solid:
    """A tube that rises on both sides, from start to end, (y, z), and crosses there."""
    return _pipe([(-x, *start), (-x, *end), (x, *end), (x, *start)], thick)


def _across(x: float, y: float, z: float, thick: float) -> Solid:
    """A round bar from side to side."""
    return bar((-x, y, z), (x, y, z), thick, round=True)


def _tray(outline: Outline, rim: float, z: float) -> Solid:
    """A floor with a rim around it."""
    return union(board(outline, 0.008), board(outline.minus(outline.grown(-0.008)), rim)).at(z=z)


def _lattice(corners: Sequence[Point], across: int, up: int, thick: float) -> Solid:
    """Wires that fill the face between four corners, given around. across, up : how many fields"""
    a, b, c, d = (np.asarray(corner, np.float64) for corner in corners)
    lines = [(a + s * (b - a), d + s * (c - d)) for s in np.linspace(0, 1, across + 1)]
    lines += [(a + s * (d - a), b + s * (c - b)) for s in np.linspace(0, 1, up + 1)]
    return union(*(bar(*line, thick) for line in lines))


def _level(x: float, front: float, back: float, z: float) -> list[tuple[float, float, float]]:
    """Four corners at a height, front left first, then around."""
    return [(-x, front, z), (x, front, z), (x, back, z), (-x, back, z)]


def _walls(low: Sequence[Point], high: Sequence[Point], fields: tuple[int, int, int], thick: float) -> list[Solid]:
    """The wire sides front, right, back and left between lower and upper corners. fields : along x, y and z"""
    faces = [(low[k], low[k - 3], high[k - 3], high[k]) for k in range(4)]
    return [_lattice(face, fields[k % 2], fields[2], thick) for k, face in enumerate(faces)]


def _basket(bottom: Solid | None, sides: Iterable[Solid]) -> Part:
    floor = leaf("basket_bottom", bottom) if bottom else None
    return part("container", part("basket", floor, _leaves("basket_side", sides)))


def _tub(low: Span, high: Span, z: Span, *, shift: float = 0.0) -> Part:
    """An open trough that widens upwards. low, high : width and length; shift : of its mouth along y"""

    def rim(size: Span, y: float, height: float, less: float) -> Floats:
        return np.array([(a, b + y, height) for a, b in _corners((size[0] - less) / 2, (size[1] - less) / 2)])

    outer = [rim(low, 0, z[0], 0), rim(high, shift, z[1], 0)]
    inner = [rim(low, 0, z[0] + 0.01, 0.02), rim(high, shift, z[1], 0.02)]
    walls = [hull(np.concatenate([face[[k, k - 3]] for face in outer + inner])) for k in range(4)]
    room = hull(np.concatenate([*inner, inner[1] + (0, 0, 0.01)]))
    solid = hull(np.concatenate(outer)).minus(room, pieces=[*walls, hull(np.concatenate([outer[0], inner[0]]))])
    return part("container", leaf("tub", solid))


def _utility(style: Style) -> tuple[Parts, Parts]:
    """Two or three trays or shelves between four posts."""
    w, d, top = _measures(style, width=(0.4, 0.55), length=(0.65, 0.95), height=(0.75, 0.9))
    rise, thick, rim, over = _measures(style, casters=(0.1, 0.15), post=(0.022, 0.04), rim=(0.03, 0.13), over=(0, 0.08))
    plan, round = rectangle(w, d, corner=style.number("corner", 0.0, 0.07)), style.maybe("round posts", 0.5)
    levels = np.linspace(rise, top, style.count("trays", 2, 3))
    decks = _leaves("tray", [_tray(plan, rim, z) for z in levels])
    if style.maybe("flat shelves", 0.3):
        decks = _leaves("shelf", [board(plan, 0.022, (0, 0, z), bevel=0.003) for z in levels])
    spots = _corners(w / 2 - 0.6 * thick, d / 2 - 0.6 * thick)
    posts = [bar((x, y, rise), (x, y, top + 0.02 + over), thick, round=round) for x, y in spots]
    lift = style.number("handle rise", 0.02, 0.12)
    grip = _push_bar(w / 2 - 0.6 * thick, (d / 2 - 0.015, top), (d / 2 + 0.12, top + lift))
    grips = [grip, grip.mirrored("y")] if style.maybe("two handles", 0.3) else [grip]
    return [*decks, _frame(upright=posts), *_leaves("handle", grips)], _casters(spots, rise)


def _tea(style: Style) -> tuple[Parts, Parts]:
    """Two hoops of tube with shelves or trays between; large wheels behind, casters before."""
    w, d, top, thick = _measures(style, width=(0.4, 0.5), length=(0.6, 0.8), height=(0.7, 0.85), tube=(0.016, 0.026))
    rise, radius, corner, rim = 0.09, *_measures(style, wheel=(0.14, 0.2), hoop_corner=(0.04, 0.2), rim=(0.02, 0.06))
    tall, trays = top - rise, style.maybe("trays", 0.5)
    loop = rectangle(d, tall, corner=corner).corners()[0] + (0, (top + rise) / 2)
    hoops = _pair(tube([(w / 2, y, z) for y, z in loop], thick / 2, closed=True))
    decks = []
    for share in ((0.16, 0.72), (0.14, 0.45, 0.78))[style.maybe("three shelves", 0.4)]:
        into = max(0.0, corner - tall * min(share, 1 - share))
        plan, z = rectangle(w, d - 2 * (corner - np.sqrt(corner**2 - into**2))), rise + share * tall
        decks.append(leaf("tray", _tray(plan, rim, z)) if trays else leaf("shelf", board(plan, 0.016, (0, 0, z))))
    kind = style.pick("wheel kind", {"spoked": 2, "disc": 1})
    wheels = _axle(w + thick + 0.05, d / 2 - max(0.0, 0.3 * (corner + rise - radius)), radius, 0.024, kind)
    wheels += _casters([(-w / 2, corner + 0.01 - d / 2), (w / 2, corner + 0.01 - d / 2)], rise)
    grip = _push_bar(w / 2, (d / 2, top - corner - 0.03), (d / 2 + 0.12, top + 0.04), 0.02)
    return [*decks, _frame(whole=hoops), leaf("handle", grip)], wheels


def _round_tea(style: Style) -> tuple[Parts, Parts]:
    """A round tray and shelf on three or four posts, with a ring above."""
    w, top, rise, rim = _measures(style, width=(0.42, 0.6), height=(0.65, 0.8), casters=(0.06, 0.09), rim=(0.02, 0.05))
    plan, count = ellipse(w, w), style.count("posts", 3, 4)
    spots = [
        (0.48 * w * float(np.cos(t)), 0.48 * w * float(np.sin(t))) for t in 2 * np.pi * np.arange(count) / count + 0.8
    ]
    posts = [bar((x, y, rise), (x, y, top), 0.02, round=True) for x, y in spots]
    decks = [leaf("tray", _tray(plan, rim, rise + 0.02)), leaf("shelf", board(plan, 0.014, (0, 0, 0.82 * top)))]
    grip = _push_bar(0.2 * w, (0.43 * w, top), (0.43 * w + 0.14, top + 0.06), 0.018)
    frame = _frame(upright=posts, whole=[ring(0.48 * w, 0.018, (0, 0, top))])
    return [*decks, frame, leaf("handle", grip)], _casters(spots, rise)


def _platform(style: Style) -> tuple[Parts, Parts]:
    """A deck with a bar to push, or with walls of wire around it."""
    w, d, rise, thick = _measures(style, width=(0.5, 0.75), length=(0.85, 1.2), casters=(0.13, 0.2), deck=(0.03, 0.06))
    deck = leaf("shelf", board(rectangle(w, d, corner=0.03), thick, (0, 0, rise), bevel=0.006))
    wheels = _casters(_corners(w / 2 - 0.09, d / 2 - 0.14), rise + 0.002)
    kind, floor = style.pick("sides", {"one bar": 2.5, "two bars": 1, "cage": 1.6}), rise + thick - 0.005
    if kind == "cage":
        low, high = (
            _level(w / 2 - 0.015, 0.015 - d / 2, d / 2 - 0.015, z)
            for z in (floor, floor + style.number("cage", 0.6, 1.3))
        )
        walls = _walls(low, high, (5, 5, 7), 0.012)[0 if style.maybe("closed", 0.4) else 1 :]
        posts = [bar(a, b, 0.03, bevel=0.003) for a, b in zip(low, high, strict=True)]
        return [deck, _basket(None, walls), _frame(upright=posts)], wheels
    x, y, hand, share = w / 2 - 0.05, d / 2 - 0.04, *_measures(style, hand=(0.85, 1.0), rung=(0.35, 0.6))
    bow = _push_bar(x, (y, floor), (y + 0.1, hand), 0.034)
    rung = _across(x, y + 0.1 * share, floor + share * (hand - floor), 0.022)
    both = kind == "two bars"
    frame = _frame(level=[rung, rung.mirrored("y")] if both else [rung])
    return [deck, frame, *_leaves("handle", [bow, bow.mirrored("y")] if both else [bow])], wheels


def _supermarket(style: Style) -> tuple[Parts, Parts]:
    """A wire basket, or two small ones, on a chassis of tube."""
    w, d, high, deep = _measures(style, width=(0.48, 0.58), length=(0.75, 0.95), height=(0.95, 1.05), deep=(0.3, 0.45))
    x, y, rise, double, fields = w / 2, d / 2, 0.13, style.maybe("two baskets", 0.3), style.count("fields", 8, 11)
    front, deep = (0.1 - y, 0.55 * deep) if double else (-y, deep)
    baskets = []
    for top in (high - 0.06, high - 0.48)[: 1 + double]:
        low = [*_level(0.72 * x, front + 0.06, y, top - 0.8 * deep)[:2], *_level(x - 0.01, front, y, top - deep)[2:]]
        rim = [*_level(0.8 * x, front, y, top - 0.02)[:2], *_level(x - 0.01, front, y, top)[2:]]
        baskets.append(
            _basket(_lattice(low, 6, fields, 0.006), _walls(low, rim, (6, fields, 3 if double else 5), 0.006))
        )
    nose, heel = (0.8 * x, 0.04 - y, rise + 0.01), (x, y, rise + 0.01)
    side = _pipe([nose, heel, (x, y, high - 0.05), (x, y + 0.1, high)], 0.024)
    ties = [_across(0.8 * x, 0.04 - y, rise + 0.01, 0.022), _across(x, y, high - 0.08 - deep, 0.018)]
    rear = [0.9 * a + 0.1 * b for a, b in zip(heel, nose, strict=True)]
    rack = _lattice([(-0.8 * x, *nose[1:]), nose, rear, (-rear[0], *rear[1:])], 8, 2, 0.008)
    spots = [(-nose[0], nose[1] + 0.01), (nose[0], nose[1] + 0.01), (rear[0], rear[1]), (-rear[0], rear[1])]
    grip = _across(x + 0.015, y + 0.1, high, 0.034)
    return [*baskets, leaf("shelf", rack), _frame(whole=_pair(side), level=ties), leaf("handle", grip)], _casters(
        spots, rise
    )


def _hand_truck(style: Style) -> tuple[Parts, Parts]:
    """Two rails with rungs on a toe plate, leaning back a little, on two wheels."""
    w, high, radius, thick = _measures(
        style, width=(0.3, 0.42), height=(1.05, 1.35), wheel=(0.09, 0.14), tube=(0.024, 0.034)
    )
    lean, bow, plate, tyre = _measures(style, lean=(0.02, 0.12), bow=(0, 0.05), plate=(0.16, 0.28), tyre=(0.035, 0.07))
    kind = style.pick("truck handle", {"arch": 1.5, "grips": 1, "single": 1, "bow": 1})
    x, top, back = w / 2, high if kind in ("grips", "bow") else 0.86 * high, 0.6 * radius + 0.03

    def on(z: float) -> Span:
        return lean * z / high, z

    rails = _pair(bar((x, *on(0.01)), (x, *on(top)), thick, round=True))
    shares = np.linspace(-1, 1, 7)
    rungs = [
        tube([(s * x, on(z)[0] + bow * (1 - s * s), z) for s in shares], 0.4 * thick)
        for z in np.linspace(0.16, 0.95 * top, style.count("rungs", 3, 5))
    ]
    if kind == "arch":
        turns = np.linspace(0, np.pi, 13)
        path = [(x * np.cos(t), *on(top - 0.01 + (high - top) * np.sin(t))) for t in turns]
        grips = [tube(path, thick / 2)]
    elif kind == "single":
        grips = [_pipe([(0, *on(0.9 * top)), (0, *on(high)), (0, lean + 0.22, high + 0.02)], 1.2 * thick)]
        rungs.append(_across(x, *on(top - 0.012), thick))
    elif kind == "bow":
        grips = [_push_bar(x, on(high - 0.02), (lean + 0.16, high + 0.05), thick)]
    else:
        grips = _pair(
            _pipe([(x, *on(high - 0.04)), (x, lean, high + 0.04), (x, lean + 0.18, high + 0.05)], 1.1 * thick)
        )
    struts = [solid for z in (0.05, 0.38) for solid in _pair(bar((x, *on(z)), (x, back, radius), 0.7 * thick))]
    toe = board(rectangle(w + 0.1, plate, corner=0.02), 0.012, (0, 0.02 - plate / 2, 0))
    body = [leaf("toe_plate", toe), _frame(upright=rails + struts, level=rungs), *_leaves("handle", grips)]
    return body, _axle(w + 0.1, back, radius, tyre, "disc")


def _wagon(style: Style) -> tuple[Parts, Parts]:
    """A box, a trough or a stake bed on four wheels, with a bar to pull."""
    w, d, radius, tall = _measures(style, width=(0.4, 0.6), length=(0.75, 1.1), wheel=(0.1, 0.18), sides=(0.12, 0.35))
    bed, wheel = (
        style.pick("bed", {"box": 2, "tub": 1.2, "stakes": 1.4}),
        style.pick("wheel kind", {"spoked": 1, "disc": 1}),
    )
    floor, y = radius + 0.06, 0.33 * d
    if bed == "tub":
        holder = _tub((0.85 * w, 0.88 * d), (w, d), (floor, floor + tall))
    elif bed == "box":
        holder = _open_box(w, d, (floor, floor + tall), front=style.maybe("front", 0.8))
    else:
        low, high = (_level(w / 2 - 0.012, 0.012 - d / 2, d / 2 - 0.012, z) for z in (floor + 0.01, floor + tall))
        walls = _walls(low, high, (2, 4, style.count("slats", 2, 4)), 0.022)
        holder = _basket(box((w, d, 0.02), (0, 0, floor + 0.01)), walls)
    bolsters = [box((0.8 * w, 0.05, 0.065), (0, at, floor - 0.03)) for at in (-y, y)]
    bolsters.append(box((0.05, 2 * y, 0.03), (0, 0, floor - 0.018)))
    reach, z = _measures(style, pull_reach=(0.15, 0.6), pull_height=(0.5, 0.75))
    tip = -d / 2 - reach
    hold = _across(0.09, tip, z, 0.028)
    if style.maybe("loop handle", 0.5):
        loop = rectangle(0.14, 0.09, corner=0.03).corners()[0]
        hold = tube([(a, tip - 0.5 * b, z + 0.03 + b) for a, b in loop], 0.011, closed=True)
    shaft = bar((0, -y, floor - 0.03), (0, tip, z), 0.024, round=True)
    pull = part("pull_bar", leaf("bar", shaft), leaf("handle", hold))
    wheels = [rolling for at in (-y, y) for rolling in _axle(w + 0.1, at, radius, 0.038, wheel)]
    return [holder, _frame(level=bolsters), pull], wheels


def _open_box(w: float, d: float, z: Span, *, front: bool) -> Part:
    thick, tall, middle = 0.016, z[1] - z[0], sum(z) / 2
    side = box((thick, d, tall), ((w - thick) / 2, 0, middle), bevel=0.003)
    end = box((w - 1.9 * thick, thick, tall), (0, (d - thick) / 2, middle), bevel=0.003)
    floor = leaf("bottom_panel", box((w - 1.9 * thick, d - 0.001, thick), (0, 0, z[0] + thick / 2)))
    faces = [leaf("vertical_front_panel", end.mirrored("y"))] if front else []
    sides = _leaves("vertical_side_panel", _pair(side))
    return part("container", part("box", floor, sides, faces, leaf("back_panel", end)))


def _barrow(style: Style) -> tuple[Parts, Parts]:
    """A trough on two wheels and two legs, with shafts to lift it by."""
    w, d, tall, radius = _measures(
        style, width=(0.5, 0.65), length=(0.75, 0.95), depth=(0.22, 0.35), wheel=(0.16, 0.22)
    )
    floor, reach = _measures(style, floor=(0.26, 0.32), shaft=(0.35, 0.5))
    x, front, end, high = 0.24 * w, -0.22 * d, d / 2 + reach, floor + 0.36
    shaft = _pipe([(x, front - 0.05, floor - 0.012), (x, 0.36 * d, floor - 0.012), (0.36 * w, end, high)], 0.03)
    prop = box((0.03, 0.05, floor - radius + 0.01), (x, front, (floor + radius) / 2 - 0.003))
    toes = [
        (x, 0.08 * d, floor - 0.02),
        (x + 0.06, 0.13 * d, 0.012),
        (x + 0.06, 0.25 * d, 0.012),
        (x, 0.3 * d, floor - 0.02),
    ]
    grips = _pair(bar((0.355 * w, end - 0.02, high - 0.01), (0.39 * w, end + 0.12, high + 0.04), 0.036, round=True))
    if style.maybe("joined shafts", 0.4):
        grips = [_across(0.37 * w, end, high, 0.03)]
    if style.maybe("wooden box", 0.35):
        holder = _open_box(0.85 * w, 0.75 * d, (floor, floor + tall), front=True)
    else:
        holder = _tub((2.2 * x, 0.62 * d), (w, d), (floor, floor + tall), shift=style.number("tip", -0.1, 0.0))
    body = [holder, _frame(level=_pair(shaft), upright=_pair(prop)), *_leaves("leg", _pair(_pipe(toes, 0.024)))]
    kind = style.pick("wheel kind", {"disc": 2, "spoked": 1})
    return body + _leaves("handle", grips), _axle(w + 0.03, front, radius, 0.06, kind)


def _handcart(style: Style) -> tuple[Parts, Parts]:
    """A flat wooden bed between two large wheels, with shafts, a prop, and sometimes racks at the sides."""
    w, d, radius, shaft = _measures(style, width=(0.65, 0.85), length=(1.1, 1.5), wheel=(0.28, 0.4), shaft=(0.5, 0.8))
    floor, x, end, count = radius + 0.06, w / 2 - 0.06, d / 2 + shaft, style.count("planks", 3, 5)
    plank = box((w / count + 0.001, d, 0.025), (0, 0, floor + 0.012), bevel=0.003)
    bed = union(*(plank.at(x=(k + 0.5) * w / count - w / 2) for k in range(count)))
    beams = _pair(box((0.05, d / 2 + end, 0.05), (x, (end - d / 2) / 2, floor - 0.024), bevel=0.008))
    bolster = box((2 * x, 0.07, floor - radius + 0.01), (0, 0, (floor + radius) / 2 - 0.002))
    props = _leaves("leg", _pair(bar((x, 0.42 * d, floor - 0.01), (x, 0.42 * d, 0), 0.04, taper=0.8)))
    made = [
        leaf("shelf", bed),
        _frame(level=[*beams, bolster]),
        leaf("handle", _across(x, end - 0.04, floor - 0.024, 0.032)),
    ]
    if style.maybe("racks", 0.6):
        tall, flare, stakes = (
            style.number("rack", 0.15, 0.4),
            style.number("flare", 0.0, 0.08),
            style.count("stakes", 4, 7),
        )
        low, high, y = (w / 2 - 0.02, floor + 0.02), (w / 2 - 0.02 + flare, floor + tall), d / 2 - 0.02
        face = [(low[0], -y, low[1]), (low[0], y, low[1]), (high[0], y, high[1]), (high[0], -y, high[1])]
        made.append(_basket(None, _pair(_lattice(face, stakes, style.count("rails", 1, 2), 0.024))))
    return made + props, _axle(w + 0.26, 0.0, radius, 0.04, "spoked")


def _tool(style: Style) -> tuple[Parts, Parts]:
    """A workshop trolley: drawers under a tray, doors or a shelf below."""
    w, d, top, rise = _measures(style, width=(0.6, 0.8), depth=(0.4, 0.5), height=(0.75, 0.9), casters=(0.11, 0.15))
    fillings = {
        "drawers": ["drawer"] * 5,
        "doors": ["drawer", "drawer", "doors"],
        "shelf": ["drawer", "drawer", "shelf"],
    }
    fit, rows = Fittings(style), fillings[style.pick("filling", dict.fromkeys(fillings, 1.0))]
    case = fit.case((-w / 2, w / 2), (-d / 2, d / 2), (rise, top), [rows], pulled=fit.pulled)
    lid = _tray(rectangle(w + 0.01, d + 0.03, corner=0.015), style.number("rim", 0.02, 0.07), top - 0.002)
    x, z = w / 2 - 0.004, top - 0.08
    grip = _pipe([(x, -0.4 * d, z), (x + 0.07, -0.4 * d, z), (x + 0.07, 0.4 * d, z), (x, 0.4 * d, z)], 0.028)
    body = [part("container", part("cabinet", case)), leaf("tray", lid), leaf("handle", grip)]
    return body, _casters(_corners(w / 2 - 0.06, d / 2 - 0.07), rise + 0.002)


def _shopper(style: Style) -> tuple[Parts, Parts]:
    """A tall basket or bag on two wheels and a foot, with a long handle."""
    w, d, tall, radius = _measures(style, width=(0.3, 0.4), depth=(0.26, 0.34), tall=(0.45, 0.6), wheel=(0.07, 0.12))
    high, reach = _measures(style, height=(0.92, 1.02), handle_reach=(0.06, 0.18))
    x, y, floor, post = w / 2, d / 2, 0.1, 0.4 * w
    low, rim = _level(0.9 * x, -0.85 * y, 0.85 * y, floor), _level(x, -y, y, floor + tall)
    if style.maybe("bag", 0.4):
        holder = _tub((0.9 * w, 0.85 * d), (w, d), (floor, floor + tall))
    else:
        holder = _basket(_lattice(low, 5, 5, 0.006), _walls(low, rim, (5, 5, 6), 0.006))
    rail = bar((post, y + 0.008, radius), (post, y + 0.008, high - 0.1), 0.02, round=True)
    prong = bar((post, -0.8 * y, floor - 0.004), (post, y + 0.008, floor - 0.004), 0.016, round=True)
    tie = _across(post, y + 0.008, floor + 0.9 * tall, 0.018)
    foot = [(-post, -0.7 * y, floor), (-post, -0.8 * y, 0.008), (post, -0.8 * y, 0.008), (post, -0.7 * y, floor)]
    grip = _push_bar(post, (y + 0.008, high - 0.14), (y + reach, high), 0.022)
    frame = _frame(upright=_pair(rail), level=[*_pair(prong), tie])
    kind = style.pick("wheel kind", {"disc": 2, "spoked": 1})
    body = [holder, frame, leaf("leg", _pipe(foot, 0.016)), leaf("handle", grip)]
    return body, _axle(w + 0.06, y + 0.02, radius, 0.035, kind)


def _luggage(style: Style) -> tuple[Parts, Parts]:
    """A porter's cart: a carpeted deck under two arches of brass, with rails for coats."""
    w, d, rise, high = _measures(
        style, width=(0.55, 0.65), length=(0.95, 1.15), casters=(0.15, 0.2), height=(1.6, 1.85)
    )
    corner, thick, arch = _measures(style, corner=(0.03, 0.15), tube=(0.03, 0.042), arch=(0.25, 0.45))
    deck = board(rectangle(w, d, corner=corner), 0.05, (0, 0, rise), bevel=0.01)
    x, y, spring, crossing = w / 2 - 0.06, d / 2 - 0.06, high - arch, style.maybe("crossing arches", 0.5)
    turns = np.linspace(0, np.pi, 15)
    lean = -np.cos(turns) if crossing else np.ones(15)
    crown = np.stack([x * lean, -y * np.cos(turns), spring + arch * np.sin(turns)], 1)
    whole = tube([(*crown[0, :2], rise + 0.045), *crown, (*crown[-1, :2], rise + 0.045)], thick / 2)
    rails = [_across(x, at, spring - 0.03, 0.6 * thick) for at in (-y, y)]
    if crossing:
        rails += _pair(bar((x, -y, spring - 0.03), (x, y, spring - 0.03), 0.6 * thick, round=True))
    else:
        rails.append(_across(x, 0, high, 0.8 * thick))
    grip = _push_bar(x, (y, 0.82), (y + 0.1, 0.98))
    body = [leaf("shelf", deck), _frame(whole=_pair(whole), level=rails), leaf("handle", grip)]
    return body, _casters(_corners(x - 0.03, y - 0.08), rise + 0.002)


def _book(style: Style) -> tuple[Parts, Parts]:
    """A library truck: shelves between two end panels, level or sloping to both sides."""
    w, d, top, rise = _measures(style, depth=(0.4, 0.5), length=(0.75, 1.0), height=(0.9, 1.15), casters=(0.1, 0.14))
    count, sloping, inner = style.count("shelves", 2, 3), style.maybe("sloping shelves", 0.5), d - 0.038
    view = rectangle(w, top - rise, corner=style.number("corner", 0.0, 0.1)).at(0, (top + rise) / 2)
    panel = prism(view.minus(rectangle(0.14, 0.035, corner=0.017).at(0, top - 0.08)), 0.02, along="y").at(
        y=d / 2 - 0.01
    )
    shelf = box((w - 0.03, inner, 0.018))
    if sloping:
        half, stop = (
            box((0.46 * w, inner, 0.014), (0.23 * w, 0, 0)).turned(y=-14),
            box((0.014, inner, 0.05), (0.45 * w, 0, 0.13 * w)),
        )
        shelf = union(*_pair(half), *_pair(stop))
    levels = rise + (top - rise) * (np.arange(count) + 0.14) / count
    spine = box((0.016, inner, levels[-1] - levels[0] + 0.12), (0, 0, (levels[0] + levels[-1]) / 2 + 0.055))
    made = [*_leaves("vertical_side_panel", [panel, panel.mirrored("y")]), leaf("vertical_divider_panel", spine)]
    made += _leaves("shelf", [shelf.at(z=z) for z in levels])
    return [part("container", part("cabinet", made))], _casters(_corners(w / 2 - 0.11, d / 2 - 0.012), rise + 0.003)


def _laundry(style: Style) -> tuple[Parts, Parts]:
    """A deep trough of cloth or plastic in a frame of tube."""
    w, d, top, rise = _measures(style, width=(0.45, 0.6), length=(0.6, 0.9), height=(0.65, 0.85), casters=(0.09, 0.13))
    share, lift = _measures(style, taper=(0.75, 0.95), handle_rise=(0.02, 0.15))
    spots, border = _corners(w / 2 - 0.017, d / 2 - 0.017), rectangle(w, d, corner=0.06).corners()[0]
    rims = [tube([(x, y, z) for x, y in border], 0.012, closed=True) for z in (rise, top - 0.02)]
    posts = [bar((x, y, rise), (x, y, top - 0.02), 0.024, round=True) for x, y in spots]
    slats = [bar((-w / 2, y, rise + 0.018), (w / 2, y, rise + 0.018), 0.02) for y in (-0.25 * d, 0.0, 0.25 * d)]
    tub = _tub((share * (w - 0.04), share * (d - 0.04)), (w - 0.026, d - 0.026), (rise + 0.026, top))
    grip = _push_bar(w / 2 - 0.017, (d / 2 - 0.017, top - 0.04), (d / 2 + 0.1, top + lift))
    return [tub, _frame(whole=rims, upright=posts, level=slats), leaf("handle", grip)], _casters(spots, rise)


def _stall(style: Style) -> tuple[Parts, Parts]:
    """A vendor's barrow: a cabinet with a counter, a roof over it, two large wheels and two props."""
    w, d, top, radius = _measures(style, width=(1.0, 1.4), depth=(0.6, 0.75), counter=(0.85, 0.95), wheel=(0.3, 0.38))
    floor, roof, fit = 0.42, style.number("roof", 1.75, 2.0), Fittings(style)
    fillings = {"doors": ["doors"], "drawers": ["drawer", "doors"], "open": ["shelf", "shelf"]}
    rows = fillings[style.pick("filling", dict.fromkeys(fillings, 1.0))]
    case = fit.case((-w / 2, w / 2), (-d / 2, d / 2), (floor, top), [rows] * style.count("columns", 1, 2))
    counter = board(rectangle(w + 0.1, d + 0.12, corner=0.02), 0.03, (0, 0, top - 0.002), bevel=0.005)
    x, y = w / 2 - 0.03, d / 2 - 0.03
    canopy, posts = _canopy(style.pick("canopy", {"gable": 1, "barrel": 1, "parasol": 1}), (w, d), (x, y), (top, roof))
    prop = bar((x, 0.06 - y, floor + 0.01), (x, 0.06 - y, 0), 0.05, taper=0.8)
    bolster = box((w - 0.04, 0.08, floor - radius + 0.02), (0, 0.14, (floor + radius) / 2 - 0.004))
    grip = _push_bar(0.4 * w, (d / 2 + 0.03, top + 0.02), (d / 2 + 0.2, top + 0.05), 0.03)
    body = [part("container", part("cabinet", case)), leaf("shelf", counter), _frame(upright=posts, level=[bolster])]
    body += [leaf("canopy", canopy), *_leaves("leg", _pair(prop)), leaf("handle", grip)]
    return body, _axle(w + 0.1, 0.14, radius, 0.04, "spoked")


def _canopy(kind: str, size: Span, spot: Span, levels: Span) -> tuple[Solid, list[Solid]]:
    """A roof and the posts that hold it. spot : the corner post; levels : where posts begin and the roof does"""
    (w, d), (x, y), (low, roof) = size, spot, levels
    if kind == "parasol":
        curve = [(0.7 * w, roof - 0.02), (0.45 * w, roof + 0.1), (0.2 * w, roof + 0.18), (0.02, roof + 0.22)]
        return shell(curve, 0.008), [bar((0, 0, low), (0, 0, roof + 0.22), 0.04, round=True)]
    turns, half = np.linspace(0, np.pi, 3 if kind == "gable" else 13), 0.5 * d + 0.1
    arch = np.stack([half * np.cos(turns), roof + 0.4 * d * np.sin(turns)], 1)
    lift = 0.4 * d * (1 - y / half if kind == "gable" else np.sqrt(1 - (y / half) ** 2))
    roofing = prism(polygon([*arch, *(arch[::-1] - (0, 0.02))]), w + 0.2, along="x")
    return roofing, [bar((a, b, low), (a, b, roof + lift - 0.015), 0.03, round=True) for a, b in _corners(x, y)]
