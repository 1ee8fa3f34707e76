"""A real PostgreSQL for tests: a cluster of our own in a temporary folder, reached by a socket that lies in it."""

from __future__ import annotations

import os
import pwd
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

_HASTE = [f"-c{name}=off" for name in ("fsync", "synchronous_commit", "full_page_writes")]
"""What makes tests faster; nobody pulls the plug on them."""


GUARDED, SECRET = "guarded", "open-sesame"
"""Who needs a password, once there is such a role, and which; all others come in without."""


@contextmanager
def postgres() -> Iterator[str]:
    """The address of a server, but for the name of a database; skips where the program is missing."""
    programs = _programs()
    folder = Path(tempfile.mkdtemp(prefix="mereo-postgres-"))
    user = _user(folder)
    data, log = folder / "data", folder / "log"
    try:
        _run(programs / "initdb", "--pgdata", data, "--auth=trust", "--no-sync", "--username=mereo", user=user)
        rules = data / "pg_hba.conf"
        rules.write_text(f"local all {GUARDED} scram-sha-256\n{rules.read_text()}")
        settings = f"-c listen_addresses= -c unix_socket_directories={folder} {' '.join(_HASTE)}"
        served = (programs / "pg_ctl", "--pgdata", data, "--log", log, "--wait", "--silent")
        _run(*served, "--options", settings, "start", user=user)
        try:
            yield f"postgresql://mereo@/{{name}}?host={folder}"
        finally:
            _run(*served, "--mode=immediate", "stop", user=user)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


@contextmanager
def new_database(server: str) -> Iterator[str]:
    """The address of a database of its own."""
    psycopg = pytest.importorskip("psycopg", reason="psycopg is not installed")
    name = f"test_{uuid4().hex}"
    with psycopg.connect(server.format(name="postgres"), autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name} STRATEGY file_copy")
        yield server.format(name=name)
        connection.execute(f"DROP DATABASE {name} WITH (FORCE)")


@contextmanager
def guarded_database(server: str) -> Iterator[str]:
    """The address, password and all, of a database of its own that one needs a password for."""
    import psycopg

    with new_database(server) as address, psycopg.connect(address, autocommit=True) as connection:
        connection.execute(f"CREATE ROLE {GUARDED} LOGIN PASSWORD '{SECRET}'")
        connection.execute(f"ALTER DATABASE {connection.info.dbname} OWNER TO {GUARDED}")
        try:
            yield address.replace("mereo@", f"{GUARDED}:{SECRET}@")
        finally:
            connection.execute(f"REASSIGN OWNED BY {GUARDED} TO mereo")
            connection.execute(f"DROP ROLE {GUARDED}")


def address_of(request: pytest.FixtureRequest) -> Iterator[str]:
    """A new database of the kind that is asked for."""
    if request.param == "sqlite":
        yield ""
    else:
        with new_database(request.getfixturevalue("postgres_server")) as address:
            yield address


def _programs() -> Path:
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/pg_ctl"))
    if not found:
        pytest.skip("there is no PostgreSQL: apt-get install postgresql")
    return found[-1].parent


def _user(folder: Path) -> str | None:
    """Who runs the server: whoever runs the tests, unless that is root, whom PostgreSQL refuses."""
    if os.geteuid():
        return None
    names = {entry.pw_name for entry in pwd.getpwall()}
    name = "postgres" if "postgres" in names else "nobody"
    shutil.chown(folder, name)
    return name


def _run(*command: str | Path, user: str | None) -> None:
    done = subprocess.run(command, user=user, cwd="/", capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr
