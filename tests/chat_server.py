"""A server that speaks chat completions over real sockets, answers from the oracle, and misbehaves on purpose."""

from __future__ import annotations

import base64
import io
import json
import socket
import ssl
import threading
import time
import zlib
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from socketserver import BaseServer
from typing import Any

import numpy as np
import pyarrow as pa
from PIL import Image

from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.store import IMAGE_FIELDS, read_table

MISDEEDS = ("429", "500", "slow", "cut", "broken JSON", "wrong type", "half", "empty choices")


class Postcards(ClevrRecipe):
    """CLEVR's symbolic scenes with a tiny picture each, no two alike, so that thousands are made in a second."""

    @property
    def scene_fields(self) -> pa.Schema:
        """With a picture."""
        return IMAGE_FIELDS

    def scene(self, split: str, index: int) -> dict[str, Any]:
        """A scene, and as its picture eight pixels that tell its number."""
        row = super().scene(split, index)
        pixels = np.frombuffer(f"{split:.12}-{index:011d}".encode().ljust(24, b"."), np.uint8).reshape(2, 4, 3)
        buffer = io.BytesIO()
        Image.fromarray(pixels).save(buffer, format="PNG")
        return {**row, "image": {"bytes": buffer.getvalue(), "path": f"{row['scene_id']}.png"}}


def build_postcards(folder: Path, *, scenes: int, questions: int = 10, seed: int = 4) -> Path:
    """A dataset whose every question can be told by its picture and its words."""
    recipe = Postcards(seed=seed, questions_per_scene=questions)
    build_dataset(recipe, folder, splits={"test": scenes}, shard_size=1000)
    return folder


def question_rows(folder: Path) -> list[dict[str, Any]]:
    return [row for path in sorted((folder / "questions").glob("*.parquet")) for row in read_table(path).to_pylist()]


def is_wrong(question_id: str, one_in: int) -> bool:
    """Whether the server's answer to a question is wrong: known beforehand, whatever happens in between."""
    return one_in > 0 and zlib.crc32(question_id.encode()) % one_in == 0


