"""The base install does everything symbolic, and says in a sentence what needs more.

Here the wheel runs beside its base dependencies alone, without a single package of the extras. With MEREO_THOROUGH=1 in
the environment it is also installed by pip, into new environments, without extras and with each of them.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import zipfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path
from typing import Any

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

from kit import THOROUGH
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.audit import audit_dataset
from mereo.datasets.build import build_dataset
from mereo.datasets.workers import LocalCrew
from mereo.errors import MissingExtra, install_command
from mereo.extras import EXTRAS, need
from ptr_scenes import scene, thing

ROOT = Path(__file__).parents[1]

# One process for all commands, which saves a second for each.
RUN = """
import json, sys
sys.path[:0] = [sys.argv[1]]
from mereo.cli import main

for words, expected in json.load(open(sys.argv[2])):
    sys.argv = ["mereo", *words]
    try:
        main()
    except SystemExit as end:
        print(f"-> {end.code or 0}", flush=True)
        if (end.code or 0) != expected:
            sys.exit(f"{words} ended with {end.code}")
"""

SYMBOLIC = """
build clevr s --scenes 12 --symbolic --questions-per-scene 3
functions
functions ptr_official
audit s
show s --count 1
oracle s
baseline s
evaluate s s/runs/oracle/predictions.jsonl --name again
report s
subset s fewer --share 0.5
export s official --to clevr
export s tar --to webdataset
verify --scenes official/scenes/CLEVR_val_scenes.json --questions official/questions/CLEVR_val_questions.json
questions --scenes official/scenes/CLEVR_val_scenes.json --templates asked --metadata metadata.json --out asked.json
import clevr back --scenes official/scenes/CLEVR_val_scenes.json
audit back
run count(scene()) --world official/scenes/CLEVR_val_scenes.json --scene 0
build refer r --scenes 4 --symbolic --questions-per-scene 2
build refer r2 --scenes-from s --questions-per-scene 2
audit r2
run count(scene()) --world room.json --language ptr_official
import ptr rooms --scenes room.json
audit rooms
models
models mac
reproduce
doctor
"""

REFUSED = {
    "build ptr p --scenes 2 --symbolic": "placing furniture needs packages",
    "build clevr p --scenes 2": "rendering needs packages",
    "build refer p --scenes 2": "rendering needs packages",
    "shapes make p --count 1": "building shapes needs packages",
    "ask s --endpoint http://localhost:9/v1 --model m": "asking a model needs packages",
    "explore s": "the explorer needs packages",
    "annotate-new p --category mug": "annotating needs packages",
    "train mac s --out p": "learning needs packages",
    "predict p s": "learning needs packages",
    "reproduce ptr/table2 --out p": "reproducing a study needs packages",
    "build clevr p --scenes 2 --symbolic --ray auto": "working on a Ray cluster needs packages",
}

TEMPLATE = {
    "text": ["How many <Z> <C> things are there?"],
    "nodes": [
        {"type": "scene", "inputs": []},
        {"type": "filter_count", "inputs": [0], "side_inputs": ["<Z>", "<C>", "<M>", "<S>"]},
    ],
    "params": [
        {"type": kind, "name": name}
        for kind, name in (("Size", "<Z>"), ("Color", "<C>"), ("Material", "<M>"), ("Shape", "<S>"))
    ],
    "constraints": [{"type": "NULL", "params": ["<M>"]}, {"type": "NULL", "params": ["<S>"]}],
}


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("wheel")
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, cwd=ROOT, check=True, capture_output=True)
    (built,) = folder.glob("*.whl")
    return built


@pytest.fixture(scope="module")
def base(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder like that of an environment into which the wheel was installed, with links to what the wheel needs."""
    folder = tmp_path_factory.mktemp("base")
    zipfile.ZipFile(wheel).extractall(folder)
    (lines,) = [path.read_text().splitlines() for path in folder.glob("*.dist-info/METADATA")]
    waiting = [Requirement(line.removeprefix("Requires-Dist: ")) for line in lines if line.startswith("Requires-Dist")]
    seen: set[str] = set()
    while waiting:
        requirement = waiting.pop()
        name = canonicalize_name(requirement.name)
        if name in seen or (requirement.marker is not None and not requirement.marker.evaluate({"extra": ""})):
            continue
        seen.add(name)
        found = metadata.distribution(name)
        waiting += map(Requirement, found.requires or ())
        for top in {file.parts[0] for file in found.files or () if file.parts[0] not in ("..", "__pycache__")}:
            if not (folder / top).exists():
                (folder / top).symlink_to(Path(str(found.locate_file(top))))
    return folder


@pytest.fixture
def workplace(tmp_path: Path) -> Path:
    """A folder with templates and a room of others."""
    (tmp_path / "asked").mkdir()
    (tmp_path / "asked" / "count.json").write_text(json.dumps([TEMPLATE]))
    values = {"Size": ["small", "large"], "Color": ["red", "blue"], "Material": ["metal"], "Shape": ["cube"]}
    (tmp_path / "metadata.json").write_text(json.dumps({"dataset": "CLEVR-v1.0", "types": values}))
    room = scene(thing("Chair", {"seat": "red", "leg": "blue"}, {"leg": 4}), thing("Bed", {"sleep area": "gray"}))
    (tmp_path / "room.json").write_text(json.dumps(room))
    return tmp_path


def run(base: Path, folder: Path, commands: dict[str, int]) -> subprocess.CompletedProcess[str]:
    """Run commands with nothing but the standard library and a folder on the path, and see how each ends."""
    listed = [(words.split(), code) for words, code in commands.items()]
    (folder / "commands.json").write_text(json.dumps(listed))
    return subprocess.run(
        [sys.executable, "-I", "-S", "-c", RUN, str(base), "commands.json"],
        cwd=folder,
        check=False,
        capture_output=True,
        text=True,
    )


