"""The server: which address is answered by what, and how mistakes are told."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from starlette.applications import Starlette
from starlette.concurrency import run_in_threadpool
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Mount
from starlette.staticfiles import StaticFiles

from mereo.annotation.project import Project
from mereo.annotation.store import Conflict, NotFound, Store
from mereo.annotation.web.api import API, view_record
from mereo.annotation.web.comparing import COMPARING
from mereo.annotation.web.images import IMAGES
from mereo.annotation.web.pages import PAGES
from mereo.annotation.web.pictures import Pictures
from mereo.annotation.web.security import Forbidden, Guard, NotLoggedIn, TooMany, visitor
from mereo.annotation.web.service import HERE, Json, Service, service_of, shown
from mereo.errors import MereoError

__all__ = ["make_app"]


def make_app(project: Project, *, started: Callable[[], None] = lambda: None) -> Guard:
    """The application with its guard before it. started : called when all is ready"""

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        started()
        yield

    # What stands in our files changes with our version alone, so it is asked for again, and answered by 304.
    routes = [*PAGES, *API, *COMPARING, *IMAGES, Mount("/static", _Static(directory=HERE / "static"))]
    app = Starlette(routes=routes, lifespan=lifespan, exception_handlers=_HANDLERS)
    app.state.service = Service(project, Store(project), Pictures(project))
    return Guard(app)


class _Static(StaticFiles):
    def file_response(self, *given: Any, **named: Any) -> Response:
        answer = super().file_response(*given, **named)
        answer.headers["cache-control"] = "no-cache"
        return answer


def _sentence(error: Exception) -> str:
    text = str(error) or "Nothing has this address."
    return text[:1].upper() + text[1:] + ("" if text.endswith((".", "?", "!")) else ".")


def _wants_json(request: Request) -> bool:
    return request.url.path.startswith(("/api/", "/mesh/"))


async def _told(request: Request, error: Exception, status: int, **more: Any) -> Response:
    """A mistake as one sentence: JSON for programs, a page for people."""
    if _wants_json(request):
        return Json({"error": _sentence(error), **more}, status_code=status)
    return await run_in_threadpool(_page, request, error, status)


def _page(request: Request, error: Exception, status: int) -> Response:
    try:
        visit = visitor(request, service_of(request).project)
    except NotLoggedIn:
        visit = None
    return shown(request, "fault.html", visit, status=status, sentence=_sentence(error))


async def _refused(request: Request, error: Exception) -> Response:
    return await _told(request, error, 400)


async def _unknown(request: Request, error: Exception) -> Response:
    return await _told(request, NotFound("nothing has this address"), 404)


async def _forbidden(request: Request, error: Exception) -> Response:
    return await _told(request, error, 403)


async def _stranger(request: Request, error: Exception) -> Response:
    return await _told(request, error, 401) if _wants_json(request) else RedirectResponse("/login", 303)


async def _too_many(request: Request, error: Exception) -> Response:
    answer = await _told(request, error, 429)
    if isinstance(error, TooMany):
        answer.headers["retry-after"] = str(error.seconds)
    return answer


async def _conflict(request: Request, error: Exception) -> Response:
    view = error.view if isinstance(error, Conflict) else None
    more = {"view": view_record(service_of(request), view)} if view else {}
    return await _told(request, error, 409, **more)


async def _http(request: Request, error: Exception) -> Response:
    status = error.status_code if isinstance(error, HTTPException) else 500
    sentence = "nothing has this address" if status == 404 else "this cannot be asked for like that"
    return await _told(request, MereoError(sentence), status)


async def _gone(request: Request, error: Exception) -> Response:
    return await _told(request, MereoError("that is more than is taken at once"), 413)


async def _broken(request: Request, error: Exception) -> Response:
    return await _told(request, MereoError("something went wrong here; what you did before is saved"), 500)


_HANDLERS: dict[Any, Any] = {
    MereoError: _refused,
    NotFound: _unknown,
    Conflict: _conflict,
    Forbidden: _forbidden,
    NotLoggedIn: _stranger,
    TooMany: _too_many,
    HTTPException: _http,
    ClientDisconnect: _gone,
    Exception: _broken,
}
