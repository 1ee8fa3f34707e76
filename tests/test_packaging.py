"""What is installed is what is pinned, what is shipped is complete, and the documents name commands that exist."""

from __future__ import annotations

import re
import subprocess
import sys
import zipfile
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name
from packaging.version import Version

from mereo.datasets.footer import LAYOUT

ROOT = Path(__file__).parents[1]
EXTRAS = metadata.metadata("mereo").get_all("Provides-Extra") or []


def pinned_versions() -> dict[str, Version]:
    """The constraints file, in which every line must be an exact pin."""
    pins: dict[str, Version] = {}
    for line in (ROOT / "constraints.txt").read_text().splitlines():
        if line and not line.startswith("#"):
            name, exact, version = line.partition("==")
            assert exact, f"not an exact pin: {line}"
            assert canonicalize_name(name) not in pins, f"pinned twice: {name}"
            pins[canonicalize_name(name)] = Version(version)
    return pins


def needed_by(package: str, extras: frozenset[str]) -> list[Requirement]:
    """What a distribution asks for on this platform, with the given extras."""
    every = [Requirement(line) for line in metadata.requires(package) or ()]
    return [one for one in every if one.marker is None or any(one.marker.evaluate({"extra": e}) for e in extras | {""})]


def test_everything_that_make_installs_is_the_pinned_version() -> None:
    pins = pinned_versions()
    waiting, seen = [("mereo", frozenset({"dev"}))], set()
    while waiting:
        package, extras = waiting.pop()
        for requirement in needed_by(package, extras):
            name = canonicalize_name(requirement.name)
            if (name, frozenset(requirement.extras)) not in seen:
                seen.add((name, frozenset(requirement.extras)))
                waiting.append((name, frozenset(requirement.extras)))
                assert name in pins, f"{name}, needed by {package}, is not pinned"
                assert Version(metadata.version(name)) == pins[name], name
    assert {"numpy", "mypy", "pygments"} <= {name for name, _ in seen}


@pytest.mark.parametrize("extra", EXTRAS)
def test_every_extra_asks_for_packages_whose_pin_it_accepts(extra: str) -> None:
    pins = pinned_versions()
    for requirement in needed_by("mereo", frozenset({extra})):
        assert pins[canonicalize_name(requirement.name)] in requirement.specifier, str(requirement)


BYTES = {
    *("msgspec", "numpy", "pluralizer", "pyarrow"),
    *("fpsample", "h5py", "manifold3d", "mitsuba", "mitsuba-oidn", "mujoco", "pillow", "pycocotools", "trimesh"),
}
"""What the bytes that mereo writes hang on: another version may round, draw or pack otherwise."""


def test_whatever_bytes_hang_on_has_an_upper_bound_wherever_it_is_asked_for() -> None:
    asked = [Requirement(line) for line in metadata.requires("mereo") or ()]
    assert {requirement.name for requirement in asked} >= BYTES
    for requirement in asked:
        if requirement.name in BYTES:
            operators = {part.operator for part in requirement.specifier}
            assert operators & {"<", "=="}, str(requirement)


def test_shards_are_laid_out_as_by_the_oldest_arrow_that_is_allowed() -> None:
    (asked,) = [found for found in map(Requirement, metadata.requires("mereo") or ()) if found.name == "pyarrow"]
    assert Version(LAYOUT) in asked.specifier
    assert {part.version for part in asked.specifier if part.operator == ">="} == {str(Version(LAYOUT).major)}


def test_the_classifiers_name_every_python_from_the_oldest_that_is_asked_for() -> None:
    about = metadata.metadata("mereo")
    named = re.findall(r"Python :: (3\.\d+)", " ".join(about.get_all("Classifier") or ()))
    assert about["Requires-Python"] == f">={named[0]}"
    assert [int(name.removeprefix("3.")) for name in named] == list(range(11, 11 + len(named)))
    assert "{}.{}".format(*sys.version_info) in named


def test_the_wheel_holds_the_data_files_and_the_license(tmp_path: Path) -> None:
    subprocess.run(
        [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(tmp_path)],
        cwd=ROOT,
        check=True,
        capture_output=True,
    )
    (wheel,) = tmp_path.glob("*.whl")
    shipped = set(zipfile.ZipFile(wheel).namelist())
    package = ROOT / "src" / "mereo"
    files = [path for path in package.rglob("*") if path.is_file() and "__pycache__" not in path.parts]
    assert {path.relative_to(package.parent).as_posix() for path in files} <= shipped
    assert "mereo/py.typed" in shipped
    assert any(name.endswith(".toml") for name in shipped)
    assert any(name.endswith("/licenses/LICENSE") for name in shipped)


def test_the_documents_name_only_make_targets_that_exist() -> None:
    targets = set(re.findall(r"^([a-z]+):", (ROOT / "Makefile").read_text(), re.MULTILINE))
    documents = [*ROOT.glob("*.md"), *ROOT.glob("bench/*.md"), *ROOT.glob("docs/**/*.md")]
    named = {
        (document.name, target)
        for document in documents
        for target in re.findall(r"(?:^|`|&& )make ([a-z]+)", document.read_text(), re.MULTILINE)
    }
    assert {("README.md", "demo"), ("README.md", "test")} <= named
    assert {target for _, target in named} <= targets