def test_everything_symbolic_works_with_the_base_alone(base: Path, workplace: Path) -> None:
    commands = SYMBOLIC.strip().splitlines()
    done = run(base, workplace, dict.fromkeys(commands, 0))
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("-> 0") == len(commands)
    assert "(100%)" in done.stdout
    assert done.stdout.count("nothing is wrong") == 4


def test_what_needs_more_is_one_sentence_and_leaves_nothing_behind(base: Path, workplace: Path) -> None:
    commands = {"build clevr s --scenes 2 --symbolic": 0, **dict.fromkeys(REFUSED, 2)}
    done = run(base, workplace, commands)
    assert done.returncode == 0, done.stdout + done.stderr
    said = [line for line in done.stderr.splitlines() if line.startswith("mereo: ")]
    assert len(said) == len(REFUSED), done.stderr
    for sentence, expected in zip(said, REFUSED.values(), strict=True):
        assert sentence.startswith(f"mereo: {expected}")
        assert "pip install 'mereo[" in sentence
    assert not (workplace / "p").exists()


def test_the_extras_name_what_they_bring() -> None:
    declared: dict[str, set[str]] = {}
    for requirement in map(Requirement, metadata.requires("mereo") or ()):
        for extra in EXTRAS:
            of_extra = requirement.marker is not None and f'"{extra}"' in str(requirement.marker)
            if of_extra and requirement.name not in ("fpsample", "mitsuba-oidn"):
                declared.setdefault(extra, set()).add(requirement.name)
    called = {"PIL": "pillow", "argon2": "argon2-cffi", "python_multipart": "python-multipart"}
    assert {extra: {called.get(name, name) for name in names} for extra, names in EXTRAS.items()} == declared


def test_an_extra_that_is_incomplete_is_missing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(EXTRAS, "scenes", ("json", "no_such_module"))
    with pytest.raises(MissingExtra, match=r"^pictures needs packages that are not installed: pip install "):
        need("pictures", "scenes")
    monkeypatch.setitem(EXTRAS, "scenes", ("json",))
    need("pictures", "scenes")


def test_who_runs_from_sources_is_told_to_install_from_these(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.chdir(ROOT)
    assert install_command("scenes") == "pip install -e '.[scenes]'"
    monkeypatch.chdir(tmp_path)
    assert install_command("scenes") == f"pip install -e '{ROOT}[scenes]'"


class Undecodable(ClevrInspector):
    """An inspector of pictures on a machine that cannot read any."""

    def picture(self, row: Mapping[str, Any]) -> Iterator[str]:
        raise MissingExtra("pictures", "scenes")


def test_an_audit_that_cannot_look_at_pictures_does_not_blame_the_pictures(tmp_path: Path) -> None:
    build_dataset(ClevrRecipe(0, questions_per_scene=1), tmp_path / "s", splits={"val": 2}, shard_size=1000)
    with pytest.raises(MissingExtra, match=r"^pictures needs packages"):
        audit_dataset(tmp_path / "s", Undecodable())


@dataclass(frozen=True)
class Unequipped(ClevrRecipe):
    """A recipe whose every scene needs what is not there."""

    piecemeal = True

    def scene(self, split: str, index: int) -> dict[str, Any]:
        raise MissingExtra("a scene", "scenes")


def test_a_missing_package_is_no_fault_of_a_scene(tmp_path: Path) -> None:
    crew = LocalCrew(workers=2)
    with pytest.raises(MissingExtra, match=r"^a scene needs packages"):
        build_dataset(Unequipped(0), tmp_path / "s", splits={"val": 2}, shard_size=1000, crew=crew)
    assert not list(tmp_path.rglob("*.failure"))


TRIED = {
    "": "build clevr out --scenes 4 --symbolic",
    "scenes": "build clevr out --scenes 1 --size 48x32 --samples 8",
    "explore": "explore --help",
    "ask": "ask --help",
    "annotate": "annotate --help",
    "postgres": "annotate --help",
    "knowledge": "build clevr out --scenes 4 --symbolic",
    "ray": "build clevr out --scenes 4 --symbolic --ray local",
    "train": "models",
}
"""A command for each extra."""
IMPORTED = {
    "explore": ("mereo.explorer.app",),
    "ask": ("mereo.evaluation.chat",),
    "knowledge": ("mereo.knowledge.store",),
    "train": ("mereo.training.run", "mereo.training.corpus"),
}
"""What such a command would import if it went on."""

if THOROUGH:  # minutes, and the packages from the network

    @pytest.mark.parametrize("extra", TRIED)
    def test_pip_installs_the_wheel_and_it_works(extra: str, wheel: Path, tmp_path: Path) -> None:
        new = tmp_path / "env" / "bin"
        alone = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}

        def succeed(*command: str | Path) -> None:
            subprocess.run(command, cwd=tmp_path, env=alone, check=True)

        succeed(sys.executable, "-m", "venv", tmp_path / "env")
        wanted = f"mereo[{extra}] @ {wheel.as_uri()}" if extra else str(wheel)
        succeed(new / "python", "-m", "pip", "install", "--quiet", "--constraint", ROOT / "constraints.txt", wanted)
        for name in (*EXTRAS.get(extra, ()), *IMPORTED.get(extra, ())):
            succeed(new / "python", "-c", f"import {name}")
        succeed(new / "mereo", *TRIED[extra].split())
