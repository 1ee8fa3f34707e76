"""Models that answer questions: every reasoner learns, nobody looks at what is not there, and rows answer all."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from kit import complaint
from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.sights import Looks
from mereo.datasets.store import open_dataset
from mereo.training.recipe import Recipe
from mereo.training.row import GIVES, NEEDS, Desk, Pace
from mereo.training.zoo import all_rows

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from mereo.evaluation.baselines import answer_blindly  # noqa: E402
from mereo.models.answering import Answering, attention_loss  # noqa: E402
from mereo.models.kinds import Memory, Question, Thought  # noqa: E402
from mereo.models.reasoners import REASONERS  # noqa: E402
from mereo.models.sight import Given, Grid, Sight, cells_of, part_channels, points_in_boxes  # noqa: E402
from mereo.models.trunk import Trunk  # noqa: E402
from mereo.models.vectors import word_vectors  # noqa: E402
from mereo.models.words import READERS, Words  # noqa: E402
from mereo.training.asking import made, questions_of  # noqa: E402
from mereo.training.corpus import Corpus  # noqa: E402
from mereo.training.lexicon import split_words  # noqa: E402
from mereo.training.loop import fit  # noqa: E402
from mereo.training.zoo_stages import staged_rows  # noqa: E402
from toy_scenes import ANSWERS, COLORS, FEATURES, THINGS, WORDS, ToyScenes  # noqa: E402

CPU = torch.device("cpu")
WIDTH = 32
SMALL: dict[str, dict[str, int]] = {
    "stacked": {"steps": 2},
    "film": {"steps": 2},
    "mac": {"steps": 3},
    "lcgn": {"steps": 2},
    "co_attention": {"layers": 1},
    "one_stream": {"layers": 2},
}
ALL = {**all_rows(), **staged_rows()}
SEEING = sorted(set(REASONERS) - {"blind", "deaf"})
STEPS = {"film": 500, "concat": 300, "one_stream": 300, "relation": 300}
"""What the slower ones need to be 20 points above the blind, whatever the seed; 150 are enough for the others."""


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


def reasoner(name: str) -> Any:
    return REASONERS[name](WIDTH, **SMALL.get(name, {}))


def toy_network(name: str, sight: Sight | None = None, **settings: Any) -> Answering:
    torch.manual_seed(0)
    words, sight = Words(len(WORDS), WIDTH), sight or Given(FEATURES, WIDTH)
    return Answering(words, sight, reasoner(name), width=WIDTH, answers=len(ANSWERS), dropout=0.0, **settings)


def taught(network: Answering, source: ToyScenes, *, steps: int) -> Answering:
    fit(network, source, pace=Pace(batch=64, rate=5e-3, passes=1e6), steps=steps, seed=0, device=CPU)
    return network


def share_right(network: Answering, source: ToyScenes) -> float:
    batch = source.batch(torch.arange(len(source)))
    with torch.inference_mode():
        return float((network.ask(batch).logits.argmax(-1) == batch["answer"]).float().mean())


def best_blind(source: ToyScenes) -> float:
    """What the most frequent answer to each question scores, which nobody who does not look can beat."""
    batch = source.batch(torch.arange(len(source)))
    pairs = Counter(zip(map(tuple, batch["question"].tolist()), batch["answer"].tolist(), strict=True))
    best: Counter[tuple[int, ...]] = Counter()
    for (question, _), count in pairs.items():
        best[question] = max(best[question], count)
    return best.total() / len(source)


LEARNED, TRIED = ToyScenes(20_000, seed=1), ToyScenes(1500, seed=2)


# Learning


def test_the_blind_learn_no_more_than_the_words_tell() -> None:
    network = taught(toy_network("blind"), LEARNED, steps=150)
    assert best_blind(TRIED) - 0.1 < share_right(network, TRIED) < best_blind(TRIED) + 0.02


@pytest.mark.parametrize("name", SEEING)
def test_every_reasoner_beats_the_blind_by_twenty_points(name: str) -> None:
    network = taught(toy_network(name), LEARNED, steps=STEPS.get(name, 150))
    assert share_right(network, TRIED) > best_blind(TRIED) + 0.2


def test_a_few_pictures_are_learned_by_heart() -> None:
    network = toy_network("film", Grid(Trunk(stem=8, stages=((16, 1),)), WIDTH))
    few = ToyScenes(16, seed=1, pictures=True)
    assert best_blind(few) < 0.8
    assert share_right(taught(network, few, steps=80), few) == 1.0


# What is not there


@pytest.mark.parametrize("reader", READERS)
def test_filling_up_changes_no_word(reader: Any) -> None:
    torch.manual_seed(0)
    words = Words(20, WIDTH, reader=reader).eval()
    short = torch.tensor([[3, 4, 5, 0], [6, 7, 8, 9], [0, 0, 0, 0]])
    longer = torch.cat([short, torch.zeros(3, 3, dtype=torch.int64)], 1)
    alone = torch.tensor([[3, 4, 5]])
    with torch.inference_mode():
        one, other, only = words(short), words(longer), words(alone)
    torch.testing.assert_close(one.whole, other.whole)
    torch.testing.assert_close(one.words[:2], other.words[:2, :4])
    torch.testing.assert_close(one.whole[:1], only.whole)
    assert torch.isfinite(one.whole).all()
    assert not torch.allclose(words(torch.tensor([[5, 4, 3]])).whole, only.whole, atol=1e-3), "order is told"


def thought_about(name: str, cells: Tensor, present: Tensor) -> Thought:
    torch.manual_seed(0)
    network = reasoner(name).eval()
    words, there = torch.randn(2, 4, WIDTH), torch.tensor([[True] * 4, [True, True, False, False]])
    with torch.inference_mode():
        thought: Thought = network(Question(words, torch.randn(2, WIDTH), there), Memory(cells, present))
    return thought


@pytest.mark.parametrize("name", sorted(REASONERS))
def test_absent_cells_are_neither_looked_at_nor_thought_of(name: str) -> None:
    chance = torch.Generator().manual_seed(1)
    cells, present = torch.randn(2, 5, WIDTH, generator=chance), torch.ones(2, 5, dtype=torch.bool)
    filled = torch.cat([cells, 100 * torch.ones(2, 3, WIDTH)], 1)
    thought, other = (
        thought_about(name, some, there)
        for some, there in ((cells, present), (filled, torch.cat([present, torch.zeros(2, 3, dtype=torch.bool)], 1)))
    )
    torch.testing.assert_close(thought.vector, other.vector, atol=1e-4, rtol=1e-4)
    if other.attention is not None:
        torch.testing.assert_close(other.attention.sum(-1), torch.ones(other.attention.shape[:2]))
        assert float(other.attention[..., 5:].abs().max()) < 1e-6


@pytest.mark.parametrize("name", sorted(REASONERS))
def test_a_scene_with_nothing_in_it_breaks_nobody(name: str) -> None:
    thought = thought_about(name, torch.zeros(2, 3, WIDTH), torch.zeros(2, 3, dtype=torch.bool))
    assert torch.isfinite(thought.vector).all()


# Answering


def test_questions_of_a_scene_share_one_look() -> None:
    torch.manual_seed(0)
    network = toy_network("mac", Grid(Trunk(stem=8, stages=((8, 1), (8, 1))), WIDTH)).eval()
    batch = ToyScenes(4, seed=3, pictures=True).batch(torch.arange(4))
    of = torch.tensor([2, 0, 2, 1])
    shared = {"question": batch["question"], "picture": batch["picture"][:3], "scene_of": of}
    with torch.inference_mode():
        once, each = network.ask(shared), network.ask({**batch, "picture": batch["picture"][of]})
    torch.testing.assert_close(once.logits, each.logits)
    assert once.grid == (4, 4)


def test_answers_that_nobody_knows_teach_nothing() -> None:
    network = toy_network("concat").eval()
    batch = ToyScenes(8, seed=4).batch(torch.arange(8))
    known = {name: value[:5] for name, value in batch.items()}
    batch["answer"][5:] = -1
    torch.testing.assert_close(network.lesson(batch).losses["answer"], network.lesson(known).losses["answer"])
    batch["answer"][:] = -1
    assert float(network.lesson(batch).losses["answer"].detach()) == 0.0
    assert float(network.lesson(batch).marks["right"]) == 0.0


def test_attention_can_be_taught() -> None:
    wanted = torch.tensor([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [0.0, 0.0, 0.0]])
    there = Thought(torch.zeros(3, 1), torch.tensor([[0.0, 0.5, 0.5], [1.0, 0.0, 0.0], [0.1, 0.1, 0.8]]).unsqueeze(1))
    elsewhere = Thought(torch.zeros(3, 1), torch.full((3, 1, 3), 1 / 3))
    assert float(attention_loss(there, wanted, "share")) == pytest.approx(0.0, abs=1e-5)
    apart = (np.log(1.5) + np.log(3)) / 2
    assert float(attention_loss(elsewhere, wanted, "share")) == pytest.approx(apart, rel=1e-4)
    each = torch.nn.functional.binary_cross_entropy(torch.full((2, 3), 1 / 3), wanted[:2])
    torch.testing.assert_close(attention_loss(elsewhere, wanted, "each"), each)


def test_a_guided_network_looks_where_it_is_told() -> None:
    network = toy_network("up_down", guided=1.0)
    batch = LEARNED.batch(torch.arange(64))
    leftmost = batch["vectors"][..., len(COLORS)].argmin(1)
    batch["looked"] = torch.nn.functional.one_hot(leftmost, THINGS).float()
    assert "looked" in network.reads
    descent = torch.optim.AdamW(network.parameters(), 1e-2)
    losses = []
    for _ in range(30):
        lesson = network.lesson(batch)
        losses.append(float(lesson.losses["looked"].detach()))
        descent.zero_grad()
        torch.stack([*lesson.losses.values()]).sum().backward()
        descent.step()
    assert losses[-1] < losses[0] / 2


# Sight


def test_cells_know_what_they_show() -> None:
    chance = np.random.default_rng(0)
    ids = chance.integers(0, 4, (2, 7, 10))
    found = cells_of(torch.from_numpy(ids), 3, (3, 4)).numpy()
    naive = np.zeros((2, 3, 3, 4))
    pixels = np.zeros((3, 4))
    for row in range(7):
        for column in range(10):
            cell = row * 3 // 7, column * 4 // 10
            pixels[cell] += 1
            for scene in range(2):
                if ids[scene, row, column]:
                    naive[scene, ids[scene, row, column] - 1, cell[0], cell[1]] += 1
    np.testing.assert_allclose(found, naive / pixels, rtol=1e-5)


def test_part_channels_are_attributes_by_their_share() -> None:
    covered = torch.tensor([[[[0.5, 0.0]], [[0.25, 1.0]]]])
    attributes = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])
    wanted = torch.tensor([[[[0.75, 1.0]], [[0.5, 0.0]], [[0.25, 1.0]]]])
    torch.testing.assert_close(part_channels(covered, attributes), wanted)


def test_regions_are_looked_at_where_their_boxes_are() -> None:
    columns = (torch.arange(20) + 0.5) / 20
    features = columns.expand(1, 1, 10, 20)
    boxes = torch.tensor([[[0.25, 0.1, 0.5, 0.8], [0.6, 0.2, 0.2, 0.2]]])
    found = points_in_boxes(features, boxes, 4).mean(-1)[0, 0]
    torch.testing.assert_close(found, torch.tensor([0.5, 0.7]), atol=1e-5, rtol=1e-5)


def test_further_channels_reach_the_memory() -> None:
    torch.manual_seed(0)
    trunk = Trunk(stem=8, stages=((8, 1),))
    picture = torch.rand(2, 3, 30, 44)
    grid = Grid(trunk, WIDTH, extra=3).eval()
    batch = {"picture": picture, "channels": torch.zeros(2, 3, 8, 11)}
    with torch.inference_mode():
        without, other = grid(batch), grid({**batch, "channels": torch.ones(2, 3, 8, 11)})
    assert without.grid == (8, 11)
    assert not torch.allclose(without.cells, other.cells)


# Word vectors


def test_words_begin_with_the_vectors_of_a_file(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    path.write_text("red 1 2 3\nthe 4 5 6\n\nchair 7 8 9\n", encoding="utf-8")
    found = word_vectors(["", "chair", "zyx", "red"], path)
    np.testing.assert_array_equal(found[[1, 3]], [[7, 8, 9], [1, 2, 3]])
    np.testing.assert_array_equal(found, word_vectors(["", "chair", "zyx", "red"], path))
    words = Words(4, WIDTH, vectors=found)
    torch.testing.assert_close(words.known.weight.data[1], torch.tensor([7.0, 8, 9]))
    assert words(torch.tensor([[1, 2]])).whole.shape == (1, WIDTH)


def test_files_that_hold_no_vectors_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "glove.txt"
    assert "there is no such file" in str(complaint(lambda: word_vectors(["red"], path)))
    path.write_text("red 1 x 3\n")
    assert "line 1" in str(complaint(lambda: word_vectors(["red"], path)))
    path.write_text("red 1 2 3\n")
    assert "none of these words" in str(complaint(lambda: word_vectors(["blue"], path)))


# The zoo


def test_the_zoo_can_be_looked_at_without_torch() -> None:
    code = "import sys; from mereo.training.zoo import all_rows; all_rows(); sys.exit('torch' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def desk_of(words: int = 12, answers: int = 5, **choices: Any) -> Desk:
    lexicon: Any = SimpleNamespace(words=tuple(map(str, range(words))), answers=tuple(map(str, range(answers))))
    return Desk(SimpleNamespace(), lexicon, CPU, choices=choices)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", sorted(all_rows()))
def test_rows_say_what_they_need_and_give(name: str) -> None:
    row = all_rows()[name]
    assert row.name == name
    assert set(row.needs) <= set(NEEDS)
    assert set(row.gives) <= set(GIVES)
    for stage in row.stages:
        network: Any = stage.network(desk_of(width=32, trunk="small")).eval()
        assert ("picture" in network.reads) == ("pictures" in row.needs)
        batch = {"question": torch.tensor([[2, 3, 4], [5, 0, 0]]), "picture": torch.rand(2, 3, 48, 64)}
        with torch.inference_mode():
            reply = network.ask(batch)
        assert reply.logits.shape == (2, 5)
        assert ("attention" in row.gives) == (reply.thought.attention is not None)


@pytest.mark.filterwarnings("ignore:mkldnn_matmul failed")  # processors without bfloat16 say that they are slow
@pytest.mark.parametrize("name", ["film", "mac", "lcgn", "one_stream"])
def test_rows_learn_in_half_precision_too(name: str) -> None:
    torch.manual_seed(0)
    # Not all processors have recurrent layers in bfloat16, as GPUs do.
    network: Any = all_rows()[name].stages[0].network(desk_of(width=32, trunk="small", reader="transformer"))
    batch = {
        "question": torch.tensor([[2, 3, 4], [5, 0, 0], [0, 0, 0]]),
        "answer": torch.tensor([1, 4, 0]),
        "picture": torch.rand(2, 3, 32, 48),
        "scene_of": torch.tensor([0, 1, 1]),
    }
    with torch.autocast("cpu", torch.bfloat16):
        loss = network.lesson(batch).losses["answer"]
    loss.backward()
    assert loss.dtype == torch.float32
    assert all(torch.isfinite(one.grad).all() for one in network.parameters() if one.grad is not None)


def test_choices_change_the_network() -> None:
    recipe = Recipe("mac", "grid", "", settings={"steps": 12})
    network: Any = made(recipe, desk_of(steps=3, width=64, trunk="small", rate=0.1))
    assert len(network.reasoner.steps) == 3
    assert network.head[0].normalized_shape == (64,)
    assert "even" in str(complaint(lambda: made(recipe, desk_of(width=65))))
    assert "no reader 'lstn' (did you mean 'lstm'?)" in str(complaint(lambda: made(recipe, desk_of(reader="lstn"))))
    assert "no trunk 'tiny'" in str(complaint(lambda: made(recipe, desk_of(trunk="tiny"))))


class Painted(Corpus):
    """Pictures of nothing, each its own, where rendering some would take longer than all else here."""

    def pictures(self, split: str) -> Tensor:
        chance = torch.Generator().manual_seed(len(split))
        shape = (len(self.rows(split)), 3, *self.size)
        painted: Tensor = torch.randint(256, shape, generator=chance, dtype=torch.uint8)
        return painted

    @property
    def size(self) -> tuple[int, int]:
        return 64, 96


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Desk:
    """Five scenes to learn from and two to be asked about."""
    folder = tmp_path_factory.mktemp("asking") / "scenes"
    build_dataset(ClevrRecipe(0, questions_per_scene=7), folder, splits={"train": 5, "test": 2}, shard_size=10)
    inspector = inspector_of(open_dataset(folder))
    assert inspector is not None
    corpus = Painted(folder, inspector, CPU)
    return Desk(corpus, corpus.lexicon(), CPU, choices={"trunk": "small", "width": 32, "together": 3, "steps": 2})


def test_a_row_answers_every_question_once(desk: Desk) -> None:
    row = all_rows()["mac"]
    network: Any = row.stages[0].network(desk)
    fit(network, row.stages[0].source(desk, "train"), pace=Pace(batch=2), steps=2, seed=0, device=CPU)
    desk.networks["answers"] = network
    given = list(row.answer(desk, "train"))
    questions = desk.corpus.questions("train", desk.lexicon)
    assert [one.question_id for one in given] == questions.ids
    recipe = Recipe("mac", "grid", "", settings={"steps": 12})
    single = questions_of(recipe, desk, "train", together=1)
    batch = single.batch(torch.arange(len(single)))
    with torch.inference_mode():
        best = network.ask(batch).logits.argmax(-1)
    told = {
        questions.ids[place]: desk.lexicon.answers[number] for place, number in zip(batch["place"], best, strict=True)
    }
    assert {one.question_id: one.answer for one in given} == told
    assert row.show is not None
    shown = list(row.show(desk, "train", [5, 0]))
    assert [one.question_id for one in shown] == [questions.ids[5], questions.ids[0]]  # type: ignore[union-attr]
    alone = single.batch(single.examples(torch.tensor([5])))
    with torch.inference_mode():
        thought = network.ask(alone).thought
    first = shown[0]
    assert isinstance(first, Looks)
    where = thought.attention[0].numpy()
    assert first.maps.shape == (2, 4, 6)
    assert first.most == pytest.approx(where.max(1).tolist(), rel=1e-4)
    told = first.maps.reshape(2, -1) / 255 * where.max(1, keepdims=True)
    assert abs(told - where).max() <= where.max() / 255
    assert first.words == tuple(split_words(questions.texts[5]))
    assert first.read is not None
    assert abs(first.read / 255 - thought.read[0, :, : len(first.words)].numpy()).max() <= 1 / 255


@pytest.mark.parametrize("name", [row.name for row in ALL.values() if "attention" in row.gives])
def test_whoever_looks_shows_where(desk: Desk, name: str) -> None:
    """Not yet trained, so that a look may lie anywhere; but for every question it lies somewhere."""
    own = Desk(desk.corpus, desk.lexicon, CPU, choices={"trunk": "small", "width": 32, "slots": 3, "queries": 4})
    for stage in ALL[name].stages:
        own.networks[stage.name] = stage.network(own)
    show = ALL[name].show
    assert show is not None
    ids = desk.corpus.questions("test", desk.lexicon).ids
    for looks, place in zip(show(own, "test", [9, 2]), (9, 2), strict=True):
        assert isinstance(looks, Looks)
        assert looks.question_id == ids[place]
        assert (looks.maps.max((1, 2)) == 255).all()
        even = 1 / looks.maps[0].size
        assert all(even * 0.99 <= most <= 1.001 for most in looks.most)


def test_guesses_by_type_are_those_of_the_baselines(desk: Desk) -> None:
    given = list(all_rows()["q_type_frequent"].answer(desk, "test"))
    judged, baseline = answer_blindly(desk.corpus.asked, "frequent-by-type")
    assert [(one.question_id, one.answer) for one in given] == [
        (one.question_id, one.answer) for one in baseline.given if one is not None
    ]
    assert len(given) == len(judged) == 14
    learned = set(desk.lexicon.answers)
    assert {one.answer for one in all_rows()["q_type_random"].answer(desk, "test")} <= learned
