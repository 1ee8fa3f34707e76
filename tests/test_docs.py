"""Every command and every snippet of the README and of `docs` does what it says: it runs.

The rules, for those who write documents:

- Blocks marked `sh` or `console` whose first command is `mereo` are run by bash, and must end with exit code 0. In a
  `console` block the commands are the lines that start with `$ `, the rest is what they print.
- Blocks marked `python` are executed.
- The blocks of one document run one after the other in one empty folder, so that a later one may use what an earlier
  one made; the Python ones share their names.
- In that folder `../shared/data` is the real data beside the repository. A block that names it is left out where there
  is none.
- A block directly after a line `<!-- not run: reason -->` is not run. Blocks with any other mark, or none, never are.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from kit import OFFICIAL_DATA, ROOT

DOCUMENTS = [ROOT / "README.md", *sorted((ROOT / "docs").rglob("*.md"))]


class Block(NamedTuple):
    """A stretch of code in a document."""

    line: int
    mark: str
    code: str
    excuse: str | None

    @property
    def commands(self) -> str:
        """What bash is to run; nothing if it is none of ours."""
        if self.mark == "console":
            found = "\n".join(line.removeprefix("$ ") for line in self.code.splitlines() if line.startswith("$ "))
        else:
            found = self.code if self.mark == "sh" else ""
        return found if found.startswith("mereo ") else ""

    @property
    def runs(self) -> bool:
        """Whether it is to be run here."""
        needs_data = "../shared/data" in self.code
        wanted = bool(self.commands) or self.mark == "python"
        return wanted and self.excuse is None and (OFFICIAL_DATA.is_dir() or not needs_data)


FENCE = re.compile(r"(?P<indent> *)(?P<fence>```+|~~~+)(?P<mark>\w*)")
EXCUSE = re.compile(r"<!-- not run: (.+) -->")


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a document, with their line numbers."""
    found: list[Block] = []
    open_fence, start, lines = None, 0, list[str]()
    before = ""
    for number, line in enumerate(text.splitlines(), 1):
        if open_fence is None:
            open_fence = FENCE.fullmatch(line.rstrip())
            if open_fence is not None:
                start, lines = number, []
                excuse = EXCUSE.fullmatch(before.strip())
            before = line
        elif line.strip() == open_fence["fence"]:
            code = "\n".join(lines) + "\n"
            found.append(Block(start, open_fence["mark"], code, excuse[1] if excuse else None))
            open_fence, before = None, ""
        else:
            lines.append(line.removeprefix(open_fence["indent"]))
    assert open_fence is None, f"the block of line {start} has no end"
    return found


def run_commands(block: Block, folder: Path) -> None:
    environment = {**os.environ, "PATH": f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.commands],
        check=False,
        cwd=folder,
        env=environment,
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, f"line {block.line}:\n{block.commands}\n{done.stdout}{done.stderr}"


@pytest.mark.parametrize("document", DOCUMENTS, ids=lambda path: path.name)
def test_everything_a_document_shows_can_be_run(
    document: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = tmp_path / "here"
    folder.mkdir()
    if OFFICIAL_DATA.is_dir():
        (tmp_path / "shared").symlink_to(OFFICIAL_DATA.parent)
    monkeypatch.chdir(folder)
    names: dict[str, Any] = {"__name__": document.stem}
    for block in blocks(document.read_text()):
        if not block.runs:
            continue
        if block.commands:
            run_commands(block, folder)
        else:
            # As many empty lines before it as the document has, so that a traceback names the document's own line.
            exec(compile("\n" * block.line + block.code, str(document), "exec"), names)


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
      x = 1
  ```
```sh
mereo verify --scenes ../shared/data/x.json
```
"""


def test_the_rules_choose_what_is_run() -> None:
    found = blocks(SAMPLE)
    assert [block.line for block in found] == [2, 6, 9, 14, 17, 20, 24]
    assert [block.runs for block in found] == [True, False, True, False, False, True, OFFICIAL_DATA.is_dir()]
    assert found[1].excuse == "it takes an hour"
    assert found[2].commands == "mereo functions\nmereo doctor"
    assert found[5].code == "if True:\n    x = 1\n"


def test_a_command_that_fails_is_noticed(tmp_path: Path) -> None:
    with pytest.raises(AssertionError, match="there is no language 'nonsense'"):
        run_commands(Block(1, "sh", "mereo functions nonsense\nmereo functions\n", None), tmp_path)
