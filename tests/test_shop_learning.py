"""How household objects are seen, read about and answered about: true sight is always right, and doubt is resolved."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice, pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest

torch = pytest.importorskip("torch")

import household  # noqa: E402
import mereo  # noqa: E402
import mereo.benchmarks.shop.benchmark as shop  # noqa: E402
from kit import CommandLine, complaint, run_script  # noqa: E402
from mereo.benchmarks.benchmark import inspector_of  # noqa: E402
from mereo.benchmarks.shop.inspect import OfficialInspector  # noqa: E402
from mereo.benchmarks.shop.language import LANGUAGE, TEXTUAL, VISUAL, shop_world  # noqa: E402
from mereo.benchmarks.shop.learning import LEARNING  # noqa: E402
from mereo.benchmarks.shop.learning.agreeing import NAMED, called_together, known_lists, with_known_list  # noqa: E402
from mereo.benchmarks.shop.learning.beliefs import likely_worlds, run_on_beliefs  # noqa: E402
from mereo.benchmarks.shop.learning.graphs import GraphSource, make_modules, true_graphs  # noqa: E402
from mereo.benchmarks.shop.learning.levels import READ, SEEN  # noqa: E402
from mereo.benchmarks.shop.learning.looking import crops_and_pages, pixels_and_pages  # noqa: E402
from mereo.benchmarks.shop.learning.pages import PageSource, make_reader  # noqa: E402
from mereo.benchmarks.shop.learning.parsing import look_and_judge  # noqa: E402
from mereo.benchmarks.shop.learning.rows import LOOKS  # noqa: E402
from mereo.benchmarks.shop.learning.seeing import ShopSeeing, world_of_things  # noqa: E402
from mereo.benchmarks.shop.learning.studies import shop_studies  # noqa: E402
from mereo.benchmarks.shop.learning.truth import owners, read_truly  # noqa: E402
from mereo.benchmarks.shop.published import published_row  # noqa: E402
from mereo.datasets.answers import stored_answer  # noqa: E402
from mereo.datasets.asked import Selection  # noqa: E402
from mereo.datasets.columns import record_of  # noqa: E402
from mereo.datasets.predictions import Header, Prediction  # noqa: E402
from mereo.datasets.sights import Looks  # noqa: E402
from mereo.datasets.store import open_dataset  # noqa: E402
from mereo.evaluation.result import Result  # noqa: E402
from mereo.evaluation.runs import RESULT, run_folder  # noqa: E402
from mereo.files import read_json  # noqa: E402
from mereo.models.attributes import Attributes  # noqa: E402
from mereo.models.grammar import program_of  # noqa: E402
from mereo.models.rewarded import Rewarded  # noqa: E402
from mereo.programs import compile_program, parse_program  # noqa: E402
from mereo.training.corpus import Corpus  # noqa: E402
from mereo.training.looking import seen_truly  # noqa: E402
from mereo.training.loop import fit  # noqa: E402
from mereo.training.rewarding import AnsweredQuestions, AnswerReward  # noqa: E402
from mereo.training.row import Desk, Pace, Row  # noqa: E402
from mereo.training.seeing import Seen, SeenThing  # noqa: E402
from mereo.training.understanding import parsed  # noqa: E402
from mereo.workbench.reproduced import measured  # noqa: E402
from mereo.workbench.reproduced_files import read_reproduced  # noqa: E402
from mereo.world import World  # noqa: E402

CPU = torch.device("cpu")
ROOT = Path(__file__).parents[1]
ROWS = {row.name: row for row in LEARNING.rows}
STUDIES = {study.name: study for study in shop_studies()}
TRUE = {"attributes": True, "pages": True, "programs": True}


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


@pytest.fixture(scope="module")
def tables(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return household.build(tmp_path_factory.mktemp("shop") / "tables", described=True)


@pytest.fixture(scope="module")
def corpus(tables: Path) -> Corpus:
    return Corpus(tables, inspector_of(open_dataset(tables)), CPU, seeing=ShopSeeing())


def desk(corpus: Corpus, **choices: Any) -> Desk:
    return Desk(corpus, corpus.lexicon(), CPU, choices=choices)


def answers(corpus: Corpus, row: Row, split: str, own: Desk) -> tuple[list[Prediction], list[str]]:
    questions = corpus.questions(split, own.lexicon)
    programs = [compile_program(parse_program(line), LANGUAGE) for line in questions.programs]
    worlds = [corpus.inspector.world(row) for row in corpus.rows(split)]
    runs = [program.attempt(worlds[scene]) for program, scene in zip(programs, questions.scene.tolist(), strict=True)]
    true = [stored_answer(run.values[-1], run.executable.types[-1]) for run in runs]  # type: ignore[union-attr]
    return [*row.answer(own, split)], true


# Seeing


def test_true_sight_and_true_reading_answer_every_question_rightly(corpus: Corpus) -> None:
    for name in ("ns_vqa", "shop_symbolic"):
        for split in ("test", "benchmark"):
            given, true = answers(corpus, ROWS[name], split, desk(corpus, **TRUE))
            assert len(given) > 20
            assert [one.answer for one in given] == true
            assert not any(one.raw for one in given)


def test_a_world_of_true_sight_is_the_true_world(corpus: Corpus) -> None:
    for scene, row in enumerate(corpus.rows("test")):
        true = corpus.inspector.world(row)
        seen = read_truly(corpus, "test", scene, seen_truly(corpus, "test", scene))
        world = ShopSeeing().world(seen)
        assert [dict(entity.attributes) for entity in world.entities] == [dict(one.attributes) for one in true.entities]
        for name, rows in true.related.items():
            # Without a margin all is found that is found with one.
            assert all(own & ~wide == 0 for own, wide in zip(rows, world.related[name], strict=True))


def test_places_are_told_as_the_camera_is_turned() -> None:
    scene = household.record("test", 0)
    sides = {"right": [0.6, 0.8, 0.0], "left": [-0.6, -0.8, 0.0], "behind": [-0.8, 0.6, 0.0], "front": [0.8, -0.6, 0.0]}
    row = {"scene_id": "test-000000", "split": "test", "scene": json.dumps({**scene, "directions": sides})}
    world = shop_world(record_of(row))
    numbers = ShopSeeing().numbers(row, world)
    for k, thing in enumerate(scene["objects"]):
        x, y, _ = thing["3d_coords"]
        assert np.allclose(numbers["coords"][k], (x, y), atol=1e-5)
        assert np.allclose(numbers["place"][k], (0.6 * x + 0.8 * y, 0.6 * y - 0.8 * x), atol=1e-5)


def test_a_page_goes_with_the_thing_that_shows_the_same_pixels(corpus: Corpus) -> None:
    seen = seen_truly(corpus, "test", 0)
    count = len(seen.objects)
    assert owners(corpus, "test", 0, seen) == [*range(count)]
    back = replace(seen, objects=seen.objects[::-1])
    assert owners(corpus, "test", 0, back) == [*reversed(range(count))]
    nowhere = replace(seen.objects[0], mask=np.zeros_like(seen.objects[0].mask))
    assert owners(corpus, "test", 0, replace(seen, objects=[nowhere]))[0] is None


# Beliefs


def thing(
    place: tuple[float, float] = (0.0, 0.0), *, score: float = 1.0, sure: float = 0.97, **words: Any
) -> SeenThing:
    """A red metal mug, unless something else is said, of which eyes are so sure."""
    usual = {"name": "mug", "size": "small", "weight": "light", "color": "red", "material": "metal"}
    own: dict[str, Any] = {**usual, "movability": "portable", "shape": "cylindrical", **words}
    odds = {}
    for name, values in SEEN.words.items():
        odds[name] = np.full(len(values), (1 - sure) / (len(values) - 1), np.float32)
        odds[name][values.index(own[name])] = sure
    return SeenThing(np.ones((2, 2), bool), own, {"place": np.array(place, np.float32)}, None, score, odds)


def doubted(one: SeenThing, name: str, value: str, likely: float) -> SeenThing:
    """The same thing, which may well have another value."""
    odds = one.odds[name].copy()
    odds[SEEN.words[name].index(value)] = likely
    return replace(one, odds={**one.odds, name: odds / odds.sum()})


def seen(*things: SeenThing) -> Seen:
    return Seen((2, 2), things)


def test_the_likeliest_world_that_answers_is_the_one_that_is_meant() -> None:
    line = "query_name(unique(filter_color[blue](scene())))"
    two = seen(thing((-1, 0)), doubted(thing((1, 0), name="pot"), "color", "blue", 0.6))
    nothing = "expected exactly one, and nothing is referred to"
    assert run_on_beliefs(line, two, literal=True) == (None, nothing)
    assert run_on_beliefs(line, two) == ("pot", nothing)
    both = seen(thing((-1, 0), color="blue"), doubted(thing((1, 0), name="pot", color="blue"), "color", "red", 0.6))
    assert run_on_beliefs(line, both)[0] == "mug", "one of the two is not blue, and that is the doubtful one"
    assert run_on_beliefs("count(filter_color[blue](scene()))", two) == ("0", None), "nothing is taken for granted here"


def test_what_may_not_be_there_is_there_when_it_must_be() -> None:
    line = "query_color(unique(filter_name[pot](scene())))"
    faint = seen(thing(), thing((1, 0), name="pot", color="green", score=0.4))
    assert run_on_beliefs("count(scene())", faint) == ("1", None)
    assert run_on_beliefs(line, faint)[0] == "green"
    twice = seen(thing(name="pot", score=0.95), thing((0.1, 0), name="pot", color="green", score=0.55))
    assert run_on_beliefs(line, twice)[0] == "red"


def test_a_thing_may_differ_in_two_ways_from_what_was_seen_of_it() -> None:
    things = [thing((k, k / 2), sure=0.8, name=name) for k, name in enumerate(("mug", "pot", "bowl", "pan", "fork"))]
    things[2] = doubted(doubted(things[2], "color", "blue", 0.2), "size", "large", 0.2)
    line = "query_name(unique(filter_color[blue](filter_size[large](scene()))))"
    assert run_on_beliefs(line, seen(*things))[0] == "bowl"
    same = "query_name(unique(same_color(unique(filter_name[pot](scene())))))"
    pot = doubted(thing((1, 0), name="pot", color="blue"), "color", "red", 0.3)
    two = seen(thing(), pot, thing((2, 0), name="bowl", color="green"))
    assert run_on_beliefs(same, two)[0] == "mug", "the pot is red rather than green"


def test_worlds_come_in_the_order_of_how_likely_they_are_each_once() -> None:
    line = parse_program("exist(filter_color[blue](filter_size[large](scene())))")
    own = seen(doubted(thing(), "color", "blue", 0.3), doubted(thing((1, 0)), "size", "large", 0.2))

    def chance(world: World) -> float:
        each = [
            one.odds[name][SEEN.words[name].index(str(entity.attributes[name]))]
            for entity, one in zip(world.entities, own.objects, strict=True)
            for name in ("color", "size")
        ]
        return float(np.prod(each))

    first = [*islice(likely_worlds(own, line), 40)]
    chances = [chance(world) for world in first]
    assert all(before >= after * 0.999 for before, after in pairwise(chances))
    looks = [tuple(tuple(sorted(entity.attributes.items())) for entity in world.entities) for world in first]
    assert len(set(looks)) == len(looks)


def test_a_program_that_cannot_be_answered_is_told_to_be_so() -> None:
    assert run_on_beliefs("query_grip(unique(scene()))", seen(thing()))[0] is None
    assert run_on_beliefs("nonsense(scene())", seen(thing()))[0] is None
    assert run_on_beliefs("query_color(unique(scene()))", seen())[0] is None


def test_eyes_and_page_agree_on_a_name_and_labels_on_a_list() -> None:
    unsure = doubted(thing(sure=0.5), "name", "bowl", 0.4)
    page = np.full(len(SEEN.words["name"]), 0.01, np.float32)
    page[SEEN.words["name"].index("bowl")] = 0.8
    together = called_together(unsure, {NAMED: page})
    assert together.words["name"] == "bowl"
    assert together.odds["name"].sum() == pytest.approx(1.0)
    assert called_together(unsure, {}) is unsure
    lists = known_lists(["yes", "3", "sharp, flexible", "sharp, part of cutlery", "red"])
    assert lists == [("sharp", "flexible"), ("sharp", "part of cutlery")]
    labels = READ.several["attribute"]
    odds = np.array([{"sharp": 0.45, "part of cutlery": 0.7}.get(label, 0.1) for label in labels], np.float32)
    listed = with_known_list(replace(unsure, odds={"attribute": odds}), lists)
    assert listed.words["attribute"] == ("sharp", "part of cutlery")


# Reading


def test_a_reader_learns_what_the_pages_of_a_dataset_tell(corpus: Corpus) -> None:
    own = desk(corpus, page_width=32)
    source = PageSource(own, "train", "votes")
    objects = [entity for row in corpus.rows("train") for entity in corpus.inspector.world(row).entities]
    assert len(source) == len(objects)
    everything = source.batch(torch.arange(len(source)))
    for k, entity in enumerate(objects):
        assert READ.words["picking"][everything["words_picking"][k]] == entity.attributes["picking"]
        told = zip(READ.several["attribute"], everything["several_attribute"][k], strict=True)
        labels = [label for label, has in told if has]
        assert {*labels} == {*entity.attributes["attribute"]}
        assert everything["looks"][k].sum() == len(VISUAL)
    torch.manual_seed(0)
    reader = make_reader(own, "votes")
    fit(reader, source, pace=Pace(batch=32, rate=2e-2), steps=150, seed=0, device=CPU)
    own.networks["reader"] = reader
    right = 0
    for scene, one in enumerate(pixels_and_pages(replace_choices(own, attributes=True), "train")):
        world = corpus.inspector.world(corpus.rows("train")[scene])
        for entity, read in zip(world.entities, one.objects, strict=True):
            assert {*TEXTUAL} <= read.words.keys()
            right += read.words["picking"] == entity.attributes["picking"]
    assert right > 0.9 * len(objects)


def replace_choices(own: Desk, **choices: Any) -> Desk:
    return Desk(own.corpus, own.lexicon, own.device, own.seed, {**own.choices, **choices}, own.networks)


def test_a_model_that_was_not_given_is_asked_for_before_anything_is_learned(corpus: Corpus, tmp_path: Path) -> None:
    stage = ROWS["ns_vqa"].stages[0]
    told = {"": "field 'reader=minilm': needs the folder of its files: --set weights=FOLDER"}
    told[str(tmp_path)] = f"{tmp_path}: holds no language model: there is no config.json"
    for weights, words in told.items():
        assert complaint(partial(stage.network, desk(corpus, reader="minilm", weights=weights))) == words
    assert "reader of pages" in str(complaint(lambda: stage.network(desk(corpus, reader="aloud"))))


def test_things_that_were_found_are_described_and_read_about(corpus: Corpus) -> None:
    own = desk(corpus, masks=True, crop_width=4, page_width=16)
    for stage in ROWS["ns_vqa"].stages:
        if stage.name in ("reader", "attributes"):
            torch.manual_seed(0)
            own.networks[stage.name] = stage.network(own).eval()
    assert isinstance(own.networks["attributes"], Attributes)
    found = [*crops_and_pages(own, "test", [2, 0])]
    for scene, one in zip([2, 0], found, strict=True):
        assert len(one.objects) == len(corpus.inspector.world(corpus.rows("test")[scene]))
        for each in one.objects:
            assert {*VISUAL, *TEXTUAL} <= each.words.keys()
            assert each.numbers["place"].shape == (2,)
        assert len(world_of_things(one.objects)) == len(one.objects)


# Modules


def test_programs_and_tables_become_steps_and_graphs(corpus: Corpus) -> None:
    own = desk(corpus)
    source = true_graphs(own, "test")
    questions = corpus.questions("test", own.lexicon)
    assert len(source) == len(questions.ids), "modules run all that SHOP-VRB asks"
    batch = source.batch(torch.arange(len(source)))
    assert batch["node"].shape[2] == sum(map(len, {**SEEN.words, **READ.words, **READ.several}.values()))
    things = torch.tensor([len(corpus.inspector.world(row)) for row in corpus.rows("test")])
    assert torch.equal(batch["present"].sum(1), things[questions.scene])
    lines: list[str | None] = [None, "graspable(unique(scene()))", *questions.programs[2:]]
    seen = (seen_truly(corpus, "test", scene) for scene in range(len(corpus.rows("test"))))
    assert GraphSource(own, "test", seen, lines).places == [*range(2, len(lines))]


def test_modules_learn_what_a_few_tables_tell(corpus: Corpus) -> None:
    own = desk(corpus, module_width=32, **TRUE)
    torch.manual_seed(0)
    own.networks["modules"] = network = make_modules(own)
    fit(network, true_graphs(own, "train"), pace=Pace(batch=48, rate=1e-2), steps=100, seed=0, device=CPU)
    given, true = answers(corpus, ROWS["xnm"], "train", own)
    assert sum(one.answer == answer for one, answer in zip(given, true, strict=True)) > 0.8 * len(true)


def test_modules_that_look_answer_all_questions_and_show_every_step(corpus: Corpus) -> None:
    own, row = desk(corpus, programs=True, module_width=8, trunk="small"), ROWS["tbd"]
    torch.manual_seed(0)
    own.networks["modules"] = network = row.stages[-1].network(own)
    source = row.stages[-1].source(own, "train")
    batch = source.batch(torch.arange(2), chance=torch.Generator().manual_seed(0))
    assert {*network.reads} <= {*batch}
    assert all(torch.isfinite(loss) for loss in network.lesson(batch).losses.values())
    given, questions = [*row.answer(own, "test")], corpus.questions("test", own.lexicon)
    assert [one.question_id for one in given] == questions.ids
    assert not any(one.raw for one in given), "modules run all that SHOP-VRB asks"
    assert row.show is not None
    for looks, place in zip(row.show(own, "test", [3, 0]), (3, 0), strict=True):
        assert isinstance(looks, Looks)
        steps = parse_program(questions.programs[place]).steps
        assert looks.question_id == questions.ids[place]
        assert [word.partition("[")[0] for word in looks.words] == [step.function for step in steps]
        assert int(looks.maps[0].min()) == 255, "the first step looks everywhere"


# Rewards


def test_programs_are_worth_something_where_they_come_to_the_answer(corpus: Corpus) -> None:
    own = desk(corpus)
    reward, count = AnswerReward(own, LANGUAGE), own.lexicon.tokens.index("count")
    first = 0
    for split in corpus.splits:
        questions, source = corpus.questions(split, own.lexicon), AnsweredQuestions(own, split)
        numbers = source.batch(torch.arange(len(source)))["number"].tolist()
        assert numbers == [*range(first, first + len(questions.ids))]
        first += len(numbers)
        true = [own.lexicon.program(line) for line in questions.programs]
        known = [k for k, tokens in enumerate(true) if tokens is not None and int(questions.answer[k]) >= 0]
        assert len(known) > 20
        assert set(reward([numbers[k] for k in known], [true[k] or [] for k in known])) == {1.0}
        wrong = [true[known[0]]] * len(known)
        assert 0.0 in reward([numbers[k] for k in known], [one or [] for one in wrong])
        assert reward(numbers[:1], [[count]]) == [0.0], "that is no program"


def test_a_parser_goes_on_with_rewards_and_is_the_one_that_parses(corpus: Corpus) -> None:
    own, row = desk(corpus), ROWS["ns_vqa_rewarded"]
    parser, rewarded = (stage for stage in row.stages if stage.name in ("parser", "rewarded"))
    torch.manual_seed(0)
    own.networks["parser"] = parser.network(own).eval()
    before = parsed(own, "test", LANGUAGE)
    own.networks["rewarded"] = network = rewarded.network(own)
    assert isinstance(network, Rewarded)
    assert parsed(own, "test", LANGUAGE) == before
    batch = rewarded.source(own, "train").batch(torch.arange(4))
    assert {*network.reads} <= {*batch}
    sum(network.train().lesson(batch).losses.values()).backward()  # type: ignore[union-attr]
    torch.nn.init.normal_(network.parser.head.weight)
    after = network.eval().parse(corpus.questions("test", own.lexicon).words)
    assert parsed(own, "test", LANGUAGE) == [
        str(program_of([own.lexicon.tokens[token] for token in tokens], LANGUAGE)) for tokens in after
    ]
    assert parsed(own, "test", LANGUAGE) != before


# People


@pytest.fixture(scope="module")
def studied(tables: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder in which half of Tables III and IV was made of our own row, which is small and has learned little."""
    out = tmp_path_factory.mktemp("studied")
    small = {"width": 4, "page_width": 16, "batch": 4, "reader.batch": 16, "parser.batch": 16, "pairs": 20}
    with pytest.MonkeyPatch.context() as patch:
        scale = replace(STUDIES["table3"].scales["tiny"], minutes=0.01, choices={"shop_symbolic": small})
        arms = {name: tuple(arm for arm in study.arms if arm.split == "test") for name, study in STUDIES.items()}
        studies = tuple(replace(one, arms=arms[one.name], scales={"tiny": scale}) for one in STUDIES.values())
        learning = replace(LEARNING, studies=studies)
        patch.setattr(shop, "BENCHMARK", replace(shop.BENCHMARK, learning=lambda: learning))
        for name in ("table3", "table4"):
            mereo.reproduce(f"shop/{name}", out, rows=["shop_symbolic"], data=tables)
    return out


