"""`mereo` without its start: a server imports it once, and every command is a process that forks from there.

What documents show is a hundred and fifty commands, and half of what they take is importing. To whoever calls it, bash
among them, the program in `warm_folder` is `mereo`: arguments, streams, working folder, environment and exit code are
those of its caller.
"""

from __future__ import annotations

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from typing import NamedTuple, NoReturn

from mereo.caches import PLACE

PRELOADED = (
    *("duckdb", "h5py", "mujoco", "pandas", "PIL.PngImagePlugin", "pluralizer", "pyarrow.dataset", "pycocotools.mask"),
    *("rich.progress", "textblob", "torch._dynamo", "trimesh"),
)
"""What takes long to import and starts no thread, with one core each: threads do not live on in a fork."""
SERVERS_AND_RENDERER = ("mereo.__main__", "mereo.annotation", "mereo.explorer", "mereo.scenes.glass")
"""What of mereo is left to the few commands that need it: what it imports starts threads, or takes long."""

CLIENT = """#!{python} -IS
import json, os, socket, sys
server = socket.socket(socket.AF_UNIX)
server.connect({address!r})
socket.send_fds(server, [b"."], [0, 1, 2])
server.sendall(json.dumps([sys.argv[1:], os.getcwd(), dict(os.environ)]).encode())
server.shutdown(socket.SHUT_WR)
code = int(server.recv(16) or 1)
sys.exit(code if code >= 0 else 128 - code)
"""


def warm_folder() -> Path:
    """A folder with a `mereo` that starts at once, as long as this process lives."""
    return _warm().folder


class _Warm(NamedTuple):
    folder: Path
    server: subprocess.Popen[str]


@cache
def _warm() -> _Warm:
    folder = Path(tempfile.mkdtemp(prefix="warm-", dir=os.environ[PLACE]))
    client, address = folder / "mereo", str(folder / "socket")
    client.write_text(CLIENT.format(python=sys.executable, address=address))
    client.chmod(0o755)
    command = [sys.executable, __file__, address]
    server = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    return _Warm(folder, server)


def serve(address: str) -> None:
    """Answer calls, until the input ends because whoever started this process is gone."""
    _import_all()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        gc.freeze()  # what is looked through or taken apart in a fork is copied
        assert len([*Path("/proc/self/task").iterdir()]) == 1, "no thread lives on in a fork"
        os.write(1, b"ready\n")
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how those that wait for a command ended
        while sys.stdin not in select.select([listening, sys.stdin], [], [])[0]:
            caller, _ = listening.accept()
            if os.fork() == 0:
                listening.close()
                _wait_for_one(caller)
            caller.close()


def _wait_for_one(caller: socket.socket) -> NoReturn:
    """Have one command run, and tell its caller how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    _, streams, _, _ = socket.recv_fds(caller, 1, 3)
    with caller.makefile("rb") as given:
        arguments, folder, environment = json.loads(given.read())
    child = os.fork()
    if child:
        _, ended = os.waitpid(child, 0)
        caller.sendall(str(os.waitstatus_to_exitcode(ended)).encode())
        os._exit(0)
    caller.close()
    for number, stream in enumerate(streams):
        os.dup2(stream, number)
        os.close(stream)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environment)
    code = _run(*arguments)
    atexit._run_exitfuncs()
    sys.stdout.flush()
    os._exit(code)


def _run(*arguments: str) -> int:
    """Run a command as the program does; gives its exit code. What is no end of its own goes on to be a traceback."""
    from mereo.cli import main

    sys.argv = ["mereo", *arguments]
    try:
        main()
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
    return 0


def _import_all() -> None:
    import mereo
    from mereo.cores import keep_to_one_core

    keep_to_one_core()
    ours = (found.name for found in walk_packages(mereo.__path__, "mereo."))
    for name in (*PRELOADED, *(name for name in ours if not name.startswith(SERVERS_AND_RENDERER))):
        import_module(name)
    with redirect_stdout(StringIO()):
        _run("functions", "clevr")  # which makes all commands, and imports what each needs


if __name__ == "__main__":
    serve(sys.argv[1])
