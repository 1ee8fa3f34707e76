"""How PTR's rooms are seen: worlds of what was seen, attribute networks, and how objects and parts come together."""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from torch import Tensor

from mereo.benchmarks.benchmark import benchmark, inspector_of
from mereo.benchmarks.ptr.inspect import PtrInspector
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.answers import answer_by_programs, run_program
from mereo.benchmarks.ptr.learning.axes import direction_of, unsigned
from mereo.benchmarks.ptr.learning.chain import attach, category_of_parts, group, restricted
from mereo.benchmarks.ptr.learning.eyes import Eyes
from mereo.benchmarks.ptr.learning.levels import LEVELS, PARTS_OF
from mereo.benchmarks.ptr.learning.looking import look_at_crops
from mereo.benchmarks.ptr.learning.meanings import meanings
from mereo.benchmarks.ptr.learning.nesting import with_wholes
from mereo.benchmarks.ptr.learning.part_sight import CHANNELS, channels_of
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.benchmarks.ptr.learning.truth import seen_of_truth
from mereo.benchmarks.ptr.recipe import PtrRecipe
from mereo.benchmarks.ptr.world import ptr_world
from mereo.datasets.build import build_dataset
from mereo.datasets.columns import record_of
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.predictions import Prediction
from mereo.datasets.reading import RowReader
from mereo.datasets.seen import masks_in
from mereo.datasets.sights import SeenScene
from mereo.datasets.store import open_dataset
from mereo.errors import BadInput
from mereo.masks import Pixels, box_of
from mereo.models.attributes import Attributes, Said
from mereo.models.crops import boxes_around, crop
from mereo.models.detect.detector import Detected, Detector
from mereo.models.grammar import tokens_of
from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import parameters
from mereo.programs import parse_program
from mereo.training.corpus import Corpus, Questions
from mereo.training.crops import ThingSource
from mereo.training.lexicon import Lexicon
from mereo.training.looking import Found, found_by, looked_ahead
from mereo.training.parsing import judge_parses
from mereo.training.row import Desk
from mereo.training.seeing import Seen, SeenThing
from mereo.training.things import Things
from mereo.world import World

