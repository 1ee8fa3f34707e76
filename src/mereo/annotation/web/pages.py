"""The pages that people read: what to do next, shapes, review, progress, accounts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from functools import wraps
from typing import Any

from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import RedirectResponse, Response
from starlette.routing import Route

from mereo.annotation.accounts import (
    ROLES,
    Visit,
    begin_session,
    change_account,
    end_session,
    log_in,
    make_account,
    people,
    set_active,
)
from mereo.annotation.database import Database
from mereo.annotation.queue import my_works, next_review, next_work, progress, waiting
from mereo.annotation.store import NotFound
from mereo.annotation.web.listing import all_shapes, told
from mereo.annotation.web.security import check_origin, check_token, cookie_of, visitor
from mereo.annotation.web.service import Service, moment_asked, service_of, shown
from mereo.errors import MereoError

__all__ = ["PAGES", "page"]

Page = Callable[[Request, Service, Visit], Response]
Form = Callable[[Request, Service, Visit, dict[str, str]], Response]
_STAY = 14 * 24 * 3600


def page(show: Page) -> Callable[[Request], Response]:
    """A page for who is logged in."""

    @wraps(show)
    def endpoint(request: Request) -> Response:
        service = service_of(request)
        return show(request, service, visitor(request, service.project))

    return endpoint


def form(take: Form) -> Callable[[Request], Any]:
    """What a form on a page sends; it brings the token of its session."""

    @wraps(take)
    async def endpoint(request: Request) -> Response:
        fields = await _fields(request)

        def done() -> Response:
            service = service_of(request)
            visit = visitor(request, service.project)
            check_origin(request)
            check_token(visit, fields.pop("csrf", None))
            return take(request, service, visit, fields)

        return await run_in_threadpool(done)

    return endpoint


async def _fields(request: Request) -> dict[str, str]:
    async with request.form(max_files=0, max_fields=20) as given:
        return {name: value for name, value in given.items() if isinstance(value, str)}


def login_page(request: Request) -> Response:
    """Where one logs in."""
    return shown(request, "login.html", None, error="", name="")


async def login(request: Request) -> Response:
    """Log in, if name and password fit, and not too often where they do not."""
    check_origin(request)
    fields = await _fields(request)
    return await run_in_threadpool(_log_in, request, fields.get("name", ""), fields.get("password", ""))


def _log_in(request: Request, name: str, password: str) -> Response:
    service = service_of(request)
    address = request.client.host if request.client else ""
    service.by_name.check(name.lower())
    service.by_address.check(address)
    with service.hashing:
        person = log_in(service.project.database, name, password)
    if person is None:
        service.by_name.count(name.lower())
        service.by_address.count(address)
        return shown(request, "login.html", None, status=401, error="Name and password do not fit.", name=name[:100])
    service.by_name.forget(name.lower())
    token = service.serially(lambda: begin_session(service.project.database, person))
    answer = RedirectResponse("/", 303)
    secure = request.url.scheme == "https"
    answer.set_cookie(cookie_of(service.project), token, max_age=_STAY, httponly=True, samesite="strict", secure=secure)
    return answer


@form
def logout(request: Request, service: Service, visit: Visit, fields: dict[str, str]) -> Response:
    """Log out."""
    cookie = cookie_of(service.project)
    service.serially(lambda: end_session(service.project.database, request.cookies[cookie]))
    answer = RedirectResponse("/login", 303)
    answer.delete_cookie(cookie)
    return answer


@page
def home(request: Request, service: Service, visit: Visit) -> Response:
    """What there is to do: one's own works, what waits for review, and for reviewers all shapes."""
    works = my_works(service.project, visit.person)
    shapes = all_shapes(service.project) if visit.person.reviews else []
    return shown(
        request, "home.html", visit, works=works, shapes=shapes, waiting=waiting(service.project, visit.person)
    )


@form
def begin(request: Request, service: Service, visit: Visit, fields: dict[str, str]) -> Response:
    """Go on with the next shape."""
    work = service.serially(lambda: next_work(service.project, visit.person))
    return RedirectResponse("/" if work is None else f"/work/{work}", 303)


