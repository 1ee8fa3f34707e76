"""Every command, snippet and notebook of the README and of `docs` does what it says: it runs, and prints what is shown.

`documents.py` has the rules for those who write them.
"""

from __future__ import annotations

import json
import os
import platform
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from documents import Block, blocks, cells, difference, printed_here, read_document, run_block, run_commands, with_data
from kit import OFFICIAL_DATA, ROOT
from mereo.workbench.rows import all_studies
from warm import warm_folder

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md")), *sorted((ROOT / "docs").rglob("*.ipynb"))]


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_everything_a_document_shows_can_be_run(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    wrong = wrong_output(document, tmp_path, monkeypatch)
    assert not wrong, "\n\n".join(wrong)
    if not OFFICIAL_DATA.is_dir() and with_data(read_document(document)):
        pytest.skip(f"there is no {OFFICIAL_DATA}, so what needs it was left out; the rest is right")


def wrong_output(document: Path, folder: Path, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Runs all of a document in a folder. What it shows and what is printed, where the two differ."""
    here = folder / "here"
    here.mkdir()
    if OFFICIAL_DATA.is_dir():
        (folder / "shared").symlink_to(OFFICIAL_DATA.parent)
    monkeypatch.chdir(here)
    names: dict[str, Any] = {"__name__": document.stem}
    wrong, compared = [], printed_here(document)
    found = read_document(document)
    missing = set() if OFFICIAL_DATA.is_dir() else with_data(found)
    for block in found:
        if block.runs and block.line not in missing:
            printed = run_block(block, here, names, file=str(document))
            differs = None if block.shown is None or not compared else difference(block.shown, printed)
            if differs is not None:
                wrong.append(f"{document.name}, {block.line}: shown (-) and printed (+)\n{block.code}\n{differs}")
    return wrong


@pytest.mark.parametrize(("processor", "told"), [("", True), (platform.machine(), True), ("pdp11", False)])
def test_what_was_printed_on_another_processor_is_run_and_not_compared(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, processor: str, told: bool
) -> None:
    page = tmp_path / "page.md"
    mark = f"<!-- printed on {processor} -->\n" if processor else ""
    page.write_text(f"{mark}```python\nprint(2)\n```\n\n```text\n3\n```\n")
    assert bool(wrong_output(page, tmp_path, monkeypatch)) is told
    page.write_text(f"{mark}```python\n1 / 0\n```\n")
    (tmp_path / "again").mkdir()
    with pytest.raises(ZeroDivisionError):
        wrong_output(page, tmp_path / "again", monkeypatch)


@pytest.mark.parametrize("name", ["cric", "refer"])
def test_a_page_of_results_has_room_for_every_study(name: str) -> None:
    page = (ROOT / "docs" / "results" / f"{name}.md").read_text()
    studies = [study.name for benchmark, study in all_studies().values() if benchmark == name]
    assert re.findall(r"^<!-- (?!end)(\w+) -->$", page, re.MULTILINE) == [*studies, "learned"]
    assert re.findall(rf"^mereo reproduce {name}/(\w+) ", page, re.MULTILINE) == studies


def test_the_readme_shows_commands_and_code_that_are_run() -> None:
    marks = [block.mark for block in blocks((ROOT / "README.md").read_text()) if block.runs]
    assert "sh" in marks
    assert "mereo build clevr" in (ROOT / "README.md").read_text()


SAMPLE = """
```sh
mereo doctor
```
<!-- not run: it takes an hour -->
```sh
mereo build clevr big
```
```text
big is built
```
```console
$ mereo functions
clevr
$ mereo doctor
```
```sh
make demo
```
```text
mereo is a word
```
  ```python
  if True:
      print(1)
  ```

  ```text
  1
  ```
It is one.
```text
not what is printed
```
```sh
mereo verify --scenes ../shared/data/x.json
```
"""


def test_the_rules_choose_what_is_run_and_what_it_prints() -> None:
    found = blocks(SAMPLE)
    assert [block.line for block in found] == [2, 6, 9, 12, 17, 20, 23, 32, 35]
    assert [block.runs for block in found] == [True, False, False, True, False, False, True, False, True]
    assert [block.shown for block in found if block.runs] == [None, "clevr", "1\n", None]
    assert found[1].excuse == "it takes an hour"
    assert found[3].commands == "mereo functions\nmereo doctor"
    assert found[6].code == "if True:\n    print(1)\n"
    assert [block.needs_data for block in found] == [False] * 8 + [True]


def test_what_is_made_of_the_real_data_needs_it_too() -> None:
    text = """
```sh
mereo build cric mine --seed 1
```
```sh
mereo build cric theirs --scene-graphs ../shared/data/x.json
```
```sh
mereo show mine
```
```sh
mereo export theirs official --to cric
```
```python
mereo.open("official")
```
"""
    assert with_data(blocks(text)) == {5, 11, 14}


@pytest.mark.parametrize("text", ["```sh\nmereo doctor\n", "```sh\nmereo doctor\n``\n```text\n"])
def test_a_block_without_an_end_is_noticed(text: str) -> None:
    with pytest.raises(AssertionError, match="has no end"):
        blocks(text)


def test_a_command_that_fails_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="there is no language 'nonsense'"):
        run_commands(Block(1, "sh", "mereo functions nonsense\nmereo functions\n"), tmp_path)


@pytest.mark.parametrize("command", ["mereo --version", "mereo audit nowhere", "mereo build clevr | head -c 4"])
def test_a_command_that_starts_at_once_is_the_command(command: str, tmp_path: Path) -> None:
    found = []
    for folder in (Path(sys.executable).parent, warm_folder()):
        path = f"{folder}{os.pathsep}{os.environ['PATH']}"
        done = subprocess.run(
            ["bash", "-o", "pipefail", "-c", command],
            check=False,
            cwd=tmp_path,
            env={**os.environ, "PATH": path},
            capture_output=True,
            text=True,
        )
        found.append((done.returncode, done.stdout, done.stderr))
    assert found[0] == found[1]
    assert any(found[0])


RIGHT = [
    ("one\ntwo\n", "one\ntwo\n"),
    ("one  \ntwo", "\none\ntwo   \n\n"),
    ("in … s\n", "in 0.7 s\n"),
    ("one\n…\nfour\n", "one\ntwo\nthree\nfour\n"),
    ("one\n   …\ntwo\n", "one\ntwo\n"),
    ("…\nlast\n", "first\nlast\n"),
    ("a (b) [c] …? * .\n", "a (b) [c] d? * .\n"),
]
WRONG = [
    ("one\ntwo\n", "one\nthree\n"),
    ("one\n", "one\ntwo\n"),
    ("one\ntwo\n", "one\n"),
    ("one\n", ""),
    ("in … s\n", "in 0.7 min\n"),
    ("in … s\n", "in 0\n7 s\n"),
    ("one\n…\nfour\n", "one\ntwo\nthree\n"),
    ("  one\n", "one\n"),
    ("a.c\n", "abc\n"),
]


@pytest.mark.parametrize(("shown", "printed"), RIGHT)
def test_what_is_printed_may_vary_where_the_document_says_so(shown: str, printed: str) -> None:
    assert difference(shown, printed) is None


@pytest.mark.parametrize(("shown", "printed"), WRONG)
def test_what_is_not_printed_is_noticed(shown: str, printed: str) -> None:
    assert difference(shown, printed) is not None


def test_a_difference_points_at_the_lines_that_differ() -> None:
    assert difference("one\nin … s\nthree\n", "one\nin 0.7 s\nfour\n") == "  one\n  in … s\n- three\n+ four"


FALSE_PAGE = """
```sh
mereo functions
```
```text
nonsense
```
```python
x = 2
print(x)
```
```text
2
```
```python
print(x + 1)
```
```text
4
```
"""


def test_a_page_that_shows_what_is_not_printed_is_noticed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    page = tmp_path / "false.md"
    page.write_text(FALSE_PAGE)
    commands, code = wrong_output(page, tmp_path, monkeypatch)
    assert commands.startswith("false.md, 2: ")
    assert "- nonsense\n" in commands
    assert code == "false.md, 15: shown (-) and printed (+)\nprint(x + 1)\n\n- 4\n+ 3"


def test_what_needs_data_is_left_out_and_told_where_there_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(globals(), "OFFICIAL_DATA", tmp_path / "none")
    page = tmp_path / "page.md"
    page.write_text("```python\nopen('../shared/data/x')\n```\n")
    with pytest.raises(pytest.skip.Exception, match="what needs it was left out"):
        test_everything_a_document_shows_can_be_run(page, tmp_path, monkeypatch)
    assert (tmp_path / "here").is_dir()


def cell(source: str, *outputs: dict[str, Any], kind: str = "code") -> dict[str, Any]:
    return {"cell_type": kind, "source": source.splitlines(keepends=True), "outputs": outputs}


def printed(text: str, name: str = "stdout") -> dict[str, Any]:
    return {"output_type": "stream", "name": name, "text": text.splitlines(keepends=True)}


def value(text: str, **more: str) -> dict[str, Any]:
    return {
        "output_type": "execute_result",
        "data": {"text/plain": [text]} | {f"image/{k}": v for k, v in more.items()},
    }


def test_a_notebook_is_run_cell_by_cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    notebook = tmp_path / "some.ipynb"
    right = [
        {"cell_type": "markdown", "source": ["# Numbers"]},
        cell("x = 1\nfor k in range(2):\n    print(k)\nx + 1\n", printed("0\n1\n"), value("2")),
        cell("x = x", printed("a warning", name="stderr")),
        cell("object()", value("<picture>", png="iVBO")),
        cell("print(x)\n'one'", printed("1\n"), value("'one'")),
    ]
    notebook.write_text(json.dumps({"cells": right, "nbformat": 4}))
    (tmp_path / "right").mkdir()
    assert wrong_output(notebook, tmp_path / "right", monkeypatch) == []
    notebook.write_text(json.dumps({"cells": [*right, cell("x", value("5")), cell("print(x)", printed("6\n"))]}))
    one, other = wrong_output(notebook, tmp_path, monkeypatch)
    assert one == "some.ipynb, 6: shown (-) and printed (+)\nx\n- 5\n+ 1"
    assert other.endswith("- 6\n+ 1")


def test_a_magic_in_a_notebook_is_noticed(tmp_path: Path) -> None:
    (block,) = cells(json.dumps({"cells": [cell("%matplotlib inline")]}))
    with pytest.raises(SyntaxError, match=r"some.ipynb, cell 1"):
        run_block(block, tmp_path, {}, file="some.ipynb")