CATEGORIES, NAMES = LEVELS["object"].words["category"], LEVELS["part"].words["part"]


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Four rooms with small pictures, one of them physical, and many questions about each."""
    folder = tmp_path_factory.mktemp("ptr") / "set"
    view = PictureSettings(width=180, height=120, samples=8)
    recipe = PtrRecipe(seed=11, questions_per_scene=40, view=view, pictures=True)
    build_dataset(recipe, folder, splits={"train": 4}, shard_size=1000)
    return folder


def rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    reader = RowReader(folder, kind)
    return [reader.row(place) for place in range(len(reader))]


def box(top: int, left: int, height: int, width: int, size: tuple[int, int] = (40, 60)) -> Pixels:
    mask = np.zeros(size, bool)
    mask[top : top + height, left : left + width] = True
    return mask


# Worlds


def test_true_sight_answers_every_question_rightly(asked: Path) -> None:
    worlds = {row["scene_id"]: PtrSeeing().world(seen_of_truth(row)) for row in rows(asked, "scenes")}
    questions = rows(asked, "questions")
    wrong = []
    for question in questions:
        answer, reason = run_program(question["program"], [worlds[question["scene_id"]]])
        if answer != question["answer"]:
            wrong.append((question["question"], question["answer"], answer, reason))
    assert len(questions) > 80
    assert {question["type"] for question in questions} >= {"physics", "relation", "analogy"}
    assert wrong == []


def test_a_world_of_true_sight_is_the_true_world_but_for_rough_angles(asked: Path) -> None:
    for row in rows(asked, "scenes"):
        true, seen = ptr_world(record_of(row)), PtrSeeing().world(seen_of_truth(row))
        assert [entity.id for entity in seen.entities] == [entity.id for entity in true.entities]
        assert [dict(entity.attributes) for entity in seen.entities] == [dict(e.attributes) for e in true.entities]
        for relation in ("left", "right", "front", "behind", "above", "below"):
            assert seen.related[relation] == true.related[relation], relation
        for relation, sure in true.related.items():
            # Wider bounds find all that narrow ones find.
            assert all(own & ~wide == 0 for own, wide in zip(sure, seen.related[relation], strict=True)), relation


def test_numbers_are_those_of_the_camera_and_of_the_room(asked: Path) -> None:
    for row in rows(asked, "scenes"):
        record = record_of(row)
        world = ptr_world(record)
        numbers = PtrSeeing().numbers(row, world)
        sides = [np.array(record["directions"][name]) for name in ("right", "behind")]
        for k, thing in enumerate(record["objects"]):
            x, y, z = numbers["place"][k]
            back = np.array(record["camera"]["position"]) * (1, 1, 0) + x * sides[0] + y * sides[1] + (0, 0, z)
            assert np.allclose(back, thing["position"], atol=2e-3)
            under = [numbers["place"][other] - numbers["place"][k] for other in thing["on"]] or [np.zeros(3)]
            assert np.allclose(numbers["support"][k], under[0], atol=1e-5)
        parts = [k for k, entity in enumerate(world.entities) if entity.kind == "part"]
        lines = [k for k in parts if "geometry" in world.entities[k].attributes]
        assert np.isfinite(numbers["axis"][lines]).all()
        assert np.isnan(numbers["axis"]).all(1).sum() == len(world) - len(lines)


def test_masks_are_as_large_as_the_record_counted_them(asked: Path) -> None:
    reader = RowReader(asked, "scenes")
    for place in range(len(reader)):
        record = record_of(reader.row(place))
        parts = [part for thing in record["objects"] for part in thing["parts"]]
        for row in (reader.whole(place), reader.row(place)):  # with its picture, and without
            seen = seen_of_truth(row)
            assert [int(thing.mask.sum()) for thing in seen.objects] == [one["pixels"] for one in record["objects"]]
            assert [int(part.mask.sum()) for part in seen.parts] == [part["pixels"] for part in parts]
        drawn = seen_of_truth(reader.whole(place))
        assert [box_of(part.mask) for part in drawn.parts] == [tuple(part["box"]) for part in parts]


def test_what_shows_an_entity_of_the_world_that_follows_are_its_own_pixels(asked: Path) -> None:
    reader, inspector = RowReader(asked, "scenes"), PtrInspector()
    for place in range(len(reader)):
        row = reader.whole(place)
        seen = seen_of_truth(row)
        masks = inspector.masks(row, inspector.world(row))
        shuffled = replace(seen, parts=seen.parts[::-1])  # whatever was seen first
        world, shown = PtrSeeing().world(shuffled), PtrSeeing().shown(shuffled)
        assert len(world) == len(shown)
        pixels = {mask.tobytes() for mask in masks.values()}
        for entity, mask in zip(world.entities, shown, strict=True):
            assert box_of(mask) == (entity.numbers.get("box") and tuple(entity.numbers["box"]))
            assert mask.tobytes() in pixels or entity.kind == "surface"


def test_true_sight_of_some_scenes_is_shown_as_it_is(asked: Path) -> None:
    manifest = open_dataset(asked)
    corpus = Corpus(asked, inspector_of(manifest), torch.device("cpu"), seeing=PtrSeeing())
    desk = Desk(corpus, corpus.lexicon(), torch.device("cpu"), choices={"attributes": True})
    learning = benchmark("ptr").learning
    assert learning is not None
    show = next(row for row in learning().rows if row.name == "ns_vqa").show
    assert show is not None
    about = corpus.questions("train", desk.lexicon).scene.tolist()
    (seen,) = show(desk, "train", [place for place, scene in enumerate(about) if scene == 2][:3])
    assert isinstance(seen, SeenScene)
    row = RowReader(asked, "scenes").whole(2)
    true = PtrInspector().world(row)
    assert seen.scene_id == row["scene_id"]
    assert [entity.id for entity in seen.world.entities] == [entity.id for entity in true.entities]
    for k, mask in PtrInspector().masks(row, true).items():
        assert (mask == masks_in(seen.ids, seen.instances)[k]).all()


def test_an_axis_has_no_sign() -> None:
    rng = np.random.default_rng(0)
    for axis in rng.normal(size=(20, 3)):
        assert np.allclose(unsigned(axis), unsigned(-3 * axis), atol=1e-6)
        found = direction_of(unsigned(axis) + rng.normal(size=6) * 1e-3)
        assert abs(found @ axis) / np.linalg.norm(axis) > 0.999
        assert abs(direction_of(axis) @ axis) / np.linalg.norm(axis) > 0.999


def thing(category: str = "table", place: tuple[float, ...] = (0, 5, 0.4), **more: Any) -> SeenThing:
    numbers = {"place": np.array(place, np.float32), "support": np.array(more.pop("support", (0, 0, 0)), np.float32)}
    return SeenThing(box(5, 5, 30, 40), {"category": category, **more}, numbers)


def leg(*, color: str = "red", geometry: str = "line", axis: tuple[float, ...] = (0, 0, 1), **more: Any) -> SeenThing:
    words = {"part": "leg", "color": color, "geometry": geometry}
    mask = more.pop("mask", box(10, 10, 20, 5))
    return SeenThing(mask, words, {"axis": unsigned(axis)}, more.pop("whole", 0), **more)


def world(*objects: SeenThing, parts: Sequence[SeenThing] = ()) -> World:
    return PtrSeeing().world(Seen((40, 60), objects, parts))


def test_parts_of_a_name_agree_on_what_they_are() -> None:
    odds = {"color": np.eye(8, dtype=np.float32)[1] * 0.6 + 0.05}
    legs = [leg(), leg(odds=odds), leg(color="blue", geometry="none", mask=box(10, 30, 4, 4))]
    seen = world(thing(), parts=legs)
    assert [seen.value["color"][k] for k in (5, 6, 7)] == ["red"] * 3
    assert [seen.value["geometry"][k] for k in (5, 6, 7)] == ["line"] * 3


def test_a_leg_is_no_plane_and_a_part_has_a_name_of_its_object() -> None:
    names = np.full(len(NAMES), 0.01, np.float32)
    names[NAMES.index("seat")], names[NAMES.index("leg bar")] = 0.6, 0.3
    strange = replace(leg(), words={"part": "seat", "color": "red", "geometry": "none"}, odds={"part": names})
    seen = world(thing(), parts=[leg(geometry="plane"), strange])
    assert seen.value["geometry"][5] is None
    assert seen.value["part"][6] == "leg bar"


def test_what_is_too_small_does_not_count_but_in_another_reading() -> None:
    seen = Seen((400, 600), [thing()], [leg(mask=box(1, 1, 5, 6, (400, 600)))])
    plain, faint, _ = PtrSeeing().readings(seen)
    assert plain.parts[0] == 0
    assert faint.parts[0].bit_count() == 1
    line = "query_part_color(own_parts(unique(scene())))"
    assert run_program(line, [plain]) == (None, "there is no such part")
    assert run_program(line, [plain, faint]) == ("red", "there is no such part")


def test_what_stands_on_something_is_above_it() -> None:
    seen = world(
        thing(place=(0, 5, 0.4)),
        thing("chair", (0.1, 5.1, 1.2), support=(-0.2, 0.1, -0.7)),
        thing("cart", (2, 5, 0.4), support=(0.02, 0, -0.1)),
        thing(place=(0.3, 8, 0.4)),
    )
    assert seen.related["above"] == (0b0010, 0, 0, 0, *[0] * 4)
    assert seen.related["below"] == (0, 0b0001, 0, 0, *[0] * 4)
    assert seen.related["right"][0] == 0b1100
    assert seen.related["front"][3] == 0b0111


def test_who_asks_where_a_thing_must_move_says_that_it_falls() -> None:
    odds = {"change": np.array([0.1, 0.4, 0.3, 0.2], np.float32)}
    seen = Seen((40, 60), [replace(thing(stability="stable", change=()), odds=odds)])
    line = "query_possible_change(unique(scene()))"
    answer, reason = run_program(line, PtrSeeing().readings(seen))
    assert answer == "right"
    assert reason is not None
    assert run_program("query_is_stability[stable](unique(scene()))", PtrSeeing().readings(seen)) == ("yes", None)


def counting(number: int, *, color: str = "red") -> str:
    """A question about where the object is that has so many legs of a color."""
    legs = f"filter_part_color[{color}](filter_part_category[leg](expand_parts(scene())))"
    return f"query_object_category(unique(filter_part_count[{number}](count_part({legs}))))"


def test_a_description_that_nothing_fits_means_what_fits_it_best() -> None:
    legs = [leg(), leg(), leg(), leg(whole=1), leg(color="blue", whole=2)]
    seen = world(thing(), thing("chair", (2, 5, 0.4)), thing("bed", (4, 5, 0.4)), parts=legs)
    for line, meant in ((counting(4), "table"), (counting(2), "table"), (counting(1, color="green"), "table")):
        assert run_program(line, [seen], literal=True)[0] is None
        assert run_program(line, [seen])[0] == meant
    assert run_program(counting(1), [seen]) == ("chair", None)
    assert run_program(counting(1, color="blue"), [seen], literal=True) == ("bed", None)
    both = "query_object_category(unique(filter_part_exist(filter_part_category[leg](expand_parts({0})))))"
    assert run_program(both.format("filter_object_category[cart](scene())"), [seen])[0] == "table"
    aside = "filter_object_category[bed](relate_object[left](unique(filter_object_category[chair](scene()))))"
    assert run_program(both.format(aside), [seen])[0] == "bed", "its category tells more than where it is"


def test_of_parts_that_are_not_alike_those_are_meant_that_are_most() -> None:
    back = replace(leg(), words={"part": "drawer", "color": "red", "geometry": "none"})
    seen = world(thing(), parts=[leg(), leg(), back])
    line = "query_part_category(filter_part_color[red](own_parts(unique(scene()))))"
    assert run_program(line, [seen], literal=True) == (None, "the parts are of more than one category")
    assert run_program(line, [seen])[0] == "leg"


def test_a_relation_is_to_a_line_or_a_plane_whichever_the_part_is() -> None:
    other = thing("chair", (2, 5, 0.4))
    seen = world(thing(), other, parts=[leg(), leg(color="blue", whole=1), leg(color="blue", whole=1)])
    red, blue = (f"own_parts(unique(filter_object_category[{name}](scene())))" for name in ("table", "chair"))
    true, sister = (
        f"total(count_part(intersect_parts(relate_part[line-{kind} parallel]"
        f"(as_geometry(filter_part_color[red]({red}))), {blue})))"
        for kind in ("line", "plane")
    )
    assert [str(one) for one in meanings(parse_program(sister))] == [sister, true]
    assert run_program(true, [seen]) == ("2", None)
    assert run_program(sister, [seen]) == ("2", "the part is no plane")
    assert run_program(sister.replace("[red]", "[green]"), [seen]) == (None, "there is no such part")
    judged = judge_parses([tokens_of(sister), tokens_of(true)], [true, true], LANGUAGE, meanings=meanings)["all"]
    assert (judged.exact, judged.meant) == (0.5, 1.0)


def test_bars_make_arms_and_a_back_where_these_were_not_seen() -> None:
    def bar(name: str, mask: Pixels) -> SeenThing:
        return SeenThing(mask, {"part": name}, {}, 0)

    left = [bar("arm vertical bar", box(10, 4, 8, 2)), bar("arm horizontal bar", box(9, 4, 1, 9))]
    right = [bar("arm vertical bar", box(10, 40, 8, 2))]
    back = [bar("back vertical bar", box(2, 10, 8, 2)), bar("back vertical bar", box(2, 34, 8, 2))]
    seen = with_wholes(Seen((40, 60), [thing("chair")], [*left, *right, *back]))
    assert [part.words["part"] for part in seen.parts[5:]] == ["arm", "arm", "back"]
    assert [int(part.mask.sum()) for part in seen.parts[5:]] == [25, 16, 32]
    again = with_wholes(seen)
    assert len(again.parts) == len(seen.parts)
    small = replace(seen.parts[6], mask=box(17, 40, 1, 2))
    grown = with_wholes(replace(seen, parts=[*seen.parts[:6], small, seen.parts[7]]))
    assert int(grown.parts[6].mask.sum()) == 16


# Objects and parts come together


def test_a_part_belongs_to_what_covers_it_else_to_what_is_near() -> None:
    objects = [box(5, 5, 20, 20), box(5, 35, 20, 15)]
    parts = [box(6, 6, 4, 4), box(20, 22, 6, 6), box(10, 51, 3, 3), box(34, 25, 4, 4)]
    found = attach(objects, parts, near=0.05)
    assert found.whole == [0, 0, 1, None]
    assert int(found.objects[0].sum()) == 400 + 36 - 5 * 3
    assert int(found.objects[1].sum()) == 300 + 9
    assert int(objects[0].sum()) == 400


def test_nearness_ends_where_it_is_said_to() -> None:
    whole, part = box(5, 5, 10, 10), box(5, 18, 4, 4)  # four pixels from edge to edge
    assert attach([whole], [part], near=4 / 60).whole == [0]
    assert attach([whole], [part], near=3.9 / 60).whole == [None]
    assert attach([], [part]).whole == [None]


def test_near_parts_make_groups_also_over_others() -> None:
    chain = [box(5, 5, 4, 4), box(30, 50, 4, 4), box(5, 17, 4, 4), box(5, 11, 4, 4)]
    assert group(chain, near=0.05) == [[0, 2, 3], [1]]
    assert group(chain, near=0.04) == [[0], [1], [2], [3]]
    assert group([]) == []


def test_parts_tell_what_their_object_is() -> None:
    odds = np.zeros((2, len(NAMES)), np.float32)
    odds[0, NAMES.index("wheel")], odds[0, NAMES.index("leg")] = 0.6, 0.4
    odds[1, NAMES.index("body")], odds[1, NAMES.index("seat")] = 0.5, 0.4
    # cart 0.6 + 0.5; chair 0.6 + 0.4; refrigerator 0 + 0.5
    assert category_of_parts(odds, NAMES, PARTS_OF) == "cart"
    odds[1, NAMES.index("seat")] = 0.55
    assert category_of_parts(odds, NAMES, PARTS_OF) == "chair"
    named = restricted(odds, NAMES, PARTS_OF["refrigerator"])
    assert np.allclose(named.sum(1), 1)
    assert NAMES[int(named[1].argmax())] == "body"
    assert {NAMES[k] for k in np.flatnonzero(named[0])} == {"door", "body"}


class Saying(torch.nn.Module):
    """Stands for an attribute network: says what a function of a thing's batch says."""

    def __init__(self, say: Any):
        super().__init__()
        self.say = say
        self.asked: list[dict[str, Tensor]] = []

    def tell(self, batch: dict[str, Tensor]) -> dict[str, Tensor]:
        self.asked.append(batch)
        return self.say(batch)  # type: ignore[no-any-return]


