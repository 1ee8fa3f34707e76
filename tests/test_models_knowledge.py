"""Networks that know: items of knowledge lead to regions, relations are told from words, graphs from boxes."""

from __future__ import annotations

from typing import Any

import pytest
import torch
from torch import Tensor

from mereo.models.kinds import Batch, Memory, Question
from mereo.models.knowledge import Items, Knowing, Relations
from mereo.models.learner import Learner
from mereo.models.pretraining import Pretraining
from mereo.models.reasoners import MAC, CoAttention, MemoryVQA, Reasoner
from mereo.models.reasoners.straight import Straight
from mereo.models.scene_graphs import SceneGraphs
from mereo.models.sight import Given
from mereo.models.well_read import ItemReader, Recalling, WellRead
from mereo.models.words import Words
from mereo.training.loop import fit
from mereo.training.row import Pace

CPU = torch.device("cpu")
WIDTH = 32
NAMES, USES, COLORS, REGIONS, FOUND = 6, 5, 4, 4, 3


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


class ToyKnowledge:
    """ "What color is what is used for U?": which thing that is stands in one of three items, anew for each question.

    Items are all pairs of a name and a use; regions have a name and a color each.
    """

    def __init__(self, count: int, *, seed: int):
        chance = torch.Generator().manual_seed(seed)

        def ranks(rows: int, wide: int) -> Tensor:
            drawn: Tensor = torch.rand(rows, wide, generator=chance).argsort(-1)
            return drawn

        names = ranks(count, NAMES)[:, :REGIONS]
        colors = torch.randint(COLORS, (count, REGIONS), generator=chance)
        uses = ranks(count, USES)[:, :FOUND]
        self.asked = uses[:, 0]
        items = names[:, :FOUND] * USES + uses
        order = ranks(count, FOUND)
        self.items = items.gather(1, order)
        self.answer, self.target = colors[:, 0].clone(), ranks(count, REGIONS)
        place = self.target.argsort(-1)
        self.names, self.colors = names.gather(1, self.target), colors.gather(1, self.target)
        self.target = place[:, 0]

    def __len__(self) -> int:
        return len(self.answer)

    def name(self, place: int) -> str:
        return f"toy {place}"

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        one_hot = torch.nn.functional.one_hot
        vectors = torch.cat([one_hot(self.names[places], NAMES), one_hot(self.colors[places], COLORS)], -1).float()
        return {
            "question": torch.stack([torch.full_like(places, 1), 2 + self.asked[places]], 1),
            "answer": self.answer[places],
            "items": self.items[places],
            "vectors": vectors,
            "vectors_present": torch.ones(vectors.shape[:2], dtype=torch.bool),
            "looked": one_hot(self.target[places], REGIONS).float(),
        }


def items() -> Items:
    head = torch.arange(NAMES).repeat_interleave(USES)[:, None] + 1
    tail = torch.arange(USES).repeat(NAMES)[:, None] + NAMES + 1
    relation = torch.zeros(len(head), dtype=torch.int64)
    return Items(head, relation, tail, words=NAMES + USES + 1, relations=1, width=WIDTH)


def knowing(reasoner: Reasoner, **settings: Any) -> Knowing:
    words, sight = Words(USES + 2, WIDTH, reader="gru", dropout=0.0), Given(NAMES + COLORS, WIDTH)
    return Knowing(words, sight, reasoner, width=WIDTH, answers=COLORS, dropout=0.0, items=items(), **settings)


LEARNED, TRIED = ToyKnowledge(20_000, seed=1), ToyKnowledge(1000, seed=2)


def taught(network: Learner, source: Any, *, steps: int, rate: float = 5e-3) -> Any:
    fit(network, source, pace=Pace(batch=64, rate=rate), steps=steps, seed=0, device=CPU)
    return network.eval()


def test_what_is_known_leads_to_what_is_seen() -> None:
    torch.manual_seed(0)
    network = taught(knowing(MemoryVQA(WIDTH, items=FOUND), guided=10.0, guidance="each"), LEARNED, steps=200)
    batch = TRIED.batch(torch.arange(len(TRIED)))
    with torch.inference_mode():
        reply = network.ask(batch)
        without = network.ask({**batch, "items": torch.full_like(batch["items"], -1)})
    right = (reply.logits.argmax(-1) == batch["answer"]).float().mean()
    pointed = (reply.thought.attention[:, -1, :REGIONS].argmax(-1) == TRIED.target).float().mean()
    guessed = (without.logits.argmax(-1) == batch["answer"]).float().mean()
    assert right > 0.8
    assert pointed > 0.8
    assert guessed < 0.7  # nothing but the items tells which region is meant


