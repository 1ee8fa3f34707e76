"""The generators that `questions.py` measures, each as a command on the same files."""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from measure import mereo
from tables import HERE

PER_SCENE = 10
PLAIN, OFFICIAL, MEREO = "plain search", "CLEVR's generator", "mereo"


@dataclass(frozen=True)
class Templates:
    """Where a set of templates lies."""

    folder: Path
    metadata: Path
    synonyms: Path

    def without(self, left_out: Iterable[str], folder: Path) -> Templates:
        """The set less some, which are named `file.json[place]`."""
        folder.mkdir()
        for file in sorted(self.folder.glob("*.json")):
            kept = [
                one for place, one in enumerate(json.loads(file.read_text())) if f"{file.name}[{place}]" not in left_out
            ]
            (folder / file.name).write_text(json.dumps(kept))
        return Templates(folder, self.metadata, self.synonyms)

    def __len__(self) -> int:
        return sum(len(json.loads(file.read_text())) for file in self.folder.glob("*.json"))


@dataclass
class Runs:
    """What one generator did on so many scenes, a run for each seed."""

    questions: list[int] = field(default_factory=list)
    cpu: list[float] = field(default_factory=list)
    wall: list[float] = field(default_factory=list)
    infos: list[dict[str, Any]] = field(default_factory=list)
    cut: str = ""
    """How far it came where it was stopped."""

    @property
    def rates(self) -> list[float]:
        return [asked / cpu for asked, cpu in zip(self.questions, self.cpu, strict=True)]


Command = Callable[[Path, int, Path, int], list[str | Path]]
"""The command line of a generator for a scene file, the number of its scenes, the file to write, and a seed."""


def commands(templates: Templates, given: argparse.Namespace) -> dict[str, Command]:
    """How each generator is called, the reference first."""
    known: dict[str, Command] = {}
    if given.official:
        program = given.official.resolve() / "generate_questions.py"
        if not program.is_file():
            sys.exit(
                f"{given.official} is not the folder of CLEVR's generator: there is no generate_questions.py in it"
            )
        known[OFFICIAL] = _theirs(given.python, program, templates)
    more = ("--patience", str(given.patience))

    def plain(scenes: Path, count: int, out: Path, seed: int) -> list[str | Path]:
        command = _theirs(sys.executable, HERE / "naive_clevr.py", templates)
        return [*command(scenes, count, out, seed), *more, "--seed", str(seed)]

    def ours(scenes: Path, count: int, out: Path, seed: int) -> list[str | Path]:
        words = mereo("questions", "--scenes", scenes, "--templates", templates.folder, "--out", out)
        files = ("--metadata", templates.metadata, "--synonyms", templates.synonyms)
        return [*words, *files, "--per-scene", str(PER_SCENE), "--seed", str(seed)]

    return {**known, PLAIN: plain, MEREO: ours}


def _theirs(python: str, program: Path, templates: Templates) -> Command:
    """The options of CLEVR's generator."""
    return lambda scenes, count, out, seed: [
        *(python, program, "--input_scene_file", scenes, "--output_questions_file", out),
        *("--template_dir", templates.folder, "--synonyms_json", templates.synonyms),
        *("--metadata_file", templates.metadata, "--templates_per_image", str(PER_SCENE)),
        *("--instances_per_template", "1", "--scene_start_idx", "0", "--num_scenes", str(count)),
    ]
