"""A proxy over real sockets that remembers what goes through it, and a server that says whatever it is told."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socketserver import StreamRequestHandler, ThreadingTCPServer
from typing import Any
from urllib.parse import urlsplit

from chat_server import running


@dataclass
class Proxy:
    """What a proxy has seen, and whether it lets anybody through."""

    closed: int | None = None
    """Answer everything with this status."""
    seen: list[tuple[str, str]] = field(default_factory=list)
    """Method and target of every request."""
    read: bytearray = field(default_factory=bytearray)
    """All headers, and all that went through tunnels to the server."""


class _ProxyHandler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    proxy: Proxy

    def _refused(self) -> bool:
        self.proxy.seen.append((self.command, self.path))
        self.proxy.read += bytes(self.headers)
        if self.proxy.closed is None:
            return False
        self.send_response(self.proxy.closed)
        self.send_header("Content-Length", "0")
        self.end_headers()
        self.close_connection = True
        return True

    def do_POST(self) -> None:
        """A request with a whole address, which is made again in its name."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        if self._refused():
            return
        url = urlsplit(self.path)
        connection = HTTPConnection(url.hostname or "", url.port, timeout=10)
        connection.request("POST", url.path, body, dict(self.headers))
        answer = connection.getresponse()
        data = answer.read()
        connection.close()
        self.send_response(answer.status)
        self.send_header("Content-Length", str(len(data)))
        self.end_headers()
        self.wfile.write(data)

    def do_CONNECT(self) -> None:
        """A tunnel, through which bytes go both ways until one end has enough."""
        if self._refused():
            return
        host, _, port = self.path.rpartition(":")
        with socket.create_connection((host, int(port))) as there:
            self.send_response(200)
            self.end_headers()
            here = self.connection
            while True:
                for one in select.select([here, there], [], [])[0]:
                    data = one.recv(1 << 16)
                    if not data:
                        self.close_connection = True
                        return
                    if one is here:
                        self.proxy.read += data
                    (there if one is here else here).sendall(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


class _Quiet(ThreadingHTTPServer):
    daemon_threads = True

    def handle_error(self, request: Any, client_address: Any) -> None:
        """An end that went away is no news here."""


@contextmanager
def passing(proxy: Proxy) -> Iterator[str]:
    """Run a proxy on a free port; gives its address."""
    server = _Quiet(("127.0.0.1", 0), type("Handler", (_ProxyHandler,), {"proxy": proxy}))
    with running(server):
        yield f"http://127.0.0.1:{server.server_address[1]}"


@dataclass
class Script:
    """What a server says to every request, piece by piece, whatever it is asked."""

    pieces: Sequence[bytes]
    pause: float = 0.0
    """Seconds before each piece."""
    ever: bool = False
    """Begin the last piece anew until nobody listens any more."""
    asked: int = 0
    over: threading.Event = field(default_factory=threading.Event)


@contextmanager
def saying(script: Script) -> Iterator[str]:
    """Run such a server on a free port; gives its address."""

    class Handler(StreamRequestHandler):
        def handle(self) -> None:
            script.asked += 1
            length = 0
            while (line := self.rfile.readline()).strip():
                name, _, value = line.partition(b":")
                length = int(value) if name.lower() == b"content-length" else length
            self.rfile.read(length)
            try:
                for piece in script.pieces:
                    self._say(piece)
                while script.ever and not script.over.is_set():
                    self._say(script.pieces[-1])
            except OSError:
                pass  # nobody listens any more

        def _say(self, piece: bytes) -> None:
            time.sleep(script.pause)
            self.wfile.write(piece)

    class Server(ThreadingTCPServer):
        daemon_threads = True

    server = Server(("127.0.0.1", 0), Handler)
    with running(server):
        yield f"http://127.0.0.1:{server.server_address[1]}/v1"
        script.over.set()


def answer(body: bytes, *, status: str = "200 OK", headers: str = "") -> bytes:
    """A whole answer as it goes over the line."""
    head = f"HTTP/1.1 {status}\r\nContent-Length: {len(body)}\r\n{headers}\r\n"
    return head.encode() + body
