"""Files of weights: whole or not at all, with a version, and nothing in them but tensors and plain values."""

from __future__ import annotations

import pickle
import zipfile
from pathlib import Path
from typing import Any

import torch
from torch import nn

from mereo.errors import BadInput
from mereo.files import new_file

__all__ = ["VERSION", "load_into", "read_checkpoint", "take_over", "write_checkpoint"]

VERSION = 1
"""Of what a checkpoint holds. Networks of another version are not ours to guess at."""
_KIND = "mereo checkpoint"


def write_checkpoint(path: Path, content: dict[str, Any]) -> None:
    """Write a checkpoint in place of an older one."""
    with new_file(path) as scratch:
        torch.save({_KIND: VERSION, **content}, scratch)


def read_checkpoint(path: Path, *, device: torch.device) -> dict[str, Any]:
    """What a checkpoint holds, with its tensors on a device."""
    if not path.is_file():
        raise BadInput("there is no such file", file=path)
    try:
        content = torch.load(path, map_location=device, weights_only=True)
    except torch.OutOfMemoryError:
        raise
    except (RuntimeError, OSError, pickle.UnpicklingError, EOFError, ValueError, LookupError, zipfile.BadZipFile):
        raise BadInput("is no checkpoint of mereo, or is damaged", file=path) from None
    version = content.pop(_KIND, None) if isinstance(content, dict) else None
    if version is None:
        raise BadInput("is no checkpoint of mereo", file=path)
    if version != VERSION:
        age = "an older" if isinstance(version, int) and version < VERSION else "another"
        reason = f"is of {age} version of mereo (checkpoint version {version}, not {VERSION}): train it again"
        raise BadInput(reason, file=path)
    return dict(content)


def load_into(network: nn.Module, weights: dict[str, Any], *, file: Path) -> None:
    """Give a network the weights of a checkpoint."""
    own = network.state_dict()
    for name in (*own, *weights):
        if name not in own or name not in weights:
            raise BadInput(f"holds weights of another network: '{name}' is only in one of the two", file=file)
        if own[name].shape != weights[name].shape:
            shapes = f"{tuple(weights[name].shape)}, not {tuple(own[name].shape)}"
            raise BadInput(f"holds weights of another network: '{name}' is {shapes}", file=file)
    network.load_state_dict(weights)


def take_over(network: nn.Module, file: Path, *, device: torch.device) -> None:
    """Give a network those weights of a checkpoint that fit it by name and shape; others stay as they are."""
    own, given = network.state_dict(), read_checkpoint(file, device=device)["network"]
    fitting = {name: one for name, one in given.items() if name in own and own[name].shape == one.shape}
    if not fitting:
        raise BadInput("holds weights of another network: none of them fits", file=file)
    network.load_state_dict(fitting, strict=False)
