"""How CRIC is learned: graphs as tables, items that questions find, functions on likelihoods, and rows that point."""

from __future__ import annotations

import re
import shutil
from collections import Counter
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
import torch
from torch import Tensor

from cric_graphs import strewn_graph
from cric_strewn import Strewn
from kit import ROOT, complaint, run_script
from mereo.benchmarks.benchmark import benchmark, inspector_of
from mereo.benchmarks.cric.graph import SceneGraph
from mereo.benchmarks.cric.judge import judge_grounded
from mereo.benchmarks.cric.learning import LEARNING
from mereo.benchmarks.cric.learning.captions import CaptionSource
from mereo.benchmarks.cric.learning.entities import Entities, ItemTexts, RecalledItems
from mereo.benchmarks.cric.learning.facts import FactQuestions, channels_of
from mereo.benchmarks.cric.learning.graphs import bits, graphs_of, inspector_of_cric
from mereo.benchmarks.cric.learning.likely import FUNCTIONS, LikelyScene, Names, run_likely
from mereo.benchmarks.cric.learning.questions import AboutRelations, RegionQuestions, truth_of
from mereo.benchmarks.cric.learning.regions import eyes_of, regions_of
from mereo.benchmarks.cric.learning.retrieving import RELATIONS, shelf_of
from mereo.benchmarks.cric.learning.stages import PERCEPTION
from mereo.benchmarks.cric.learning.symbolic import GraphSource, answer_by_likelihood
from mereo.benchmarks.cric.learning.texts import TextQuestions, scene_texts
from mereo.benchmarks.cric.learning.vocabulary import vocabulary_of
from mereo.benchmarks.cric.recipe import CricRecipe
from mereo.chance import mark
from mereo.datasets.asked import Selection
from mereo.datasets.build import build_dataset
from mereo.datasets.pictures import encode_png
from mereo.datasets.predictions import Header, Predictions
from mereo.datasets.reading import RowReader
from mereo.datasets.sights import Looks, SeenScene
from mereo.datasets.store import IMAGE_FIELDS, open_dataset
from mereo.errors import BadInput
from mereo.models.answering import Answering
from mereo.models.kinds import Batch
from mereo.models.modular.nmn_cs import MODULES, Modules
from mereo.models.reasoners.one_stream import OneStream
from mereo.models.sight import Given, Nothing
from mereo.models.words import Words
from mereo.programs import parse_program
from mereo.training.corpus import Corpus
from mereo.training.lexicon import split_words
from mereo.training.loop import fit
from mereo.training.row import GIVES, NEEDS, Desk, Pace, Row
from mereo.training.run import Run
from mereo.workbench.building import build, plan_build
from mereo.workbench.learning import check_needs, predict, train
from mereo.workbench.reproducing import reproduce
from mereo.workbench.studies import plan_reproduction, planned_build
from mereo.workbench.turns import held, longest_first

CPU = torch.device("cpu")
ROWS = {row.name: row for row in LEARNING.rows}
SMALL_WIDTH = 16
SMALL = {"width": SMALL_WIDTH, "crop_width": 4, "depth": "small"}
HEIGHT, WIDTH = 64, 96


@dataclass(frozen=True)
class Painted(Strewn):
    """Strewn scenes with pictures of their boxes, a fifth as large as their graphs say."""

    fields: pa.Schema = IMAGE_FIELDS

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """A row from its number alone."""
        graph = strewn_graph(mark(f"{split} {index}") % 10**9)
        picture = np.full((HEIGHT, WIDTH, 3), 30, np.uint8)
        for thing in graph.things:
            assert thing.box is not None
            left, top, wide, high = (round(one / 5) for one in thing.box)
            picture[top : top + high, left : left + wide] = mark(thing.name) % 200, mark(thing.id) % 200, 90
        return {**super().scene(split, index), "image": {"bytes": encode_png(picture), "path": f"{index}.png"}}