def sets(choices: Mapping[str, Any]) -> list[str]:
    return [word for name, value in choices.items() for word in ("--set", f"{name}={value}")]


def test_our_own_row_learns_answers_and_is_judged_as_a_parse(
    studied: Path, tables: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    run = studied / "runs" / "shop_symbolic"
    said = mereo("predict", run, tables, "--split", "test", *sets(dict.fromkeys(TRUE, "true"))).out
    assert "100.0" in said
    result = read_json(run_folder(tables, "shop_symbolic") / RESULT, type=Result)
    study = STUDIES["table5"]
    scores = measured(study.arms[0], [result], supervision="M,S,P", seconds=0.0, study=study).scores
    assert {scores[f"{kind} overall"].value for kind in ("visual", "textual", "all")} == {1.0}
    assert scores["visual count"].count + scores["textual count"].count == scores["all count"].count
    parses = tmp_path / "parses.jsonl"
    mereo("parse", tables, parses, "--run", run, "--split", "test", "--given", "attributes")
    told = mereo("parsed", tables, parses).out
    assert "test, attributes given" in told
    assert "F1 of labels, averaged" in told
    refused = mereo("parse", tables, parses, "--given", "masks", code=2).err
    assert "only a trained run can be given something" in refused


def test_the_fifth_table_has_the_papers_figures_beside_its_arms() -> None:
    study = STUDIES["table5"]
    arms = {arm.called: arm for arm in study.arms}
    assert study.published.keys() <= arms.keys(), "nothing is only cited"
    assert study.published["NS-VQA, benchmark"]["visual overall"] == 38.8
    assert study.published["NS-VQA, test, attributes given"]["textual count"] == 57.9
    columns = {column.name for column in study.columns}
    assert all(own.keys() <= columns for own in study.published.values())
    assert {arm.split for arm in study.arms} == {"test", "benchmark"}
    _checked(study.arms, ROWS)


def _checked(arms: Sequence[Any], rows: Mapping[str, Row]) -> None:
    for arm in arms:
        if arm.row in rows:
            assert arm.asked.keys() <= rows[arm.row].choices.keys()


PAPER = {
    "table3": {
        "seen": {
            "test 0.7": ("NS-VQA, test", ""),
            "benchmark 0.7": ("NS-VQA, benchmark", ""),
            "benchmark 0.5": ("NS-VQA, benchmark", ", 0.5"),
            "benchmark, masks given": ("NS-VQA, benchmark, masks given", ""),
        },
        "boxes": {"test": ("NS-VQA, test", ""), "benchmark": ("NS-VQA, benchmark", "")},
    },
    "table4": {
        "read": {
            "test, attributes given": ("NS-VQA, test, attributes given", ""),
            "test 0.7": ("NS-VQA, test", ""),
            "benchmark, attributes given": ("NS-VQA, benchmark, attributes given", ""),
            "benchmark 0.7": ("NS-VQA, benchmark", ""),
        }
    },
}
"""By study, table of `published.toml` and column: the arm that has the same figures, and how its columns end."""


@pytest.mark.parametrize("name", PAPER)
def test_what_is_seen_and_read_has_the_papers_figures_wherever_they_stand(name: str) -> None:
    study = STUDIES[name]
    expected: dict[str, dict[str, Any]] = {}
    for table, columns in PAPER[name].items():
        for column in study.columns:
            figures = published_row(table, column.kind)
            for theirs, (arm, ending) in columns.items():
                if theirs in figures and column.name.endswith(", 0.5") == bool(ending):
                    expected.setdefault(arm, {})[column.name] = pytest.approx(100 * figures[theirs])
    assert study.published == expected
    assert study.published.keys() <= {arm.called for arm in study.arms}
    assert set(study.rows) <= LOOKS.keys()
    _checked(study.arms, ROWS)


PAGE = "Before.\n<!-- table3 -->\n<!-- end -->\n<!-- table4 -->\n<!-- end -->\n<!-- table5 -->\n<!-- end -->\n"


def test_what_is_seen_and_read_is_measured_of_one_run(studied: Path, corpus: Corpus, tmp_path: Path) -> None:
    assert [run.name for run in (studied / "runs").iterdir()] == ["shop_symbolic"]
    things = sum(len(corpus.inspector.world(row)) for row in corpus.rows("test"))
    names = {"table3": ("", ", without names from pages"), "table4": (", attributes given", "")}
    for name, endings in names.items():
        found = read_reproduced(studied / name)
        assert [one.name for one in found.arms] == [f"shop symbolic, test{ending}" for ending in endings]
        told = [column for column in found.columns if "distance" not in column]
        assert {one.scores[column].count for one in found.arms for column in told} == {things}
    (tmp_path / "shop.md").write_text(PAGE)
    run_script(ROOT / "docs" / "results.py", studied, "--pages", tmp_path)
    three, four, five, _ = (tmp_path / "shop.md").read_text().split("<!-- end -->\n")
    assert "| model | supervision | here, overall | paper | objects |" in three
    assert re.search(r"\n\| shop symbolic, test \| M,S,P \| [\d.]+ \[[\d.]+, [\d.]+\] \| – \| \d+ \|\n", three)
    assert "\n| mAP of boxes |" in three
    assert "\n| F1 of labels, together |" in four
    assert five == "<!-- table5 -->\n"


def test_a_study_says_what_parses_of_its_run_say(
    studied: Path, tables: Path, tmp_path: Path, mereo: CommandLine
) -> None:
    parses, told = tmp_path / "parses.jsonl", tmp_path / "tables.json"
    run = studied / "runs" / "shop_symbolic"
    mereo("parse", tables, parses, "--run", run, "--split", "test", "--given", "attributes")
    mereo("parsed", tables, parses, "--out", told)
    read = next(table for table in json.loads(told.read_text())["tables"] if table["name"] == "what is read")
    theirs = {row["name"]: row["scores"]["test, attributes given"]["value"] for row in read["rows"]}
    ours = next(arm for arm in read_reproduced(studied / "table4").arms if "test, attributes given" in arm.name)
    assert {column.kind: ours.scores[column.name].value for column in STUDIES["table4"].columns} == theirs


def test_a_row_that_sees_no_things_is_refused(corpus: Corpus, tmp_path: Path) -> None:
    row, header = replace(ROWS["xnm"], name="film"), Header(selection=Selection(("test",)))
    said = complaint(lambda: look_and_judge(row, desk(corpus), header, tmp_path / "seen.jsonl", lambda scenes: None))
    assert said == "row film sees no things; ns_vqa, ns_vqa_rewarded, xnm, shop_symbolic do"


def test_whoever_finds_nothing_has_everything_wrong(
    corpus: Corpus, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def blind(own: Desk, split: str, scenes: Sequence[int] | None) -> Iterator[Seen]:
        return (seen() for _ in corpus.rows(split))

    monkeypatch.setitem(LOOKS, "ns_vqa", blind)
    done: list[int] = []
    path, header = tmp_path / "seen.jsonl", Header(selection=Selection(("test",)))
    found = look_and_judge(ROWS["ns_vqa"], desk(corpus), header, path, done.append)
    scores = {row.name: mean.value for table in found for row in table.rows for mean in row.scores.values()}
    assert {"objects found", "overall", "powering", "F1 of labels, averaged", "mAP"} <= scores.keys()
    assert set(scores.values()) == {0.0}
    assert sum(done) == household.SPLITS["test"]


def test_imported_tables_are_seen_by_the_same_eyes(corpus: Corpus) -> None:
    assert isinstance(corpus.inspector, OfficialInspector)
    assert corpus.lacking(ROWS["ns_vqa"].needs) == []
