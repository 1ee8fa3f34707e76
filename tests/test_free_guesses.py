"""A trained parser guesses at what nobody reads: its programs are said back, and never answered as if read."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import mereo as library
from browsing import chromium, serving, visiting
from free_wordings import worlds
from kit import CommandLine, complaint
from mereo.benchmarks.benchmark import listener_of
from mereo.benchmarks.clevr import benchmark as clevr
from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.datasets.predictions import Prediction
from mereo.programs import parse_program
from mereo.questions.free.retelling import Retelling
from mereo.questions.guessing import Guesser
from mereo.questions.understand import Listener
from mereo.training.learning import Learning
from mereo.training.row import Desk, Row
from mereo.training.sight_stages import all_pairs_stage
from mereo.world import save_world

UNREAD = "the number of cubes of which color is the same as that of how many spheres?"
WORLD = worlds("clevr", 1)[0]


def _silent(desk: Desk, split: str) -> Iterator[Prediction]:
    return iter(())


ROWS = (
    Row("reads", "a parser", (), ("programs",), "P", (all_pairs_stage(lambda desk: LANGUAGE, passes=60.0),), _silent),
    Row("says", "no parser", (), ("answers",), "/", (), _silent),
)


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """One scene with four questions."""
    folder = tmp_path_factory.mktemp("guesses") / "solids"
    return library.build("clevr", folder, split="train=1", symbolic=True, questions_per_scene=4).folder


@pytest.fixture(scope="module")
def runs(dataset: Path) -> dict[str, Path]:
    """By row: one has learned the four questions by heart, the other has no parser."""
    pytest.importorskip("torch", reason="torch is not installed")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mereo.training.device.use_cores", lambda: None)  # other tests want theirs
        patch.setattr(clevr, "BENCHMARK", replace(clevr.BENCHMARK, learning=lambda: Learning(rows=ROWS)))
        return {row.name: library.train(row.name, dataset, dataset.parent / row.name).folder for row in ROWS}


@pytest.fixture(scope="module")
def turned(dataset: Path) -> str:
    """A question of the dataset from its end to its beginning, which nobody reads."""
    text = library.load(dataset).scenes[0].questions[0].text
    return " ".join(reversed(text.lower().rstrip("?").split()))


@pytest.fixture(scope="module")
def listener() -> Listener:
    found = listener_of("clevr")
    assert found is not None
    return found


def _says(line: str) -> Guesser:
    return Guesser("somebody", lambda question: parse_program(line))


def test_a_guess_is_a_suggestion_that_says_whose_it_is(listener: Listener) -> None:
    understood = listener.understand(UNREAD, WORLD, guesser=_says("count(filter_shape[cube](scene()))"))
    assert understood.program is None
    assert understood.guess == understood.suggestions[0]
    assert understood.guess.text == "guessed by somebody: the number of cubes"
    said = complaint(lambda: understood.sure(UNREAD))
    assert said is not None
    assert "cannot be understood (perhaps: guessed by somebody: the number of cubes" in said


@pytest.mark.parametrize("line", ["count(unique(scene()))", "unique(scene())", "cuont(scene())"])
def test_what_is_no_program_here_or_has_no_answer_is_not_offered(line: str, listener: Listener) -> None:
    assert len(WORLD) > 1
    assert listener.understand(UNREAD, WORLD, guesser=_says(line)).guess is None


@pytest.mark.parametrize(
    "question",
    [
        "How many cubes are there?",
        "count everything thats not red",
        "is there a teeny tiny red block?",
        "how many more cubes than balls",
    ],
)
def test_what_is_read_is_never_guessed_at(question: str, listener: Listener) -> None:
    def complain(question: str) -> None:
        raise AssertionError(f"nobody should be asked for {question}")

    assert listener.understand(question, WORLD, guesser=Guesser("nobody", complain)).guess is None


@pytest.mark.parametrize(
    ("name", "line", "said"),
    [
        ("clevr", "query_color(unique(relate[left](unique(filter_shape[cube](scene())))))",
         "the color of the thing left of the cube"),
        ("clevr", "greater_than(count(filter_color[red](scene())), count(filter_shape[cube](scene())))",
         "whether the number of red things is greater than that of cubes"),
        ("clevr", "equal_size(query_size(unique(filter_color[red](scene()))), query_size(unique(scene())))",
         "whether the red thing and the thing have the same size"),
        ("refer", "filter_ordinal[second, left](same_color(unique(filter_shape[cube](scene()))))",
         "the thing second from the left of the same color as the cube"),
        ("ptr", "count_object(filter_part_count[4](count_part(filter_part_category[leg](expand_parts(scene())))))",
         "the number of things with 4 legs"),
        ("ptr", "query_part_color(filter_part_category[leg](own_parts(unique(filter_stability[stable](scene())))))",
         "the color of leg of the stable thing"),
        ("shop", "unique(filter_color[red](filter_name[mug](scene())))", "the red mug"),
    ],
)  # fmt: skip
def test_a_program_is_said_in_words(name: str, line: str, said: str) -> None:
    assert _said(name, line) == said


def test_what_words_would_say_otherwise_is_not_said() -> None:
    """ "Red things and cubes that are small" would be another set, and who is chosen twice is asked by nobody."""
    assert (
        _said("clevr", "count(filter_size[small](union(filter_color[red](scene()), filter_shape[cube](scene()))))")
        is None
    )
    assert _said("refer", "filter_color[red](filter_ordinal[first, left](filter_shape[cube](scene())))") is None


def _said(name: str, line: str) -> str | None:
    found = listener_of(name)
    assert found is not None
    assert found.free is not None
    asked = Retelling(found.free.composer).asked(parse_program(line))
    return None if asked is None else found.free.paraphrase.asked(asked)


def test_a_trained_parser_guesses_and_says_so(
    runs: dict[str, Path], turned: str, dataset: Path, mereo: CommandLine, tmp_path: Path
) -> None:
    run, scene = runs["reads"], library.load(dataset).scenes[0]
    assert complaint(lambda: scene.ask(turned)) is not None, "nobody reads it"
    answered = scene.ask(turned, parser=run)
    assert answered.guessed_by == str(run)
    assert str(answered).endswith(f" (guessed by {run})")
    save_world(scene.world, tmp_path / "world.json")
    lines = mereo("run", "--world", tmp_path / "world.json", "--question", turned, "--parser", run).out.splitlines()
    assert lines[1].startswith(f"guessed by {run}: ")
    assert lines[2] == f"program: {answered.trace.executable.program}"
    assert lines[-1].endswith(" (a guess)")
    assert scene.ask("How many things are there?", parser=run).guessed_by == ""


def test_who_knows_too_few_words_does_not_guess(runs: dict[str, Path], dataset: Path) -> None:
    scene = library.load(dataset).scenes[0]
    said = complaint(lambda: scene.ask("perchance a unicorn dwelleth yonder", parser=runs["reads"]))
    assert said is not None
    assert "guessed" not in said


def test_a_run_that_cannot_guess_is_told_in_one_sentence(
    runs: dict[str, Path], dataset: Path, mereo: CommandLine, tmp_path: Path
) -> None:
    scene, none = library.load(dataset).scenes[0], runs["says"]
    said = complaint(lambda: scene.ask(UNREAD, parser=none))
    assert said == f"{none}: has no parser: row says has no such stage, it learns nothing"
    assert complaint(lambda: scene.ask(UNREAD, parser=tmp_path)) == f"{tmp_path}: holds no run: there is no run.json"
    save_world(worlds("ptr", 1)[0], tmp_path / "room.json")
    words = ("run", "--language", "ptr", "--world", tmp_path / "room.json", "--question", "who", "--parser")
    said = mereo(*words, runs["reads"], code=2).err
    assert said == f"mereo: {runs['reads']}: has learned the language of clevr, which is not that of ptr\n"
    assert mereo("explore", "--parser", none, code=2).err.startswith(f"mereo: {none}: has no parser")


def test_the_explorer_offers_a_guess_and_does_not_answer(
    runs: dict[str, Path], turned: str, dataset: Path, tmp_path: Path
) -> None:
    pytest.importorskip("nicegui", reason="the explorer's packages are not installed")
    scene, run = library.load(dataset).scenes[0], runs["reads"]
    with (
        serving([dataset], tmp_path, "--parser", str(run)) as address,
        chromium() as browser,
        visiting(browser) as page,
    ):
        page.goto(f"{address}/ask/0/{scene.id}")
        page.get_by_label("A question").fill(turned)
        page.keyboard.press("Enter")
        offer = page.locator('[data-action="reading"]').first
        offer.wait_for()
        assert offer.inner_text().startswith(f"guessed by {run}: ")
        assert page.locator(".a-answer").count() == 0
        offer.click()
        page.locator(".a-answer").wait_for()
