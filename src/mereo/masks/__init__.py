"""Masks: which pixels of a picture show something, as arrays, as run lengths, and as boxes around them."""

from mereo.masks.coco import Encoded, areas, decode, encode, read, shared, shifted, union
from mereo.masks.pixels import Box, Pixels, box_of, box_overlap, boxes_overlap, stretched
from mereo.masks.runs import BadMask, counts_of, mask_of_row_runs, row_lengths, row_runs

__all__ = [
    "BadMask",
    "Box",
    "Encoded",
    "Pixels",
    "areas",
    "box_of",
    "box_overlap",
    "boxes_overlap",
    "counts_of",
    "decode",
    "encode",
    "mask_of_row_runs",
    "read",
    "row_lengths",
    "row_runs",
    "shared",
    "shifted",
    "stretched",
    "union",
]
