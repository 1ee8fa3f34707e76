"""What of mereo will work on this machine: looked up without importing anything heavy."""

from __future__ import annotations

import ctypes
import os
import platform
import re
import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from importlib import metadata
from pathlib import Path

from mereo import __version__
from mereo.caches import PLACE
from mereo.errors import install_command
from mereo.scenes.denoise import PACKAGE as DENOISER
from mereo.scenes.denoise import denoiser_obstacle
from mereo.scenes.renderer import LLVM_PACKAGE, newest_llvm, obstacle
from mereo.stock import MOST, Stock, stock

__all__ = ["Extra", "Findings", "Variant", "examine", "find_library", "read_extras", "renderers", "told_stock"]

LLVM = "libLLVM"


@dataclass(frozen=True)
class Extra:
    """One optional set of packages; a package that is not installed has no version."""

    name: str
    packages: Mapping[str, str | None]

    @property
    def complete(self) -> bool:
        return None not in self.packages.values()


@dataclass(frozen=True)
class Variant:
    """One way in which Mitsuba can render; what it needs, each with the version or place found, None for missing."""

    name: str
    needs: Mapping[str, str | None]

    @property
    def missing(self) -> tuple[str, ...]:
        return tuple(need for need, found in self.needs.items() if found is None)

    @property
    def works(self) -> bool:
        return not self.missing


@dataclass(frozen=True)
class Findings:
    facts: Mapping[str, str]
    extras: tuple[Extra, ...]
    renderers: tuple[Variant, ...]

    @property
    def remedies(self) -> tuple[str, ...]:
        """Commands that bring what is missing, one each."""
        commands = [install_command(extra.name) for extra in self.extras if not extra.complete]
        if any(LLVM in variant.missing for variant in self.renderers):
            commands.append(f"apt-get install {LLVM_PACKAGE}")
        return tuple(commands)


def examine() -> Findings:
    """The report on this machine."""
    return Findings(
        facts={
            "mereo": __version__,
            "Python": f"{platform.python_version()} ({platform.python_implementation()})",
            "platform": platform.platform(),
            "cores": str(_cores()),
            "memory": _memory(),
            "stock": told_stock(stock()),
            "denoiser": denoiser_obstacle() or f"works ({DENOISER} {installed(DENOISER)})",
        },
        extras=read_extras(_requirements(), installed),
        renderers=renderers(
            mitsuba=installed("mitsuba"),
            llvm=_llvm(),
            cuda=find_library("libcuda.so", environment="DRJIT_LIBCUDA_PATH"),
            optix=find_library("libnvoptix.so.1"),
        ),
    )


def told_stock(found: Stock | None) -> str:
    """Where the stock lies and how large it is."""
    if found is None:
        return f"none: nothing can be kept; set {PLACE} to a folder that can be written"
    return f"{found.place}: {found.files:,} files, {found.bytes / 1e6:,.0f} MB of at most {MOST / 1e6:,.0f}"


def _requirements() -> Sequence[str]:
    """What mereo says that it needs; nothing where it runs from its sources without being installed."""
    try:
        return metadata.requires("mereo") or ()
    except metadata.PackageNotFoundError:
        return ()


def _llvm() -> str | None:
    """The LLVM library that will be used, if it is new enough."""
    found = newest_llvm()
    return found[1] if found is not None and obstacle("llvm") is None else None


def installed(package: str) -> str | None:
    """The version of a package, if it is there."""
    try:
        return metadata.version(package)
    except metadata.PackageNotFoundError:
        return None


def read_extras(requirements: Iterable[str], version_of: Callable[[str], str | None]) -> tuple[Extra, ...]:
    """The extras of requirement lines such as `mitsuba>=3.9; extra == 'scenes'`."""
    found: dict[str, dict[str, str | None]] = {}
    for line in requirements:
        package = re.match(r"[\w.-]+", line)
        extra = re.search(r"""extra\s*==\s*['"]([\w.-]+)['"]""", line)
        if package and extra and _for_this_python(line):
            found.setdefault(extra[1], {})[package[0]] = version_of(package[0])
    return tuple(Extra(name, packages) for name, packages in found.items())


def _for_this_python(requirement: str) -> bool:
    """Whether a requirement holds for the running Python; the only such condition that ours have is an upper end."""
    end = re.search(r"""python_version\s*<\s*['"]3\.(\d+)['"]""", requirement)
    return end is None or sys.version_info < (3, int(end[1]))


def renderers(*, mitsuba: str | None, llvm: str | None, cuda: str | None, optix: str | None) -> tuple[Variant, ...]:
    """The variants that we render with, fastest first; the arguments are versions or places, None for missing."""
    return (
        Variant("cuda_ad_rgb", {"mitsuba": mitsuba, "NVIDIA driver (libcuda)": cuda, "OptiX (libnvoptix)": optix}),
        Variant("llvm_ad_rgb", {"mitsuba": mitsuba, LLVM: llvm}),
        Variant("scalar_rgb", {"mitsuba": mitsuba}),
    )


def find_library(name: str, *, environment: str | None = None) -> str | None:
    """The shared library that the renderer would load, searched where Dr.Jit searches and in its order.

    A path in the environment variable is the only one tried; then the loader's own path; then any numbered version
    in the usual folders, of which Dr.Jit takes the last.
    """
    if environment and (chosen := os.environ.get(environment)):
        return chosen if _loads(chosen) else None
    if _loads(name):
        return name
    stem = name.partition(".so")[0]
    folders = ("x86_64-linux-gnu", "aarch64-linux-gnu", "wsl/lib")
    numbered = [path for folder in folders for path in sorted(Path("/usr/lib", folder).glob(f"{stem}*.so.*"))]
    return str(numbered[-1]) if numbered and _loads(str(numbered[-1])) else None


def _loads(library: str) -> bool:
    try:
        ctypes.CDLL(library)
    except OSError:
        return False
    return True


def _cores() -> int:
    """The cores that this process may use, which on a shared machine are fewer than there are."""
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1


def _memory() -> str:
    if "SC_PHYS_PAGES" not in os.sysconf_names:
        return "unknown"
    return f"{os.sysconf('SC_PHYS_PAGES') * os.sysconf('SC_PAGE_SIZE') / 2**30:.1f} GiB"
