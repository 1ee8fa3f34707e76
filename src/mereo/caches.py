"""Where mereo keeps what can be made again at any time."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["cache_folder"]


@cache
def cache_folder(kind: str) -> Path:
    """Where caches of this person lie; a folder for this time only where nothing can be written there."""
    root = os.environ.get("XDG_CACHE_HOME")
    folder = (Path(root) if root else Path.home() / ".cache") / "mereo" / kind
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return Path(tempfile.mkdtemp(prefix=f"mereo-{kind}-"))
    return folder
