"""How own scenes are furnished: what stands in a row, on the floor, on tops and under tables, and who is laid for."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any

import msgspec
import numpy as np

from mereo.benchmarks.cric.scenes.holding import settled
from mereo.benchmarks.cric.scenes.kinds import Model, drawn_model, kinds
from mereo.benchmarks.cric.scenes.paints import lost_on
from mereo.benchmarks.cric.scenes.plans import Plan, holds
from mereo.benchmarks.cric.scenes.stage import BACK, empty_room, framed
from mereo.benchmarks.cric.scenes.things import FLOOR, Standing, footing, hull_points, placed_at, shifted
from mereo.benchmarks.cric.scenes.tops import Board, Sight
from mereo.errors import NoScene
from mereo.scenes.assemble import pose_matrix
from mereo.scenes.layout import covered, turned_by
from mereo.scenes.physics import pieces_of
from mereo.scenes.scene import Paint, Placed, Pose, Scene, rotation_matrix
from mereo.shapes.label_pattern import fits
from mereo.shapes.mesh import Floats

__all__ = ["furnished"]

_WALL_GAP = 0.02
_FLOOR_GAP = 0.07
_BEFORE = (0.0, 2.3)
"""Meters before the back wall within which things stand on the floor."""
_MIDDLE = (1.25, 1.6)
"""Meters before the back wall at which what stands in the middle has its back."""
_AGAIN = 0.25
"""How often a kind is drawn that is there already."""
_HOLDING, _UNDER = 0.6, 0.6
"""How often something holds what it can, and how often something stands under a table."""
_FAILS = 16
"""How many things in a row may find no place before a scene is as full as it gets."""
_TOPS = ("**/countertop", "**/board", "**/top_panel", "**/blanket", "**/mattress", "**/seat_single_surface")
"""The parts whose color is that of a thing's top."""
_SOFT = ("cushion", "bag", "hat", "blanket")


