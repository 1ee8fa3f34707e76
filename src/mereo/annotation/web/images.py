"""Pictures as the server gives them: of shapes, and of what a choice means."""

from __future__ import annotations

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from mereo.annotation.queue import my_works
from mereo.annotation.store import NotFound
from mereo.annotation.web.security import visitor
from mereo.annotation.web.service import service_of

__all__ = ["IMAGES"]

_NOTHING = b'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>'
"""What is shown where no grammar has an example: a picture all the same, since a missing one looks like a fault."""


def shape(request: Request) -> Response:
    """A shape of the project, for who works on it or reviews."""
    service = service_of(request)
    visit = visitor(request, service.project)
    number = request.path_params["shape"]
    if not visit.person.reviews and all(row.shape.id != number for row in my_works(service.project, visit.person)):
        raise NotFound("there is no such shape")
    found = service.pictures.of_shape(number)
    if found is None:
        raise NotFound("there is no such shape")
    return Response(found, media_type="image/png", headers={"cache-control": "private, max-age=3600"})


def example(request: Request) -> Response:
    """What a path of the template looks like."""
    service = service_of(request)
    visitor(request, service.project)
    found = service.pictures.of_example(request.path_params["path"])
    kind, content = ("image/svg+xml", _NOTHING) if found is None else ("image/png", found)
    return Response(content, media_type=kind, headers={"cache-control": "private, max-age=3600"})


IMAGES = [Route("/shape/{shape:int}.png", shape), Route("/example/{path:path}", example)]
