"""Choosing how Mitsuba renders on this machine."""

from __future__ import annotations

import ctypes
import logging
import os
import platform
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

from mereo.errors import BadInput, MereoError, MissingExtra, UnknownName

__all__ = [
    "LLVM_PACKAGE",
    "THREADS",
    "VARIANTS",
    "choose_renderer",
    "mitsuba_with",
    "newest_llvm",
    "obstacle",
    "rendering",
]

VARIANTS = {"cuda": "cuda_ad_rgb", "llvm": "llvm_ad_rgb", "scalar": "scalar_rgb"}
"""What a person asks for, and Mitsuba's name of it; the first that works is the default."""

THREADS = "MEREO_RENDER_THREADS"
"""Environment variable: how many threads a process takes to render, or to set up what a GPU renders; all cores where it
is not set."""

_OLDEST_LLVM = 17 if platform.machine() == "x86_64" else 11
"""Before 17 the minimum of two numbers, as Mitsuba writes it, cannot be compiled for x86-64."""
LLVM_PACKAGE = "libllvm19"
"""The Debian package that brings one."""
_WANT_OF_MEMORY = ("out of memory", "could not allocate")
"""What the renderer says when there is too little."""
_LIBRARIES = ("/usr/lib", "/usr/lib64", "/usr/local/lib", "/lib")
_LLVM_NAME = re.compile(r"libLLVM(?:-(\d+)\.so(?:\.1)?|\.so\.(\d+)\.\d+)$")


@cache
def newest_llvm() -> tuple[int, str] | None:
    """Version and path of the newest LLVM library of this machine."""
    found: list[tuple[int, str]] = []
    given = os.environ.get("DRJIT_LIBLLVM_PATH")
    if given:
        return (_OLDEST_LLVM, given) if Path(given).exists() else None
    for folder in _LIBRARIES:
        for path in (
            *Path(folder).glob("libLLVM*"),
            *Path(folder).glob("*/libLLVM*"),
            *Path(folder).glob("llvm-*/lib/libLLVM*"),
        ):
            match = _LLVM_NAME.search(path.name)
            if match:
                found.append((int(match[1] or match[2]), str(path)))
    return max(found, default=None)


def obstacle(variant: str) -> str | None:
    """Why a variant will not work here, or None if it will."""
    if variant == "llvm":
        llvm = newest_llvm()
        if llvm is None:
            return f"there is no LLVM library: apt-get install {LLVM_PACKAGE}"
        if llvm[0] < _OLDEST_LLVM:
            return f"LLVM {llvm[0]} is too old, {_OLDEST_LLVM} is needed: apt-get install {LLVM_PACKAGE}"
    if variant == "cuda":
        try:
            count = ctypes.c_int(0)
            driver = ctypes.CDLL("libcuda.so.1")
            if driver.cuInit(0) != 0 or driver.cuDeviceGetCount(ctypes.byref(count)) != 0 or not count.value:
                return "there is no NVIDIA GPU"
        except OSError:
            return "there is no NVIDIA driver"
    return None


def choose_renderer(choice: str) -> str:
    """The variant that a choice comes to on this machine; `auto` is the best that works."""
    if choice != "auto" and choice not in VARIANTS:
        raise UnknownName("renderer", choice, ["auto", *VARIANTS])
    reasons = {variant: obstacle(variant) for variant in (VARIANTS if choice == "auto" else [choice])}
    usable = [variant for variant, reason in reasons.items() if reason is None]
    if not usable:
        raise BadInput(f"the renderer {choice} does not work here: {reasons[choice]}")
    if usable[0] == "scalar" and choice == "auto":
        logging.getLogger("mereo").warning("rendering will be slow: %s", reasons["llvm"])
    return usable[0]


@cache
def mitsuba_with(choice: str = "auto") -> Any:
    """Mitsuba, set to a variant."""
    variant = VARIANTS[choose_renderer(choice)]
    llvm = newest_llvm()
    if llvm is not None:
        os.environ.setdefault("DRJIT_LIBLLVM_PATH", llvm[1])
    try:
        import mitsuba
    except ImportError:
        raise MissingExtra("rendering", "scenes") from None
    current = mitsuba.variant()
    if current is not None and current != variant:
        raise MereoError(f"this process renders with {current} already, not with {variant}")
    mitsuba.set_variant(variant)
    mitsuba.set_log_level(mitsuba.LogLevel.Error)
    if THREADS in os.environ and variant != VARIANTS["scalar"]:
        import drjit

        drjit.set_thread_count(int(os.environ[THREADS]))
    return mitsuba


@contextmanager
def rendering() -> Iterator[None]:
    """Around what Mitsuba does: Ctrl-C and a want of memory, which it reports as its own errors, stay what they are.

    Left alone, an interrupt in the middle of a picture looks like a picture that cannot be made.
    """
    try:
        yield
    except RuntimeError as error:
        origin: BaseException | None = error
        while origin is not None:
            if not isinstance(origin, Exception):
                raise type(origin)(*origin.args) from None
            if any(words in str(origin) for words in _WANT_OF_MEMORY):
                raise MemoryError(str(origin)) from None
            origin = origin.__cause__ or origin.__context__
        raise
