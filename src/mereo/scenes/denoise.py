"""Pictures without grain: Intel's Open Image Denoise, on machines where it runs.

The library is made for newer processors than some that mereo runs on, and dies where they lack an instruction. So it is
tried out in a process of its own, once for every machine, and what came of it is remembered.
"""

from __future__ import annotations

import hashlib
import logging
import platform
import subprocess
import sys
from functools import cache
from importlib import import_module, metadata
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mereo.caches import cache_folder
from mereo.errors import BadInput, UnknownName
from mereo.files import write_bytes
from mereo.scenes.guides import Guides

__all__ = ["PACKAGE", "choose_denoising", "denoised", "denoiser_obstacle"]

PACKAGE = "mitsuba-oidn"
_CHOICES = ("auto", "on", "off")
_TRIAL = """
import numpy
import mitsuba_oidn
made = mitsuba_oidn.denoise(numpy.full((16, 16, 3), 0.5, numpy.float32), hdr=True)
raise SystemExit(0 if abs(float(numpy.asarray(made).mean()) - 0.5) < 0.1 else 3)
"""


@cache
def denoiser_obstacle() -> str | None:
    """Why pictures cannot be denoised here, or None if they can."""
    try:
        version = metadata.version(PACKAGE)
    except metadata.PackageNotFoundError:
        return f"{PACKAGE} is not installed"
    told = cache_folder("denoiser") / hashlib.sha256(f"{version} {sys.prefix} {_processor()}".encode()).hexdigest()[:24]
    if not told.exists():
        write_bytes(told, (_tried() or "").encode())
    return told.read_text(errors="replace") or None


def choose_denoising(choice: str, *, renderer: str) -> bool:
    """Whether pictures are denoised. choice : `on`, `off`, or `auto`; renderer : the variant that makes them"""
    if choice not in _CHOICES:
        raise UnknownName("choice of denoising", choice, _CHOICES)
    if choice == "off":
        return False
    reason = "the scalar renderer cannot be denoised" if renderer == "scalar" else denoiser_obstacle()
    if reason is not None and choice == "on":
        raise BadInput(f"pictures cannot be denoised here: {reason}", field="--denoise")
    if reason is not None:
        _tell_of_grain(reason)
    return reason is None


def denoised(radiance: NDArray[np.float32], guides: Guides) -> NDArray[np.float32]:
    """A picture without its grain. radiance : (height, width, 3), linear light"""
    # By name, because type checkers stumble over what the package says of its types.
    oidn = import_module("mitsuba_oidn")
    images = (np.ascontiguousarray(image, np.float32) for image in (radiance, *guides))
    clean: NDArray[np.float32] = np.asarray(oidn.denoise(*images, hdr=True, clean_aux=True))
    return clean


@cache
def _tell_of_grain(reason: str) -> None:
    """Say it once, however many datasets a command plans."""
    logging.getLogger("mereo").warning("pictures keep some grain: %s", reason)


def _tried() -> str | None:
    """What happens to a process that denoises something."""
    done = subprocess.run([sys.executable, "-c", _TRIAL], capture_output=True, text=True, check=False)
    if done.returncode == 0:
        return None
    if done.returncode < 0:
        return f"{PACKAGE} needs a newer processor than {_processor()}"
    said = done.stderr.strip().splitlines()
    return f"{PACKAGE} does not work here ({said[-1] if said else f'exit code {done.returncode}'})"


def _processor() -> str:
    """What the processor is called; on ARM it has numbers only."""
    names = ("model name", "CPU part")
    try:
        lines = Path("/proc/cpuinfo").read_text().splitlines()
    except OSError:
        return platform.machine()
    found = [line.partition(":")[2].strip() for line in lines if line.startswith(names)]
    return f"{platform.machine()} {found[0]}" if found else platform.machine()
