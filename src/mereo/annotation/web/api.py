"""What the browser asks for as JSON: works, actions, verdicts, and the meshes of pieces."""

from __future__ import annotations

import re
from typing import Any

import msgspec
from starlette.concurrency import run_in_threadpool
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mereo.annotation.accounts import Visit
from mereo.annotation.actions import Cut, read_action
from mereo.annotation.geometry.blobs import blob_name
from mereo.annotation.library import has_mesh
from mereo.annotation.merging import take_part
from mereo.annotation.proposing import Offer, offers
from mereo.annotation.queue import verdict
from mereo.annotation.state import State, plain
from mereo.annotation.store import NotFound
from mereo.annotation.views import Acted, WorkView
from mereo.annotation.web.security import check_origin, check_token, visitor
from mereo.annotation.web.service import Json, Service, moment_asked, service_of
from mereo.annotation.workflow import questions_about
from mereo.files import decode_json

__all__ = ["API", "view_record"]

_DIGITS = re.compile(r"[0-9a-f]{64}")


class Sent(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """An action as a browser sends it."""

    key: str
    after: int
    action: dict[str, Any]


class Judged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a reviewer says of a work."""

    accept: bool
    remark: str = ""


class Merged(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a reviewer takes from a work."""

    path: str


def view_record(service: Service, view: WorkView) -> dict[str, Any]:
    """A work as the viewer wants it."""
    row = view.row
    return {
        "work": row.id,
        "project": service.project.settings.id,
        "shape": row.shape._asdict(),
        "annotator": row.annotator,
        "status": row.status,
        "remark": row.remark,
        "mine": view.mine,
        "number": row.number,
        "state": plain(view.state),
        "question": _question(view.question),
        "pieces": [piece._asdict() for piece in view.pieces],
        "template": _template(view.state),
        "examples": "/example/",
    }


def _acted(acted: Acted) -> dict[str, Any]:
    return {
        "number": acted.number,
        "state": plain(acted.state),
        "question": _question(acted.question),
        "pieces": [piece._asdict() for piece in acted.pieces],
    }


def _question(question: Any) -> dict[str, Any]:
    return {**question._asdict(), "choices": [choice._asdict() for choice in question.choices]}


def _template(state: State) -> dict[str, Any]:
    return {path: {"kind": node.kind, "below": node.below} for path, node in state.tree.nodes.items()}


def work(request: Request) -> Response:
    """A work as it stands, or as it stood."""
    return Json(view_record(service_of(request), _asked(request)))


def _asked(request: Request) -> WorkView:
    service = service_of(request)
    visit = visitor(request, service.project)
    return service.store.open_work(request.path_params["work"], visit.person, at=moment_asked(request))


def questions(request: Request) -> Response:
    """All that can be asked about one part of a work."""
    state = _asked(request).state
    return Json([_question(asked) for asked in questions_about(state, request.path_params["part"])])


def proposals(request: Request) -> Response:
    """The parts that are proposed for a work, each with the actions that take it over after so many."""
    service = service_of(request)
    visit = visitor(request, service.project)
    view = service.store.open_work(request.path_params["work"], visit.person)
    return Json({"number": view.row.number, "parts": [_offer(one) for one in offers(service.project, view)]})


def _offer(offer: Offer) -> dict[str, Any]:
    return {**offer.part._asdict(), "actions": [msgspec.to_builtins(action) for action in offer.actions]}


async def act(request: Request) -> Response:
    """One more action; the same key again is answered alike and writes nothing."""
    service, number = service_of(request), request.path_params["work"]
    body = await request.body()

    def done() -> Response:
        visit = _changing(request, service)
        sent = decode_json(body, file="action", type=Sent)
        action = read_action(sent.action)

        def write() -> Acted:
            return service.store.act(number, visit.person, sent.key, sent.after, action)

        # A cut takes its time, and its writing waits for the file itself.
        return Json(_acted(write() if isinstance(action, Cut) else service.serially(write)))

    return await run_in_threadpool(done)


async def judge(request: Request) -> Response:
    """Accept a work, or give it back."""
    service, number = service_of(request), request.path_params["work"]
    body = await request.body()

    def done() -> Response:
        visit = _changing(request, service)
        said = decode_json(body, file="verdict", type=Judged)
        service.serially(lambda: verdict(service.store, number, visit.person, accept=said.accept, remark=said.remark))
        return Json({"accepted": said.accept})

    return await run_in_threadpool(done)


async def merge(request: Request) -> Response:
    """Take a part of a work into the reviewer's own of the same shape."""
    service, number = service_of(request), request.path_params["work"]
    body = await request.body()

    def done() -> Response:
        visit = _changing(request, service)
        path = decode_json(body, file="merge", type=Merged).path
        return Json(view_record(service, take_part(service.store, visit.person, number, path)))

    return await run_in_threadpool(done)


def _changing(request: Request, service: Service) -> Visit:
    """Who asks for a change, if it comes from one of our pages."""
    visit = visitor(request, service.project)
    check_origin(request)
    check_token(visit, request.headers.get("x-csrf-token"))
    return visit


def mesh(request: Request) -> Response:
    """The mesh of a piece. Whoever knows the digits of a content has seen the content, so no more is asked of them."""
    service = service_of(request)
    visitor(request, service.project)
    digits = request.path_params["digits"]
    own = request.path_params["project"] == service.project.settings.id
    if not own or not _DIGITS.fullmatch(digits) or not has_mesh(service.project, digits):
        raise NotFound("there is no such mesh")
    content = service.project.home.read(blob_name(digits))
    headers = {"cache-control": "private, max-age=31536000, immutable"}
    return Response(content, media_type="application/octet-stream", headers=headers)


API = [
    Route("/api/work/{work:int}", work),
    Route("/api/work/{work:int}/questions/{part:int}", questions),
    Route("/api/work/{work:int}/proposals", proposals),
    Route("/api/work/{work:int}/actions", act, methods=["POST"]),
    Route("/api/work/{work:int}/verdict", judge, methods=["POST"]),
    Route("/api/work/{work:int}/merge", merge, methods=["POST"]),
    Route("/mesh/{project}/{digits}.bin", mesh),
]
