"""Documents and notebooks as the tests read them: what is to be run, and what it is said to print.

The rules, for those who write documents:

- Blocks marked `sh` or `console` whose first command is `mereo` are run by bash, and must end with exit code 0. In a
  `console` block the commands are the lines that start with `$ `, the rest is what they print.
- Blocks marked `python` are executed.
- A block marked `text` directly after one that is run is what that one prints, errors included. It must be so to the
  letter, but for `…`: within a line it stands for anything, on a line of its own for any number of lines. That is for
  what differs between runs or machines (seconds, versions, checksums), and for what is too long to show.
- A document that says `<!-- printed on aarch64 -->` shows what depends on the last digits of floating point numbers:
  what a picture shows to the pixel, how a solid falls into triangles. On another processor it is run, not compared.
- What this machine cannot do is told where it is noticed, but is nothing that a document shows: it is passed over.
- The blocks of one document run one after the other in one empty folder, so that a later one may use what an earlier
  one made; the Python ones share their names.
- In that folder `../shared/data` is the real data beside the repository.
- A block directly after a line `<!-- not run: reason -->` is not run. Blocks with any other mark, or none, never are.

A notebook is its cells of code: plain Python, no magics. As its readers see them, they show the value of their last
expression. Text that is stored as their output is compared by the same rules; pictures are not.
"""

from __future__ import annotations

import ast
import json
import os
import platform
import re
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stdout
from difflib import ndiff
from io import StringIO
from pathlib import Path
from typing import Any, NamedTuple

from warm import warm_folder

FENCED = re.compile(
    r"^(?P<indent> *)(?P<fence>```+|~~~+)(?P<mark>\w*) *\n(?P<code>.*?)^ *(?P=fence) *$", re.DOTALL | re.MULTILINE
)
EXCUSE = re.compile(r"<!-- not run: (.+) -->$")
PRINTED_ON = re.compile(r"<!-- printed on (\w+) -->")
MADE = re.compile(r"mereo (?:build|import) \S+ (\S+)|mereo export \S+ (\S+)|--out (\S+)")
LEFT_OUT = "…"
NOT_HERE = "pictures keep some grain: "


class Block(NamedTuple):
    """A stretch of code in a document, and what it is said to print where that is told."""

    line: int
    mark: str
    code: str
    excuse: str | None = None
    shown: str | None = None

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
        """Whether it is to be run."""
        return self.excuse is None and (bool(self.commands) or self.mark in ("python", "cell"))

    @property
    def needs_data(self) -> bool:
        """Whether it needs the real data."""
        return "../shared/data" in self.code


def with_data(found: Sequence[Block]) -> set[int]:
    """The lines of the blocks that need the real data, or what blocks that need it have made."""
    names: set[str] = set()
    lines: set[int] = set()
    for block in found:
        if block.runs and (block.needs_data or names & {*re.findall(r"[\w.-]+", block.code)}):
            lines.add(block.line)
            names |= {name.split("/")[0] for made in MADE.findall(block.code) for name in made if name}
    return lines


def read_document(path: Path) -> list[Block]:
    """What a document or a notebook has to run, and the rest of its blocks."""
    return cells(path.read_text()) if path.suffix == ".ipynb" else blocks(path.read_text())


def printed_here(path: Path) -> bool:
    """Whether what a document shows was printed by a processor like this one, or by any."""
    processor = PRINTED_ON.search(path.read_text())
    return processor is None or processor[1] == platform.machine()


def blocks(text: str) -> list[Block]:
    """The fenced blocks of a document, with their line numbers; what is printed lies in the block that prints it."""
    found: list[Block] = []
    end = 0
    for match in FENCED.finditer(text):
        between = text[end : match.start()].strip()
        assert "```" not in between, f"a block before line {text.count(chr(10), 0, match.start()) + 1} has no end"
        end = match.end()
        excuse = EXCUSE.search(between)
        code = "".join(line.removeprefix(match["indent"]) for line in match["code"].splitlines(keepends=True))
        if match["mark"] == "text" and not between and found and found[-1].runs and found[-1].shown is None:
            found[-1] = found[-1]._replace(shown=code)
            continue
        said = [line for line in code.splitlines() if not line.startswith("$ ")] if match["mark"] == "console" else []
        found.append(
            Block(
                line=text.count("\n", 0, match.start()) + 1,
                mark=match["mark"],
                code=code,
                excuse=excuse[1] if excuse else None,
                shown="\n".join(said) if said else None,
            )
        )
    assert "```" not in text[end:], "the last block has no end"
    return found


def cells(text: str) -> list[Block]:
    """The cells of code of a notebook, numbered from 1 among all its cells."""
    found = []
    for number, cell in enumerate(json.loads(text)["cells"], 1):
        if cell["cell_type"] == "code":
            shown = "".join(_stored(cell["outputs"]))
            found.append(Block(number, "cell", "".join(cell["source"]), shown=shown or None))
    return found


def _stored(outputs: list[dict[str, Any]]) -> Iterator[str]:
    """The text that was printed or shown; any text for a picture, since what stands for one says nothing of it."""
    for output in outputs:
        if output["output_type"] == "stream" and output["name"] == "stdout":
            yield "".join(output["text"])
        elif "data" in output:
            picture = any(kind.startswith("image/") for kind in output["data"])
            yield LEFT_OUT + "\n" if picture else "".join(output["data"].get("text/plain", [])) + "\n"


def run_block(block: Block, folder: Path, names: dict[str, Any], *, file: str) -> str:
    """Run a block in a folder; Python shares these names. Gives what it printed."""
    if block.commands:
        return run_commands(block, folder)
    # As many empty lines before it as the document has, so that a traceback names the document's own line.
    where, before = (file, block.line) if block.mark == "python" else (f"{file}, cell {block.line}", 0)
    body = ast.parse("\n" * before + block.code, where).body
    last = [body.pop()] if block.mark == "cell" and body and isinstance(body[-1], ast.Expr) else []
    with redirect_stdout(StringIO()) as printed:
        exec(compile(ast.Module(body, []), where, "exec"), names)
        exec(compile(ast.Interactive(last), where, "single"), names)
    return printed.getvalue()


def run_commands(block: Block, folder: Path) -> str:
    """Run the commands of a block as bash does, our `mereo` first, and see that all end well."""
    path = os.pathsep.join([str(warm_folder()), str(Path(sys.executable).parent), os.environ["PATH"]])
    environment = {**os.environ, "PATH": path}
    done = subprocess.run(
        ["bash", "-euo", "pipefail", "-c", block.commands],
        check=False,
        cwd=folder,
        env=environment,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    assert done.returncode == 0, f"line {block.line}:\n{block.commands}\n{done.stdout}"
    return done.stdout


def difference(shown: str, printed: str) -> str | None:
    """How what a document shows differs from what was printed; nothing if it does not."""
    theirs, ours = (
        [line.rstrip() for line in text.strip("\n").splitlines() if not line.startswith(NOT_HERE)]
        for text in (shown, printed)
    )
    wanted = "".join(r"(?:.*\n)*" if line.strip() == LEFT_OUT else _pattern(line) + r"\n" for line in theirs)
    if re.fullmatch(wanted, "".join(f"{line}\n" for line in ours)):
        return None
    # A line that is right but for what may vary is no difference.
    alike = [next((line for line in theirs if re.fullmatch(_pattern(line), own)), own) for own in ours]
    return "\n".join(ndiff(theirs, alike))


def _pattern(line: str) -> str:
    return ".*".join(map(re.escape, line.split(LEFT_OUT)))