@dataclass
class Oracle:
    """What the server knows, how it behaves, and what it has seen."""

    dataset: Path
    wrong_one_in: int = 0
    misbehave: bool = False
    delay: float = 0.0
    status: int | None = None
    """Always answer with this status."""
    together: int = 0
    """Answer nothing until so many requests are under way at once; give up after a minute."""
    known: dict[tuple[str, str], tuple[str, str]] = field(default_factory=dict)
    tries: Counter[str] = field(default_factory=Counter)
    answered: Counter[str] = field(default_factory=Counter)
    misdeeds: Counter[str] = field(default_factory=Counter)
    seen_keys: set[str | None] = field(default_factory=set)
    lock: threading.Lock = field(default_factory=threading.Lock)
    under_way: int = 0
    most_under_way: int = 0
    gathered: threading.Event = field(default_factory=threading.Event)

    def __post_init__(self) -> None:
        pictures = {
            row["scene_id"]: base64.b64encode(row["image"]["bytes"]).decode()
            for path in (self.dataset / "scenes").glob("*.parquet")
            for row in read_table(path).to_pylist()
        }
        for row in question_rows(self.dataset):
            key = (pictures[row["scene_id"]], row["question"])
            assert key not in self.known
            self.known[key] = (row["question_id"], row["answer"])

    def find(self, request: dict[str, Any]) -> tuple[str, str]:
        image, text = request["messages"][-1]["content"]
        picture = image["image_url"]["url"].partition(",")[2]
        return self.known[picture, text["text"].splitlines()[0]]

    def say(self, question_id: str, answer: str, request: dict[str, Any]) -> str:
        if is_wrong(question_id, self.wrong_one_in):
            answer = "chartreuse"
        if "JSON" in request["messages"][-1]["content"][1]["text"]:
            return json.dumps({"answer": answer, "boxes": [[1, 2, 3, 4]]})
        forms = ("{}", "{}.", "Answer: {}", "The answer is {}.", '"{}"')
        return forms[zlib.crc32(question_id.encode()) // 16 % len(forms)].format(answer.capitalize())


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    oracle: Oracle

    def do_POST(self) -> None:
        oracle = self.oracle
        with oracle.lock:
            oracle.under_way += 1
            oracle.most_under_way = max(oracle.most_under_way, oracle.under_way)
            if oracle.under_way >= oracle.together:
                oracle.gathered.set()
        oracle.gathered.wait(60)
        try:
            self._answer(oracle)
        except (BrokenPipeError, ConnectionResetError):
            self.close_connection = True
        finally:
            with oracle.lock:
                oracle.under_way -= 1

    def _answer(self, oracle: Oracle) -> None:
        request = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        key = self.headers.get("Authorization")
        if oracle.status is not None:
            with oracle.lock:
                oracle.seen_keys.add(key)
            self._send(oracle.status, {"error": {"message": f"no, not with {key}"}})
            return
        question_id, answer = oracle.find(request)
        with oracle.lock:
            oracle.seen_keys.add(key)
            number = oracle.tries[question_id]
            oracle.tries[question_id] += 1
        if oracle.misbehave and number < 2 and self._misbehave(oracle, question_id, number):
            return
        time.sleep(oracle.delay)
        content = {"content": oracle.say(question_id, answer, request), "role": "assistant"}
        usage = {"prompt_tokens": 100, "completion_tokens": 3}
        with oracle.lock:
            oracle.answered[question_id] += 1
        self._send(200, {"choices": [{"index": 0, "message": content}], "usage": usage})

    def _misbehave(self, oracle: Oracle, question_id: str, number: int) -> bool:
        """One of the misdeeds, told by the question; every third question is spared."""
        draw = zlib.crc32(f"{question_id}/{number}".encode())
        if draw % 3 == 0:
            return False
        deed = MISDEEDS[draw // 3 % len(MISDEEDS)]
        with oracle.lock:
            oracle.misdeeds[deed] += 1
        match deed:
            case "429":
                self._send(429, {"error": {"message": "too fast"}}, {"Retry-After": "0.02"})
            case "500":
                self._send(500, {"error": "out of order"})
            case "slow":
                time.sleep(1.2)
                self._send(200, {"choices": []})
            case "cut":
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            case "broken JSON":
                self._raw(b'{"choices": [{"message": {"content": "y')
            case "wrong type":
                self._send(200, {"choices": [{"message": {"content": ["yes"]}}]})
            case "half":
                self.send_response(200)
                self.send_header("Content-Length", "1000")
                self.end_headers()
                self.wfile.write(b'{"choices": ')
                self.wfile.flush()
                self.connection.shutdown(socket.SHUT_RDWR)
                self.close_connection = True
            case "empty choices":
                self._send(200, {"choices": []})
        return True

    def _send(self, status: int, content: Any, headers: dict[str, str] | None = None) -> None:
        self._raw(json.dumps(content).encode(), status, headers)

    def _raw(self, data: bytes, status: int = 200, headers: dict[str, str] | None = None) -> None:
        self.send_response(status)
        for name, value in {"Content-Length": str(len(data)), **(headers or {})}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(data)

    def log_message(self, format: str, *args: Any) -> None:
        """Quiet."""


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 256

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A client that went away is no news here."""


@contextmanager
def serving(oracle: Oracle, context: ssl.SSLContext | None = None) -> Iterator[str]:
    """Serve on a free port; gives the address. context : what makes it HTTPS"""
    server = _Server(("127.0.0.1", 0), type("Handler", (_Handler,), {"oracle": oracle}))
    if context is not None:
        # Hands are shaken by the thread that answers, so that one who does not does not keep all others out.
        server.socket = context.wrap_socket(server.socket, server_side=True, do_handshake_on_connect=False)
    with running(server):
        yield f"http{'s' if context else ''}://127.0.0.1:{server.server_address[1]}/v1"


@contextmanager
def running(server: BaseServer) -> Iterator[None]:
    """A server that serves as long as this lasts."""
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
    thread.start()
    try:
        yield
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
