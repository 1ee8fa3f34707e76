"""What goes wrong on the command line is said in one sentence, with an exit code that scripts can use."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mereo.errors import install_command

# A child process with one more command, so that the real `main` meets real streams, signals and exit codes.
CHILD = """
import os, signal, sys
from mereo.cli import app, main
from mereo.errors import MereoError, MissingExtra

@app.command()
def fail() -> None:
    print("work done so far")
    {action}

sys.argv = ["mereo", "fail"]
main()
"""


def python(*arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run([sys.executable, *arguments], check=False, capture_output=True, text=True)


def run(action: str) -> subprocess.CompletedProcess[str]:
    return python("-c", CHILD.format(action=action))


def mereo(*arguments: str) -> subprocess.CompletedProcess[str]:
    return python("-m", "mereo", *arguments)


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        ("raise MereoError('w.json: there is no such file')", "mereo: w.json: there is no such file"),
        ("raise MereoError('two\\nlines')", "mereo: two lines"),
        (
            "raise MissingExtra('rendering', 'scenes')",
            f"mereo: rendering needs packages that are not installed: {install_command('scenes')}",
        ),
        ("open('nowhere/at/all', 'w')", "mereo: nowhere/at/all: No such file or directory"),
    ],
)
def test_bad_input_is_one_sentence_and_exit_code_2(action: str, sentence: str) -> None:
    done = run(action)
    assert (done.returncode, done.stderr) == (2, sentence + "\n")
    assert done.stdout == "work done so far\n"


def test_being_stopped_is_a_short_line_and_exit_code_130() -> None:
    done = run("os.kill(os.getpid(), signal.SIGINT)")
    assert (done.returncode, done.stderr) == (128 + signal.SIGINT, "mereo: stopped\n")


def test_a_bug_of_ours_keeps_its_traceback() -> None:
    done = run("raise ZeroDivisionError")
    assert done.returncode == 1
    assert done.stderr.startswith("Traceback")


@pytest.mark.parametrize("action", ["pass", "print('much' * 1_000_000)"])
def test_a_reader_that_goes_away_is_met_quietly(action: str) -> None:
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD.format(action=action)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert child.stdout is not None
    assert child.stderr is not None
    child.stdout.close()
    with child.stderr:
        assert child.stderr.read() == b""
    assert child.wait() == 1


@pytest.mark.parametrize("arguments", [["no-such-command"], ["doctor", "--no-such-option"], ["doctor", "surplus"]])
def test_a_usage_error_is_exit_code_2_without_a_traceback(arguments: list[str]) -> None:
    done = mereo(*arguments)
    assert done.returncode == 2
    assert "Traceback" not in done.stderr
    assert arguments[-1] in done.stderr


def test_every_command_module_is_found_and_explained() -> None:
    done = mereo("--help")
    assert done.returncode == 0
    assert "doctor" in done.stdout


def test_the_version_is_that_of_the_package() -> None:
    from mereo import __version__

    assert mereo("--version").stdout == f"mereo {__version__}\n"


def test_help_imports_nothing_heavy() -> None:
    look = "import sys; from mereo.cli import load_app; load_app(); print(*sys.modules)"
    loaded = python("-c", look).stdout.split()
    assert "mereo.cli.doctor" in loaded
    assert {"numpy", "pyarrow", "msgspec", "torch", "mitsuba"}.isdisjoint(loaded)


@pytest.mark.parametrize("encoding", ["ascii", "latin-1", "utf-8"])
def test_a_terminal_without_the_letters_gets_others(encoding: str) -> None:
    letters = "arrow → dots … middle · umlaut ö nonsense \\N{SNOWMAN} half \\udcff"
    done = subprocess.run(
        [sys.executable, "-c", CHILD.format(action=f"print('{letters}'); raise MereoError('{letters}')")],
        check=False,
        capture_output=True,
        encoding=encoding,
        errors="replace",
        env={**os.environ, "PYTHONIOENCODING": encoding},
    )
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr
    if encoding == "latin-1":
        assert "arrow -> dots ... middle · umlaut ö nonsense ? half ?\n" in done.stdout
    elif encoding == "ascii":
        assert "arrow -> dots ... middle - umlaut ? nonsense ? half ?\n" in done.stdout
    else:
        assert "arrow → dots … middle · umlaut ö nonsense ☃ half ?\n" in done.stdout


SEVERAL = """
import sys
from mereo.cli import main

for command in sys.argv[1:]:
    sys.argv = ["mereo", *command.split()]
    try:
        main()
    except SystemExit as end:
        if end.code:
            raise
"""


def test_help_and_tables_are_shown_on_such_a_terminal(tmp_path: Path) -> None:
    commands = ["ask --help", "build clevr s --scenes 9 --symbolic", "show s", "oracle s --noise attributes=0.2"]
    done = subprocess.run(
        [sys.executable, "-c", SEVERAL, *commands],
        check=False,
        capture_output=True,
        encoding="ascii",
        cwd=tmp_path,
        env={**os.environ, "PYTHONIOENCODING": "ascii", "LC_ALL": "C"},
    )
    assert (done.returncode, done.stderr) == (0, "")
    assert "most confused" in done.stdout
