"""From a question to its program: an attentive reader and writer, held to the grammar of the language."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from mereo.errors import UnknownName
from mereo.models.coders import AttentionReader, AttentionWriter, RecurrentReader, RecurrentWriter, Writer
from mereo.models.grammar import BEGIN, END, PAD, Grammar
from mereo.models.kinds import Batch, Lesson, Question
from mereo.models.learner import Learner

__all__ = ["KINDS", "Parser"]

KINDS = ("lstm", "transformer")
_AT_ONCE = 4096
"""Questions that are parsed together."""


class Parser(Learner):
    """Reads words and writes a program in prefix order, token by token.

    Beside the token before it, the writer is told which argument of which function it is about to fill.

    words : how many words there are · kind : of the networks, one of `KINDS`; "lstm" is what NS-VQA parses with
    held : whether only tokens that the grammar admits share the likelihood, when it learns
    """

    reads = ("question", "program")

    def __init__(
        self,
        words: int,
        grammar: Grammar,
        *,
        kind: str = "lstm",
        width: int = 256,
        layers: int = 1,
        heads: int = 4,
        dropout: float = 0.3,
        held: bool = True,
    ):
        super().__init__()
        self.grammar, self.held = grammar, held
        self.words = nn.Embedding(words, width, padding_idx=PAD)
        self.tokens = nn.Embedding(len(grammar.tokens), width)
        self.places = nn.Embedding(grammar.places, width)
        self.drop = nn.Dropout(dropout)
        self.reader: nn.Module
        self.writer: Writer
        if kind == "transformer":
            self.reader = AttentionReader(width, layers=layers, heads=heads, dropout=dropout)
            self.writer = AttentionWriter(width, layers=layers, heads=heads, dropout=dropout)
        elif kind == "lstm":
            self.reader = RecurrentReader(width, layers=layers, dropout=dropout)
            self.writer = RecurrentWriter(width, layers=layers, dropout=dropout)
        else:
            raise UnknownName("kind of parser", kind, KINDS)
        self.head = nn.Linear(width, len(grammar.tokens))
        for table in (self.words, self.tokens, self.places):
            nn.init.normal_(table.weight, std=0.5 if kind == "lstm" else width**-0.5)

    def lesson(self, batch: Batch) -> Lesson:
        """The likelihood of the programs; the share of tokens, and of whole programs, that it would write itself."""
        scores, target = self._rated(batch["question"], batch["program"])
        loss = functional.cross_entropy(scores.flatten(0, 1), target.flatten(), ignore_index=PAD)
        wrong = (scores.argmax(-1) != target) & (target != PAD)
        tokens = 1 - wrong.sum() / (target != PAD).sum()
        return Lesson({"program": loss}, {"token": tokens, "program": 1 - wrong.any(1).float().mean()})

    def likelihoods(self, question: Tensor, program: Tensor) -> Tensor:
        """(b,): the logarithm of how likely it is that it writes these programs. program : (b, p) int64"""
        scores, target = self._rated(question, program)
        each = functional.cross_entropy(scores.flatten(0, 1), target.flatten(), ignore_index=PAD, reduction="none")
        return -each.view(target.shape).sum(1)

    def _rated(self, question: Tensor, program: Tensor) -> tuple[Tensor, Tensor]:
        """Scores of all tokens (b, p + 1, tokens) along programs, and which of them come, with the end (b, p + 1)."""
        places = self.grammar.walk(program)
        target = functional.pad(program, (0, 1)).scatter(1, (program != PAD).sum(1, keepdim=True), END)
        scores = self._scores(question, functional.pad(program, (1, 0), value=BEGIN), places)
        if self.held:
            admitted = self.grammar.admits[places].scatter(2, target[..., None], True)
            scores = scores.masked_fill(~admitted, -torch.inf)
        return scores, target

    @torch.no_grad()
    def parse(self, question: Tensor, *, masked: bool = True, drawn: bool = False) -> list[list[int]]:
        """The tokens of a program for each question, without begin and end. question : (b, n) int64

        masked : only programs of the language; otherwise whatever is most likely, which need not be one. Who learned
            held to the grammar never learned what to leave out, so this compares only parsers that were not held
        drawn : by chance, as likely as each is, and not the likeliest
        """
        return [tokens for some in question.split(_AT_ONCE) for tokens in self._parse(some, masked, drawn)]

    def _parse(self, question: Tensor, masked: bool, drawn: bool) -> list[list[int]]:
        memory = self.writer.start(self._read(question))
        reading = self.grammar.start(len(question))
        token = torch.full_like(question[:, 0], BEGIN)
        written: list[Tensor] = []
        done = torch.zeros_like(token, dtype=torch.bool)
        for _ in range(self.grammar.longest + 1):
            found, memory = self.writer.step(memory, self._told(token, self.grammar.wanted(reading)))
            scores = self.head(found).float()
            if masked:
                scores = scores.masked_fill(~self.grammar.allowed(reading), -torch.inf)
            token = scores.softmax(-1).multinomial(1)[:, 0] if drawn else scores.argmax(-1)
            reading = self.grammar.read(reading, token)
            written.append(token)
            done |= token == END
            if done.all():
                break
        return [_until_end(tokens) for tokens in torch.stack(written, 1).tolist()]

    def _read(self, question: Tensor) -> Question:
        present = question != PAD
        present[:, 0] = True  # a question without words would have nothing to look at
        return self.reader(self.drop(self.words(question)), present)  # type: ignore[no-any-return]

    def _told(self, token: Tensor, place: Tensor) -> Tensor:
        return self.drop(self.tokens(token) + self.places(place))  # type: ignore[no-any-return]

    def _scores(self, question: Tensor, before: Tensor, places: Tensor) -> Tensor:
        """(b, p, tokens) float32. before : (b, p) int64, the token before each"""
        written = self.writer(self._read(question), self._told(before, places))
        return self.head(written).float()  # type: ignore[no-any-return]


def _until_end(tokens: list[int]) -> list[int]:
    return tokens[: tokens.index(END)] if END in tokens else tokens
