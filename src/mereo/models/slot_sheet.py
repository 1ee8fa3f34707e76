"""Slots to be looked at: a row for each picture, with the picture, the painted one, and what every slot painted."""

from __future__ import annotations

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn import functional

from mereo.models.slots import Painted

__all__ = ["slot_sheet"]

_RIM = 2
"""Pixels of white around every tile."""


def slot_sheet(picture: Tensor, painted: Painted) -> NDArray[np.uint8]:
    """(height, width, 3), sRGB. picture : (b, 3, h, w), 0 to 1, of the size that was painted"""
    masks = painted.masks[:, :, None]
    alone = painted.each * masks + (1 - masks)
    tiles = torch.cat([picture[:, None], painted.whole[:, None], alone], 1).float().clamp(0, 1)
    framed = functional.pad(tiles, (_RIM, _RIM, _RIM, _RIM), value=1.0)
    rows = framed.permute(0, 3, 1, 4, 2).flatten(0, 1).flatten(1, 2)
    return (rows * 255).round().byte().cpu().numpy()
