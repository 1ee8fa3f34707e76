"""What the fields of a batch hold.

b questions; g scenes; n words; p tokens; k things of a scene at most; h, w rows and columns of pixels.

Questions (`QuestionSource`, `ProgramSource`):

question : (b, n) int64, numbers of words, 0 where there are none · answer : (b,) int64, number of the answer, -1 where
it is not known · program : (b, p) int64, numbers of program tokens in prefix order without begin and end, 0 where there
are none · place : (b,) int64, the question's place among those of its split · scene_of : (b,) int64, which of the g
scenes of the batch it is about

Scenes (`SceneSource`, where g = b; and those of the questions, each once for all questions that were drawn with it, so
that a network looks at a picture once and gathers what it saw by `scene_of`):

picture : (g, 3, h, w) float, 0 to 1, sRGB · mirrored : (g,) bool, where some pictures are by chance · scene : (g,)
int64, its place among the scenes of its split

Things of each level of a scene, as `object_ids` or `part_words_color`; what they mean stands in `training/things.py`:

LEVEL_ids : (g, h, w) int64, the number of the thing that a pixel shows, counted from 1, 0 for none; the smallest, where
one lies within another · LEVEL_outer : (g, h, w) int64, the same, but what that one lies within, where it lies within
one · LEVEL_present : (g, k) bool · LEVEL_entity, LEVEL_whole, LEVEL_within : (g, k) int64, -1 for none · LEVEL_boxes :
(g, k, 4) float · LEVEL_words_NAME : (g, k) int64, -1 for none · LEVEL_several_NAME : (g, k, v) bool ·
LEVEL_numbers_NAME : (g, k, d) float, NaN where they are not known

Expressions that refer to things (`ReferSource` of CLEVR-Ref+), with k things of all levels, one level after the other,
and cells of pictures, rows x columns, that are a few pixels wide:

boxes : (g, k, 4) float · boxes_present : (g, k) bool · entity : (g, k) int64 · target : (b, k) bool, which of them are
meant · meant : (b, rows, columns) float, the share of each cell that shows what is meant · covered : (g, k, rows,
columns) float, the share that each thing covers · steps : (b, s, 1 + a) int64, programs for module networks, see
`models/modular/layout.py`

Clouds of n points (sources of PartNet), and what a backbone looks at (`models/points/pyramid.py`). Those of `SetSource`
are all of one set, and `AllShapesSource` has those of all categories together:

set : () int64 on the processor, the number of the set · cloud : (b, n, 3) float, the farthest point at radius 1 ·
label : (b, n) int64, the part of each point from 1, 0 for none · node : (b, n) int64, the last node on its way down the
hierarchy, -1 for none · instance : (b, n) int64, the number of its part among those of the cloud from 1, 0 for none ·
part : (b, k) int64, what each of these is from 0, -1 where there are no more · category : (b,) int64 · labels : (b,
levels, n) uint8, as `label`, at every level
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol, runtime_checkable

import torch
from torch import Tensor

from mereo.models.kinds import Batch

__all__ = ["PAD", "Sorted", "Source", "kinds_of"]

PAD = 0
"""The number that fills up where there is no word and no token."""


class Source(Protocol):
    """Examples that batches are made of. They lie on the device where the network is, so that nobody waits for them."""

    def __len__(self) -> int:
        """How many examples there are."""
        ...

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places, (b,) int64; with chance changed a little, as pictures are to learn from."""
        ...

    def name(self, place: int) -> str:
        """What a person finds an example by: the id of its question or scene."""
        ...


@runtime_checkable
class Sorted(Source, Protocol):
    """Examples of several kinds, of which only those of one kind may stand in a batch together."""

    @property
    def kinds(self) -> Sequence[int]:
        """How many there are of each kind, one kind after the other."""
        ...


def kinds_of(source: Source) -> Sequence[int]:
    """How many examples there are of each kind; of one, where there are no kinds."""
    return source.kinds if isinstance(source, Sorted) else (len(source),)