@page
def annotate(request: Request, service: Service, visit: Visit) -> Response:
    """A work: to be gone on with by its annotator, to be judged by others."""
    view = service.store.open_work(request.path_params["work"], visit.person)
    return shown(request, "work.html", visit, row=view.row, mine=view.mine, reviewing=False, at=None, deeds=[])


@page
def review(request: Request, service: Service, visit: Visit) -> Response:
    """A work to be judged, with who did what and when."""
    view = service.store.open_work(request.path_params["work"], visit.person)
    if not visit.person.reviews:
        raise NotFound("there is nothing here")
    deeds = told(service.store, view.row.id, visit.person)
    others = [row for row in service.store.works_of(view.row.shape.id) if row.id != view.row.id]
    return shown(
        request, "work.html", visit, row=view.row, mine=view.mine, reviewing=True, at=None, deeds=deeds, others=others
    )


@page
def history(request: Request, service: Service, visit: Visit) -> Response:
    """A work as it stood after some step, or as it stands, for who may see it: nothing can be changed here."""
    asked = moment_asked(request)
    view = service.store.open_work(request.path_params["work"], visit.person, at=asked)
    at = view.row.number if asked is None else asked
    deeds = told(service.store, view.row.id, visit.person)
    return shown(request, "work.html", visit, row=view.row, mine=view.mine, reviewing=False, at=at, deeds=deeds)


@page
def reviewing(request: Request, service: Service, visit: Visit) -> Response:
    """Go to the work that has waited longest."""
    found = next_review(service.project, visit.person)
    return RedirectResponse("/" if found is None else f"/review/{found}", 303)


@page
def progress_page(request: Request, service: Service, visit: Visit) -> Response:
    """How far everybody has come."""
    found = progress(service.project)
    shares = [one for one in found.by_annotator if visit.person.reviews or one.annotator == visit.person.name]
    return shown(request, "progress.html", visit, progress=found, shares=shares)


@page
def accounts(request: Request, service: Service, visit: Visit) -> Response:
    """Who there is."""
    return _accounts(request, service, visit)


@form
def keep(request: Request, service: Service, visit: Visit, fields: dict[str, str]) -> Response:
    """Make or change an account, or let somebody out or in."""
    if not visit.person.owns:
        raise NotFound("there is nothing here")
    try:
        service.serially(lambda: _keep(service.project.database, fields))
    except MereoError as error:
        return _accounts(request, service, visit, error=str(error))
    return RedirectResponse("/accounts", 303)


def _keep(database: Database, fields: dict[str, str]) -> None:
    name, role, password = (fields.get(field, "") for field in ("name", "role", "password"))
    if "active" in fields:
        set_active(database, name, fields["active"] == "yes")
    elif "new" in fields:
        make_account(database, name, role, password)
    else:
        change_account(database, name, role, password or None)


def _accounts(request: Request, service: Service, visit: Visit, *, error: str = "") -> Response:
    if not visit.person.owns:
        raise NotFound("there is nothing here")
    counts: dict[str, int] = defaultdict(int)
    for share in progress(service.project).by_annotator:
        counts[share.annotator] = share.open + share.finished + share.accepted
    everybody = people(service.project.database)
    status = 400 if error else 200
    return shown(
        request, "accounts.html", visit, status=status, people=everybody, roles=ROLES, counts=counts, error=error
    )


PAGES = [
    Route("/", home),
    Route("/login", login_page, methods=["GET"]),
    Route("/login", login, methods=["POST"]),
    Route("/logout", logout, methods=["POST"]),
    Route("/next", begin, methods=["POST"]),
    Route("/work/{work:int}", annotate),
    Route("/review", reviewing),
    Route("/review/{work:int}", review),
    Route("/history/{work:int}", history),
    Route("/progress", progress_page),
    Route("/accounts", accounts, methods=["GET"]),
    Route("/accounts", keep, methods=["POST"]),
]
