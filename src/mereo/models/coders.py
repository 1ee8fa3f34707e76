"""From a sequence to a sequence: readers of words, and writers that look back at them, of two kinds.

A writer writes all of a known sequence at once (`forward`), or one token after the other (`start`, `step`).
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import Any

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.models.kinds import Question

__all__ = ["AttentionReader", "AttentionWriter", "RecurrentReader", "RecurrentWriter", "Writer"]


class Writer(nn.Module, ABC):
    """Whatever writes a sequence. width : numbers for each token, in and out"""

    @abstractmethod
    def forward(self, question: Question, tokens: Tensor) -> Tensor:
        """(b, p, d): what each token should lead to. tokens : (b, p, d)"""

    @abstractmethod
    def start(self, question: Question) -> Any:
        """What is remembered before the first token."""

    @abstractmethod
    def step(self, memory: Any, token: Tensor) -> tuple[Tensor, Any]:
        """(b, d): what one more token leads to, and what is remembered now. token : (b, d)"""


class RecurrentReader(nn.Module):
    """A two-way LSTM."""

    def __init__(self, width: int, *, layers: int, dropout: float):
        super().__init__()
        between = dropout if layers > 1 else 0.0
        self.lstm = nn.LSTM(width, width // 2, layers, batch_first=True, bidirectional=True, dropout=between)

    def forward(self, words: Tensor, present: Tensor) -> Question:
        """words : (b, n, d) · present : (b, n) bool"""
        lengths = present.sum(1).clamp(min=1).cpu()
        packed = nn.utils.rnn.pack_padded_sequence(words, lengths, batch_first=True, enforce_sorted=False)
        read, (last, _) = self.lstm(packed)
        found, _ = nn.utils.rnn.pad_packed_sequence(read, batch_first=True, total_length=words.shape[1])
        return Question(found, torch.cat([last[-2], last[-1]], 1), present)


class RecurrentWriter(Writer):
    """An LSTM that begins with what the words say together, and looks at them after each token."""

    def __init__(self, width: int, *, layers: int, dropout: float):
        super().__init__()
        self.lstm = nn.LSTM(width, width, layers, batch_first=True, dropout=dropout if layers > 1 else 0.0)
        self.first = nn.Linear(width, 2 * layers * width)
        self.ask = nn.Linear(width, width, bias=False)
        self.join = nn.Linear(2 * width, width)
        self.drop = nn.Dropout(dropout)

    def forward(self, question: Question, tokens: Tensor) -> Tensor:
        """(b, p, d)"""
        return self._write(question, tokens, self._state(question))[0]

    def start(self, question: Question) -> Any:
        """The words, and the state of the LSTM."""
        return question, self._state(question)

    def step(self, memory: Any, token: Tensor) -> tuple[Tensor, Any]:
        """(b, d)"""
        question, state = memory
        written, state = self._write(question, token[:, None], state)
        return written[:, 0], (question, state)

    def _state(self, question: Question) -> tuple[Tensor, Tensor]:
        first = torch.tanh(self.first(question.whole)).view(len(question.whole), 2, self.lstm.num_layers, -1)
        hidden, cell = first.permute(1, 2, 0, 3).contiguous()
        return hidden, cell

    def _write(
        self, question: Question, tokens: Tensor, state: tuple[Tensor, Tensor]
    ) -> tuple[Tensor, tuple[Tensor, Tensor]]:
        hidden, state = self.lstm(tokens, state)
        hidden = self.drop(hidden)
        scores = self.ask(hidden) @ question.words.transpose(1, 2)
        looked = scores.masked_fill(~question.present[:, None], -1e4).softmax(-1) @ question.words
        return self.drop(torch.tanh(self.join(torch.cat([hidden, looked], -1)))), state


_Seen = tuple[Tensor, Tensor]
"""Keys and values of what can be looked at, (b, heads, m, d / heads) each."""


class _Attention(nn.Module):
    """Attention of several heads; among one sequence with places as rotations, so that only distances count."""

    def __init__(self, width: int, heads: int):
        super().__init__()
        self.heads = heads
        self.query, self.key, self.value = (nn.Linear(width, width, bias=False) for _ in range(3))
        self.out = nn.Linear(width, width)

    def keys(self, cells: Tensor, *, at: int | None = None) -> _Seen:
        """Cells as what can be looked at. at : the place of the first, where places count"""
        key, value = self._apart(self.key(cells)), self._apart(self.value(cells))
        return (key if at is None else _rotated(key, at)), value

    def look(self, cells: Tensor, seen: _Seen, *, at: int | None = None, mask: Tensor | None = None) -> Tensor:
        """(b, n, d)"""
        query = self._apart(self.query(cells))
        query = query if at is None else _rotated(query, at)
        found = functional.scaled_dot_product_attention(query, seen[0], seen[1], attn_mask=mask)
        return self.out(found.transpose(1, 2).flatten(2))  # type: ignore[no-any-return]

    def _apart(self, cells: Tensor) -> Tensor:
        return cells.view(*cells.shape[:2], self.heads, -1).transpose(1, 2)


def _rotated(cells: Tensor, at: int) -> Tensor:
    """Cells turned by their places. cells : (b, heads, n, e) · at : the place of the first"""
    half = cells.shape[-1] // 2
    speed = 1000 ** (-torch.arange(half, device=cells.device) / half)
    angle = torch.arange(at, at + cells.shape[2], device=cells.device)[:, None] * speed
    one, other = cells[..., :half], cells[..., half : 2 * half]
    cos, sin = angle.cos().to(cells.dtype), angle.sin().to(cells.dtype)
    return torch.cat([one * cos - other * sin, one * sin + other * cos], -1)


class _Thinking(nn.Sequential):
    """What a layer makes of each cell by itself."""

    def __init__(self, width: int):
        super().__init__(nn.LayerNorm(width), nn.Linear(width, 4 * width), nn.GELU(), nn.Linear(4 * width, width))


class _ReadingLayer(nn.Module):
    def __init__(self, width: int, heads: int, dropout: float):
        super().__init__()
        self.own, self.think = _Attention(width, heads), _Thinking(width)
        self.norm, self.drop = nn.LayerNorm(width), nn.Dropout(dropout)

    def forward(self, words: Tensor, mask: Tensor) -> Tensor:
        cells = self.norm(words)
        words = words + self.drop(self.own.look(cells, self.own.keys(cells, at=0), at=0, mask=mask))
        return words + self.drop(self.think(words))  # type: ignore[no-any-return]


class AttentionReader(nn.Module):
    """A Transformer's encoder."""

    def __init__(self, width: int, *, layers: int, heads: int, dropout: float):
        super().__init__()
        self.layers = nn.ModuleList(_ReadingLayer(width, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, words: Tensor, present: Tensor) -> Question:
        """words : (b, n, d) · present : (b, n) bool"""
        for layer in self.layers:
            words = layer(words, present[:, None, None])
        words = self.norm(words)
        count = present.sum(1, keepdim=True).clamp(min=1)
        return Question(words, (words * present[..., None]).sum(1) / count, present)


class _WritingLayer(nn.Module):
    def __init__(self, width: int, heads: int, dropout: float):
        super().__init__()
        self.own, self.other, self.think = _Attention(width, heads), _Attention(width, heads), _Thinking(width)
        self.norm, self.norm_other, self.drop = nn.LayerNorm(width), nn.LayerNorm(width), nn.Dropout(dropout)

    def forward(
        self, tokens: Tensor, seen: _Seen, words: _Seen, present: Tensor, causal: Tensor | None
    ) -> tuple[Tensor, _Seen]:
        """What becomes of tokens, and all tokens that can be looked at now. seen : those before these"""
        at = seen[0].shape[2]
        cells = self.norm(tokens)
        key, value = self.own.keys(cells, at=at)
        seen = torch.cat([seen[0], key], 2), torch.cat([seen[1], value], 2)
        tokens = tokens + self.drop(self.own.look(cells, seen, at=at, mask=causal))
        tokens = tokens + self.drop(self.other.look(self.norm_other(tokens), words, mask=present))
        return tokens + self.drop(self.think(tokens)), seen


class AttentionWriter(Writer):
    """A Transformer's decoder; step by step it remembers what it has looked at."""

    def __init__(self, width: int, *, layers: int, heads: int, dropout: float):
        super().__init__()
        self.layers = nn.ModuleList(_WritingLayer(width, heads, dropout) for _ in range(layers))
        self.norm = nn.LayerNorm(width)

    def forward(self, question: Question, tokens: Tensor) -> Tensor:
        """(b, p, d)"""
        causal = torch.ones(tokens.shape[1], tokens.shape[1], dtype=torch.bool, device=tokens.device).tril()
        return self._write(self.start(question), tokens, causal)[0]

    def start(self, question: Question) -> Any:
        """By layer the keys of the words and of the tokens so far, which are none yet; and which words there are."""
        words = [layer.other.keys(question.words) for layer in self.layers if isinstance(layer, _WritingLayer)]
        return words, [(key[:, :, :0], value[:, :, :0]) for key, value in words], question.present[:, None, None]

    def step(self, memory: Any, token: Tensor) -> tuple[Tensor, Any]:
        """(b, d)"""
        written, memory = self._write(memory, token[:, None], None)
        return written[:, 0], memory

    def _write(self, memory: Any, tokens: Tensor, causal: Tensor | None) -> tuple[Tensor, Any]:
        words, before, present = memory
        known = []
        for layer, of_words, seen in zip(self.layers, words, before, strict=True):
            tokens, seen = layer(tokens, seen, of_words, present, causal)
            known.append(seen)
        return self.norm(tokens), (words, known, present)
