"""Where networks learn: a processor or a GPU, how exactly it reckons there, and how much memory it has."""

from __future__ import annotations

import os
import platform
import resource
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext
from functools import cache
from pathlib import Path

import torch

from mereo.cores import CORES
from mereo.errors import BadInput, UnknownName

__all__ = [
    "DEVICES",
    "at_work",
    "choose_device",
    "free_memory",
    "mixed",
    "peak_memory",
    "precision",
    "seed_chance",
    "use_cores",
    "wait_for",
]

DEVICES = ("auto", "cpu", "cuda")
"""What one can ask for; `auto` is a GPU where there is one."""
_MEMORY = Path("/proc/meminfo")
_ALLOWED, _TAKEN = Path("/sys/fs/cgroup/memory.max"), Path("/sys/fs/cgroup/memory.current")


def choose_device(name: str = "auto") -> torch.device:
    """The device of a name."""
    if name not in DEVICES:
        raise UnknownName("device", name, DEVICES)
    there = torch.cuda.is_available()
    if name == "cuda" and not there:
        raise BadInput("there is no GPU that PyTorch can use here: take --device cpu, or auto")
    return torch.device("cuda" if there and name != "cpu" else "cpu")


def use_cores() -> None:
    """Have networks on a processor use as many cores as the environment says, or all that this process may use.

    Who has built a dataset before is kept to one core, see `mereo.cores`.
    """
    here = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count()
    asked = os.environ.get(CORES) or str(here or 1)
    if not asked.isdecimal() or int(asked) < 1:
        raise BadInput(f"the environment variable {CORES} must be a whole number of cores, not '{asked}'")
    torch.set_num_threads(int(asked))


@cache
def precision(device: torch.device) -> torch.dtype:
    """What networks reckon in while they learn; weights and losses are float32 everywhere."""
    halves = device.type == "cuda" and torch.cuda.is_bf16_supported(including_emulation=False)
    return torch.bfloat16 if halves else torch.float32


def mixed(device: torch.device) -> AbstractContextManager[object]:
    """Have matrices multiplied in the precision of the device."""
    kind = precision(device)
    return nullcontext() if kind == torch.float32 else torch.autocast(device.type, kind)


@contextmanager
def at_work(device: torch.device, *, steady: bool = True) -> Iterator[None]:
    """Have a device reckon as fast as it can, and leave all settings and chance of the process as they were.

    steady : as a `Learner` has it
    """
    exactness, tries = torch.get_float32_matmul_precision(), torch.backends.cudnn.benchmark
    library = torch.backends.mkldnn.enabled
    with torch.random.fork_rng([device] if device.type == "cuda" else [], device_type="cuda"):
        try:
            if device.type == "cuda":
                torch.set_float32_matmul_precision("high")
                torch.backends.cudnn.benchmark = steady
            elif platform.machine() == "aarch64":
                # On ARM, oneDNN is up to ten times slower than PyTorch itself in small layers, and faster in none.
                torch.backends.mkldnn.enabled = False  # type: ignore[assignment]  # a property
            yield
        finally:
            torch.set_float32_matmul_precision(exactness)
            torch.backends.cudnn.benchmark = tries
            torch.backends.mkldnn.enabled = library


def seed_chance(device: torch.device, seed: int) -> None:
    """Begin the chance inside of networks anew, as of dropout and of weights that are drawn.

    `torch.manual_seed` does this for devices of all kinds, and remembers it for those that are not there: in every step
    that takes longer than a small network.
    """
    torch.default_generator.manual_seed(seed)
    if device.type == "cuda":
        torch.cuda.manual_seed(seed)


def wait_for(device: torch.device) -> None:
    """Wait until a device has done all that it was told to."""
    if device.type == "cuda":
        torch.cuda.synchronize(device)


def peak_memory(device: torch.device) -> int:
    """The most bytes that were taken at once: of a GPU since this was forgotten, of the machine by this process."""
    if device.type == "cuda":
        return torch.cuda.max_memory_allocated(device)
    return 1024 * resource.getrusage(resource.RUSAGE_SELF).ru_maxrss


def free_memory(device: torch.device) -> int:
    """Bytes that are still to be had, of a GPU or of the machine."""
    if device.type == "cuda":
        return torch.cuda.mem_get_info(device)[0]
    bounds = [os.sysconf("SC_AVPHYS_PAGES") * os.sysconf("SC_PAGE_SIZE")]
    if _MEMORY.exists():
        lines = dict(line.split(":", 1) for line in _MEMORY.read_text().splitlines())
        bounds = [1024 * int(lines["MemAvailable"].split()[0])]
    if _ALLOWED.exists() and (allowed := _ALLOWED.read_text().strip()).isdigit():  # a container has less
        bounds.append(max(0, int(allowed) - int(_TAKEN.read_text())))
    return min(bounds)
