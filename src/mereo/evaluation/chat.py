"""One request to an endpoint that speaks OpenAI's chat completions, and what its outcome means for the next."""

from __future__ import annotations

import asyncio
import logging
import ssl
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from typing import Any, NamedTuple

import msgspec

from mereo import __version__
from mereo.errors import MereoError, MissingExtra
from mereo.evaluation.endpoint import Endpoint
from mereo.files import decoder

try:
    import httpx2
except ImportError:
    raise MissingExtra("asking a model", "ask") from None

__all__ = ["Chat", "Declined", "Hopeless", "Reply", "TryAgain", "open_chat", "seconds_to_wait"]

_MOST_BYTES = 1 << 22
_BUSY = (408, 409, 425, 429)
_CLOSED = (401, 403, 404, 405, 407)


class TryAgain(Exception):
    """It may work another time: the connection was cut, the server is busy, or what it said makes no sense."""

    def __init__(self, reason: str, after: float | None = None):
        super().__init__(reason)
        self.after = after
        """Seconds that the server wants us to wait."""


class Declined(Exception):
    """The server does not want this question."""


class Hopeless(MereoError):
    """No question will be answered: the key, the address or the way there is wrong."""


class Reply(NamedTuple):
    """What a model said, and how many tokens it read and wrote."""

    text: str
    tokens: tuple[int, int] | None


@asynccontextmanager
async def open_chat(endpoint: Endpoint, *, concurrency: int) -> AsyncIterator[Chat]:
    """Ask a model so many things at a time; proxies and certificates are those that the environment names."""
    for name in ("httpx2", "httpcore2"):
        # They would write whole addresses into logs, and an address may hold a secret.
        logging.getLogger(name).setLevel(logging.WARNING)
    headers = {
        "Content-Type": "application/json",
        "Accept-Encoding": "identity",  # what is unpacked could be of any size
        "User-Agent": f"mereo/{__version__}",
    }
    if endpoint.key:
        headers["Authorization"] = f"Bearer {endpoint.key}"
    limits = httpx2.Limits(max_connections=concurrency, max_keepalive_connections=concurrency)
    # The deadline of a request is kept below. Connecting ends a little earlier, since whoever is stopped in the middle
    # of it leaves an open socket behind.
    timeout = httpx2.Timeout(None, connect=0.9 * endpoint.timeout)
    try:
        url = httpx2.URL(endpoint.url.geturl())
    except (httpx2.InvalidURL, ValueError):
        raise Hopeless(f"{endpoint.shown}: this is no address") from None
    try:
        client = httpx2.AsyncClient(headers=headers, limits=limits, timeout=timeout, follow_redirects=False)
    except OSError as error:
        reason = f"the certificates that SSL_CERT_FILE or SSL_CERT_DIR names cannot be read ({error})"
        raise Hopeless(reason) from None
    except (ValueError, ImportError, httpx2.InvalidURL):  # what it says may hold the password of the proxy
        reason = "HTTP_PROXY, HTTPS_PROXY, ALL_PROXY or NO_PROXY names what cannot be used"
        raise Hopeless(f"{reason}: a proxy is an address as http://host:8080") from None
    async with client:
        yield Chat(endpoint, url, client)


class Chat(NamedTuple):
    """A model that is being asked, over connections that are kept between questions."""

    endpoint: Endpoint
    url: httpx2.URL
    client: httpx2.AsyncClient

    async def complete(self, messages: list[dict[str, Any]]) -> Reply:
        """Ask once; raises `TryAgain`, `Declined` or `Hopeless`."""
        asked = {
            "model": self.endpoint.model,
            "messages": messages,
            "temperature": self.endpoint.temperature,
            "max_tokens": self.endpoint.max_tokens,
        }
        try:
            # Time runs for the whole answer, so that a server which sends it drop by drop is not waited for forever.
            async with asyncio.timeout(self.endpoint.timeout):
                response, data = await self._post(msgspec.json.encode(asked))
        except (TimeoutError, httpx2.TimeoutException):
            raise TryAgain(f"there was no answer within {self.endpoint.timeout:g} seconds") from None
        except (httpx2.HTTPError, OSError) as error:
            raise self._failure(error) from None
        status = response.status_code
        if status == 200:
            reply = _reply(data)
            return reply._replace(text=self.endpoint.without_key(reply.text))
        said = _said(data) or response.reason_phrase or "nothing"
        reason = f"the server says {status}: {self.endpoint.without_key(said)[:200]}"
        if status in _BUSY or status >= 500:
            raise TryAgain(reason, seconds_to_wait(response.headers.get("retry-after")))
        if status in _CLOSED or 300 <= status < 400:
            raise Hopeless(f"{self.endpoint.shown}: {reason}")
        raise Declined(reason)

    async def _post(self, body: bytes) -> tuple[httpx2.Response, bytes]:
        async with self.client.stream("POST", self.url, content=body) as response:
            data = bytearray()
            async for part in response.aiter_raw():
                data += part
                if len(data) > _MOST_BYTES:
                    raise TryAgain(f"the server's answer is longer than {_MOST_BYTES >> 20} MiB")
        return response, bytes(data)

    def _failure(self, error: Exception) -> TryAgain | Hopeless:
        """What it means that there is no answer at all."""
        causes = _causes(error)
        for cause in causes:
            if isinstance(cause, ssl.SSLCertVerificationError):
                reason = f"its certificate is not trusted ({cause.verify_message.rstrip('.')})"
                return Hopeless(f"{self.endpoint.shown}: {reason}; SSL_CERT_FILE may name who else is to be trusted")
        reason = next((text for cause in reversed(causes) if (text := str(cause))), type(error).__name__)
        if isinstance(error, httpx2.ProxyError) and reason[:3].isdigit() and int(reason[:3]) in _CLOSED:
            return Hopeless(f"{self.endpoint.shown}: the proxy says {reason}")
        return TryAgain(f"the connection failed ({self.endpoint.without_key(reason)})")


def _causes(error: BaseException | None) -> list[BaseException]:
    """An error and what lies behind it, which mostly says more; of several things at once, the first."""
    found: list[BaseException] = []
    while error is not None and error not in found:  # contexts can go round in a circle
        found.append(error)
        behind = error.__cause__ or error.__context__
        error = error.exceptions[0] if isinstance(error, BaseExceptionGroup) else behind
    return found


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
        completion = decoder(_Completion).decode(data)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError) as error:
        raise TryAgain(f"the server's answer is no chat completion ({error})") from None
    if not completion.choices:
        raise TryAgain("the server's answer holds no choices")
    usage = completion.usage
    tokens = (usage.prompt_tokens, usage.completion_tokens) if usage is not None else None
    return Reply(completion.choices[0].message.content or "", tokens)


def _said(data: bytes) -> str:
    """What a server says is wrong, on one line."""
    try:
        said = msgspec.json.decode(data)["error"]
        text = str(said["message"] if isinstance(said, dict) else said)
    except (msgspec.DecodeError, UnicodeDecodeError, RecursionError, KeyError, TypeError):
        text = data.decode(errors="replace")
    return " ".join(text.split())


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
    except (ValueError, TypeError, OverflowError):
        return None
