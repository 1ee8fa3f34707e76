"""`mereo` without its start: a server imports it once, and every command is a process that forks from there.

What documents show is a hundred and fifty commands, and half of what they take is importing. To whoever calls it, bash
among them, the program in `warm_folder` is `mereo`: arguments, streams, working folder, environment and exit code are
those of its caller.
"""

from __future__ import annotations

import atexit
import fcntl
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
from contextlib import redirect_stdout
from functools import cache
from importlib import import_module
from io import StringIO
from pathlib import Path
from pkgutil import walk_packages
from typing import NoReturn

from mereo.caches import PLACE

PRELOADED = (
    *("duckdb", "h5py", "mujoco", "pandas", "PIL.PngImagePlugin", "pluralizer", "pyarrow.dataset", "pycocotools.mask"),
    *("rich.progress", "textblob", "torch._dynamo", "transformers.models.mask2former.modeling_mask2former", "trimesh"),
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


@cache
def warm_folder() -> Path:
    """A folder with a `mereo` that starts at once, the same for all workers, as long as the tests run."""
    folder = Path(os.environ[PLACE]) / "warm"
    folder.mkdir(exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "mereo").exists():
            _STARTED.append(_start(folder))
    return folder


_STARTED: list[subprocess.Popen[str]] = []


def _start(folder: Path) -> subprocess.Popen[str]:
    client, address = folder / "mereo", str(folder / "socket")
    first = os.getppid() if "PYTEST_XDIST_WORKER" in os.environ else os.getpid()
    command = [sys.executable, __file__, address, str(first)]
    environment = {**os.environ, "JE_ARROW_MALLOC_CONF": "background_thread:false"}  # else pyarrow starts a thread
    server = subprocess.Popen(command, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, text=True)
    assert server.stdout is not None
    assert server.stdout.readline() == "ready\n"
    client.write_text(CLIENT.format(python=sys.executable, address=address))
    client.chmod(0o755)
    return server


def serve(address: str, first: int) -> None:
    """Answer calls, until the first process of the tests is gone: a worker that started this one may end before others.

    first : its number
    """
    gone = os.pidfd_open(first)
    _import_all()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(address)
        listening.listen()
        gc.freeze()  # what is looked through or taken apart in a fork is copied
        assert len([*Path("/proc/self/task").iterdir()]) == 1, "no thread lives on in a fork"
        os.write(1, b"ready\n")
        signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how those that wait for a command ended
        while gone not in select.select([listening.fileno(), gone], [], [])[0]:
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
    serve(sys.argv[1], int(sys.argv[2]))
