"""Serving pages: a socket listens before anything is said of it, so that who asks meanwhile is not turned away."""

from __future__ import annotations

import socket
from contextlib import suppress
from typing import Any

from mereo.errors import BadInput

__all__ = ["listen", "serve", "shown_host"]


def listen(host: str, port: int) -> socket.socket:
    """A socket that listens already; whoever gets it closes it."""
    listening = socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen()
    except OSError as error:
        listening.close()
        raise BadInput(f"cannot listen on {host}:{port} ({error.strerror}): give another --port") from None
    except (TypeError, ValueError):  # no name of a machine can be written so
        listening.close()
        raise BadInput(f"'{host}' is no address", field="--host") from None
    return listening


def shown_host(host: str) -> str:
    """A host as it stands in an address."""
    return "localhost" if host == "127.0.0.1" else f"[{host}]" if ":" in host else host


def serve(app: Any, listening: socket.socket, *, patience: int) -> None:
    """Answer whoever asks at a socket, until stopped. patience : seconds for who is there then"""
    import uvicorn

    config = uvicorn.Config(
        app, log_level="error", access_log=False, server_header=False, timeout_graceful_shutdown=patience
    )
    with suppress(KeyboardInterrupt):
        uvicorn.Server(config).run([listening])
