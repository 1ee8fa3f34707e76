"""Understanding questions in one's own words."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, product
from typing import Any, NamedTuple

from mereo.programs import Language, Program, ProgramFailure, compile_program
from mereo.questions.free.actions import BARE, actions
from mereo.questions.free.compose import Composer, Made, Presumed
from mereo.questions.free.forest import Meant, meanings
from mereo.questions.free.lexicon import ENGLISH, Lexicon
from mereo.questions.free.meaning import Asked, Is
from mereo.questions.free.moves import moved
from mereo.questions.free.ranked import with_ranks
from mereo.questions.free.slips import corrections
from mereo.questions.free.tokens import Cut, cuts, sentence_words
from mereo.world import World

__all__ = ["FreeListener", "FreeReading"]

_CUTS = 16
"""How many ways to cut a sentence are tried."""
_MENDED = 6
"""How many ways to put slips right are tried."""
_LONGEST = 60
"""Words beyond which a sentence is not read."""


class FreeReading(NamedTuple):
    """A sentence as it was understood."""

    asked: Asked
    made: Made
    cost: float

    @property
    def is_bare(self) -> bool:
        """Whether half a sentence is read as asking whether there is such a thing."""
        return self.asked.head == "exist" and self.cost >= BARE

    @property
    def program(self) -> Program:
        return self.made.program


@dataclass(frozen=True, eq=False)
class FreeListener:
    """Understands a language's questions in whatever words English has for them."""

    lexicon: Lexicon

    @staticmethod
    def of(lexicon: Lexicon) -> FreeListener:
        return FreeListener(lexicon)

    @cached_property
    def language(self) -> Language:
        """The language of the lexicon, with places in an order."""
        return with_ranks(self.lexicon.language, list(ENGLISH["ordinals"]), list(ENGLISH["sides"]))

    @cached_property
    def _composer(self) -> Composer:
        return Composer.of(self.language, self.lexicon.noun)

    @cached_property
    def _actions(self) -> dict[str, Any]:
        return actions(self.lexicon)

    def readings(self, question: str) -> list[FreeReading]:
        """All that a sentence may mean, the likeliest first; nothing where some words mean nothing."""
        words = sentence_words(question, self.lexicon.words)
        if not words or len(words) > _LONGEST:
            return []
        found: list[FreeReading] = []
        for said in self._mended(words):
            found += self._of_moves(said) or self._read(said)
        asks = question.rstrip().endswith("?")
        return sorted(found, key=lambda reading: reading.cost + 2.0 * (not asks and reading.is_bare))

    def _mended(self, words: tuple[str, ...]) -> list[tuple[str, ...]]:
        """The words with slips put right, in each way in which they may be; none where a word cannot be known."""
        ways = [
            (word,) if word in self.lexicon.words else corrections(word, self.lexicon.words, self.lexicon.foreign)
            for word in words
        ]
        return list(islice(product(*ways), _MENDED))

    def _of_moves(self, words: tuple[str, ...]) -> list[FreeReading]:
        """What a sentence asks about moving a thing."""
        said = moved(words, self.lexicon)
        if said is None:
            return []
        mark = None if said.direction is None else Is(said.attribute, said.direction)
        found: dict[str, FreeReading] = {}
        for cut in islice(cuts(said.rest, self.lexicon), _CUTS):
            for cost, thing in meanings(cut, self._actions):
                if thing.head == "refer":
                    asked = Asked("change", thing.phrases, said.attribute, mark)
                    for made in self._composer.programs(asked):
                        found.setdefault(made.text, FreeReading(asked, made, cost))
        return list(found.values())

    def _read(self, words: tuple[str, ...]) -> list[FreeReading]:
        found: dict[str, FreeReading] = {}
        length: int | None = None
        for cut in islice(cuts(words, self.lexicon), _CUTS):
            if length is not None and len(cut) > length + 1:
                break
            for meant in meanings(cut, self._actions):
                for made in self._composer.programs(meant.value):
                    if made.text not in found or found[made.text].cost > meant.cost:
                        found[made.text] = FreeReading(meant.value, made, meant.cost)
            if found and length is None:
                length = len(cut)
        return list(found.values())