class _Furnisher:
    """A scene that is being furnished."""

    def __init__(self, plan: Plan, split: str, chance: random.Random):
        self.plan, self.split, self.chance = plan, split, chance
        self.things: list[Standing] = []
        self.boards: dict[int, Board] = {}
        self.used: Counter[str] = Counter()

    def model(self, kind: str, *, on: Placed | None = None) -> Model:
        """A thing of a kind that is not lost on what it stands on and not colored as others of its kind."""
        lost = set(lost_on(_top_paint(on))) if on else set()
        for thing in self.things:
            if thing.kind == kind:
                lost |= {paint.name for paint in thing.placed.paints.values()} - {"silver", "clear", "oak", "walnut"}
        return drawn_model(kind, self.split, self.chance, lost=lost)

    def add(self, kind: str, placed: Placed, holder: int = FLOOR, how: str = "on") -> int:
        """Keep a thing in its place."""
        self.things.append(Standing(kind, placed, holder, how))
        self.used[kind] += 1
        return len(self.things) - 1

    def turn(self, kind: str) -> float:
        """Degrees by which a thing of a kind is turned by chance."""
        most = kinds()[kind].turn
        return self.chance.uniform(-most, most)

    def row(self) -> None:
        """Furniture in a row against the back wall."""
        models = [self.model(kind) for options in self.plan.row if (kind := self.chance.choice(options))]
        edge, found = 0.0, []
        for model in models:
            placed = placed_at(model, 0.0, 0.0, 0.0, self.turn(model.kind) if kinds()[model.kind].turn > 90 else 0.0)
            left, front, right, back = footing(placed).bounds()
            gap = self.chance.uniform(*self.plan.gaps)
            found.append((model.kind, shifted(placed, edge + gap - left, BACK - _WALL_GAP - back)))
            edge += gap + right - left
        for kind, placed in found:
            self.add(kind, shifted(placed, -edge / 2, 0.0))

    def middle(self) -> None:
        """Something in the middle of the floor."""
        for kind in self.plan.middle:
            placed = placed_at(self.model(kind), 0.0, 0.0, 0.0, self.turn(kind))
            _, _, _, back = footing(placed).bounds()
            self.add(kind, shifted(placed, self.chance.uniform(-0.2, 0.2), BACK - self.chance.uniform(*_MIDDLE) - back))

    def on_floor(self) -> None:
        """More on the floor, near what stands there."""
        wanted = self.chance.randint(*self.plan.floor_count)
        options = list(self.plan.floor)
        self.chance.shuffle(options)
        (left, right) = self._across()
        for kind in options[:wanted]:
            model = self.model(kind)
            for _ in range(16):
                x, y = self.chance.uniform(left - 0.3, right + 0.3), BACK - self.chance.uniform(*_BEFORE)
                turn = self.turn(kind) if kinds()[kind].turn > 90 else self._inwards(x, left, right)
                placed = placed_at(model, x, y, 0.0, turn)
                if footing(placed).bounds()[3] < BACK - _WALL_GAP and self._clear(placed) and not self._before(placed):
                    self.add(kind, placed)
                    break

    def _inwards(self, x: float, left: float, right: float) -> float:
        """Degrees about z: towards the viewer and the middle."""
        return self.chance.uniform(20, 60) * (1 if x < (left + right) / 2 else -1) + self.chance.uniform(-10, 10)

    def _across(self) -> tuple[float, float]:
        bounds = [footing(thing.placed).bounds() for thing in self.things]
        return min(bound[0] for bound in bounds), max(bound[2] for bound in bounds)

    def _clear(self, placed: Placed) -> bool:
        own = _grown(footing(placed), _FLOOR_GAP)
        others = (footing(thing.placed) for thing in self.things if thing.holder == FLOOR)
        return all((own ^ other).is_empty() for other in others)

    def _before(self, placed: Placed) -> bool:
        """Whether a thing would stand right before another, as far as one knows before there is a camera."""
        left, front, right, _ = footing(placed).bounds()
        high = hull_points(placed)[:, 2].max()
        for thing in self.things:
            its_left, its_front, its_right, _ = footing(thing.placed).bounds()
            over = min(right, its_right) - max(left, its_left)
            share = over / min(right - left, its_right - its_left)
            if share > 0.35 and front < its_front and high > 0.5 * hull_points(thing.placed)[:, 2].max():
                return True
        return False

    def seats(self) -> None:
        """Chairs at the sides and the back of the table, and places laid; see `_lay`."""
        table = self.things[0].placed
        left, front, right, back = footing(table).bounds()
        middle_x, middle_y = (left + right) / 2, (front + back) / 2
        sides: dict[str, tuple[float, float, float]] = {
            "front": (middle_x, front, 180.0),
            "back": (middle_x, back, 0.0),
            "left": (left, middle_y, 90.0),
            "right": (right, middle_y, -90.0),
        }
        chosen = self.chance.sample(sorted(sides), self.chance.randint(1, 3))
        for side in chosen:
            self._lay(*sides[side])
        for side in [side for side in ("back", "left", "right") if self.chance.random() < 0.45]:
            self._seat(*sides[side])

    def _seat(self, x: float, y: float, turn: float) -> None:
        """A chair that looks at the table from a point of its edge. turn : degrees by which it is turned"""
        outwards = _outwards(turn)
        placed = placed_at(self.model("chair"), 0.0, 0.0, 0.0, turn + self.turn("chair") / 2)
        reach = float((hull_points(placed)[:, :2] @ outwards).min())
        off = self.chance.uniform(0.02, 0.12) - reach
        placed = shifted(placed, x + off * outwards[0], y + off * outwards[1])
        if self._clear_by(placed, 0.01):
            self.add("chair", placed)

    def _clear_by(self, placed: Placed, gap: float) -> bool:
        own = _grown(footing(placed), gap)
        return all((own ^ footing(thing.placed)).is_empty() for thing in self.things if thing.holder == FLOOR)

    def _lay(self, x: float, y: float, turn: float) -> None:
        """A plate, cutlery and something to drink from before a seat at the edge of the table."""
        outwards = _outwards(turn)
        aside = np.array([outwards[1], -outwards[0]])  # to the right of who sits there and looks inwards is -aside
        plate = self.chance.choice(("plate", "plate", "plate", "bowl of soup"))
        drink = self.chance.choice(("mug", "drinking glass", "wine glass", "teacup"))
        pieces = [(plate, 0.0, 0.17), ("fork", 0.19, 0.17), ("knife", -0.18, 0.17), (drink, -0.19, 0.33)]
        if plate != "plate":
            pieces[1:3] = [("spoon", -0.15, 0.17)]
        for kind, along, inwards in pieces:
            if kind in ("fork", "knife", "spoon") and self.chance.random() < 0.2:
                continue
            place = np.array([x, y]) - inwards * outwards + along * aside
            place += [self.chance.uniform(-0.012, 0.012) for _ in range(2)]
            model = self.model(kind, on=self.things[0].placed)
            lies = kind in ("fork", "knife", "spoon")
            way = turn + 90 + self.chance.uniform(-5, 5) if lies else self.turn(kind)
            self._on_board(model, 0, placed_at(model, place[0], place[1], 0.0, way))

    def board(self, number: int) -> Board:
        """The top of a thing."""
        if number not in self.boards:
            self.boards[number] = Board(self.things[number].placed)
        return self.boards[number]

    def _on_board(self, model: Model, number: int, placed: Placed) -> bool:
        board = self.board(number)
        placed = board.standing(placed)
        if not board.fits(placed):
            return False
        board.take(placed)
        self.add(model.kind, placed, number)
        return True

    def fill(self, scene: Scene, count: int) -> None:
        """Put things on tops until there are so many, or until there is no place."""
        sight = Sight(scene)
        for thing in self.things:
            if thing.holder != FLOOR:
                sight.add(thing.placed)
        tops = [number for number, thing in enumerate(self.things) if thing.kind in self.plan.on]
        tops = [number for number in tops if self.board(number).area > 0.02]
        fails = 0
        while tops and len(self.things) < count and fails < _FAILS:
            number = self.chance.choices(tops, [self.board(each).area + 0.05 for each in tops])[0]
            holder = self.things[number]
            options = [kind for kind in self.plan.on[holder.kind] if self._wanted(kind)]
            fails = 0 if options and self._put(self.chance.choice(options), number, sight) else fails + 1

    def _wanted(self, kind: str) -> bool:
        return not self.used[kind] or (self.used[kind] < 3 and self.chance.random() < _AGAIN)

    def _put(self, kind: str, number: int, sight: Sight) -> bool:
        """One thing, with what it holds, somewhere on a top."""
        holder, board = self.things[number].placed, self.board(number)
        model = self.model(kind, on=holder)
        group = self._group(model)
        turn = self.turn(kind)
        turned = [_turned(each, turn) for each in group[1]] if group else [placed_at(model, 0.0, 0.0, 0.0, turn)]
        there = board.spot(turned[0], self.chance, sight, soft=kind in _SOFT)
        if there is None:
            return False
        offset = np.subtract(there.pose.position, turned[0].pose.position)
        board.take(there)
        sight.add(there)
        place = self.add(kind, there, number)
        for each, placed in zip(group[0], turned[1:]) if group else ():
            self.add(each.kind, shifted(placed, *offset), place, holds()[kind].how)
        if kind in holds() and not holds()[kind].settle:
            self._stack(place)
        return True

    def _group(self, model: Model) -> tuple[list[Model], list[Placed]] | None:
        """What a thing holds, and both at rest with the thing at the origin; None where it holds nothing."""
        rule = holds().get(model.kind)
        if rule is None or not rule.settle or self.chance.random() > _HOLDING:
            return None
        contents = [self.model(self.chance.choice(rule.what)) for _ in range(self.chance.randint(*rule.count))]
        while contents:
            rested = settled(model, contents, self.chance, deep=rule.how == "in")
            if rested is not None:
                return contents, rested
            contents.pop()
        return None

    def _stack(self, number: int) -> None:
        """Things on the flat top of a smaller one."""
        holder = self.things[number]
        rule = holds()[holder.kind]
        if self.chance.random() > _HOLDING:
            return
        for kind in self.chance.sample(rule.what, self.chance.randint(*rule.count)):
            model = self.model(kind, on=holder.placed)
            low, high = np.reshape(self.board(number).top.flat.bounds(), (2, 2))
            for _ in range(8):
                x, y = (self.chance.uniform(a, b) for a, b in zip(low, high, strict=True))
                if self._on_board(model, number, placed_at(model, x, y, 0.0, self.turn(kind))):
                    break

    def under(self) -> None:
        """Something on the floor under a table."""
        for number, thing in enumerate(list(self.things)):
            if thing.kind not in self.plan.under or self.chance.random() > _UNDER:
                continue
            kind = self.chance.choice(self.plan.under[thing.kind])
            model = self.model(kind)
            left, front, right, back = footing(thing.placed).bounds()
            for _ in range(12):
                x, y = self.chance.uniform(left, right), self.chance.uniform(front, (front + back) / 2 + 0.1)
                placed = placed_at(model, x, y, 0.0, self.turn(kind))
                if _goes_under(placed, thing.placed) and self._clear_of_others(placed, number):
                    self.add(kind, placed)
                    break

    def _clear_of_others(self, placed: Placed, above: int) -> bool:
        own = _grown(footing(placed), 0.03)
        others = (thing for number, thing in enumerate(self.things) if thing.holder == FLOOR and number != above)
        return all((own ^ footing(thing.placed)).is_empty() for thing in others)

    def points(self) -> Floats:
        """(n, 3) float: what the picture must have in view, meters."""
        found = []
        for number, thing in enumerate(self.things):
            if thing.holder != FLOOR:
                found.append(hull_points(thing.placed))
            elif self.plan.whole:
                found.append(hull_points(thing.placed))
            if thing.kind in self.plan.on and not (self.plan.seats and number):
                found.append(self._over(number))
        return np.concatenate(found)

    def _over(self, number: int) -> Floats:
        """The corners of a top, and those as much higher as the picture shows."""
        top = self.board(number).top
        left, front, right, back = top.flat.bounds()
        heights = (top.height, top.height + self.plan.raised)
        return np.array([(x, y, z) for x in (left, right) for y in (front, back) for z in heights])


