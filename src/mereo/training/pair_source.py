"""What a parser learns from: a few questions with their programs, and many more that are made of them."""

from __future__ import annotations

import torch
from torch import Tensor

from mereo.chance import generator
from mereo.models.kinds import Batch
from mereo.programs import Language
from mereo.training.alignment import Pair
from mereo.training.corpus import Corpus
from mereo.training.exchange import exchanged
from mereo.training.fields import PAD
from mereo.training.lexicon import UNKNOWN, Lexicon, filled_up, prefix_tokens, split_words
from mereo.training.sources import ProgramSource

__all__ = ["PairSource"]


class PairSource:
    """Questions with their programs, `question` and `program`: those of a `ProgramSource`, then those made of them.

    times : how many are made of each · language : of the programs
    """

    def __init__(
        self,
        corpus: Corpus,
        split: str,
        lexicon: Lexicon,
        language: Language,
        *,
        pairs: int | None = None,
        times: int = 20,
        seed: int = 0,
    ):
        self._own = ProgramSource(corpus, split, lexicon, pairs=pairs, seed=seed)
        told = corpus.questions(split, lexicon)
        everything = torch.arange(len(self._own), device=corpus.device)
        places = self._own.batch(everything)["place"].tolist()
        given = [
            Pair(tuple(split_words(told.texts[place])), tuple(prefix_tokens(told.programs[place]))) for place in places
        ]
        made = exchanged(given, language, times=times, rng=generator(seed, "exchange"))
        words, tokens = _numbers(lexicon.words), _numbers(lexicon.tokens)
        both = [*given, *made]
        self._words = _table([[words.get(word, UNKNOWN) for word in pair.words] for pair in both], corpus.device)
        self._programs = _table([[tokens[token] for token in pair.tokens] for pair in both], corpus.device)

    def __len__(self) -> int:
        return len(self._words)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The pairs at some places, whatever the chance."""
        places = places.to(self._words.device)
        return {"question": _narrow(self._words[places]), "program": _narrow(self._programs[places])}

    def name(self, place: int) -> str:
        """The id of a question, or which of those that were made it is."""
        return self._own.name(place) if place < len(self._own) else f"pair {place} that was made of others"


def _numbers(names: tuple[str, ...]) -> dict[str, int]:
    return {name: number for number, name in enumerate(names)}


def _table(rows: list[list[int]], device: torch.device) -> Tensor:
    return torch.from_numpy(filled_up(rows)).to(device)


def _narrow(rows: Tensor) -> Tensor:
    """Rows without the columns that none of them fills. A GPU would have to be waited for, and minds them less."""
    return rows if rows.is_cuda else rows[:, : max(1, int((rows != PAD).sum(1).max()))]
