"""From what is foretold of pixels to objects and their parts.

A pixel belongs to the thing to whose middle its way leads; for parts only middles of its own name and object count.
What the pixels of a thing say together is what is told of it.

b pictures; k middles; h, w rows and columns; p pixels that show something; n things.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import torch
from torch import Tensor
from torch.nn import functional

from mereo.models.dense_loss import Foretold
from mereo.models.peaks import Peaks, find_peaks
from mereo.models.told import Told, vector_of

__all__ = ["Grouping", "Instances", "Layout", "group", "lay_out"]


_ROOM = 1.5
"""Of `Truth.near`, which is a quarter of the way to the next middle: another one this close is the same."""


@dataclass(frozen=True)
class Grouping:
    """How pixels are grouped."""

    least: float = 0.25
    """How likely a middle must be."""
    valley: float = 0.7
    """How deep the valley between two middles must be, as a share of the less likely one."""
    reach: float = 20.0
    """Pixels: from how far apart on there need be no valley."""
    objects: int = 40
    parts: int = 200
    """Most middles of a picture."""
    smallest: float = 1e-4
    """The share of a picture that a thing must cover."""


class Instances(NamedTuple):
    """Things of one level that were found in one picture."""

    masks: Tensor
    """(n, h, w) bool"""
    scores: Tensor
    """(n,) float, 0 to 1"""
    whole: Tensor
    """(n,) int64: for a part the place of its object, -1 for none."""
    within: Tensor
    """(n,) int64: for a part that lies in another part the place of that, -1 for none."""
    words: dict[str, Tensor]
    """(n, values) float: how likely each value is, together 1. The most likely of the first attribute is the name."""
    several: dict[str, Tensor]
    """(n, values) float: how likely each value is, each for itself."""
    numbers: dict[str, Tensor]
    """(n, d) float"""


class Layout(NamedTuple):
    """Which thing each pixel of some pictures belongs to, in one layer."""

    labels: Tensor
    """(b, h, w) int64: counted from 1 within a picture, 0 for none."""
    picture: Tensor
    """(n,) int64: of each thing, in order of pictures and labels, where it is."""
    heights: Tensor
    """(n,) float: how likely its middle is."""
    names: Tensor
    """(n,) int64: its name, -1 where that is not yet known."""


def group(
    foretold: Mapping[str, Foretold], told: Mapping[str, Told], how: Grouping
) -> list[tuple[Instances, Instances]]:
    """Objects and parts of each picture. foretold : by layer"""
    objects = lay_out(foretold["object"], told["object"], how, None)
    count = len(objects.labels)
    wholes = _described(foretold["object"], told["object"], objects, None, None)
    if "part" not in foretold:
        return list(zip(wholes, [_nothing(one) for one in wholes], strict=True))
    layers = [lay_out(foretold[name], told["part"], how, objects.labels) for name in ("part", "inner")]
    outer = _described(foretold["part"], told["part"], layers[0], objects.labels, None)
    inner = _described(foretold["inner"], told["part"], layers[1], objects.labels, layers[0].labels)
    return [(wholes[place], _together(outer[place], inner[place])) for place in range(count)]


def lay_out(foretold: Foretold, told: Told, how: Grouping, owners: Tensor | None) -> Layout:
    """Which pixels belong together. owners : (b, h, w) int64, for parts the object of each pixel, 0 for none"""
    named = owners is not None
    heat = foretold.heat.float().sigmoid()
    most = how.parts if named else how.objects
    peaks = find_peaks(heat, least=how.least, most=most, valley=how.valley, reach=how.reach)
    said = foretold.told[f"words_{told.name}"].argmax(1)
    picture, row, column = (said > 0).nonzero(as_tuple=True)
    votes = torch.stack([row, column], 1) + foretold.way[picture, :, row, column]
    names = said[picture, row, column] - 1 if named else torch.zeros_like(picture)
    owner = owners[picture, row, column] if owners is not None else torch.zeros_like(picture)
    middle = _nearest(peaks, picture, votes, foretold.near[picture, row, column].exp(), names, owner)
    # A name of an object without any middle is one thing: its number comes after those of the middles.
    alone = peaks.present.shape[1] + owner * told.names + names
    thing = torch.where(middle < 0, alone, middle)
    return _numbered(said.shape, (picture, row, column), thing, names if named else None, peaks, how.smallest)


def _nearest(peaks: Peaks, picture: Tensor, votes: Tensor, near: Tensor, names: Tensor, owner: Tensor) -> Tensor:
    """(p,): the middle next to where each pixel votes, of its own name and object; -1 where there is none.

    Nothing says whose a middle is but who votes for it. First pixels of all objects do, and say how much room there is
    around it, so that of two middles in one room the likelier stays; then it belongs to the object most of whose pixels
    vote for it; then each pixel votes among those of its object. near : (p,) pixels, see `Truth.near`
    """
    count, most = peaks.present.shape
    if not len(votes):
        return torch.zeros_like(picture)
    apart = (votes[:, None] - peaks.places[picture]).square().sum(-1)
    fits = peaks.present[picture] & (peaks.channels[picture] == names[:, None])
    fits &= _roomy(peaks, picture, torch.where(fits, apart, torch.inf).argmin(1), near * fits.any(1))[picture]
    first = torch.where(fits, apart, torch.inf).argmin(1)
    owners = int(owner.max()) + 1
    tally = torch.zeros(count * most * owners, device=votes.device)
    tally.index_add_(0, (picture * most + first) * owners + owner, fits.any(1).float())
    most_votes, whose = tally.view(count, most, owners).max(-1)
    whose = torch.where(most_votes > 0, whose, -1)
    fits &= whose[picture] == owner[:, None]
    best, place = torch.where(fits, apart, torch.inf).min(1)
    return torch.where(best.isfinite(), place, -1)


def _roomy(peaks: Peaks, picture: Tensor, choice: Tensor, near: Tensor) -> Tensor:
    """(b, k) bool: middles with votes and with no likelier one of their name in the room that their pixels tell of.

    choice : (p,) the middle that each pixel is for; near : (p,) pixels, 0 where it is for none
    """
    count, most = peaks.present.shape
    sums = torch.zeros(count * most, 2, device=near.device)
    sums.index_add_(0, picture * most + choice, torch.stack([near, (near > 0).float()], 1))
    room, voters = (sums[:, 0] / sums[:, 1].clamp(min=1) * _ROOM).view(count, most), sums[:, 1].view(count, most)
    wanted = peaks.present & (voters > 0)
    order = torch.arange(most, device=near.device)
    likelier = (order[:, None] > order) & wanted[:, None] & (peaks.channels[:, :, None] == peaks.channels[:, None])
    close: Tensor = (peaks.places[:, :, None] - peaks.places[:, None]).norm(dim=-1) < room[..., None]
    return wanted & ~(likelier & close).any(-1)


def _numbered(
    shape: torch.Size,
    pixels: tuple[Tensor, Tensor, Tensor],
    thing: Tensor,
    names: Tensor | None,
    peaks: Peaks,
    smallest: float,
) -> Layout:
    """Things that are large enough, numbered from 1 in each picture."""
    picture, _, _ = pixels
    ways = int(thing.max()) + 1 if len(thing) else 1
    key, place, area = torch.unique(picture * ways + thing, return_inverse=True, return_counts=True)
    kept = area >= max(smallest * shape[1] * shape[2], 1)
    where, what = key // ways, key % ways
    order = kept.cumsum(0)
    before = functional.pad(torch.bincount(where[kept], minlength=shape[0]).cumsum(0), (1, 0))
    number = torch.where(kept, order - before[where], 0)
    labels = torch.zeros(shape, dtype=torch.int64, device=thing.device)
    labels[pixels] = number[place]
    has = what < peaks.heights.shape[1]
    heights = torch.where(has, peaks.heights[where, what.clamp(max=peaks.heights.shape[1] - 1)], 0.5)
    named = torch.full_like(key, -1)
    if names is not None:
        named[place] = names
    return Layout(labels, where[kept], heights[kept], named[kept])


def _described(
    foretold: Foretold, told: Told, layout: Layout, owners: Tensor | None, around: Tensor | None
) -> list[Instances]:
    """What the pixels of things say of these, by picture."""
    labels, count = layout.labels, len(layout.labels)
    before = functional.pad(torch.bincount(layout.picture, minlength=count).cumsum(0), (1, 0))
    picture, row, column = labels.nonzero(as_tuple=True)
    member = before[picture] + labels[picture, row, column] - 1
    area = torch.bincount(member, minlength=len(layout.picture)).clamp(min=1)[:, None]

    def mean(values: Tensor) -> Tensor:
        """(n, v): means over the pixels of things, of values (p, v)."""
        return values.new_zeros(len(area), values.shape[1]).index_add_(0, member, values) / area

    def at(kind: str, name: str) -> Tensor:
        """(p, v): what is foretold of the pixels."""
        return foretold.told[f"{kind}_{name}"][picture, :, row, column].float()

    words = {name: mean(at("words", name).softmax(1)) for name in told.words}
    odds = words[told.name][:, 1:]
    sure = odds.amax(1) if owners is None else odds.gather(1, layout.names.clamp(min=0)[:, None])[:, 0]
    words[told.name] = odds / odds.sum(1, keepdim=True).clamp(min=1e-6)
    several = {name: mean(at("several", name).sigmoid()) for name in told.several}
    numbers = {name: mean(at("numbers", name)) for name in told.numbers}
    numbers |= {name: vector_of(numbers[name], told.numbers[name]) for name in told.signless & numbers.keys()}
    whole, within = (_most_common(member, each, (picture, row, column), len(area)) for each in (owners, around))
    everything = Instances(layout.picture, sure * layout.heights.sqrt(), whole, within, words, several, numbers)
    return [
        _part_of(everything, slice(int(begin), int(end)))._replace(masks=_masks(labels[place], int(end - begin)))
        for place, (begin, end) in enumerate(zip(before[:-1].tolist(), before[1:].tolist(), strict=True))
    ]


def _most_common(member: Tensor, labels: Tensor | None, pixels: tuple[Tensor, Tensor, Tensor], things: int) -> Tensor:
    """(n,): the thing of another layer that most pixels of each thing lie in, counted from 0, -1 for none."""
    if labels is None or not len(member):
        return torch.full((things,), -1, dtype=torch.int64, device=member.device)
    seen = labels[pixels]
    most = int(labels.max()) + 1
    return torch.bincount(member * most + seen, minlength=things * most).view(things, most).argmax(1) - 1


def _masks(labels: Tensor, things: int) -> Tensor:
    """(n, h, w) bool: the pixels of each label but 0."""
    return labels[None] == torch.arange(1, things + 1, device=labels.device)[:, None, None]


def _part_of(all_: Instances, chosen: slice) -> Instances:
    return Instances(
        all_.masks[chosen],
        all_.scores[chosen],
        all_.whole[chosen],
        all_.within[chosen],
        *({name: values[chosen] for name, values in each.items()} for each in (all_.words, all_.several, all_.numbers)),
    )


def _together(one: Instances, other: Instances) -> Instances:
    """Things of both. What lies in a part lies in one of the first."""
    return Instances(
        torch.cat([one.masks, other.masks]),
        torch.cat([one.scores, other.scores]),
        torch.cat([one.whole, other.whole]),
        torch.cat([one.within, other.within]),
        *(
            {name: torch.cat([first[name], second[name]]) for name in first}
            for first, second in zip(one[4:], other[4:], strict=True)
        ),
    )


def _nothing(like: Instances) -> Instances:
    """No things at all."""
    return _part_of(like, slice(0))._replace(words={}, several={}, numbers={})