def furnished(
    plan: Plan, split: str, chance: random.Random, *, width: int, height: int
) -> tuple[list[Standing], Scene]:
    """The things of a scene in their places, and the scene with them, before anybody has looked whether all is seen."""
    maker = _Furnisher(plan, split, chance)
    maker.row()
    maker.middle()
    if not maker.things:
        raise NoScene("there is nothing to stand in the room")
    if plan.seats:
        maker.seats()
    maker.on_floor()
    maker.under()
    left, right = maker._across()
    empty = framed(
        empty_room(chance, across=max(-left, right), width=width, height=height), maker.points(), plan, chance
    )
    maker.fill(empty, chance.randint(*plan.count))
    return maker.things, msgspec.structs.replace(empty, objects=tuple(thing.placed for thing in maker.things))


def _top_paint(placed: Placed) -> Paint:
    """The paint of a thing's top."""
    for pattern in _TOPS:
        for label, paint in placed.paints.items():
            if fits(label, pattern):
                return paint
    return next(iter(placed.paints.values()))


def _outwards(turn: float) -> Floats:
    """(2,) float: from the table to who sits at it, where a chair turned so looks at the table."""
    radians = np.radians(turn)
    return np.array([-np.sin(radians), np.cos(radians)])


def _turned(placed: Placed, turn: float) -> Placed:
    """A thing turned about the origin, degrees about z."""
    about = turned_by(turn)
    x, y, z = (rotation_matrix(about) @ placed.pose.position).tolist()
    w, _, _, k = about
    a, b, c, d = placed.pose.rotation
    rotation = (w * a - k * d, w * b - k * c, w * c + k * b, w * d + k * a)
    return msgspec.structs.replace(placed, pose=Pose((x, y, z), rotation))


def _goes_under(placed: Placed, table: Placed) -> bool:
    """Whether a thing stands below a table's top, clear of its legs."""
    high = float(hull_points(placed)[:, 2].max()) + 0.02
    own = _grown(footing(placed), 0.02)
    matrix = pose_matrix(table.pose, table.scale)
    corners = [piece.corners @ matrix[:3, :3].T + matrix[:3, 3] for piece in pieces_of(table.shape)]
    low = covered(piece for piece in corners if piece[:, 2].min() < high)
    return bool((own ^ low).is_empty()) and float((footing(placed) - footing(table)).area()) < 1e-5


def _grown(figure: Any, by: float) -> Any:
    from manifold3d import JoinType

    return figure.offset(by, JoinType.Round, 2.0, 16)
