"""The versions of the tables, one file each, and the way from any older one to a newer."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection

from mereo.errors import BadInput

__all__ = ["latest", "migrate", "version_of"]


def migrate(connection: Connection, version: str = "head") -> None:
    """Bring tables to a version, within the transaction that the connection is in; those of newer ones are refused."""
    present = version_of(connection)
    wanted = latest() if version == "head" else version
    for one in (present, wanted):
        if one is not None and one not in _versions():
            raise BadInput(f"was written by a newer mereo (its tables have the version '{one}')")
    if present != wanted:
        config = _config()
        config.attributes["connection"] = connection
        command.upgrade(config, wanted)


def version_of(connection: Connection) -> str | None:
    """The version of the tables that there are; none where there are no tables."""
    return MigrationContext.configure(connection).get_current_revision()


def latest() -> str:
    """The newest version."""
    return _versions()[0]


@cache
def _versions() -> tuple[str, ...]:
    """All versions, the newest first."""
    return tuple(script.revision for script in ScriptDirectory.from_config(_config()).walk_revisions())


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
