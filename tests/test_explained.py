"""Answers explained step by step: what is told of them is what the run saw and did, and what is wrong is marked."""

from __future__ import annotations

import importlib.util
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest
import torch
from PIL import Image as Pictures

import mereo
from kit import ROOT
from mereo.benchmarks.ptr.inspect import PtrInspector
from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning import rebuilding
from mereo.benchmarks.ptr.learning.explaining import Explained, explain
from mereo.benchmarks.ptr.learning.rebuild.view import aside
from mereo.benchmarks.ptr.learning.rows import ROWS
from mereo.benchmarks.ptr.learning.seeing import PtrSeeing
from mereo.benchmarks.ptr.learning.telling import story_of
from mereo.benchmarks.ptr.learning.truth import seen_of_truth
from mereo.benchmarks.ptr.paint import colors_of
from mereo.benchmarks.ptr.scenes import Wanted, ordinary_scene
from mereo.benchmarks.ptr.step_words import step_words
from mereo.chance import generator
from mereo.errors import BadInput, UnknownName
from mereo.evaluation.lit import FOUND, WRONG, Lit, draw_lit
from mereo.evaluation.panels import PAPER, WIDTH
from mereo.evaluation.stories import Shot, Story, stories_sheet
from mereo.evaluation.understood import is_unlike
from mereo.files import read_toml
from mereo.programs import INTEGER_SET, Step, TraceStep
from mereo.programs.types import INTEGER, Type
from mereo.scenes.assemble import assemble
from mereo.scenes.frame import view_matrix
from mereo.training.corpus import Corpus
from mereo.training.seeing import Seen

CHOICES = {"programs": True, "geometry": "seen", "physics": "seen"}
"""Programs are the true ones, since there is no parser, and no room is rebuilt."""
ANGLES = {"relate_part", "query_part_analogy"}
"""Functions for which what is seen has other bounds than what is true."""


def half_seen(seen: Seen) -> Seen:
    """Every other part alone."""
    return replace(seen, parts=seen.parts[::2])


def loaded_script() -> ModuleType:
    """`docs/explained.py` as a module."""
    spec = importlib.util.spec_from_file_location("explained", ROOT / "docs" / "explained.py")
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Rooms with pictures and many questions."""
    folder = tmp_path_factory.mktemp("explained") / "rooms"
    return mereo.build(
        "ptr", folder, split="train=1,test=2", questions_per_scene=16, size="96x64", samples=8, seed=3, workers=1
    ).folder


def desk_of(rooms: Path, monkeypatch: pytest.MonkeyPatch, *, faults: bool) -> Any:
    """A desk before rooms that are seen as they are, or with a few faults."""
    corpus = Corpus(rooms, PtrInspector(), torch.device("cpu"), seeing=PtrSeeing(), workers=1)

    def look(desk: Any, split: str, scenes: Sequence[int] | None = None) -> Iterator[Seen]:
        wanted = range(len(corpus.rows(split))) if scenes is None else scenes
        seen = (seen_of_truth(corpus.whole_row(split, scene)) for scene in wanted)
        return map(half_seen, seen) if faults else seen

    monkeypatch.setattr(rebuilding, "look_at_pixels", look)
    return SimpleNamespace(corpus=corpus, lexicon=corpus.lexicon(), choices=CHOICES)


def explained(desk: Any) -> list[Explained]:
    places = range(len(desk.corpus.answers("test")))
    return [*explain("rebuilt", desk, "test", places)]


def test_every_function_is_told_in_words() -> None:
    def values(type: Type) -> Sequence[Any]:
        return (3,) if type == INTEGER else type.values or ()

    told = read_toml(ROOT / "src" / "mereo" / "benchmarks" / "ptr" / "step_words.toml")
    assert told.keys() == LANGUAGE.functions.keys()
    for function in LANGUAGE.functions.values():
        literals = [(value,) for value in values(function.values[0])] if function.values else [()]
        words = [step_words(Step(function.name, values=literal)) for literal in literals]
        assert all(words)
        assert len(set(words)) == len(literals), "what differs is told differently"
        assert not any("{" in one for one in words)
    assert step_words(Step("filter_part_category", (0,), ("leg bar",))) == "of these the leg bars"
    assert step_words(Step("relate_object", (0,), ("front",))) == "what is in front of it"


@pytest.mark.parametrize("faults", [False, True])
def test_what_is_explained_is_what_was_answered(rooms: Path, monkeypatch: pytest.MonkeyPatch, faults: bool) -> None:
    desk = desk_of(rooms, monkeypatch, faults=faults)
    row = next(row for row in ROWS if row.name == "rebuilt")
    told, given = explained(desk), [*row.answer(desk, "test")]
    assert [one.answer for one in told] == [prediction.answer for prediction in given]
    right = [one.answer == answer for one, answer in zip(told, desk.corpus.answers("test"), strict=True)]
    assert all(right) is not faults
    for one in told:
        assert len(one.shown.world) == len(one.shown.instances)
        assert one.account.trace is None or one.account.trace.world is one.shown.world


def test_true_sight_tells_a_story_without_fault(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mereo.benchmarks.ptr.learning.telling._PHYSICAL", ())
    desk = desk_of(rooms, monkeypatch, faults=False)
    for one in explained(desk):
        story = story_of(desk, "test", "so", one)
        assert one.account.trace is not None
        assert len(story.shots) == len(one.account.trace.values)
        assert not any(shot.first for shot in story.shots)
        if not ANGLES & {step.function for step in one.account.trace.executable.program.steps}:
            assert not any(shot.fault or shot.lit.wrong for shot in story.shots), story.question
        assert story.shots[-1].lit.said == story.answer == story.truth
        assert story.picture.shape == (64, 96, 3)


def test_a_wrong_answer_is_marked_where_it_goes_wrong(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mereo.benchmarks.ptr.learning.telling._PHYSICAL", ())
    desk = desk_of(rooms, monkeypatch, faults=True)
    told = [one for one in explained(desk) if one.account.trace is not None]
    stories = [story_of(desk, "test", "so", one) for one in told]
    wrong = [story for story in stories if story.answer != story.truth]
    assert wrong
    for story in stories:
        first = [place for place, shot in enumerate(story.shots) if shot.first]
        assert len(first) == (story.answer != story.truth)
        assert all(story.shots[place].fault for place in first)
        assert story.answer == story.truth or story.shots[-1].fault
    missed = [shot for story in stories for shot in story.shots if shot.fault.startswith("missed: ")]
    assert any(shot.lit.wrong for shot in missed), "what was missed is shown"


def test_only_answers_by_programs_are_explained() -> None:
    with pytest.raises(UnknownName, match="there is no row that answers by programs named 'mac'"):
        next(explain("mac", SimpleNamespace(), "test", [0]))  # type: ignore[arg-type]


def counted(*numbers: int) -> TraceStep:
    return TraceStep(Step("count_part"), INTEGER_SET, list(numbers), [])


def test_numbers_of_objects_are_held_against_those_of_the_same_objects() -> None:
    assert not is_unlike(counted(4, 0, 2), counted(0, 2, 4), {0: 2, 1: 0, 2: 1})
    assert is_unlike(counted(4, 0, 2), counted(0, 4, 2), {0: 2, 1: 0, 2: 1})
    assert not is_unlike(counted(4, 0), counted(4), {0: 0}), "what has none need not be there"
    assert is_unlike(counted(4, 1, 0), counted(4), {0: 0})


def test_what_is_found_keeps_its_color_and_the_rest_fades() -> None:
    picture = np.full((60, 90, 3), (200, 20, 20), np.uint8)
    found, wrong = np.zeros((2, 60, 90), bool)
    found[20:40, 10:30], wrong[20:40, 60:80] = True, True
    drawn = draw_lit(picture, Lit([found], [wrong]), width=180).astype(int)
    assert drawn.shape == (120, 180, 3)
    assert np.abs(drawn[60, 40] - (200, 20, 20)).max() < 5
    assert np.abs(drawn[60, 140] - (200, 20, 20)).max() < 5
    assert np.abs(drawn[60, 90] - PAPER).max() < 60
    assert len({*drawn[60, 90]}) <= 3
    for color, middle in ((FOUND, 40), (WRONG, 140)):
        near = np.abs(drawn[30:90, middle - 30 : middle + 30] - color).max(-1)
        assert (near < 40).sum() > 60, "a line goes around it"
    assert np.abs(draw_lit(picture, Lit(), width=90).astype(int) - picture).max() <= 1
    plain, said = (draw_lit(picture, Lit([found], said=word), width=180) for word in ("", "yes"))
    assert (plain[55:65, 80:100] != said[55:65, 80:100]).any()


def test_a_sheet_is_as_wide_as_a_page_and_frames_what_is_wrong() -> None:
    picture = np.full((40, 60, 3), 128, np.uint8)
    shots = [Shot("all objects", "2 tables and a word that goes on and on", Lit())] * 7

    def sheet(*marked: Shot) -> Any:
        return stories_sheet([Story("t", picture, "How many?", "2", "2", [*shots, *marked])], foot="so")

    plain, wrong = sheet(shots[0]), sheet(shots[0]._replace(fault="missed: leg", first=True))
    assert plain.shape[1] == wrong.shape[1] == WIDTH
    assert not (plain == WRONG).all(-1).any()
    assert (wrong == WRONG).all(-1).sum() > 1000
    assert len(wrong) > len(plain), "there is room for what is said"
    assert (plain[:, :30] == PAPER).all()
    assert (plain[:, -30:] == PAPER).all(), "no word goes beyond the margin"


def test_another_view_shows_all_that_was_rebuilt() -> None:
    scene = ordinary_scene(Wanted("test", seed=5, width=96, height=64), generator(5, "view")).scene
    colors = [{name: color for name, color in colors_of(one).items() if color} for one in scene.objects]
    turned = aside(scene, colors, width=96)
    assert [colors_of(one) for one in turned.objects] == [colors_of(one) for one in scene.objects]
    x, y, away = (view_matrix(turned) @ (assemble(turned).vertices - turned.camera.position).T).astype(float)
    half = np.tan(np.radians(turned.camera.field / 2))
    assert np.abs(x / away).max() < half
    assert np.abs(y / away).max() < half * turned.camera.height / turned.camera.width
    assert max(np.abs(x / away).max(), 1.5 * np.abs(y / away).max()) > 0.7 * half, "and not from afar"
    assert np.degrees(np.arccos(view_matrix(turned)[0] @ view_matrix(scene)[0])) == pytest.approx(65, abs=25)


def test_who_sees_no_depth_is_explained_without_a_room_that_was_rebuilt(
    rooms: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("mereo.benchmarks.ptr.learning.telling._PHYSICAL", (*LANGUAGE.functions,))
    desk = desk_of(rooms, monkeypatch, faults=False)
    one = next(one for one in explained(desk) if one.account.trace is not None)
    flat = [replace(thing, numbers={}) for thing in one.seen.objects]
    for objects in (flat, []):
        assert story_of(desk, "test", "so", replace(one, seen=replace(one.seen, objects=objects))).aside is None


def test_the_script_draws_what_is_chosen_by_its_rule(
    rooms: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("mereo.benchmarks.ptr.learning.telling._PHYSICAL", ())
    desk, script = desk_of(rooms, monkeypatch, faults=True), loaded_script()
    monkeypatch.setattr(script, "opened", lambda run, dataset, split: ("rebuilt", desk))
    monkeypatch.setattr(script, "OBJECTS", 1)
    out = tmp_path / "new" / "explained.png"
    monkeypatch.setattr(sys, "argv", ["explained.py", "run", str(rooms), "--out", str(out)])
    script.main()
    told, questions = capsys.readouterr().out, desk.corpus.questions("test", desk.lexicon)
    places = [questions.ids.index(name.strip()) for name in told.partition(": ")[2].split(",")]
    assert places
    assert len(places) == len({int(questions.scene[place]) for place in places}), "each is about another room"
    with Pictures.open(out) as picture:
        assert picture.width == WIDTH
    monkeypatch.setattr(sys, "argv", ["explained.py", "run", str(rooms), questions.ids[0], "--out", str(out)])
    script.main()
    assert capsys.readouterr().out == f"{out}: {questions.ids[0]}\n"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        (["nowhere", "DATA"], "holds no run"),
        (["nowhere", "DATA", "--out", "x.gif"], "must end in .png, .jpg, .jpeg"),
    ],
)
def test_what_the_script_cannot_do_is_one_sentence(
    rooms: Path, given: list[str], said: str, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(sys, "argv", ["explained.py", *(str(rooms) if one == "DATA" else one for one in given)])
    with pytest.raises(SystemExit) as ended:
        loaded_script().main()
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert said in told
    assert len(told.splitlines()) == 1


def test_a_question_that_there_is_not_is_told(rooms: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    desk = desk_of(rooms, monkeypatch, faults=False)
    with pytest.raises(BadInput, match="has no question 'test-9' in test"):
        loaded_script().named("rebuilt", desk, "test", ["test-9"])
