"""One request to an endpoint that speaks OpenAI's chat completions, and what its outcome means for the next."""

from __future__ import annotations

import http.client
import socket
import time
from contextlib import suppress
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple
from urllib.parse import SplitResult, urlsplit
from urllib.request import getproxies, proxy_bypass

import msgspec

from mereo import __version__
from mereo.errors import BadInput, MereoError

__all__ = ["Connection", "Endpoint", "Hopeless", "Refused", "Reply", "TryAgain", "seconds_to_wait"]

_MOST_BYTES = 1 << 24
_PATH = "/chat/completions"


class TryAgain(Exception):
    """It may work another time: the connection was cut, the server is busy, or what it said makes no sense."""

    def __init__(self, reason: str, after: float | None = None):
        super().__init__(reason)
        self.after = after
        """Seconds that the server wants us to wait."""


class Refused(Exception):
    """The server does not want this question."""


class Hopeless(MereoError):
    """No question will be answered: the key or the address is wrong."""


class Reply(NamedTuple):
    """What a model said, and how many tokens it read and wrote."""

    text: str
    tokens: tuple[int, int] | None


class Endpoint(NamedTuple):
    """Where a model is, and how it is asked."""

    url: SplitResult
    model: str
    key: str | None
    """Goes into a header of every request, and nowhere else."""
    temperature: float
    max_tokens: int
    timeout: float
    """Seconds for a whole request."""

    @staticmethod
    def at(
        url: str, *, model: str, key: str | None, temperature: float = 0.0, max_tokens: int = 256, timeout: float = 120
    ) -> Endpoint:
        """An endpoint by its address, as `http://localhost:8000/v1`."""
        parts = urlsplit(url)
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(f"'{_bare(parts)}' must be an address as https://host/v1", field="--endpoint")
        if parts.username or parts.password:
            raise BadInput("the address must not hold a password: keys come from the environment", field="--endpoint")
        if not parts.path.endswith(_PATH):
            parts = parts._replace(path=parts.path.rstrip("/") + _PATH)
        return Endpoint(parts, model, key, temperature, max_tokens, timeout)

    @property
    def shown(self) -> str:
        """The address without what might be secret in it."""
        return _bare(self.url)


def _bare(parts: SplitResult) -> str:
    return f"{parts.scheme}://{parts.hostname or ''}{f':{parts.port}' if parts.port else ''}{parts.path}"


class Connection:
    """A connection that is kept between requests, used by one thread at a time."""

    def __init__(self, endpoint: Endpoint):
        self.endpoint = endpoint
        self.connection: http.client.HTTPConnection | None = None

    def complete(self, messages: list[dict[str, Any]]) -> Reply:
        """Ask once; raises `TryAgain`, `Refused` or `Hopeless`."""
        asked = {
            "model": self.endpoint.model,
            "messages": messages,
            "temperature": self.endpoint.temperature,
            "max_tokens": self.endpoint.max_tokens,
        }
        try:
            status, headers, data = self._post(msgspec.json.encode(asked))
        except (OSError, http.client.HTTPException) as error:
            self.close()
            raise TryAgain(f"the connection failed ({str(error) or type(error).__name__})") from None
        if status == 200:
            return _reply(data)
        self.close()
        reason = self._reason(status, data)
        if status in (408, 409, 425, 429) or status >= 500:
            raise TryAgain(reason, seconds_to_wait(headers.get("retry-after")))
        if status in (401, 403, 404, 405) or 300 <= status < 400:
            raise Hopeless(f"{self.endpoint.shown}: {reason}")
        raise Refused(reason)

    def close(self) -> None:
        """Let go of the connection, also from another thread that waits no longer."""
        connection, self.connection = self.connection, None
        if connection is not None:
            if connection.sock is not None:
                with suppress(OSError):  # it may be closed already
                    connection.sock.shutdown(socket.SHUT_RDWR)
            connection.close()

    def _post(self, body: bytes) -> tuple[int, dict[str, str], bytes]:
        connection = self.connection = self.connection or self._opened()
        keep = False
        try:
            response, data = self._exchange(connection, body)
            keep = not response.will_close
        finally:
            # Another thread may have let go of the connection while this one was opening it.
            if not keep or self.connection is not connection:
                connection.close()
                self.connection = None
        return response.status, {name.lower(): value for name, value in response.getheaders()}, data

    def _exchange(self, connection: http.client.HTTPConnection, body: bytes) -> tuple[http.client.HTTPResponse, bytes]:
        url, deadline = self.endpoint.url, time.monotonic() + self.endpoint.timeout
        headers = {"Content-Type": "application/json", "User-Agent": f"mereo/{__version__}"}
        if self.endpoint.key:
            headers["Authorization"] = f"Bearer {self.endpoint.key}"
        connection.request("POST", url.path + (f"?{url.query}" if url.query else ""), body, headers)
        with connection.getresponse() as response:
            data = bytearray()
            # Time runs for the whole answer, so that a server which sends it drop by drop is not waited for forever.
            while part := response.read1(1 << 16):
                data += part
                if time.monotonic() > deadline:
                    raise TimeoutError("timed out")
                if len(data) > _MOST_BYTES:
                    raise http.client.HTTPException("the answer is too long")
            if response.length:
                raise http.client.IncompleteRead(b"", response.length)
        return response, bytes(data)

    def _opened(self) -> http.client.HTTPConnection:
        url = self.endpoint.url
        kind = http.client.HTTPSConnection if url.scheme == "https" else http.client.HTTPConnection
        host, timeout = url.hostname or "", self.endpoint.timeout
        proxy = None if proxy_bypass(host) else getproxies().get(url.scheme)
        if not proxy:
            return kind(host, url.port, timeout=timeout)
        between = urlsplit(proxy)
        tunnel = kind(between.hostname or "", between.port, timeout=timeout)
        tunnel.set_tunnel(host, url.port)
        return tunnel

    def _reason(self, status: int, data: bytes) -> str:
        """What the server says is wrong, without the key, which some servers repeat."""
        try:
            said = msgspec.json.decode(data)["error"]
            text = said["message"] if isinstance(said, dict) else str(said)
        except (msgspec.DecodeError, KeyError, TypeError):
            text = data.decode(errors="replace")
        if self.endpoint.key:
            text = text.replace(self.endpoint.key, "…")
        return (
            f"the server says {status}: {' '.join(text.split())[:200] or http.client.responses.get(status, 'nothing')}"
        )


class _Message(msgspec.Struct):
    content: str | None = None


class _Choice(msgspec.Struct):
    message: _Message


class _Usage(msgspec.Struct):
    prompt_tokens: int = 0
    completion_tokens: int = 0


class _Completion(msgspec.Struct):
    choices: list[_Choice]
    usage: _Usage | None = None


def _reply(data: bytes) -> Reply:
    try:
        completion = msgspec.json.decode(data, type=_Completion)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise TryAgain(f"the server's answer is no chat completion ({error})") from None
    if not completion.choices:
        raise TryAgain("the server's answer holds no choices")
    usage = completion.usage
    tokens = (usage.prompt_tokens, usage.completion_tokens) if usage is not None else None
    return Reply(completion.choices[0].message.content or "", tokens)


def seconds_to_wait(header: str | None) -> float | None:
    """What `Retry-After` says in seconds, whether it is a number or a date."""
    if header is None:
        return None
    try:
        return max(0.0, float(header))
    except ValueError:
        pass
    try:
        return max(0.0, parsedate_to_datetime(header).timestamp() - time.time())
    except (ValueError, TypeError):
        return None
