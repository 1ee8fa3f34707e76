"""Who may look: only this machine, or whoever knows the token.

Without a token the server listens on loopback only, and answers only to names of this machine, so that no page of
another site can reach it by a name of its own. With one, the token is given once in the address (`?token=…`), or as
`Authorization: Bearer …`, and is then remembered by the browser.
"""

from __future__ import annotations

import hmac
from collections.abc import Awaitable, Callable, Iterator, MutableMapping
from typing import Any
from urllib.parse import parse_qsl, quote, unquote, urlencode, urlsplit

from mereo.errors import BadInput

__all__ = ["COOKIE", "Guard", "check_host", "is_loopback"]

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]
Application = Callable[[Scope, Receive, Send], Awaitable[None]]

COOKIE = "mereo-token"
LOOPBACK = ("127.0.0.1", "localhost", "::1")


def is_loopback(host: str) -> bool:
    """Whether a host is this machine and no other."""
    return host in LOOPBACK


def check_host(host: str, token: str | None) -> None:
    """Complain where others could look without a token."""
    if not is_loopback(host) and not token:
        raise BadInput(f"'{host}' can be reached by others: give a --token", field="--host")
    if token is not None and (len(token) < 8 or not token.isascii() or not token.isprintable()):
        raise BadInput("must be at least 8 letters, digits or signs", field="--token")


class Guard:
    """Stands before the application and lets through who may look; web sockets are asked, too."""

    def __init__(self, app: Application, token: str | None):
        self.app, self.token = app, token

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Let through, or answer 401 or 403."""
        if scope["type"] == "lifespan":
            await self.app(scope, receive, send)
            return
        headers = {name.decode("latin-1"): value.decode("latin-1") for name, value in scope["headers"]}
        if not _same_site(headers) or (self.token is None and not is_loopback(_hostname(headers.get("host", "")))):
            await _refuse(scope, receive, send, 403, "This address is not served here.")
        elif self.token is None or self._knows(headers):
            await self.app(scope, receive, send)
        else:
            await self._ask(scope, receive, send)

    async def _ask(self, scope: Scope, receive: Receive, send: Send) -> None:
        """The token may stand in the address; it is taken out of it and kept as a cookie."""
        pairs = parse_qsl(scope.get("query_string", b"").decode("latin-1"), keep_blank_values=True)
        given = next((value for name, value in pairs if name == "token"), "")
        if scope["type"] != "http" or not self._matches(given):
            await _refuse(scope, receive, send, 401, "This explorer wants a token: open the address that has it.")
            return
        rest = urlencode([pair for pair in pairs if pair[0] != "token"])
        # One slash: an address that begins with two would lead to another host.
        path = "/" + scope["path"].lstrip("/")
        location = path.encode("utf-8", "replace").decode("latin-1") + (f"?{rest}" if rest else "")
        cookie = f"{COOKIE}={quote(self.token or '', safe='')}; HttpOnly; Path=/; SameSite=Strict"
        headers = [("location", location), ("set-cookie", cookie), ("cache-control", "no-store")]
        await _respond(send, 303, headers, b"")

    def _knows(self, headers: dict[str, str]) -> bool:
        bearer = headers.get("authorization", "").removeprefix("Bearer ")
        return self._matches(bearer) or any(self._matches(given) for given in _cookies(headers.get("cookie", "")))

    def _matches(self, given: str) -> bool:
        return hmac.compare_digest(given.encode(), (self.token or "").encode()) and bool(self.token)


def _cookies(header: str) -> Iterator[str]:
    """What the browser remembers as the token. Python's parser gives up at the first cookie of others it dislikes."""
    for pair in header.split(";"):
        name, _, value = pair.strip().partition("=")
        if name == COOKIE:
            yield unquote(value)


def _same_site(headers: dict[str, str]) -> bool:
    """Whether a request comes from here, as far as it tells: web sockets by their origin, everything else by its site.

    A person may follow a link of another site to a page of ours; that site's own pages may not ask for anything.
    """
    origin = headers.get("origin")
    if origin is not None and origin.partition("://")[2] != headers.get("host"):
        return False
    if headers.get("sec-fetch-site", "none") in ("none", "same-origin"):
        return True
    return headers.get("sec-fetch-mode") == "navigate" and headers.get("sec-fetch-dest") == "document"


def _hostname(host: str) -> str:
    try:
        return urlsplit(f"//{host}").hostname or ""
    except ValueError:
        return ""


async def _refuse(scope: Scope, receive: Receive, send: Send, status: int, reason: str) -> None:
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.close", "code": 1008})
        return
    page = _PAGE.replace("REASON", reason).encode()
    await _respond(send, status, [("content-type", "text/html; charset=utf-8"), ("cache-control", "no-store")], page)


async def _respond(send: Send, status: int, headers: list[tuple[str, str]], body: bytes) -> None:
    told = [(name.encode(), value.encode("latin-1")) for name, value in headers]
    await send({"type": "http.response.start", "status": status, "headers": told})
    await send({"type": "http.response.body", "body": body})


_PAGE = """<!doctype html><html lang="en"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<title>mereo</title><style>
:root { color-scheme: light dark }
body { font: 16px/1.5 system-ui, sans-serif; display: grid; place-items: center; min-height: 90vh; margin: 0 1.5rem }
p { max-width: 32rem; text-align: center }
</style><p>REASON</p></html>"""
