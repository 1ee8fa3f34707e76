"""Words into a question: what each means where it stands, and what they say together."""

from __future__ import annotations

from typing import Any, Literal

import torch
from numpy.typing import NDArray
from torch import Tensor, nn

from mereo.models.kinds import Question
from mereo.models.layers import Block, heads_of, mean_of

__all__ = ["READERS", "Reader", "Words"]

Reader = Literal["lstm", "gru", "transformer"]
READERS: tuple[Reader, ...] = ("lstm", "gru", "transformer")


class Words(nn.Module):
    """A reader of numbered words, 0 where there are none."""

    def __init__(
        self,
        count: int,
        width: int,
        *,
        reader: Reader = "lstm",
        layers: int = 1,
        dropout: float = 0.1,
        vectors: NDArray[Any] | None = None,
    ):
        """vectors : (count, any) float, what the words mean to begin with, as `models/vectors.py` reads them"""
        super().__init__()
        self.known = nn.Embedding(count, width if vectors is None else vectors.shape[1], padding_idx=0)
        if vectors is None:
            nn.init.normal_(self.known.weight, std=width**-0.5)
        else:
            self.known.weight.data.copy_(torch.from_numpy(vectors))
        self.known.weight.data[0] = 0
        self.widened = nn.Identity() if vectors is None else nn.Linear(vectors.shape[1], width)
        self.drop = nn.Dropout(dropout)
        self.reader: nn.Module = (
            _Transformer(width, layers=max(layers, 2)) if reader == "transformer" else _Recurrent(reader, width, layers)
        )

    def forward(self, question: Tensor) -> Question:
        """question : (b, n) int64"""
        present = question > 0
        words, whole = self.reader(self.drop(self.widened(self.known(question))), present)
        return Question(words, whole, present)


class _Recurrent(nn.Module):
    """An LSTM or GRU forth and another back, each from its side's first word to its last.

    Packed sequences would need the lengths on the processor, and every step would wait for the device; turning the
    words around within their lengths does not.
    """

    def __init__(self, kind: str, width: int, layers: int):
        super().__init__()
        made = nn.LSTM if kind == "lstm" else nn.GRU
        self.forth, self.back = (made(width, width // 2, layers, batch_first=True) for _ in range(2))
        # States begin small; unless they are as large as what is seen, reasoners take long to listen to them.
        self.norm, self.norm_of_whole = nn.LayerNorm(width), nn.LayerNorm(width)

    def forward(self, words: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        last = (present.sum(-1, keepdim=True) - 1).clamp(min=0)
        places = torch.arange(words.shape[1], device=words.device)
        turned = torch.where(places <= last, last - places, places)
        forth, back = self.forth(words)[0], self.back(_at(words, turned))[0]
        whole = torch.cat([_at(forth, last), _at(back, last)], -1).squeeze(1)
        return self.norm(torch.cat([forth, _at(back, turned)], -1)), self.norm_of_whole(whole)


def _at(words: Tensor, places: Tensor) -> Tensor:
    """words : (b, n, d) · places : (b, k) · gives (b, k, d)"""
    return words.gather(1, places.unsqueeze(-1).expand(-1, -1, words.shape[-1]))


class _Transformer(nn.Module):
    """Words that look at each other, each knowing its place in the row."""

    def __init__(self, width: int, *, layers: int):
        super().__init__()
        self.blocks = nn.ModuleList(Block(width, heads=heads_of(width)) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, words: Tensor, present: Tensor) -> tuple[Tensor, Tensor]:
        words = words + _row_codes(words.shape[1], words.shape[2], words.device)
        for block in self.blocks:
            words = block(words, present)
        words = self.norm(words)
        return words, mean_of(words, present)


def _row_codes(count: int, width: int, device: torch.device) -> Tensor:
    """(count, width): sines and cosines of slower and slower waves, as long as the words themselves are."""
    waves = 10_000 ** (-torch.arange(0, width, 2, device=device) / width)
    angles = torch.arange(count, device=device)[:, None] * waves
    codes = torch.stack([angles.sin(), angles.cos()], -1).flatten(1)
    return codes[:, :width] * float((2 / width) ** 0.5)