class ToyFacts(ToyKnowledge):
    """ "What is used for U?", which one of the items tells: the answer is a name."""

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        batch = super().batch(places, chance=chance)
        meant = (batch["items"] % USES == self.asked[places, None]).byte().argmax(1, keepdim=True)
        return {**batch, "answer": batch["items"].gather(1, meant).squeeze(1) // USES}


def test_straight_to_the_facts_chooses_the_item_that_tells() -> None:
    torch.manual_seed(0)
    words, sight = Words(USES + 2, WIDTH, reader="gru", dropout=0.0), Given(NAMES + COLORS, WIDTH)
    reasoner = Straight(WIDTH, items=FOUND)
    network = Knowing(words, sight, reasoner, width=WIDTH, answers=NAMES, dropout=0.0, items=items())
    taught(network, ToyFacts(5000, seed=1), steps=150)
    batch = ToyFacts(500, seed=2).batch(torch.arange(500))
    with torch.inference_mode():
        reply = network.ask(batch)
    assert float((reply.logits.argmax(-1) == batch["answer"]).float().mean()) > 0.8
    assert reply.thought.attention is not None
    assert set(reply.thought.attention.flatten().tolist()) == {0.0, 1.0}


def test_any_reasoner_looks_at_regions_and_items_alike() -> None:
    torch.manual_seed(0)
    network = knowing(MAC(WIDTH, steps=2), guided=1.0, guidance="each").eval()
    batch = TRIED.batch(torch.arange(8))
    batch["items"][0] = -1
    with torch.inference_mode():
        attention = network.ask(batch).thought.attention
        lesson = network.lesson(batch)
    assert attention is not None
    assert attention.shape == (8, 2, REGIONS + FOUND)
    assert float(attention[0, :, REGIONS:].max()) < 1e-6
    assert all(torch.isfinite(loss) for loss in lesson.losses.values())


def test_each_look_of_memory_vqa_is_at_one_kind_of_cells() -> None:
    torch.manual_seed(0)
    network = MemoryVQA(WIDTH, items=2).eval()
    question = Question(torch.randn(3, 4, WIDTH), torch.randn(3, WIDTH), torch.ones(3, 4, dtype=torch.bool))
    present = torch.tensor([[True, True, False, True, False], [True] * 5, [True, True, True, False, False]])
    with torch.inference_mode():
        thought = network(question, Memory(torch.randn(3, 5, WIDTH), present))
    assert thought.attention is not None
    assert float(thought.attention[:, 0, :3].abs().max()) == 0.0
    assert float(thought.attention[:, 1, 3:].abs().max()) == 0.0
    torch.testing.assert_close(thought.attention[:, 0, 3:][:2].sum(-1), torch.ones(2))
    assert float(thought.attention[0, 1, 2]) == 0.0
    assert torch.isfinite(thought.vector).all()


def test_items_that_no_question_found_are_not_there() -> None:
    cells = items()(torch.tensor([[4, -1, 0]]))
    assert cells.present.tolist() == [[True, False, True]]
    assert not torch.equal(cells.cells[0, 0], cells.cells[0, 2])


class ToyAsking:
    """Questions of two words, each of which asks by a relation."""

    def __init__(self, seed: int):
        self.words = torch.randint(1, 9, (2000, 2), generator=torch.Generator().manual_seed(seed))

    def __len__(self) -> int:
        return len(self.words)

    def name(self, place: int) -> str:
        return str(place)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        words = self.words[places]
        asked = torch.nn.functional.one_hot((words - 1) // 2, 4).amax(1).bool()
        return {"question": words, "relations": asked}


def test_relations_are_told_from_words() -> None:
    torch.manual_seed(0)
    network = taught(Relations(Words(9, WIDTH, reader="gru"), width=WIDTH, relations=4), ToyAsking(1), steps=80)
    batch = ToyAsking(2).batch(torch.arange(500))
    with torch.inference_mode():
        assert float(network.lesson(batch).marks["relations"]) > 0.95


class ToyCaptions:
    """Captions "PLACE COLOR" of three regions of one color, half of them with another."""

    def __init__(self, count: int, *, seed: int):
        chance = torch.Generator().manual_seed(seed)
        self.colors = torch.randint(COLORS, (count, 1), generator=chance).expand(-1, 3)
        self.place = torch.randint(3, (count,), generator=chance)
        self.off = torch.randint(1, COLORS, (count,), generator=chance) * (torch.rand(count, generator=chance) < 0.5)
        self.hidden = torch.rand(count, generator=chance) < 0.3

    def __len__(self) -> int:
        return len(self.place)

    def name(self, place: int) -> str:
        return str(place)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        one_hot = torch.nn.functional.one_hot
        colors, place, off = self.colors[places], self.place[places], self.off[places]
        color = (colors.gather(1, place.unsqueeze(1)).squeeze(1) + off) % COLORS
        where = torch.arange(3).expand(len(places), 3)
        hidden = self.hidden[places]
        return {
            "question": torch.stack([2 + place, 5 + color], 1),
            "hidden": torch.stack([torch.zeros_like(hidden), hidden], 1),
            "matched": off == 0,
            "vectors": torch.cat([one_hot(colors, COLORS), one_hot(where, 3)], -1).float(),
            "vectors_present": torch.ones(len(places), 3, dtype=torch.bool),
        }


def test_hidden_words_are_told_and_captions_matched_by_what_is_seen() -> None:
    torch.manual_seed(0)
    words = Words(5 + COLORS, WIDTH, reader="transformer", dropout=0.0)
    reasoner = CoAttention(WIDTH, layers=1, dropout=0.0)
    network = Pretraining(words, Given(COLORS + 3, WIDTH), reasoner, width=WIDTH, count=5 + COLORS)
    taught(network, ToyCaptions(5000, seed=1), steps=150, rate=2e-3)
    batch = ToyCaptions(500, seed=2).batch(torch.arange(500))
    with torch.inference_mode():
        marks = network.lesson(batch).marks
        shown = {**batch, "hidden": torch.zeros_like(batch["hidden"])}
        plain = network.lesson(shown).marks
    assert float(marks["words"]) > 0.8
    assert float(plain["matched"]) > 0.8


# Readers of items

BEGIN, SAID = 2, 3
"""The word that begins an item, and the first of names; uses follow, as two words each."""


def item_texts() -> Tensor:
    """All pairs of a name and a use, as `items` has them."""
    name = SAID + torch.arange(NAMES).repeat_interleave(USES)
    use = SAID + NAMES + torch.arange(USES).repeat(NAMES)
    return torch.stack([torch.full_like(name, BEGIN), name, use, use + USES], 1)


def item_reader() -> ItemReader:
    return ItemReader(item_texts(), words=SAID + NAMES + 2 * USES, width=WIDTH, layers=2, dropout=0.0)


class ToyItems:
    """Items of which each name has one use, hidden as a whole or the second word alone."""

    def __init__(self, *, whole: bool):
        names = torch.arange(NAMES)
        self.text, self.whole = item_texts()[names * USES + names % USES], whole

    def __len__(self) -> int:
        return 64

    def name(self, place: int) -> str:
        return str(place)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        text = self.text[places % NAMES]
        hidden = torch.tensor([False, False, self.whole, True]).expand(text.shape)
        return {"text": text, "hidden": hidden}


def test_whole_ends_of_items_are_told_by_what_they_are_known_of() -> None:
    torch.manual_seed(0)
    network = Recalling(item_reader(), width=WIDTH, count=SAID + NAMES + 2 * USES)
    taught(network, ToyItems(whole=True), steps=60)
    batch = ToyItems(whole=True).batch(torch.arange(NAMES))
    strange = {**batch, "text": batch["text"].roll(1, 0)}
    strange["text"][:, 2:] = batch["text"][:, 2:]
    with torch.inference_mode():
        assert float(network.lesson(batch).marks["words"]) > 0.9
        assert float(network.lesson(strange).marks["words"]) < 0.5, "only the name tells"


class ToyKnown(ToyKnowledge):
    """The same, but that a question finds the one item that tells."""

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        batch = super().batch(places, chance=chance)
        other = batch["items"] % USES != self.asked[places, None]
        return {**batch, "items": batch["items"].masked_fill(other, -1)}


def test_a_reader_of_items_leads_to_what_is_seen() -> None:
    torch.manual_seed(0)
    words, sight = Words(USES + 2, WIDTH, reader="transformer", dropout=0.0), Given(NAMES + COLORS, WIDTH)
    settings: dict[str, Any] = {"guided": 10.0, "guidance": "each", "dropout": 0.0}
    reasoner = CoAttention(WIDTH, layers=1, dropout=0.0)
    network = WellRead(words, sight, reasoner, items=item_reader(), width=WIDTH, answers=COLORS, **settings)
    taught(network, ToyKnown(20_000, seed=1), steps=120, rate=2e-3)
    tried = ToyKnown(500, seed=2)
    batch = tried.batch(torch.arange(len(tried)))
    with torch.inference_mode():
        reply = network.ask(batch)
        without = network.ask({**batch, "items": torch.full_like(batch["items"], -1)})
    assert reply.thought.attention is not None
    assert float((reply.logits.argmax(-1) == batch["answer"]).float().mean()) > 0.8
    assert float((reply.thought.attention[:, -1].argmax(-1) == tried.target).float().mean()) > 0.8
    assert float((without.logits.argmax(-1) == batch["answer"]).float().mean()) < 0.7


# Graphs


class ToyGraphs:
    """Squares on black: red, green or blue by name, dark or not, and left of each other; the third is often missing."""

    def __init__(self, count: int, *, seed: int):
        chance = torch.Generator().manual_seed(seed)
        self.name_of = torch.randint(3, (count, 3), generator=chance)
        self.dark = torch.rand(count, 3, generator=chance) < 0.5
        self.column = torch.rand(count, 8, generator=chance).argsort(-1)[:, :3] * 8
        self.row = torch.randint(0, 24, (count, 3), generator=chance)
        self.there = torch.ones(count, 3, dtype=torch.bool)
        self.there[:, 2] = torch.rand(count, generator=chance) < 0.5

    def __len__(self) -> int:
        return len(self.name_of)

    def name(self, place: int) -> str:
        return str(place)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        picture = torch.zeros(len(places), 3, 32, 64)
        for row, place in enumerate(places.tolist()):
            for k in self.there[place].nonzero()[:, 0].tolist():
                top, left = int(self.row[place, k]), int(self.column[place, k])
                shade = 0.4 if self.dark[place, k] else 1.0
                picture[row, int(self.name_of[place, k]), top : top + 8, left : left + 8] = shade
        size = torch.full_like(self.column[places], 8)
        there, across = self.there[places], self.column[places]
        left_of = (across.unsqueeze(2) < across.unsqueeze(1)) & there.unsqueeze(2) & there.unsqueeze(1)
        return {
            "picture": picture,
            "boxes": torch.stack([across, self.row[places], size, size], -1).float(),
            "boxes_present": there,
            "names": self.name_of[places],
            "words": self.dark[places].unsqueeze(-1).to(torch.int8),
            "related": left_of.unsqueeze(-1),
            "unclear": torch.zeros_like(left_of).unsqueeze(-1),
        }


def small_graphs() -> SceneGraphs:
    torch.manual_seed(0)
    return SceneGraphs(names=3, words=1, predicates=1, width=WIDTH, crop_width=4, blocks=(1, 1), size=8, layers=1)


def test_graphs_are_learned_from_boxes() -> None:
    network = small_graphs()
    fit(network, ToyGraphs(2000, seed=1), pace=Pace(batch=32, rate=5e-3), steps=120, seed=0, device=CPU)
    batch = ToyGraphs(300, seed=2).batch(torch.arange(300))
    network.eval()
    with torch.inference_mode():
        marks = network.lesson(batch).marks
    assert {name for name, mark in marks.items() if float(mark) > 0.9} == {"names", "words", "related"}


def test_what_is_unclear_or_not_there_teaches_nothing() -> None:
    network = small_graphs().eval()
    batch = ToyGraphs(16, seed=3).batch(torch.arange(16))
    batch["boxes_present"][:, 2] = False
    other = {name: value.clone() for name, value in batch.items()}
    other["names"][:, 2], other["words"][:, 2] = 0, 1
    other["related"][:, 2], other["related"][:, :, 2] = True, True
    other["related"][:, 0, 0] = True
    for one in (batch, other):
        one["words"][:, 0], one["unclear"][:, 0, 1] = -1, True
    other["related"][:, 0, 1] = ~other["related"][:, 0, 1]
    with torch.inference_mode():
        first, second = network.lesson(batch).losses, network.lesson(other).losses
        told = network.tell(batch)
    for name, loss in first.items():
        torch.testing.assert_close(loss, second[name])
    assert float(told.related[:, :, 2].max()) == float(told.related[:, 0, 0].max()) == 0.0
    torch.testing.assert_close(told.names.sum(-1), torch.ones(16, 3))