def _say_objects(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    count = len(batch["mask"])
    return {
        "category": torch.eye(5)[[CATEGORIES.index("chair")] * count],
        "stability": torch.tensor([[0.9, 0.1]] * count),
        "change": torch.tensor([[0.1, 0.2, 0.3, 0.4]] * count),
        "place": torch.cat([boxes_around(batch["mask"])[:, :1], torch.zeros(count, 2)], 1),
        "support": torch.zeros(count, 3),
    }


def _say_parts(batch: dict[str, Tensor]) -> dict[str, Tensor]:
    count = len(batch["mask"])
    names = torch.full((count, len(NAMES)), 0.01)
    names[:, NAMES.index("sleep area")], names[:, NAMES.index("leg")] = 0.5, 0.3
    return {
        "part": names,
        "color": torch.eye(8)[[2] * count],
        "geometry": torch.tensor([[0.2, 0.1, 0.7]] * count),
        "axis": torch.zeros(count, 6),
    }


def test_eyes_look_top_down_then_bottom_up() -> None:
    objects, parts = Saying(_say_objects), Saying(_say_parts)
    pictures = torch.zeros(2, 3, 40, 60)
    found = [Found([box(5, 5, 20, 20)], [0.9]), Found([], [])]
    pieces = [
        Found([box(8, 8, 4, 4), box(30, 50, 6, 6), box(30, 44, 6, 6)], [0.8, 0.7, 0.5]),
        Found([box(0, 0, 8, 8)], [0.6]),
    ]
    first, second = Eyes(objects, parts).see(pictures, found, pieces)  # type: ignore[arg-type]
    assert [one.words["category"] for one in first.objects] == ["chair", "bed"]
    assert [one.words["category"] for one in second.objects] == ["bed"]
    assert [part.whole for part in first.parts] == [0, 1, 1]
    assert [part.words["part"] for part in first.parts] == ["leg", "sleep area", "sleep area"]
    assert first.parts[0].words["geometry"] == "none"
    assert first.objects[1].score == pytest.approx(0.6)
    assert int(first.objects[1].mask.sum()) == 72
    assert first.objects[1].numbers["place"][0] == 44  # told by the network, of the group's mask
    assert parts.asked[0]["known"].tolist() == [CATEGORIES.index("chair"), -1, -1, -1]
    assert parts.asked[0]["whole_mask"].sum((1, 2)).tolist() == [400, 0, 0, 0]
    assert parts.asked[0]["whole_box"][1].tolist() == [47, 27, 12, 12]


# Networks


def test_crops_are_what_a_plain_loop_cuts_out() -> None:
    picture = torch.arange(2 * 1 * 12 * 16, dtype=torch.float32).view(2, 1, 12, 16)
    boxes = torch.tensor([[4.0, 2.0, 8.0, 4.0], [12.0, 8.0, 8.0, 8.0]])
    cut = crop(picture, boxes, 8, margin=0.0)
    assert torch.allclose(cut[0, :, 1:], picture[0, :, 1:8, 4:12])
    assert torch.allclose(cut[1, :, 1:3, 1:3], picture[1, :, 9:11, 13:15])
    assert cut[1, :, 5:].abs().max() == 0  # below the picture there is nothing


def test_boxes_around_masks() -> None:
    masks = torch.from_numpy(np.stack([box(3, 7, 5, 9), np.zeros((40, 60), bool)]))
    assert boxes_around(masks).tolist() == [[7, 3, 9, 5], [0, 0, 60, 40]]


@dataclass
class Colored:
    """Stands for a corpus: each picture shows three squares of two colors in one of two objects, which is named so."""

    count: int = 12

    def __post_init__(self) -> None:
        rng = np.random.default_rng(0)
        self.shown = np.full((self.count, 3, 32, 48), 90, np.uint8)
        self.ids = {level: np.zeros((self.count, 32, 48), np.uint8) for level in ("object", "part")}
        self.color, self.row = rng.integers(0, 2, (self.count, 3)), rng.integers(2, 18, self.count)
        for scene in range(self.count):
            self.ids["object"][scene, :, 2 + 4 * (scene % 2) : 46] = 1
            self.shown[scene, :, :, 2 + 4 * (scene % 2) : 46] = 120 if scene % 2 else 60
            for part in range(3):
                top, left = self.row[scene], 7 + 13 * part
                self.ids["part"][scene, top : top + 9, left : left + 9] = part + 1
                self.shown[scene, :, top : top + 9, left : left + 9] = [[[30]], [[30]], [[30]]]
                self.shown[scene, 2 * self.color[scene, part], top : top + 9, left : left + 9] = 230

    def pictures(self, split: str) -> Tensor:
        return torch.from_numpy(self.shown)

    def scene_ids(self, split: str) -> list[str]:
        return [f"{split}-{scene}" for scene in range(self.count)]

    def things(self, split: str, level: str) -> Things:
        most = 1 if level == "object" else 3
        present = torch.ones(self.count, most, dtype=torch.bool)
        named = {"category": torch.arange(self.count)[:, None] % 2}
        painted = {"color": torch.from_numpy(self.color), "geometry": torch.where(present, -1, -1)}
        painted["geometry"][:, 0] = 0
        height = torch.from_numpy(self.row).float()[:, None, None].expand(-1, most, 1) / 16
        return Things(
            ids=torch.from_numpy(self.ids[level]),
            present=present,
            entity=torch.zeros(self.count, most, dtype=torch.int64),
            whole=torch.full((self.count, most), -1 if level == "object" else 0),
            within=torch.full((self.count, most), -1),
            boxes=torch.zeros(self.count, most, 4),
            words=named if level == "object" else painted,
            several={"change": torch.from_numpy(self.color[:, :2] == 1)[:, None]} if level == "object" else {},
            numbers={"place": height},
        )


def test_things_come_one_by_one_with_their_wholes() -> None:
    corpus: Any = Colored()
    source = ThingSource(corpus, "train", "part", whole="category")
    assert len(source) == 36
    assert source.name(4) == "train-1, thing 1"
    batch = source.batch(torch.tensor([4, 35]))
    assert batch["box"].tolist() == [[20, corpus.row[1], 9, 9], [33, corpus.row[11], 9, 9]]
    assert batch["whole_box"].tolist() == [[6, 0, 40, 32]] * 2
    assert batch["known"].tolist() == [1, 1]
    assert batch["words_color"].tolist() == [corpus.color[1, 1], corpus.color[11, 2]]
    assert batch["picture"].max() <= 1
    assert torch.equal(batch["picture"][0], torch.from_numpy(corpus.shown[1]) / 255)
    source.things.within[1, 1] = 0  # now the second part of that scene lies within the first
    assert source.batch(torch.tensor([3]))["box"].tolist() == [[7, corpus.row[1], 22, 9]]
    assert source.batch(torch.tensor([4]))["box"].tolist() == [[20, corpus.row[1], 9, 9]]


def learned(network: Attributes, source: ThingSource, steps: int) -> dict[str, float]:
    """Marks of all things after so many steps on all of them."""
    every = source.batch(torch.arange(len(source)))
    descent = torch.optim.AdamW(network.parameters(), 3e-3)
    for _ in range(steps):
        descent.zero_grad()
        sum(network.lesson(every).losses.values()).backward()  # type: ignore[union-attr]
        descent.step()
    network.eval()
    with torch.no_grad():
        return {name: float(mark) for name, mark in network.lesson(every).marks.items()}


def test_attribute_networks_learn_things_by_heart() -> None:
    torch.manual_seed(0)
    corpus: Any = Colored(8)
    small: dict[str, Any] = {"size": 16, "scene": (16, 24), "width": 8, "blocks": (1, 1)}
    parts = Attributes(
        [
            Said("color", "words", 2, ("crop", "around"), knows=True),
            Said("geometry", "words", 3, ("crop", "around"), absent=2),
            Said("place", "numbers", 1, ("around",)),
        ],
        known=2,
        **small,
    )
    marks = learned(parts, ThingSource(corpus, "train", "part", whole="category"), 60)
    assert marks == {"color": 1.0, "geometry": 1.0, "place": 1.0}
    objects = Attributes(
        [
            Said("category", "words", 2, ("crop",)),
            Said("change", "several", 2, ("crop", "scene"), only=("category", 1)),
        ],
        **small,
    )
    source = ThingSource(corpus, "train", "object")
    assert learned(objects, source, 60)["category"] == 1.0
    told = objects.tell(source.batch(torch.arange(8)))
    asked = torch.arange(8) % 2 == 1
    assert torch.equal((told["change"] > 0.5)[asked], source.things.several["change"][asked, 0])
    assert torch.allclose(told["category"].sum(1), torch.ones(8))


def test_what_is_not_known_teaches_nothing() -> None:
    corpus: Any = Colored(4)
    source = ThingSource(corpus, "train", "part", whole="category")
    network = Attributes(
        [Said("color", "words", 2, ("crop",)), Said("place", "numbers", 1, ("crop",))], known=2, width=8, blocks=(1,)
    )
    batch = source.batch(torch.arange(6))
    batch["words_color"][:] = -1
    batch["numbers_place"][:] = torch.nan
    lesson = network.lesson(batch)
    sum(lesson.losses.values()).backward()  # type: ignore[union-attr]
    assert all(float(loss.detach()) == 0 for loss in lesson.losses.values())
    assert all(one.grad is None or not one.grad.any() for one in network.parameters())


# Rows


@dataclass
class Stored:
    """Stands for a corpus of a dataset without pictures."""

    folder: Path
    splits: tuple[str, ...] = ("train",)

    def rows(self, split: str) -> list[dict[str, Any]]:
        return rows(self.folder, "scenes")

    def questions(self, split: str, lexicon: Any) -> Questions:
        asked = rows(self.folder, "questions")
        scenes = {row["scene_id"]: place for place, row in enumerate(self.rows(split))}
        return Questions(
            ids=[row["question_id"] for row in asked],
            scene=torch.tensor([scenes[row["scene_id"]] for row in asked]),
            words=torch.zeros(len(asked), 1, dtype=torch.int64),
            answer=torch.tensor([lexicon.answers.index(row["answer"]) for row in asked]),
            types=[(row["type"], row["subtype"]) for row in asked],
            programs=[row["program"] for row in asked],
            texts=[row["question"] for row in asked],
            templates=[row["template"] for row in asked],
        )


def desk_of(folder: Path) -> Any:
    asked = rows(folder, "questions")
    types = [(row["type"], row["subtype"]) for row in asked]
    lexicon = Lexicon.of_texts([], [row["answer"] for row in asked], [], types)
    return SimpleNamespace(corpus=Stored(folder), lexicon=lexicon, choices={"attributes": True, "programs": True})


def test_ns_vqa_with_true_masks_and_attributes_makes_no_mistake(asked: Path) -> None:
    learning = benchmark("ptr").learning
    assert learning is not None
    row = next(row for row in learning().rows if row.name == "ns_vqa")
    given = list(row.answer(desk_of(asked), "train"))
    truth = rows(asked, "questions")
    assert [one.question_id for one in given] == [question["question_id"] for question in truth]
    assert [one.answer for one in given] == [question["answer"] for question in truth]
    assert all(one.raw is None for one in given)


def test_what_cannot_be_run_is_guessed_by_type(asked: Path) -> None:
    desk = desk_of(asked)
    truth = rows(asked, "questions")
    programs: list[Any] = [question["program"] for question in truth]
    programs[0], programs[1], programs[2] = None, "count_object(", "query_part_color(own_parts(scene()))"
    given: list[Prediction] = list(answer_by_programs(desk, "train", programs, look_at_crops(desk, "train")))
    for place in range(3):
        kind = truth[place]["subtype"]
        often = [question["answer"] for question in truth if question["subtype"] == kind]
        assert given[place].answer == min(set(often), key=lambda answer: (-often.count(answer), answer))
        assert str(given[place].raw).startswith("guessed: ")
    assert given[3].answer == truth[3]["answer"]


def test_channels_hold_names_and_colors_where_parts_are() -> None:
    part = SeenThing(box(0, 0, 20, 30), {"part": "leg", "color": "blue"}, {}, 0)
    sure = np.zeros(8, np.float32)
    sure[[1, 2]] = 0.25, 0.75
    other = replace(part, mask=box(20, 30, 20, 30), odds={"color": sure})
    channels = channels_of(Seen((40, 60), [], [part, other]), torch.device("cpu"))
    assert channels.shape == (CHANNELS, 27, 40)
    assert 1 + len(NAMES) + 8 == CHANNELS
    assert channels[:, 2, 2].tolist() == [1, *(name == "leg" for name in NAMES), *(k == 2 for k in range(8))]
    assert channels[1 + len(NAMES) :, 25, 35].tolist() == [0, 0.25, 0.75, 0, 0, 0, 0, 0]
    assert channels[:, 2, 35].abs().sum() == 0


def test_learning_is_found_without_torch_and_has_networks_of_a_fitting_size(asked: Path) -> None:
    learning = benchmark("ptr").learning
    assert learning is not None
    found = learning()
    assert [row.name for row in found.rows] == ["ns_vqa", "mac_parts", "dense_symbolic", "rebuilt"]
    assert found.seeing is not None
    seeing = found.seeing(open_dataset(asked))
    assert seeing is not None
    assert seeing.levels["part"].words["part"] == LANGUAGE.vocabulary.words("part")
    desk: Any = SimpleNamespace(choices={})
    stages = {stage.name: stage for stage in found.rows[0].stages}
    for name in ("object_attributes", "part_attributes"):
        network = stages[name].network(desk)
        assert 5e6 < parameters(network) < 25e6


def test_what_is_found_twice_is_kept_once() -> None:
    """Held against a plain loop over pixels."""
    rng = np.random.default_rng(5)
    masks = rng.random((30, 12, 16)) < rng.choice([0.0, 0.1, 0.9, 0.97], size=(30, 1, 1))
    masks[5:12] = masks[4] ^ (rng.random((7, 12, 16)) < 0.05)
    scores = rng.permutation(np.linspace(0.3, 1.0, 30)).astype(np.float32)

    class Finder(Detector):
        def lesson(self, batch: Batch) -> Lesson:
            raise NotImplementedError

        def find(self, picture: Tensor) -> list[Detected]:
            return [Detected(torch.from_numpy(masks), torch.from_numpy(scores))]

    kept: list[int] = []
    for place in sorted(range(30), key=lambda k: -scores[k]):
        same = any((masks[k] & masks[place]).sum() > 0.8 * (masks[k] | masks[place]).sum() for k in kept)
        if scores[place] >= 0.5 and masks[place].any() and not same:
            kept.append(place)
    (found,) = found_by(Finder(), torch.zeros(1, 3, 12, 16))
    assert 3 < len(kept) < 20
    assert found.scores == pytest.approx([float(scores[k]) for k in kept])
    assert all(np.array_equal(mask, masks[k]) for mask, k in zip(found.masks, kept, strict=True))


def test_lots_that_are_looked_at_side_by_side_come_in_their_order() -> None:
    wait = [0.05, 0.0, 0.03, 0.0, 0.01, 0.0, 0.02]

    def look(places: Sequence[int], pictures: Tensor) -> list[Seen]:
        time.sleep(wait[places[0]])
        return [Seen((place, len(pictures)), []) for place in places]

    lots = [([k, k + 10], torch.zeros(k, 3, 1, 1)) for k in range(len(wait))]
    assert [one.size for one in looked_ahead(look, lots)] == [(p, k) for k in range(len(wait)) for p in (k, k + 10)]

    def broken(places: Sequence[int], pictures: Tensor) -> list[Seen]:
        raise BadInput("cannot be seen")

    with pytest.raises(BadInput, match="cannot be seen"):
        [*looked_ahead(broken, lots)]
