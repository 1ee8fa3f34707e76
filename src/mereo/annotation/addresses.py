"""Addresses of databases: which ones are taken, and how they are shown, since a password may stand in them."""

from __future__ import annotations

import re
from collections.abc import Collection

from sqlalchemy import URL, make_url
from sqlalchemy.exc import ArgumentError

from mereo.errors import BadInput

__all__ = ["EITHER", "POSTGRESQL", "is_address", "read_address", "shown_address"]

POSTGRESQL = ("postgresql",)
EITHER = ("postgresql", "sqlite")

_ADDRESS = re.compile(r"postgres[\w+]*:|[A-Za-z][\w+.-]+:/")
"""Also what is meant as an address and is none: it may hold a password, so it is never told as if it were a folder."""
_DRIVERS = {"postgresql": "postgresql+psycopg", "sqlite": "sqlite"}


def is_address(place: str) -> bool:
    """Whether something is meant as the address of a database, and not as the path of a folder."""
    return _ADDRESS.match(place) is not None


def read_address(address: str, *, kinds: Collection[str], field: str) -> URL:
    """The address of a database of some kind, with the driver that we use; no complaint repeats it."""
    try:
        url = make_url(address)
    except (ArgumentError, ValueError):
        raise BadInput("is no address of a database, such as postgresql://user@host/name", field=field) from None
    kind = "postgresql" if url.get_backend_name() == "postgres" else url.get_backend_name()
    if kind not in kinds:
        raise BadInput(f"is of {kind}, not of {' or '.join(kinds)}", field=field)
    if url.database in (None, "", ":memory:"):
        raise BadInput("names no database, as postgresql://user@host/name does", field=field)
    if kind == "postgresql" and "@" in f"{url.host} {url.database}":  # a part of the password was taken for these
        raise BadInput("has more than one @: one in a password is written as %40", field=field)
    return url.set(drivername=_DRIVERS[kind])


def shown_address(url: URL) -> str:
    """An address as people may see it."""
    public = url.difference_update_query([name for name in url.query if "password" in name])
    return public.set(drivername=url.get_backend_name()).render_as_string()
