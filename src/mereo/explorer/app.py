"""The explorer as a server: which address shows which page."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from fastapi import FastAPI, HTTPException, Request
from fastapi.exception_handlers import http_exception_handler
from fastapi.exceptions import RequestValidationError
from fastapi.responses import Response
from nicegui import Client, ui
from nicegui import app as gui

from mereo.errors import MereoError
from mereo.explorer import look
from mereo.explorer.address import View
from mereo.explorer.catalog import Catalog
from mereo.explorer.guard import Guard
from mereo.explorer.meshes import add_meshes
from mereo.explorer.pictures import add_pictures
from mereo.explorer.sight_pictures import add_sights
from mereo.explorer.thumbnails import Thumbnails

__all__ = ["make_app"]

_FAVICON = (
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect x="3" y="3" width="26" height="26" rx="7" '
    'fill="#0f766e"/><path d="M9 22V11l7 6 7-6v11" fill="none" stroke="#fff" stroke-width="2.6"/></svg>'
)
_PATIENCE = 30.0
"""Seconds after which a browser that is silent has lost its page, and loads it again. A slow one that draws a large
shape is silent for longer than the framework would wait."""


def make_app(catalog: Catalog, *, token: str | None = None, started: Callable[[], None] = lambda: None) -> Guard:
    """The application with its guard before it; one per process, because the framework knows only one.

    started : called when all is ready
    """
    thumbnails = Thumbnails(catalog)
    look.dress()
    add_pictures(gui, catalog, thumbnails)
    add_sights(gui, catalog)
    add_meshes(gui, catalog)
    _add_pages(catalog, thumbnails)
    gui.exception_handler(404)(_not_found)
    gui.exception_handler(RequestValidationError)(_not_found)
    app = FastAPI(openapi_url=None, docs_url=None, redoc_url=None)
    ui.run_with(
        app,
        title="mereo",
        favicon=_FAVICON,
        dark=None,
        tailwind=False,
        show_welcome_message=False,
        reconnect_timeout=_PATIENCE,
    )
    gui.on_startup(started)
    return Guard(app, token)


def _add_pages(catalog: Catalog, thumbnails: Thumbnails) -> None:
    @ui.page("/", response_timeout=60)
    async def browse(request: Request) -> None:
        from mereo.explorer.pages import browse

        with look.frame("/"), _told():
            await browse.page(catalog, thumbnails, View.of_query(request.query_params.multi_items()))

    @ui.page("/scene/{dataset}/{scene_id:path}")
    def scene(dataset: int, scene_id: str, request: Request) -> None:
        from mereo.explorer.pages import scene

        with _about("scene", catalog, dataset, scene_id):
            scene.page(catalog, dataset, scene_id, request.query_params)

    @ui.page("/reasoning/{dataset}/{scene_id:path}")
    def reasoning(dataset: int, scene_id: str, request: Request) -> None:
        from mereo.explorer.pages import reasoning

        with _about("reasoning", catalog, dataset, scene_id):
            reasoning.page(catalog, dataset, scene_id, request.query_params)

    @ui.page("/ask/{dataset}/{scene_id:path}")
    def ask(dataset: int, scene_id: str, request: Request) -> None:
        from mereo.explorer.pages import ask

        with _about("ask", catalog, dataset, scene_id):
            ask.page(catalog, dataset, scene_id, request.query_params)

    @ui.page("/space/{dataset}/{scene_id:path}")
    def space(dataset: int, scene_id: str, request: Request) -> None:
        from mereo.explorer.pages import space

        with _about("space", catalog, dataset, scene_id):
            space.page(catalog, dataset, scene_id, request.query_params)

    @ui.page("/runs")
    def runs(request: Request) -> None:
        from mereo.explorer.pages import runs

        with look.frame("/runs", title="Runs"), _told():
            runs.page(catalog, request.query_params)

    @ui.page("/knowledge", response_timeout=60)
    async def knowledge(request: Request) -> None:
        from mereo.explorer.pages import knowledge

        with look.frame("/knowledge", title="Knowledge"), _told():
            await knowledge.page(catalog, request.query_params)

    @ui.page("/shapes")
    def shapes(request: Request) -> None:
        from mereo.explorer.pages import shapes

        with look.frame("/shapes", title="Shapes"), _told():
            shapes.page(catalog, request.query_params)


@contextmanager
def _about(kind: str, catalog: Catalog, dataset: int, scene_id: str) -> Iterator[None]:
    """A page about a scene; one that is not there is not found."""
    try:
        opened = catalog.dataset(dataset)
        around = catalog.around(dataset, scene_id)
    except MereoError as error:
        raise HTTPException(404, str(error)) from None
    with look.frame("/", title=scene_id):
        look.scene_header(kind, dataset, opened.name, scene_id, around=around)
        with _told():
            yield


@contextmanager
def _told() -> Iterator[None]:
    """What the data does not allow is told on the page, below whatever stands there already."""
    try:
        yield
    except MereoError as error:
        look.fault("This cannot be shown", str(error))


async def _not_found(request: Request, error: Exception) -> Response:
    inner = request.scope.get("endpoint")
    if isinstance(error, HTTPException) and inner not in (None, gui) and not request.scope.get("nicegui_page_path"):
        return await http_exception_handler(request, error)  # of a picture, which nobody would see as a page
    reason = getattr(error, "detail", "") or "Not Found"
    with Client(ui.page(""), request=request) as client, look.frame(""):
        look.empty("There is nothing here", "Nothing has this address." if reason == "Not Found" else reason, back=True)
    return client.build_response(request, 404)
