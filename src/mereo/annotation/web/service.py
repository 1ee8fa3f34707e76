"""What every address of the server works with, and how it answers."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime
from functools import cache
from pathlib import Path
from threading import BoundedSemaphore, Lock
from typing import Any, TypeVar

import msgspec
from jinja2 import Environment, FileSystemLoader, StrictUndefined
from starlette.requests import Request
from starlette.responses import HTMLResponse, Response

from mereo.annotation.accounts import Visit
from mereo.annotation.project import Project
from mereo.annotation.store import Store
from mereo.annotation.web.pictures import Pictures
from mereo.annotation.web.security import Pace
from mereo.errors import BadInput

__all__ = ["HERE", "Json", "Service", "moment_asked", "service_of", "shown"]

HERE = Path(__file__).parent
T = TypeVar("T")


@dataclass(frozen=True)
class Service:
    """One project, served."""

    project: Project
    store: Store
    pictures: Pictures
    writing: Lock = field(default_factory=Lock)
    """Held by who writes: in line here nobody waits longer than their turn, as they would for the file."""
    hashing: BoundedSemaphore = field(default_factory=lambda: BoundedSemaphore(2))
    """Passwords take much memory to check, so few are checked at once."""
    by_name: Pace = field(default_factory=lambda: Pace(6, 300))
    by_address: Pace = field(default_factory=lambda: Pace(30, 300))

    remembered: dict[str, tuple[object, Any]] = field(default_factory=dict)

    def remember(self, name: str, sign: object, make: Callable[[], T]) -> T:
        """What takes long to work out; worked out anew where the sign is another than last time."""
        kept = self.remembered.get(name)
        if kept is None or kept[0] != sign:
            kept = self.remembered[name] = (sign, make())
        found: T = kept[1]
        return found

    def serially(self, work: Callable[[], T]) -> T:
        """Do something that writes, in line."""
        with self.writing:
            return work()


def service_of(request: Request) -> Service:
    """The service that a request has reached."""
    found: Service = request.app.state.service
    return found


def moment_asked(request: Request) -> int | None:
    """After how many steps a work is asked for; nothing where it is wanted as it stands."""
    given = request.query_params.get("at")
    if given is None:
        return None
    if not given.isascii() or not given.isdecimal() or len(given) > 9:
        raise BadInput("is no number of steps", field="at")
    return int(given)


class Json(Response):
    """An answer as JSON."""

    media_type = "application/json"

    def render(self, content: Any) -> bytes:
        """As bytes."""
        return msgspec.json.encode(content)


def shown(request: Request, page: str, visit: Visit | None, *, status: int = 200, **values: Any) -> HTMLResponse:
    """A page."""
    service = service_of(request)
    common = {
        "project": service.project.settings,
        "category": service.project.tree.template.category,
        "person": visit.person if visit else None,
        "csrf": visit.csrf if visit else "",
        "here": request.url.path,
    }
    return HTMLResponse(_TEMPLATES.get_template(page).render(**common, **values), status_code=status)


def duration(seconds: float) -> str:
    """How long, as people say it."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours} h {minutes} min" if hours else f"{minutes} min {rest} s" if minutes else f"{rest} s"


def moment(at: datetime) -> str:
    """When, as people write it."""
    return f"{at:%d %b %Y, %H:%M} UTC"


def words(name: str) -> str:
    """A name of a template as people say it."""
    return name.replace("_", " ")


@cache
def modules() -> tuple[str, ...]:
    """The scripts of the page of a work, so that a browser asks for all of them at once."""
    return tuple(sorted({path.name for path in (HERE / "static").glob("*.js")} - {"compare.js"}))


_TEMPLATES = Environment(
    loader=FileSystemLoader(HERE / "templates"),
    autoescape=True,
    undefined=StrictUndefined,
    trim_blocks=True,
    lstrip_blocks=True,
)
_TEMPLATES.filters.update(duration=duration, moment=moment, words=words)
_TEMPLATES.globals.update(modules=modules)
