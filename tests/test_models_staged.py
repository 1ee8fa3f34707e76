"""Slots and MDETR learn what they are for on toys; words go with the things they speak of, and boxes with things."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import permutations

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from mereo.benchmarks.ptr.language import LANGUAGE  # noqa: E402
from mereo.models.kinds import Batch  # noqa: E402
from mereo.models.learner import Learner  # noqa: E402
from mereo.models.matching import centered, generalized_overlap, matched, overlap  # noqa: E402
from mereo.models.mdetr import MDETR  # noqa: E402
from mereo.models.sight import Grid  # noqa: E402
from mereo.models.slot_sheet import slot_sheet  # noqa: E402
from mereo.models.slots import Slots, fitting_size  # noqa: E402
from mereo.models.trunk import Trunk  # noqa: E402
from mereo.models.words import Words  # noqa: E402
from mereo.programs import parse_program  # noqa: E402
from mereo.training.device import at_work  # noqa: E402
from mereo.training.lexicon import split_words  # noqa: E402
from mereo.training.span_source import SpanTable  # noqa: E402
from mereo.training.spans import Phrases, Span, spans_of  # noqa: E402
from mereo.training.zoo_stages import staged_rows  # noqa: E402

COLORS = torch.tensor([[1.0, 0, 0], [0, 1, 0], [0, 0, 1], [1, 1, 0]])


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    """One core, and one course of chance."""
    cores = torch.get_num_threads()
    torch.set_num_threads(1)
    torch.manual_seed(0)
    with at_work(torch.device("cpu")):
        yield
    torch.set_num_threads(cores)


def learn(network: Learner, batch: Batch, *, steps: int, rate: float) -> None:
    descent = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.0, fused=True)
    cycle = torch.optim.lr_scheduler.OneCycleLR(descent, rate, steps, pct_start=0.2)
    for _ in range(steps):
        descent.zero_grad()
        torch.stack(list(network.lesson(batch).losses.values())).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        descent.step()
        cycle.step()
    network.eval()


def squares(count: int, *, side: int) -> Batch:
    """Pictures with two or three rectangles, one in a quarter each, and where that of one color is."""
    rng = np.random.default_rng(0)
    half = side // 2
    batch = {
        "picture": torch.full((count, 3, side, side), 0.3),
        "part_present": torch.zeros(count, 3, dtype=torch.bool),
        "part_boxes": torch.full((count, 3, 4), torch.nan),
        "spans": torch.zeros(count, 3, 4, dtype=torch.bool),
        "question": torch.zeros(count, 4, dtype=torch.int64),
        "answer": torch.zeros(count, dtype=torch.int64),
    }
    for example in range(count):
        things = rng.integers(2, 4)
        colors, quarters = rng.permutation(4)[:things], rng.permutation(4)[:things]
        for thing, (color, quarter) in enumerate(zip(colors, quarters, strict=True)):
            height, width = rng.integers(half // 3, half - 1, 2)
            top = quarter // 2 * half + rng.integers(0, half - height + 1)
            left = quarter % 2 * half + rng.integers(0, half - width + 1)
            batch["picture"][example, :, top : top + height, left : left + width] = COLORS[color][:, None, None]
            batch["part_present"][example, thing] = True
            batch["part_boxes"][example, thing] = torch.tensor([left, top, width, height], dtype=torch.float32)
        batch["question"][example, :3] = torch.tensor([1, 3 + colors[0], 2])
        batch["spans"][example, 0, 1] = True
        batch["answer"][example] = int(quarters[0])
    return batch


def test_slots_learn_to_paint_what_they_saw() -> None:
    """Reconstruction only: slots part the squares of a toy later than a test can wait for."""
    batch = squares(4, side=16)
    network = Slots(slots=4, width=24, size=(16, 16), growth=1)
    before = network.lesson(batch).losses["painting"]
    learn(network, batch, steps=150, rate=3e-3)
    assert network.lesson(batch).losses["painting"] < 0.4 * before


def test_slots_share_out_every_pixel_and_see_the_same_twice() -> None:
    network = Slots(slots=5, width=16, size=fitting_size(213, 320, pixels=24 * 32)).eval()
    picture = torch.rand(2, 3, 213, 320)
    memory, painted = network.slots(picture), network.painted(picture)
    assert memory.cells.shape == (2, 5, 16)
    assert memory.present.all()
    assert torch.equal(memory.cells, network.slots(picture).cells)
    torch.testing.assert_close(painted.masks.sum(1), torch.ones(2, *network.size))
    sheet = slot_sheet(network.shrunk(picture), painted)
    assert sheet.shape == (2 * (network.size[0] + 4), 7 * (network.size[1] + 4), 3)
    first = (network.shrunk(picture)[0, :, 3, 5] * 255).round().byte().tolist()
    assert sheet[2 + 3, 2 + 5].tolist() == first


def test_small_pictures_keep_the_proportions_of_large_ones() -> None:
    assert fitting_size(213, 320) == (64, 96)
    assert fitting_size(240, 320) == (64, 88)


def test_mdetr_learns_boxes_words_and_answers_by_heart() -> None:
    batch = squares(8, side=32)
    sight = Grid(Trunk(stem=16, stages=((24, 1), (32, 1))), 48)
    network = MDETR(
        Words(7, 48, reader="transformer", dropout=0.0),
        sight,
        width=48,
        answers=4,
        layers=(2, 2),
        heads=4,
        queries=8,
        asking=2,
    )
    learn(network, batch, steps=250, rate=3e-3)
    with torch.no_grad():
        marks, found = network.lesson(batch).marks, network(batch)
    assert {name: float(mark) for name, mark in marks.items()} == {"found": 1.0, "pointed": 1.0, "right": 1.0}
    # The marks take the box that is matched; whoever looks has only the tokens to tell which boxes are things.
    is_thing = found.tokens[-1].argmax(-1) < found.tokens.shape[-1] - 1
    aims = network.aims(batch, (32, 32))
    for boxes, told, true, present in zip(found.boxes[-1], is_thing, aims.boxes, aims.present, strict=True):
        near = overlap(boxes[told][:, None], true[present]) > 0.5
        assert near.shape[0] == near.shape[1]
        assert near.any(0).all()
    torch.testing.assert_close(found.attention.sum(-1), torch.ones(8, 1))


def test_questions_about_one_picture_are_answered_as_if_each_had_its_own() -> None:
    batch = squares(2, side=32)
    network = MDETR(Words(7, 16, reader="transformer"), Grid(Trunk(stem=8, stages=((8, 1),)), 16), width=16, answers=4)
    network.eval()
    of = torch.tensor([1, 0, 1])
    own = {name: batch[name][of] for name in batch}
    scenes = {name: batch[name] for name in ("picture", "part_present", "part_boxes")}
    shared = {**own, **scenes, "scene_of": of}
    with torch.no_grad():
        torch.testing.assert_close(network.ask(own).logits, network.ask(shared).logits)
        one, other = (sum(network.lesson(some).losses.values()) for some in (own, shared))
    torch.testing.assert_close(one, other)


def test_matching_is_the_cheapest_of_all() -> None:
    rng = np.random.default_rng(1)
    for _ in range(30):
        boxes, things = rng.integers(1, 6), 4
        cost = torch.from_numpy(rng.normal(size=(3, boxes, things)))
        present = torch.from_numpy(rng.random((3, things)) < 0.6)
        for pairs, own, there in zip(matched(cost, present), cost, present, strict=True):
            some = there.nonzero().flatten().tolist()
            count = min(len(some), int(boxes))
            taken = pairs[pairs >= 0].tolist()
            assert len(taken) == len(set(taken)) == count
            assert not (pairs[~there] >= 0).any()
            paid = sum(float(own[pairs[thing], thing]) for thing in some if pairs[thing] >= 0)
            ways = (
                zip(a, b, strict=True) for a in permutations(range(boxes), count) for b in permutations(some, count)
            )
            assert paid == pytest.approx(min(sum(float(own[box, thing]) for box, thing in way) for way in ways))


def test_overlaps_are_those_of_counted_pixels() -> None:
    rng = np.random.default_rng(2)
    for _ in range(20):
        drawn = []
        for _ in range(2):
            left, top = rng.integers(0, 20, 2)
            drawn.append([left, top, *rng.integers(1, 12, 2)])
        one, other = (np.zeros((32, 32), bool) for _ in range(2))
        for pixels, (left, top, across, down) in zip((one, other), drawn, strict=True):
            pixels[top : top + down, left : left + across] = True
        around = np.ptp(np.nonzero(one | other), axis=1) + 1
        shared, covered = (one & other).sum(), (one | other).sum()
        boxes = centered(torch.tensor(drawn, dtype=torch.float32), (32, 32))
        assert float(overlap(boxes[0], boxes[1])) == pytest.approx(shared / covered, abs=1e-5)
        expected = shared / covered - (around.prod() - covered) / around.prod()
        assert float(generalized_overlap(boxes[0], boxes[1])) == pytest.approx(expected, abs=1e-5)


# Two chairs, 0 and 1, and a table, 2: chair 0 has red legs 3 and 4 and a blue leg 5, chair 1 a red leg 6 and a top 7
# that no chair has, and the table the legs 8 and 9.
WHOLE = {3: 0, 4: 0, 5: 0, 6: 1, 7: 1, 8: 2, 9: 2}


def said(question: str, program: str, referred: list[list[int]]) -> dict[str, list[set[int]]]:
    words = split_words(question)
    phrases = Phrases(split_words, {"above": ["on top of"], "back vertical bar": ["vertical back bar"]})
    spans = spans_of(words, parse_program(program), referred, language=LANGUAGE, whole=WHOLE, phrases=phrases)
    found: dict[str, list[set[int]]] = {}
    for span in spans:
        found.setdefault(" ".join(words[span.start : span.end]), []).append(set(span.things))
    return found


def test_words_speak_of_what_is_left_when_the_phrase_is_at_its_end() -> None:
    program = (
        "count_object(relate_object[left](unique(filter_part_count[2](count_part(filter_part_color[red]("
        "filter_part_category[leg](expand_parts(filter_object_category[chair](scene())))))))))"
    )
    steps = [[0, 1, 2], [0, 1], [3, 4, 5, 6, 7], [3, 4, 5, 6], [3, 4, 6], [], [0], [0], [], []]
    question = "How many things are left of the chair with two red legs?"
    assert said(question, program, steps) == {"chair": [{0}], "red": [{3, 4}], "legs": [{3, 4}]}


def test_equal_words_speak_of_different_things_by_their_neighbors() -> None:
    program = (
        "exist_object(filter_part_exist(filter_part_category[leg](expand_parts(relate_object[right](unique("
        "filter_part_exist(filter_part_color[red](filter_part_category[leg](expand_parts(scene()))))))))))"
    )
    legs = [3, 4, 6, 8, 9]
    steps = [[0, 1, 2], [*legs, 5, 7], [*legs, 5], [6], [1], [1], [2], [8, 9], [8, 9], [2], []]
    forth = "Is there another thing with legs right of the thing with red legs?"
    assert said(forth, program, steps) == {"legs": [{8, 9}, {6}], "red": [{6}]}
    back = "Look right from the thing with red legs: are there legs?"
    assert said(back, program, steps) == {"legs": [{6}, {8, 9}], "red": [{6}]}


def test_words_for_what_is_not_there_speak_of_nothing() -> None:
    chair = "filter_object_category[chair]"
    program = f"exist_object({chair}(relate_object[left](unique({chair}(scene())))))"
    steps: list[list[int]] = [[0, 2], [0], [0], [], [], []]
    assert said("Is there another chair left of the chair?", program, steps) == {"chair": [{0}]}


def test_what_is_meant_twice_and_said_once_speaks_of_all() -> None:
    own = "total(count_part(filter_part_category[leg](own_parts(unique(filter_object_category[{}](scene()))))))"
    program = f"less_than({own.format('chair')}, {own.format('table')})"
    chair = [[0, 2], [0], [0], [3, 4, 5], [3, 4, 5], [], []]
    table = [[0, 2], [2], [2], [8, 9], [8, 9], [], []]
    found = said("Are there fewer legs on the chair than on the table?", program, [*chair, *table, []])
    assert found == {"legs": [{3, 4, 5, 8, 9}], "chair": [{0}], "table": [{2}]}


def test_a_longer_phrase_is_not_taken_for_a_word_within_it() -> None:
    program = (
        "query_part_color(filter_part_category[top](own_parts(unique(relate_object[above](unique("
        "filter_object_category[table](scene())))))))"
    )
    steps = [[0, 1, 2], [2], [2], [1], [1], [6, 7], [7], []]
    question = "What color is the top of what is on top of the table?"
    assert said(question, program, steps) == {"top": [{7}], "table": [{2}]}


def test_the_table_of_spans_tells_what_the_spans_tell() -> None:
    rng = np.random.default_rng(3)
    questions = []
    for _ in range(6):
        starts = rng.integers(0, 9, rng.integers(0, 4))
        things = [frozenset(map(int, rng.integers(0, 20, 3))) for _ in starts]
        questions.append([Span(int(s), int(s) + 2, some) for s, some in zip(starts, things, strict=True)])
    table = SpanTable.of(questions, torch.device("cpu"))
    entity = torch.tensor([[0, 7, 8, 19, -1], [3, 5, 30, 1, 2], [15, 16, 9, 4, -1]])
    places = torch.tensor([4, 0, 2])
    found = table.spans(places, entity, 10)
    for example, place in enumerate(places.tolist()):
        for thing, one in enumerate(entity[example].tolist()):
            words = {w for span in questions[place] if one in span.things for w in range(span.start, span.end)}
            assert set(found[example, thing].nonzero().flatten().tolist()) == {w for w in words if w < 10}


def test_staged_rows_say_what_they_need() -> None:
    rows = staged_rows()
    assert [stage.name for stage in rows["up_down"].stages] == ["slots", "answers"]
    assert rows["up_down"].supervision == "A"
    assert rows["mdetr"].supervision == "A,M,T"
    assert set(rows["mdetr"].needs) >= {"masks", "programs"}