@pytest.fixture(scope="module", autouse=True)
def one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def painted(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("cric") / "painted"
    recipe = CricRecipe(5, Painted())
    build_dataset(recipe, folder, splits={"train": 12, "val": 4}, shard_size=6, further=recipe.further())
    return folder


@pytest.fixture(scope="module")
def corpus(painted: Path) -> Corpus:
    return Corpus(painted, inspector_of(open_dataset(painted)), CPU)


def desk_of(corpus: Corpus, **choices: Any) -> Desk:
    return Desk(corpus, corpus.lexicon(), CPU, 0, choices)


def seeing_desk(corpus: Corpus, **choices: Any) -> Desk:
    """A desk with eyes that have not learned."""
    desk = desk_of(corpus, **SMALL, **choices)
    torch.manual_seed(0)
    desk.networks["perception"] = PERCEPTION.network(desk)
    return desk


def graphs(corpus: Corpus, split: str) -> list[SceneGraph]:
    return [inspector_of_cric(corpus).graph(row) for row in corpus.rows(split)]


# What is there


def test_graphs_are_tables_of_what_they_say(corpus: Corpus) -> None:
    told, words = graphs_of(corpus, "val"), vocabulary_of(corpus.inspector)
    assert told is graphs_of(corpus, "val")
    for place, graph in enumerate(graphs(corpus, "val")):
        count = len(graph.things)
        assert told.present[place].tolist() == [k < count for k in range(told.present.shape[1])]
        assert [words.names[k] for k in told.names[place, :count]] == [thing.name for thing in graph.things]
        boxes = np.array([thing.box for thing in graph.things], np.float32) / 5
        np.testing.assert_allclose(told.boxes[place, :count].numpy(), boxes, atol=1e-4)
        for k, thing in enumerate(graph.things):
            sure = {word for own in thing.attributes.values() for word in own} & set(words.words)
            unsure = {word for own in thing.unclear.values() for word in own} & set(words.words) - sure
            for value, expected in ((1, sure), (-1, unsure)):
                assert {words.words[n] for n in (told.words[place, k] == value).nonzero()[:, 0]} == expected
        for table, stated in ((told.related, graph.relations), (told.unclear, graph.unclear)):
            found = {
                (graph.things[i].id, words.predicates[p], graph.things[j].id)
                for i, j, p in bits(table[place], len(words.predicates)).nonzero().tolist()
            }
            assert found == {(one.subject, one.predicate, one.object) for one in stated}


def test_graphs_are_cells_of_things_and_of_how_they_stand(corpus: Corpus) -> None:
    words = vocabulary_of(corpus.inspector)
    source = FactQuestions(desk_of(corpus), "val", true=True, together=2)
    batch = source.batch(torch.arange(len(source)))
    vectors, there = batch["vectors"], batch["vectors_present"]
    assert vectors.shape[2] == channels_of(words)
    names, said, predicates = len(words.names), len(words.words), len(words.predicates)
    for scene, cells, present in zip(batch["scene"].tolist(), vectors, there, strict=True):
        graph, count = graphs(corpus, "val")[scene], batch["boxes"].shape[1]
        called = {thing.id: thing.name for thing in graph.things}
        assert [words.names[k] for k in cells[: len(called), :names].argmax(-1)] == [*called.values()]
        own = cells[count:][present[count:]]
        ends = (own[:, :names], own[:, names + said :][:, :predicates], own[:, names + said + predicates :])
        subjects, how, objects = (end.argmax(-1).tolist() for end in ends)
        told = sorted(
            (words.names[i], words.predicates[p], words.names[j])
            for i, p, j in zip(subjects, how, objects, strict=True)
        )
        assert told == sorted((called[one.subject], one.predicate, called[one.object]) for one in graph.relations)


def test_attention_is_told_to_go_to_what_answers_point_at(corpus: Corpus) -> None:
    desk = desk_of(corpus)
    source = RegionQuestions(desk, "train", together=3, looks=False)
    batch = source.batch(torch.arange(len(source)))
    targets = truth_of(desk, "train").targets
    for place, looked in zip(batch["place"].tolist(), batch["looked"], strict=True):
        assert looked.nonzero()[:, 0].tolist() == targets[place]
        assert float(looked.sum()) == pytest.approx(1.0 if targets[place] else 0.0)


def test_regions_are_what_eyes_see_before_they_say_it(corpus: Corpus) -> None:
    desk = seeing_desk(corpus)
    eyes = eyes_of(desk)
    regions, told = regions_of(desk, "val"), graphs_of(corpus, "val")
    assert regions is regions_of(desk, "val")
    assert regions.shape == (*told.present.shape, eyes.channels)
    assert not regions[~told.present].any()
    batch = GraphSource(desk, "val").batch(torch.tensor([2]))
    with torch.inference_mode():
        said, seen = eyes(batch), regions[2, told.present[2]].float()
        torch.testing.assert_close(
            eyes.names(seen[:, : 2 * SMALL_WIDTH]), said.names[0, told.present[2]], atol=0.02, rtol=0.02
        )
    own = RegionQuestions(desk, "val", together=2).batch(torch.tensor([2, 5]))
    captions = CaptionSource(desk, "val").batch(own["scene"], chance=torch.Generator().manual_seed(0))
    for batch in (own, captions):
        torch.testing.assert_close(batch["vectors"], regions[own["scene"]].float())
        assert torch.equal(batch["vectors_present"], told.present[own["scene"]])


def test_scenes_in_the_mirror_have_left_and_right_exchanged(corpus: Corpus) -> None:
    source, words = GraphSource(desk_of(corpus), "train"), vocabulary_of(corpus.inspector).predicates
    places = torch.arange(len(source))
    as_it_is, changed = source.batch(places), source.batch(places, chance=torch.Generator().manual_seed(3))
    left, right = words.index("left of"), words.index("right of")
    turned = (as_it_is["boxes"] != changed["boxes"]).flatten(1).any(1)
    assert 0 < int(turned.sum()) < len(source)
    assert torch.equal(as_it_is["related"][~turned], changed["related"][~turned])
    for name in ("related", "unclear"):
        assert torch.equal(as_it_is[name][turned][..., left], changed[name][turned][..., right])
        others = [number for number in range(len(words)) if number not in (left, right)]
        assert torch.equal(as_it_is[name][..., others], changed[name][..., others])
    assert as_it_is["related"][turned][..., left].any()
    there = as_it_is["boxes_present"][turned]
    before, after = (batch["boxes"][turned][there] for batch in (as_it_is, changed))
    torch.testing.assert_close(after[:, 0] + after[:, 2], WIDTH - before[:, 0])
    torch.testing.assert_close(after[:, 1:], before[:, 1:])


def test_whoever_looks_at_regions_borrows_eyes(tmp_path: Path) -> None:
    plan = plan_reproduction("cric/table2", tmp_path, scale="small")
    waiting = held(plan, longest_first(plan, plan.works))
    lends = {"q_only_gru", "q_only_bert", "cric_symbolic"}
    assert {work.name for work in plan.works} - {*waiting} == lends
    assert {name for name, lender in waiting.items() if lender != "cric_symbolic"} == set()


# What is known


def test_questions_find_the_items_they_were_made_of(corpus: Corpus) -> None:
    import json

    desk = desk_of(corpus)
    questions, shelf = corpus.questions("train", desk.lexicon), shelf_of(inspector_of_cric(corpus))
    meant = AboutRelations(desk, "train").relations.numpy()
    found = shelf.find(questions.texts, meant, 32)
    hit, wanted = 0, 0
    for graph, own in zip(truth_of(desk, "train").table.column("sub_graph").to_pylist(), found, strict=True):
        used = [item for item in json.loads(graph)["knowledge"] if item[1] != "IsA"]
        texts = {shelf.texts[k] for k in own if k >= 0}
        hit += sum(" ".join(item[:3]) in texts for item in used)
        wanted += len(used)
    assert wanted > 20
    assert hit / wanted > 0.8


def test_items_are_found_by_words_in_any_form_and_by_relation(corpus: Corpus) -> None:
    shelf = shelf_of(inspector_of_cric(corpus))
    asked = np.zeros((2, len(RELATIONS)), bool)
    asked[0, RELATIONS.index("UsedFor")] = True
    found = shelf.find(["what cuts food", "xyzzy"], asked, 4)
    assert {shelf.items[k].relation for k in found[0]} == {"UsedFor"}
    assert "cutting food" in {shelf.items[k].tail for k in found[0]}
    assert found[1].tolist() == [-1] * 4


def test_what_is_seen_is_said_and_read_after_the_question(corpus: Corpus) -> None:
    desk = desk_of(corpus)
    said = scene_texts(desk, "val", true=True)
    words = vocabulary_of(corpus.inspector).words
    for text, graph in zip(said, graphs(corpus, "val"), strict=True):
        called = {thing.id: thing.name for thing in graph.things}
        like = [{word for own in thing.attributes.values() for word in own} for thing in graph.things]
        things = [word for thing, own in zip(graph.things, like, strict=True) for word in (*own & {*words}, thing.name)]
        stated = [f"{called[one.subject]} {one.predicate} {called[one.object]}" for one in graph.relations]
        whole = Counter(word for part in (*things, *stated) for word in part.split())
        assert text.startswith(" ".join([*sorted(like[0] & {*words}, key=words.index), graph.things[0].name]))
        assert Counter(text.split()) == whole if len(stated) <= 48 else Counter(text.split()) < whole
    source = TextQuestions(desk, "val", true=True, items=3, together=2)
    batch, shelf = source.batch(torch.arange(len(source))), shelf_of(inspector_of_cric(corpus))
    for place, text in zip(batch["place"].tolist(), batch["question"], strict=True):
        items = [shelf.texts[item] for item in source.found[place].tolist() if item >= 0]
        assert items
        parts = [source.questions.texts[place], said[int(source.questions.scene[place])], *items]
        assert text[text > 0].tolist() == [number for part in parts for number in desk.lexicon.read(part)]


def test_all_words_of_what_is_known_are_hidden_at_once(corpus: Corpus) -> None:
    shelf = shelf_of(inspector_of_cric(corpus))
    known = Entities(shelf)
    item = next(item for item in shelf.items if " " in item.tail)
    words = ["the", "small", *split_words(item.tail), "there"]
    size = len(words) - 3
    assert known.units(words) == [0, 1, *[2] * size, 2 + size]
    places = torch.arange(4).repeat(50)
    for masking, together in (("words", False), ("entities", True)):
        source = CaptionSource(seeing_desk(corpus, masking=masking), "train")
        batch = source.batch(places, chance=torch.Generator().manual_seed(0))
        lexicon = corpus.lexicon()
        split = 0
        for words_of, hidden in zip(batch["question"].tolist(), batch["hidden"].tolist(), strict=True):
            text = [lexicon.words[number] for number in words_of if number]
            own: dict[int, set[bool]] = {}
            for unit, one in zip(known.units(text), hidden, strict=False):
                own.setdefault(unit, set()).add(one)
            split += sum(len(one) > 1 for one in own.values())
        assert (split == 0) == together
        share = float(batch["hidden"][batch["question"] > 0].float().mean())
        assert 0.2 < share < 0.3


def test_an_end_of_an_item_is_hidden_as_a_whole(corpus: Corpus) -> None:
    shelf, desk = shelf_of(inspector_of_cric(corpus)), desk_of(corpus, masking="entities")
    texts, source = ItemTexts.of(shelf, desk.lexicon), RecalledItems(desk)
    assert len(source) == len(shelf.items)
    batch = source.batch(torch.arange(len(source)), chance=torch.Generator().manual_seed(0))
    sizes = {part: (texts.part == part).sum(1) for part in (1, 2, 3)}
    for place, item in enumerate(shelf.items):
        ends = [len(split_words(item.head)), 1, len(split_words(item.tail))]
        assert [int(size[place]) for size in sizes.values()] == ends
        hidden = texts.part[place][batch["hidden"][place]]
        assert len(set(hidden.tolist())) == 1
        assert len(hidden) == ends[int(hidden[0]) - 1]
    assert "masking" in str(complaint(lambda: RecalledItems(desk_of(corpus, masking="some"))))


class ToyTexts:
    """ "What K?", room, and a color, a material and a size in any order: the answer is the one of that kind."""

    def __init__(self, count: int, *, seed: int):
        chance = torch.Generator().manual_seed(seed)
        self.kind = torch.randint(3, (count, 1), generator=chance)
        self.words = torch.randint(4, (count, 3), generator=chance) + 4 * torch.arange(3)
        self.order = torch.rand(count, 3, generator=chance).argsort(-1)

    def __len__(self) -> int:
        return len(self.kind)

    def name(self, place: int) -> str:
        return str(place)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        kind, words = self.kind[places], self.words[places]
        question = torch.nn.functional.pad(1 + kind, (0, 2))
        text = torch.cat([question, 4 + words.gather(1, self.order[places])], 1)
        return {"question": text, "answer": words.gather(1, kind).squeeze(1)}


def test_a_model_that_only_reads_finds_the_answer_in_its_text() -> None:
    torch.manual_seed(0)
    words = Words(16, 32, reader="transformer", dropout=0.0)
    network = Answering(words, Nothing(32), OneStream(32, layers=2, dropout=0.0), width=32, answers=12, dropout=0.0)
    fit(network, ToyTexts(5000, seed=1), pace=Pace(batch=32, rate=3e-3), steps=100, seed=0, device=CPU)
    network.eval()
    batch = ToyTexts(500, seed=2).batch(torch.arange(500))
    unasked = {**batch, "question": batch["question"] * (torch.arange(6) > 0)}
    with torch.inference_mode():
        right, guessed = (float(network.lesson(one).marks["right"]) for one in (batch, unasked))
    assert right > 0.9
    assert guessed < 0.6  # one of three, where nobody says which is asked for


# Functions on likelihoods


def test_on_true_graphs_likelihoods_find_what_the_executor_finds(corpus: Corpus) -> None:
    desk = desk_of(corpus, programs=True, graphs=True)
    # Strewn things may be of fabric, which is also a name, and no attribute that is learned.
    known = {*vocabulary_of(corpus.inspector).words, *vocabulary_of(corpus.inspector).names} - {"fabric"}
    for split in corpus.splits:
        asked, truth = corpus.asked, truth_of(desk, split)
        answers = asked.take(asked.chosen(Selection((split,)))).words("answer")
        referred = truth.table.column("referred").to_pylist()
        programs = corpus.questions(split, desk.lexicon).programs
        told = zip(answer_by_likelihood(desk, split), answers, truth.targets, referred, programs, strict=True)
        for one, answer, targets, steps, program in told:
            words = {step.values[0] for step in parse_program(program).steps if step.function == "find"}
            if words | ({answer} - {"yes", "no"}) <= known:
                assert (one.answer, one.referred) == (answer, steps), program
                assert one.target in targets if targets else one.target is None


def test_there_is_a_function_for_each_of_the_language() -> None:
    names = set(benchmark("cric").languages[0].functions)
    assert set(FUNCTIONS) == set(MODULES) == names


def likely(corpus: Corpus, names: list[dict[str, float]], *related: tuple[int, str, int, float]) -> LikelyScene:
    """Things by how likely they go by which names, and how likely some stand to others."""
    inspector = inspector_of_cric(corpus)
    words = vocabulary_of(inspector)
    table = np.zeros((len(names), len(words.names)), np.float32)
    for k, own in enumerate(names):
        for name, share in own.items():
            table[k, words.names.index(name)] = share
    stands = np.zeros((len(words.predicates), len(names), len(names)), np.float32)
    for one, predicate, other, share in related:
        stands[words.predicates.index(predicate), one, other] = share
    return LikelyScene(
        table, np.zeros((len(names), len(words.words)), np.float32), stands, Names(words, inspector.known.lore)
    )


def test_a_thing_is_called_by_what_fits_all_that_is_said_of_it(corpus: Corpus) -> None:
    scene = likely(corpus, [{"plate": 0.6, "mug": 0.4}, {"table": 1.0}])
    plain = run_likely(parse_program("recognition[object](relate_reverse[on](find[table](initial())))"), scene)
    assert plain.answer != "mug"
    holding = parse_program("recognition[object](find_kg[BLANK, CapableOf, hold hot tea](initial()))")
    assert (run_likely(holding, scene).answer, run_likely(holding, scene).target) == ("mug", 0)
    # The same name asked for twice is not less likely than asked for once.
    twice = parse_program("verify(find[plate](find[plate](initial())))")
    assert run_likely(twice, scene).answer == "yes"
    assert run_likely(parse_program("verify(find[mug](initial()))"), scene).answer == "no"


def test_what_is_spoken_of_is_taken_to_be_there(corpus: Corpus) -> None:
    scene = likely(corpus, [{"table": 0.3, "plate": 0.7}, {"mug": 1.0}, {"mug": 1.0}], (1, "on", 0, 0.9))
    for line in ("initial()", "find[mug](initial())"):  # a parser that has hardly learned writes such
        unasked = run_likely(parse_program(line), scene)
        assert (unasked.answer, unasked.target) == ("", int("mug" in line))
        assert len(unasked.steps) == line.count("(")
    found = run_likely(parse_program("verify(find[mug](relate_reverse[on](find[table](initial()))))"), scene)
    assert (found.answer, found.target) == ("yes", 1)
    assert run_likely(parse_program("verify(find[table](initial()))"), scene).answer == "no"
    nothing = likely(corpus, [])
    assert run_likely(parse_program("verify(initial())"), nothing).target is None


# Modules


class ToyPrograms:
    """ "What color is the thing named N", and "is there one of color C": recognition and verify of find."""

    def __init__(self, count: int, *, seed: int):
        chance = torch.Generator().manual_seed(seed)
        self.names = torch.rand(count, 4, generator=chance).argsort(-1)
        self.colors = torch.randint(4, (count, 4), generator=chance)
        self.verifies = torch.rand(count, generator=chance) < 0.5
        self.word = torch.randint(4, (count,), generator=chance)

    def __len__(self) -> int:
        return len(self.word)

    def name(self, place: int) -> str:
        return str(place)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        one_hot = torch.nn.functional.one_hot
        names, colors, word = self.names[places], self.colors[places], self.word[places]
        verifies = self.verifies[places]
        meant = torch.where(verifies[:, None], colors == word[:, None], names == word[:, None])
        color = colors.gather(1, (names == word[:, None]).byte().argmax(1, keepdim=True)).squeeze(1)
        last = torch.where(verifies, MODULES.index("verify"), MODULES.index("recognition"))
        kinds = torch.stack([torch.zeros_like(last), torch.ones_like(last), last], 1)
        inputs = torch.tensor([[-1, -1], [0, -1], [1, -1]]).expand(len(word), 3, 2)
        texts = torch.zeros(len(word), 3, 3, dtype=torch.int64)
        texts[:, 1, 0] = 1 + word + 4 * verifies
        everything = torch.ones_like(meant)
        return {
            "steps": torch.cat([kinds.unsqueeze(-1), inputs], -1),
            "texts": texts,
            "found": torch.stack([everything, meant, meant], 1),
            "answer": torch.where(verifies, 4 + meant.any(1), color),
            "vectors": torch.cat([one_hot(names, 4), one_hot(colors, 4)], -1).float(),
            "vectors_present": everything,
        }


def test_modules_learn_to_find_from_answers_and_from_being_told() -> None:
    tried = ToyPrograms(500, seed=2)
    batch = tried.batch(torch.arange(len(tried)))
    for told, count, batch_size in ((0.0, 300, 64), (1.0, 80, 32)):
        torch.manual_seed(0)
        network = Modules(Given(8, 32), texts=9, width=32, answers=6, told=told)
        fit(network, ToyPrograms(5000, seed=1), pace=Pace(batch=batch_size, rate=5e-3), steps=count, seed=0, device=CPU)
        network.eval()
        with torch.inference_mode():
            ran = network.run(batch)
        assert float((ran.logits.argmax(-1) == batch["answer"]).float().mean()) > 0.9
        if told:
            assert float(((ran.attention[:, 1] > 0.5) == batch["found"][:, 1]).all(1).float().mean()) > 0.9


def test_steps_that_are_not_there_change_nothing() -> None:
    torch.manual_seed(0)
    network = Modules(Given(8, 16), texts=9, width=16, answers=6).eval()
    batch = ToyPrograms(6, seed=3).batch(torch.arange(6))
    longer = dict(batch)
    longer["steps"] = torch.nn.functional.pad(batch["steps"], (0, 0, 0, 2), value=-1)
    longer["texts"] = torch.nn.functional.pad(batch["texts"], (0, 0, 0, 2))
    with torch.inference_mode():
        torch.testing.assert_close(network.run(batch).logits, network.run(longer).logits)


# Rows


def untrained(row: Row, corpus: Corpus) -> Desk:
    """A desk with the networks of a row as they are made, each asked for a lesson."""
    desk = desk_of(corpus, **{name: value for name, value in SMALL.items() if name in row.choices})
    for stage in row.stages:
        torch.manual_seed(0)
        desk.networks[stage.name] = network = stage.network(desk)
        source = stage.source(desk, "train")
        batch = source.batch(torch.arange(min(2, len(source))), chance=torch.Generator().manual_seed(0))
        assert set(network.reads) <= set(batch)
        assert all(torch.isfinite(loss) for loss in network.lesson(batch).losses.values())
        assert source.name(0)
    return desk


@pytest.mark.parametrize("name", sorted(ROWS))
def test_every_row_answers_points_and_shows(name: str, corpus: Corpus) -> None:
    row = ROWS[name]
    assert set(row.needs) <= set(NEEDS)
    assert set(row.gives) <= set(GIVES)
    desk = untrained(row, corpus)
    given = list(row.answer(desk, "val"))
    questions = corpus.questions("val", desk.lexicon)
    assert [one.question_id for one in given] == questions.ids
    assert all(one.target is None for one in given if one.answer == "no")
    points = ("attention" in row.gives or name == "cric_symbolic") and name != "sf"  # which looks at items alone
    assert points == any(one.target is not None for one in given) or all(one.answer == "no" for one in given)
    asked = corpus.asked.take(corpus.asked.chosen(Selection(("val",))))
    marks = judge_grounded(asked, Predictions(Header(dataset="", benchmark="cric", model=name), given))
    assert set(marks.scores) == {"final", "answer", "grounding"}
    if row.show is not None:
        shown = list(row.show(desk, "val", [0, 2]))
        looks = [one for one in shown if isinstance(one, Looks)]
        assert {one.question_id for one in looks} == {questions.ids[0], questions.ids[2]}
        assert all(one.maps.shape[1:] == (HEIGHT // 8, WIDTH // 8) for one in looks)
        assert any(isinstance(one, SeenScene) for one in shown) == ("worlds" in row.gives)


def test_memory_vqa_shows_the_items_it_chose(corpus: Corpus) -> None:
    row = ROWS["memory_vqa"]
    assert row.show is not None
    texts = {*shelf_of(inspector_of_cric(corpus)).texts, ""}
    for looks in row.show(untrained(row, corpus), "val", [1]):
        assert isinstance(looks, Looks)
        assert looks.read is not None
        assert set(looks.words) <= texts
        assert int(looks.read[1].sum()) == 0  # the second look is at regions
        assert int(looks.maps[0].max()) == 0  # and the first is not


def test_modules_show_every_function(corpus: Corpus) -> None:
    row = ROWS["nmn_cs"]
    desk = untrained(row, corpus)
    desk.choices = {**desk.choices, "programs": True}
    assert row.show is not None
    (looks,) = row.show(desk, "val", [0])
    assert isinstance(looks, Looks)
    steps = parse_program(corpus.questions("val", desk.lexicon).programs[0]).steps
    assert [word.partition("[")[0] for word in looks.words] == [step.function for step in steps]
    assert len(looks.maps) == len(steps)
    assert all(one.referred is not None for one in row.answer(desk, "val"))


# From one kind of questions to another


def test_the_fifth_table_has_two_kinds_of_questions_about_the_same_scenes(tmp_path: Path) -> None:
    plan = plan_reproduction("cric/table5", tmp_path)
    assert plan.datasets == ["main", "visual"]
    assert [work.name for work in plan.works] == ["vilbert_pretrained-visual", "vilbert_pretrained"]
    assert [{arm.tested or arm.data for arm in work.arms} for work in plan.works] == [{"main", "visual"}] * 2
    main, visual = (planned_build(plan, name) for name in plan.datasets)
    assert main is not None
    assert visual is not None
    assert visual.recipe == replace(main.recipe, visual=True)
    assert visual.splits == main.splits


def test_scenes_that_are_there_are_asked_about_anew(painted: Path, corpus: Corpus, tmp_path: Path) -> None:
    plan = plan_reproduction("cric/table5", tmp_path)
    shutil.copytree(painted, plan.place("main"))
    planned = planned_build(plan, "visual")
    assert planned is not None
    assert planned.splits == open_dataset(painted).scenes
    build(planned, tmp_path / "visual")
    readers = [RowReader(folder, "scenes") for folder in (painted, tmp_path / "visual")]
    assert readers[0].places == readers[1].places
    for place in range(len(readers[0])):
        one, other = ({**reader.row(place), "image": reader.value(place, "image")} for reader in readers)
        assert one["image"]["bytes"] == other["image"]["bytes"]
        assert one["scene"] == other["scene"]
    visual = Corpus(tmp_path / "visual", inspector_of(open_dataset(tmp_path / "visual")), CPU)
    assert vocabulary_of(visual.inspector) == vocabulary_of(corpus.inspector)
    programs = visual.questions("train", visual.lexicon()).programs
    assert len(programs) == 120
    assert not any("find_kg" in line for line in programs)
    assert planned_build(plan, "visual") == planned
    said = str(complaint(lambda: plan_build("cric", scenes_from=painted, scene_graphs=painted)))
    assert said == "field 'scenes_from': goes without scene graphs, which are scenes of others"


def test_a_row_that_learned_from_the_one_is_asked_the_other(painted: Path, tmp_path: Path) -> None:
    recipe = CricRecipe(5, Painted(), visual=True)
    build_dataset(recipe, tmp_path / "visual", splits={"val": 4}, shard_size=6, further=recipe.further())
    train("bottom_up", painted, tmp_path / "run", minutes=0.01, device="cpu", choices={**SMALL, "batch": 4})
    judged = predict(tmp_path / "run", tmp_path / "visual", split="val", device="cpu", show=0)
    assert (judged.result.overall.questions, judged.result.overall.unanswered) == (20, 0)
    learned = Run.open(tmp_path / "run").lexicon.answers
    assert all(one is not None and one.answer in learned for one in judged.predictions.given)


def test_the_page_of_results_takes_what_was_measured(tmp_path: Path) -> None:
    recipe, out, pages = CricRecipe(5, Strewn()), tmp_path / "out", tmp_path / "pages"
    build_dataset(recipe, tmp_path / "set", splits={"train": 4, "test": 2}, shard_size=4, further=recipe.further())
    plan = plan_reproduction("cric/table2", out, rows=["q_only_gru"], minutes=0.01, device="cpu", data=tmp_path / "set")
    reproduce(plan)
    pages.mkdir()
    page = pages / "cric.md"
    before = (ROOT / "docs" / "results" / "cric.md").read_text()
    empty = re.sub(r"(<!-- \w+ -->\n).*?(<!-- end -->)", r"\1\2", before, flags=re.DOTALL)
    page.write_text(empty)
    run_script(ROOT / "docs" / "results.py", out, "--pages", pages)
    second, *others, learned, _ = page.read_text().split("<!-- end -->")
    assert re.search(r"\n\| Q-Only-GRU \| A \| .* \| – \| 10 \|\n", second)
    assert re.search(r"\n\| Ans \| [\d.]+ \[[\d.]+, [\d.]+\] \(55\.2\) \|", second)
    assert [*others] == empty.split("<!-- end -->")[1:-2]
    assert "\n| q_only_gru | answers |" in learned


# What a person can get wrong


def test_rows_say_what_a_dataset_lacks(tmp_path: Path) -> None:
    recipe = CricRecipe(5, Strewn())
    build_dataset(recipe, tmp_path / "set", splits={"train": 1}, shard_size=6, further=recipe.further())
    told = complaint(lambda: check_needs(ROWS["mac_cs"], tmp_path / "set"))
    assert told is not None
    assert "has no pictures, which row mac_cs needs" in told
    assert complaint(lambda: check_needs(ROWS["q_only_gru"], tmp_path / "set")) is None


@pytest.mark.parametrize(("name", "value"), [("items", 0), ("guided", -1.0), ("width", 15)])
def test_choices_that_cannot_be_are_complained_of(name: str, value: Any, corpus: Corpus) -> None:
    with pytest.raises(BadInput, match=name if name != "items" else "at least one item"):
        ROWS["memory_vqa_att"].stages[-1].network(desk_of(corpus, **{**SMALL, name: value}))


def test_studies_name_rows_and_columns_that_there_are() -> None:
    tables = {"answers": {"Verify", "Recognize"}, "steps": set(MODULES)}
    for study in LEARNING.studies:
        assert set(study.rows) <= set(ROWS)
        assert {column.kind for column in study.columns if column.kind} <= tables[study.table]
        columns = {column.name for column in study.columns}
        assert all(set(own) <= columns for own in study.published.values())
        for scale in study.scales.values():
            for row, chosen in scale.choices.items():
                assert {name for name in chosen if "." not in name and name != "batch"} <= set(ROWS[row].choices)
