"""Where mereo keeps what can be made again at any time."""

from __future__ import annotations

import os
import tempfile
from functools import cache
from pathlib import Path

__all__ = ["PLACE", "cache_folder", "lasting_cache"]

PLACE = "MEREO_CACHE"
"""Environment variable: the folder of all caches; `mereo` in the person's folder for caches where it is not set."""


@cache
def cache_folder(kind: str) -> Path:
    """Where caches of this person lie; a folder for this time only where nothing can be written there."""
    return lasting_cache(kind) or Path(tempfile.mkdtemp(prefix=f"mereo-{kind}-"))


@cache
def lasting_cache(kind: str) -> Path | None:
    """Where caches of this person lie; None where nothing can be written there."""
    root = os.environ.get("XDG_CACHE_HOME")
    own = os.environ.get(PLACE)
    folder = (Path(own) if own else (Path(root) if root else Path.home() / ".cache") / "mereo") / kind
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        return None
    return folder if os.access(folder, os.W_OK) else None
