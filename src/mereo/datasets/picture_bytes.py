"""Pictures of others, opened with care: what is no picture is told, and what would fill the memory stays closed."""

from __future__ import annotations

import io
import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from mereo.errors import BadInput, MissingExtra

__all__ = ["MOST_PIXELS", "open_picture", "picture_size", "pillow"]

MOST_PIXELS = 40_000_000
"""A picture may have as many as an 8K screen. A file of some kilobytes can unfold to ten thousand times its size."""


def pillow(module: str) -> Any:
    """A module of Pillow."""
    try:
        return import_module(f"PIL.{module}")
    except ImportError:
        raise MissingExtra("pictures", "scenes") from None


@contextmanager
def open_picture(data: bytes, *, formats: Sequence[str] | None = None) -> Iterator[Any]:
    """A picture as a Pillow image while the block lasts; whatever is wrong with it is told in a sentence."""
    image = pillow("Image")
    kind = " or ".join(formats) + " picture" if formats else "picture that can be shown"
    try:
        with warnings.catch_warnings(action="ignore", category=image.DecompressionBombWarning):
            opened = image.open(io.BytesIO(data), formats=formats)
        with opened:
            if opened.width * opened.height > MOST_PIXELS:
                size = f"{opened.width:,} x {opened.height:,}"
                raise BadInput(f"has {size} pixels, more than the {MOST_PIXELS:,} a picture may have")
            yield opened
    except BadInput:
        raise
    except image.DecompressionBombError:
        raise BadInput(f"has more than the {MOST_PIXELS:,} pixels a picture may have") from None
    except import_module("PIL").UnidentifiedImageError:
        raise BadInput(f"is no {kind}") from None
    except (OSError, SyntaxError, ValueError) as error:
        raise BadInput(f"is no {kind} ({str(error) or type(error).__name__})") from None


def picture_size(data: bytes) -> tuple[int, int]:
    """Width and height."""
    with open_picture(data) as picture:
        return int(picture.width), int(picture.height)
