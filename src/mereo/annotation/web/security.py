"""Who may do what over HTTP: sessions, tokens against forged requests, bounds, and what browsers are told to refuse."""

from __future__ import annotations

import hmac
import time
from collections import OrderedDict, deque
from collections.abc import Awaitable, Callable, MutableMapping
from threading import Lock
from typing import Any

from starlette.requests import Request

from mereo.annotation.accounts import Visit, visit
from mereo.annotation.project import Project
from mereo.errors import MereoError

__all__ = [
    "Forbidden",
    "Guard",
    "NotLoggedIn",
    "Pace",
    "TooMany",
    "check_origin",
    "check_token",
    "cookie_of",
    "visitor",
]

Scope = MutableMapping[str, Any]
Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

LARGEST = 1 << 20
"""Bytes of a body: a path of ten thousand points fits in."""
_HEADERS = {
    "content-security-policy": "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; "
    "connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "same-origin",
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
}


class NotLoggedIn(MereoError):
    """Nobody known has asked."""

    def __init__(self) -> None:
        super().__init__("You are not logged in.")


class Forbidden(MereoError):
    """A request that somebody else may have forged."""


class TooMany(MereoError):
    """Too many tries; `seconds` says when the next may come."""

    def __init__(self, seconds: int):
        self.seconds = seconds
        super().__init__(f"Too many tries: wait {seconds} seconds.")


class Guard:
    """Stands before the application: bounds what comes in, and says with every answer what a browser must not do."""

    def __init__(self, app: Application, largest: int = LARGEST):
        self.app, self.largest = app, largest

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through."""
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        length = next((value for name, value in scope["headers"] if name == b"content-length"), b"0")
        if not length.isdigit() or int(length) > self.largest:
            await _too_large(_dressed(send))
            return
        await self.app(scope, self._bounded(receive), _dressed(send))

    def _bounded(self, receive: Receive) -> Receive:
        """What comes in pieces and does not say how long it is breaks off."""
        taken = 0

        async def bounded() -> Message:
            nonlocal taken
            message = await receive()
            taken += len(message.get("body", b""))
            return {"type": "http.disconnect"} if taken > self.largest else message

        return bounded


def _dressed(send: Send) -> Send:
    async def dressed(message: Message) -> None:
        if message["type"] == "http.response.start":
            given = {name.lower() for name, _ in message.get("headers", [])}
            more = {**_HEADERS, "cache-control": "no-store"}
            added = [(name.encode(), value.encode()) for name, value in more.items() if name.encode() not in given]
            message = {**message, "headers": [*message.get("headers", []), *added]}
        await send(message)

    return dressed


async def _too_large(send: Send) -> None:
    body = b'{"error":"That is more than is taken at once."}'
    headers = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
    await send({"type": "http.response.start", "status": 413, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def cookie_of(project: Project) -> str:
    """What the cookie of a session is called: a browser sends cookies to every port of a host, so each project has its
    own."""
    return f"mereo-session-{project.settings.id}"


def visitor(request: Request, project: Project) -> Visit:
    """Who asks."""
    token = request.cookies.get(cookie_of(project), "")
    found = visit(project.database, token) if token else None
    if found is None:
        raise NotLoggedIn
    return found


def check_token(visit: Visit, given: str | None) -> None:
    """Refuse a change that does not bring the token of its session, which only our own pages know."""
    if not hmac.compare_digest((given or "").encode(), visit.csrf.encode()):
        raise Forbidden("The page is out of date: load it again.")


def check_origin(request: Request) -> None:
    """Refuse what a page of another site sends."""
    origin = request.headers.get("origin")
    if origin is not None and origin.partition("://")[2] != request.headers.get("host"):
        raise Forbidden("This was sent from another site.")


class Pace:
    """How often something may be tried within a time, by name; safe between threads, and bounded itself."""

    def __init__(self, most: int, seconds: float, *, clock: Callable[[], float] = time.monotonic, names: int = 10_000):
        self.most, self.seconds, self.clock, self.names = most, seconds, clock, names
        self._tries: OrderedDict[str, deque[float]] = OrderedDict()
        self._lock = Lock()

    def check(self, name: str) -> None:
        """Refuse one try too many."""
        with self._lock:
            tries = self._recent(name)
            if len(tries) >= self.most:
                raise TooMany(max(1, round(tries[0] + self.seconds - self.clock())))

    def count(self, name: str) -> None:
        """Remember a try."""
        with self._lock:
            tries = self._recent(name)
            tries.append(self.clock())
            self._tries[name] = tries
            self._tries.move_to_end(name)
            while len(self._tries) > self.names:
                self._tries.popitem(last=False)

    def forget(self, name: str) -> None:
        """Somebody was right."""
        with self._lock:
            self._tries.pop(name, None)

    def _recent(self, name: str) -> deque[float]:
        tries = self._tries.get(name, deque())
        while tries and tries[0] < self.clock() - self.seconds:
            tries.popleft()
        return tries
