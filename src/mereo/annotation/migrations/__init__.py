"""The versions of the tables, one file each, and the way from any older one to a newer."""

from __future__ import annotations

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
    config = _config()
    present = version_of(connection)
    known = {script.revision for script in ScriptDirectory.from_config(config).walk_revisions()}
    if present is not None and present not in known:
        raise BadInput(f"was written by a newer mereo (its tables have the version '{present}')")
    if version != "head" and version not in known:
        raise BadInput(f"was written by a newer mereo (its tables have the version '{version}')")
    config.attributes["connection"] = connection
    command.upgrade(config, version)


def version_of(connection: Connection) -> str | None:
    """The version of the tables that there are; none where there are no tables."""
    return MigrationContext.configure(connection).get_current_revision()


def latest() -> str:
    """The newest version."""
    (head,) = ScriptDirectory.from_config(_config()).get_heads()
    return head


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent).replace("%", "%%"))
    config.set_main_option("path_separator", "os")
    return config
