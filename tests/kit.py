"""Helpers that several tests import: where data lies, worlds made by chance, official records of our questions."""

from __future__ import annotations

import os
import random
import runpy
import subprocess
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from mereo.benchmarks.clevr.language import LANGUAGE
from mereo.benchmarks.clevr.official import DIALECT
from mereo.benchmarks.clevr.questions import RULES, clevr_questions
from mereo.chance import fast, generator
from mereo.clevr_family.language import VOCABULARY
from mereo.clevr_family.nodes import node_records
from mereo.clevr_family.records import world_from_record
from mereo.clevr_family.strewing import strewn_scene
from mereo.clevr_family.templates import load_family
from mereo.cli import main
from mereo.errors import MereoError
from mereo.questions.generate import Asker, Question
from mereo.questions.rules import CLEVR_RULES
from mereo.questions.template_set import TemplateSet
from mereo.world import World

ROOT = Path(__file__).parents[1]
OFFICIAL_DATA = ROOT.parent / "shared" / "data"
OFFICIAL_TEMPLATES = OFFICIAL_DATA / "templates" / "clevr"
THOROUGH = os.environ.get("MEREO_THOROUGH") == "1"
"""Whether tests may take long, and look at all that is alike too."""


class Asked(NamedTuple):
    """A question with the scene it was asked of."""

    question: Question
    scene: dict[str, Any]
    world: World

    @property
    def nodes(self) -> list[dict[str, Any]]:
        """Its program with the outputs of all steps, as an official file would hold it."""
        return node_records(self.question.trace)


def scene(index: int, *, seed: int = 2, condition: str = "") -> dict[str, Any]:
    """A CLEVR scene record made by chance."""
    return strewn_scene(generator(seed, "test", index), condition=condition)


def world(index: int, *, seed: int = 2) -> World:
    """The world of such a scene."""
    return world_from_record(scene(index, seed=seed), VOCABULARY)


def scene_file(count: int, *, seed: int = 2) -> dict[str, Any]:
    """The content of an official scene file."""
    names = [f"CLEVR_test_{i:06d}.png" for i in range(count)]
    scenes = [
        {"split": "test", "image_index": i, "image_filename": name, **scene(i, seed=seed)}
        for i, name in enumerate(names)
    ]
    return {"info": {"split": "test"}, "scenes": scenes}


def official_templates() -> TemplateSet:
    """CLEVR's own templates."""
    folder = OFFICIAL_TEMPLATES
    return load_family(
        folder / "templates", metadata=folder / "metadata.json", synonyms=folder / "synonyms.json", dialect=DIALECT
    )


@cache
def questions(kind: str, scenes: int) -> tuple[Asked, ...]:
    """Ten questions about each of some scenes, of `our` templates or of the `official` ones, made once per process."""
    if kind == "our":
        asker = Asker(clevr_questions(), LANGUAGE, RULES)
    else:
        asker = Asker(official_templates(), LANGUAGE, CLEVR_RULES)
    return tuple(_asked(asker, scenes))


def _asked(asker: Asker, scenes: int) -> Iterator[Asked]:
    for index in range(scenes):
        record = scene(index)
        its_world = world_from_record(record, VOCABULARY)
        chance: random.Random = fast(generator(2, "test", index, "questions"))
        for question in asker.ask(its_world, 10, chance=chance):
            yield Asked(question, record, its_world)


def complaint(call: Callable[[], object]) -> str | None:
    """What a call complains of in a sentence for people; nothing if it goes well. Any other exception passes."""
    try:
        call()
    except MereoError as error:
        return str(error)
    return None


class Done(NamedTuple):
    """How a command ended."""

    code: int
    out: str
    err: str


class CommandLine:
    """Runs `mereo` as its entry point does: real arguments, streams and exit codes, but no new process."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]):
        self.monkeypatch, self.capsys = monkeypatch, capsys

    def __call__(self, *arguments: str | Path, code: int | None = 0) -> Done:
        """Run, and see that the exit code is the one expected; any, where none is."""
        self.monkeypatch.setattr(sys, "argv", ["mereo", *map(str, arguments)])
        self.capsys.readouterr()
        with pytest.raises(SystemExit) as end:
            main()
        out, err = self.capsys.readouterr()
        done = Done(end.value.code if isinstance(end.value.code, int) else 0, out, err)
        assert code is None or done.code == code, f"{' '.join(map(str, arguments))}\n{out}{err}"
        return done


def run_script(path: Path, *arguments: str | Path) -> None:
    """A script of the repository, run to its end as a program is, but in no new process."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(sys, "argv", [str(path), *map(str, arguments)])
        runpy.run_path(str(path), run_name="__main__")


def mereo_process(*arguments: str | Path, cwd: Path) -> subprocess.Popen[str]:
    """`mereo` in a process of its own, which can be killed."""
    return subprocess.Popen(
        [sys.executable, "-m", "mereo", *map(str, arguments)],
        cwd=cwd,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
