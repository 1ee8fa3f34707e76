"""What a model is asked, word for word: recorded prompts with holes for the question."""

from __future__ import annotations

import base64
import struct
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from mereo.errors import UnknownName
from mereo.files import read_toml

__all__ = ["Prompt", "data_url", "find_prompt", "messages"]


class Prompt(msgspec.Struct, frozen=True):
    """A prompt by its name; `prompts.toml` tells of its holes."""

    name: str
    about: str
    system: str
    text: str


@cache
def all_prompts() -> dict[str, Prompt]:
    """Every prompt that comes with mereo."""
    found = read_toml(Path(__file__).with_name("prompts.toml"))
    return {name: Prompt(name, **words) for name, words in found.items()}


def find_prompt(name: str) -> Prompt:
    """The prompt of this name."""
    known = all_prompts()
    if name not in known:
        raise UnknownName("prompt", name, known)
    return known[name]


def messages(prompt: Prompt, question: str, image: bytes, answers: Sequence[str]) -> list[dict[str, Any]]:
    """The messages of one question, in the form of chat completions."""
    width, height = _size(image)
    holes = {"question": question, "answers": ", ".join(answers), "width": width, "height": height}
    content = [
        {"type": "image_url", "image_url": {"url": data_url(image)}},
        {"type": "text", "text": prompt.text.format(**holes)},
    ]
    return [{"role": "system", "content": prompt.system.format(**holes)}, {"role": "user", "content": content}]


def data_url(image: bytes) -> str:
    """A picture as the address that holds it."""
    return f"data:{_kind(image)};base64,{base64.b64encode(image).decode()}"


def _kind(image: bytes) -> str:
    if image[:4] == b"RIFF" and image[8:12] == b"WEBP":
        return "image/webp"
    return "image/jpeg" if image[:2] == b"\xff\xd8" else "image/png"


def _size(image: bytes) -> tuple[int, int]:
    """Width and height, read off a PNG's head; other pictures are opened."""
    if image[:8] == b"\x89PNG\r\n\x1a\n" and len(image) >= 24:
        width, height = struct.unpack(">II", image[16:24])
        return width, height
    from mereo.datasets.picture_bytes import picture_size

    return picture_size(image)
