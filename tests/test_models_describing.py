"""Readers of pages and modules over graphs learn what they are for, on toys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import get_args

import pytest

torch = pytest.importorskip("torch")

from kit import complaint  # noqa: E402
from mereo.models.describing import PageReader, Reading  # noqa: E402
from mereo.models.kinds import Batch  # noqa: E402
from mereo.models.learner import Learner  # noqa: E402
from mereo.models.modular.xnm import KINDS, XNM  # noqa: E402
from mereo.models.sentences import Sentences  # noqa: E402
from mereo.training.device import at_work  # noqa: E402

CPU = torch.device("cpu")
WORDS, LOOKS, LABELS = 40, 6, 5
COLORS, SHAPES = 4, 3


@pytest.fixture(autouse=True)
def _alone() -> Iterator[None]:
    """One core, and one course of chance."""
    cores = torch.get_num_threads()
    torch.set_num_threads(1)
    with at_work(CPU):
        yield
    torch.set_num_threads(cores)


def learn(network: Learner, batch: Batch, *, steps: int, rate: float) -> None:
    descent = torch.optim.AdamW(network.parameters(), lr=rate, weight_decay=0.01, fused=True)
    cycle = torch.optim.lr_scheduler.OneCycleLR(descent, rate, steps, pct_start=0.2)
    network.train()
    count = len(next(iter(batch.values())))
    for _ in range(steps):
        some = torch.randint(count, (128,))
        descent.zero_grad()
        own = {name: one[some] for name, one in batch.items()}
        torch.stack([*network.lesson(own).losses.values()]).sum().backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        descent.step()
        cycle.step()
    network.eval()


# Pages


def pages(count: int, *, seed: int) -> Batch:
    """Pages of ten words among which one says how a thing is powered and some which labels it has; the look says how it
    is picked up, and one label more."""
    chance = torch.Generator().manual_seed(seed)
    power = torch.randint(2, (count,), generator=chance)
    labels = torch.rand(count, LABELS - 1, generator=chance) < 0.5
    look = torch.randint(LOOKS, (count,), generator=chance)
    page = torch.randint(20, WORDS, (count, 10), generator=chance)
    order = torch.rand(count, 10, generator=chance).argsort(1)
    page.scatter_(1, order[:, :1], 1 + power[:, None])
    spoken = torch.where(labels, torch.arange(3, 3 + LABELS - 1), page.gather(1, order[:, 1:LABELS]))
    page.scatter_(1, order[:, 1:LABELS], spoken)
    return {
        "page": page,
        "looks": torch.nn.functional.one_hot(look, LOOKS).float(),
        "words_powering": power,
        "words_picking": look % 3,
        "words_called": power,
        "several_label": torch.cat([labels, (look > 2)[:, None]], 1),
    }


def reader(reading: Reading = "bilstm") -> PageReader:
    return PageReader(
        {"powering": 2, "picking": 3},
        {"label": LABELS},
        alone={"called": 2},
        looks=LOOKS,
        pages=WORDS,
        width=32,
        reading=reading,
        dropout=0.1,
    )


@pytest.mark.parametrize("reading", get_args(Reading))
def test_a_reader_tells_what_page_and_looks_say(reading: Reading) -> None:
    torch.manual_seed(0)  # with five seeds of five all is right
    network, known, new = reader(reading), pages(2000, seed=0), pages(300, seed=1)
    for batch in (known, new) if reading == "given" else ():
        batch["page"] = torch.nn.functional.one_hot(batch["page"], WORDS).sum(1).float()
    learn(network, known, steps=200, rate=1e-2)
    marks = network.lesson(new).marks
    assert all(float(mark) > 0.9 for mark in marks.values()), marks
    blank = {**new, "looks": torch.zeros_like(new["looks"])}
    told, blind = network.tell(new), network.tell(blank)
    assert torch.equal(told["called"], blind["called"]), "what is told by the page alone does not depend on looks"
    assert not torch.allclose(told["picking"], blind["picking"])


def test_what_is_not_known_teaches_nothing() -> None:
    torch.manual_seed(0)
    network, batch = reader().eval(), pages(20, seed=0)
    half = {**batch, "words_picking": torch.where(torch.arange(20) < 10, batch["words_picking"], -1)}
    first = {name: one[:10] for name, one in batch.items()}
    assert torch.allclose(network.lesson(half).losses["picking"], network.lesson(first).losses["picking"])


def test_texts_become_vectors_by_a_model_that_is_given(tmp_path: Path) -> None:
    transformers = pytest.importorskip("transformers")
    listed = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]", "a", "mug", "for", "tea"]
    (tmp_path / "vocab.txt").write_text("\n".join(listed))
    transformers.BertTokenizer(str(tmp_path / "vocab.txt")).save_pretrained(tmp_path)
    torch.manual_seed(0)
    config = transformers.BertConfig(
        vocab_size=9, hidden_size=16, num_hidden_layers=1, num_attention_heads=2, intermediate_size=16
    )
    transformers.BertModel(config).save_pretrained(tmp_path)
    model = Sentences(tmp_path)
    vectors = model.vectors(["a mug", "a mug for tea", "a mug"], CPU)
    assert vectors.shape == (3, 16)
    assert torch.allclose(vectors.norm(dim=1), torch.ones(3), atol=1e-5)
    assert torch.allclose(vectors[0], vectors[2], atol=1e-6)
    assert not torch.allclose(vectors[0], vectors[1], atol=1e-3)


def test_a_folder_without_a_model_is_named(tmp_path: Path) -> None:
    assert complaint(lambda: Sentences(tmp_path)) == f"{tmp_path}: holds no language model: there is no config.json"
    (tmp_path / "config.json").write_text("{}")
    assert "holds no language model that can be read" in str(complaint(lambda: Sentences(tmp_path)))


# Modules

SCENE, FILTER, RELATE, UNIQUE, COUNT, QUERY = (
    KINDS.index(name) for name in ("scene", "filter", "relate", "unique", "count", "query")
)
RIGHT, COLOR = 1, 2
"""Words that are no values; the colors follow, then the shapes."""
FIRST_COLOR, FIRST_SHAPE = 3, 3 + COLORS
ANSWERS = COLORS + 6
"""Colors, and numbers from 0 to 5."""
PROGRAMS = {
    "count": [(SCENE, 0), (FILTER, "color"), (COUNT, 0)],
    "query": [(SCENE, 0), (FILTER, "shape"), (UNIQUE, 0), (QUERY, COLOR)],
    "relate": [(SCENE, 0), (FILTER, "shape"), (UNIQUE, 0), (RELATE, RIGHT), (COUNT, 0)],
}


def graphs(count: int, *, seed: int) -> Batch:
    """Five things of four colors, the first of a shape of its own, and questions about them with their programs."""
    chance = torch.Generator().manual_seed(seed)
    color = torch.randint(COLORS, (count, 5), generator=chance)
    shape = torch.randint(1, SHAPES, (count, 5), generator=chance)
    shape[:, 0] = 0
    place = torch.rand(count, 5, 2, generator=chance) * 2 - 1
    which = torch.randint(3, (count,), generator=chance)
    wanted = torch.randint(COLORS, (count,), generator=chance)
    steps, said = torch.full((count, 5, 3), -1), torch.zeros(count, 5, 1, dtype=torch.int64)
    answer = torch.zeros(count, dtype=torch.int64)
    for number, (name, program) in enumerate(PROGRAMS.items()):
        own = which == number
        for step, (module, word) in enumerate(program):
            steps[own, step, 0], steps[own, step, 1] = module, step - 1
            words = {"color": FIRST_COLOR + wanted, "shape": torch.full_like(wanted, FIRST_SHAPE)}
            said[own, step, 0] = words[word][own] if isinstance(word, str) else word
        counted = {
            "count": (color == wanted[:, None]).sum(1) + COLORS,
            "query": color[:, 0],
            "relate": (place[:, :, 0] > place[:, :1, 0]).sum(1) + COLORS,
        }
        answer[own] = counted[name][own]
    node = torch.cat([torch.nn.functional.one_hot(color, COLORS), torch.nn.functional.one_hot(shape, SHAPES)], -1)
    return {
        "steps": steps,
        "words": said,
        "node": node.float(),
        "present": torch.ones(count, 5, dtype=torch.bool),
        "place": place,
        "answer": answer,
    }


def modules() -> XNM:
    return XNM(FIRST_SHAPE + SHAPES, COLORS + SHAPES, answers=ANSWERS, width=32)


def test_modules_learn_to_attend_from_answers_alone() -> None:
    torch.manual_seed(0)  # with five seeds 0.94 to 1.0, and 0.81 to 0.91 of attention where it belongs
    network, known, new = modules(), graphs(3000, seed=0), graphs(300, seed=1)
    learn(network, known, steps=300, rate=1e-2)
    assert float(network.lesson(new).marks["right"]) > 0.85
    asked = new["steps"][:, 3, 0] == QUERY
    looked = network.run(new).attention[asked, 2].detach()
    assert float(looked[:, 0].mean()) > 0.6, "nobody told it which thing has the shape that is asked about"


def test_programs_of_a_batch_come_to_what_each_comes_to_alone() -> None:
    torch.manual_seed(0)
    network, batch = modules().eval(), graphs(12, seed=0)
    together = network.run(batch)
    for place in range(12):
        alone = network.run({name: one[place : place + 1] for name, one in batch.items()})
        assert torch.allclose(alone.logits[0], together.logits[place], atol=1e-5)
        assert torch.allclose(alone.attention[0], together.attention[place], atol=1e-5)


def test_what_is_not_there_is_not_attended_to() -> None:
    torch.manual_seed(0)
    network, batch = modules().eval(), graphs(12, seed=0)
    batch["present"][:, 3:] = False
    other = {**batch, "node": batch["node"].clone(), "place": batch["place"].clone()}
    other["node"][:, 3:], other["place"][:, 3:] = 5.0, 7.0
    traced = network.run(batch)
    assert not traced.attention[:, :, 3:].any()
    assert torch.allclose(network.run(other).logits, traced.logits, atol=1e-5)
