"""`mereo doctor` says what is there, what will work, and how to get the rest."""

from __future__ import annotations

import re
from importlib import metadata
from pathlib import Path

import pytest
from typer.testing import CliRunner

from mereo.cli import load_app
from mereo.errors import install_command
from mereo.workbench.environment import Extra, Findings, Variant, examine, find_library, read_extras, renderers

REQUIREMENTS = [
    "numpy>=2.1",
    "mitsuba>=3.9; extra == 'scenes'",
    'pillow; python_version >= "3.11" and extra == "scenes"',
    "torch>=2.13; extra == 'train'",
    "oldest; python_version < '3.11' and extra == 'scenes'",
    "newest; (python_version < '3.99') and extra == 'train'",
]


def variants(**present: str) -> dict[str, Variant]:
    places: dict[str, str | None] = {"mitsuba": None, "llvm": None, "cuda": None, "optix": None}
    return {variant.name: variant for variant in renderers(**(places | present))}


def test_extras_are_read_from_the_requirements_of_this_python() -> None:
    extras = read_extras(REQUIREMENTS, {"mitsuba": "3.9.1", "torch": "2.13.0", "newest": "1.0"}.get)
    assert extras == (
        Extra("scenes", {"mitsuba": "3.9.1", "pillow": None}),
        Extra("train", {"torch": "2.13.0", "newest": "1.0"}),
    )
    assert [extra.complete for extra in extras] == [False, True]


def test_every_declared_extra_is_reported() -> None:
    declared = set(metadata.metadata("mereo").get_all("Provides-Extra") or ())
    assert {extra.name for extra in examine().extras} == declared
    assert {"scenes", "train", "explore", "ray", "ask", "dev"} <= declared


def test_each_renderer_needs_its_libraries() -> None:
    assert not any(variant.works for variant in variants(llvm="libLLVM.so", cuda="libcuda.so", optix="x").values())
    assert [name for name, variant in variants(mitsuba="3.9.1").items() if variant.works] == ["scalar_rgb"]
    assert variants(mitsuba="3.9.1", llvm="libLLVM.so")["llvm_ad_rgb"].works
    assert variants(mitsuba="3.9.1", cuda="libcuda.so", optix="x")["cuda_ad_rgb"].works
    assert variants(mitsuba="3.9.1", cuda="libcuda.so")["cuda_ad_rgb"].missing == ("OptiX (libnvoptix)",)


def test_each_missing_thing_has_one_command() -> None:
    extras = read_extras(REQUIREMENTS, {"torch": "2.13.0", "newest": "1.0"}.get)
    without_llvm = Findings({}, extras, renderers(mitsuba="3.9.1", llvm=None, cuda=None, optix=None))
    assert without_llvm.remedies == (install_command("scenes"), "apt-get install libllvm19")
    with_llvm = Findings({}, extras, renderers(mitsuba=None, llvm="/lib/libLLVM.so", cuda=None, optix=None))
    assert with_llvm.remedies == (install_command("scenes"),)
    complete = Findings({}, extras[1:], renderers(mitsuba="3.9.1", llvm="libLLVM.so", cuda=None, optix=None))
    assert complete.remedies == ()


def test_a_library_named_in_the_environment_is_the_only_one_tried(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    assert find_library("libc.so.6", environment="SOME_LIBRARY") == "libc.so.6"
    broken = tmp_path / "libbroken.so"
    broken.write_text("not a library")
    monkeypatch.setenv("SOME_LIBRARY", str(broken))
    assert find_library("libc.so.6", environment="SOME_LIBRARY") is None


def test_a_library_that_is_nowhere_is_not_found() -> None:
    assert find_library("libthat-nobody-has.so") is None


def test_the_printed_report_holds_all_of_it_on_lines_that_can_be_copied() -> None:
    result = CliRunner(env={"COLUMNS": "60"}).invoke(load_app(), ["doctor"])
    assert result.exit_code == 0
    report = examine()
    for name in [*report.facts, *(extra.name for extra in report.extras), *(one.name for one in report.renderers)]:
        assert re.search(rf"^{re.escape(name)}\s", result.output, re.MULTILINE), name
    assert [line.strip() for line in result.output.splitlines() if line.startswith("  ") and "install" in line] == list(
        report.remedies
    )
