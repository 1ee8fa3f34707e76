"""Understanding questions in one's own words.

What cannot be read as a whole is not read at all; what has several meanings is weighed in the scene; and where two that
are equally likely come to different answers, neither is given for sure.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from itertools import chain, islice, product
from math import inf
from typing import Any, NamedTuple

from mereo.programs import Language, Program
from mereo.questions.free.actions import actions
from mereo.questions.free.asides import prepare, wants_number, with_its_mark, without_asides
from mereo.questions.free.asking import ANY, ANYTHING, BARE
from mereo.questions.free.commanding import commanded
from mereo.questions.free.compose import Composer
from mereo.questions.free.english import ENGLISH, ORDINALS, without_signs
from mereo.questions.free.forest import Lost, meanings
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.meaning import Asked, Is
from mereo.questions.free.moves import moved
from mereo.questions.free.notation import Made
from mereo.questions.free.padding import without_padding
from mereo.questions.free.paraphrase import Paraphrase
from mereo.questions.free.ranked import with_ranks
from mereo.questions.free.resolving import of_the_same, settled
from mereo.questions.free.showing import SHOWN
from mereo.questions.free.skimming import skimmed
from mereo.questions.free.slips import corrections, sounding_alike
from mereo.questions.free.tokens import cuts, sentence_words

__all__ = ["FreeListener", "FreeReading", "FreelyHeard"]

_CUTS = 32
"""How many ways to cut a sentence are tried."""
_CUTTING = 0.05
"""What a word costs that is read by itself where it could be read as one with others."""
_YES_OR_NO = ("exist", "verify", "equal", "differ", "exceed", "identical")
"""What is asked rather with a question mark, where things are to be found."""
_HOW_MANY = "how many"
"""What is left out where somebody wants a number of what half a sentence names."""
_RATHER = 0.5
"""How much rather half a sentence is shown than asked about, where things are to be found."""
_MENDED = 6
"""How many ways to put slips right are tried."""
_BEYOND = 0.75
"""By how much a reading may cost more than what was likelier meant, and cannot be said here."""
_OWNED = 0.25
"""What it costs to take known parts for those of anything, where something is named that may have them."""
_KEPT = 64
"""How many sentences are remembered."""
_LONGEST = 60
"""Words beyond which a sentence is not read."""
_TRIES = 10_000
"""How many combinations of meanings are tried for a sentence, which takes a fifth of a second."""


class FreeReading(NamedTuple):
    """A sentence as it was understood."""

    asked: Asked
    made: Made
    cost: float
    words: tuple[str, ...] = ()
    """The words that were read, slips put right."""

    @property
    def program(self) -> Program:
        """What it means."""
        return self.made.program


class FreelyHeard(NamedTuple):
    """What was made of a sentence."""

    readings: list[FreeReading]
    """The likeliest first."""
    words: tuple[str, ...] = ()
    """The words as they were written."""
    unknown: tuple[str, ...] = ()
    """Words that mean nothing here."""
    unsayable: bool = False
    """Whether it was understood, and the language has no way to say it."""
    lost: bool = False
    """Whether it may be understood in more ways than can be tried."""


@dataclass(frozen=True, eq=False)
class FreeListener:
    """Understands a language's questions in whatever words English has for them."""

    lexicon: Lexicon

    @cached_property
    def language(self) -> Language:
        """The language of the lexicon, with places in an order."""
        return with_ranks(self.lexicon.language, list(ORDINALS), list(ENGLISH["sides"]))

    @cached_property
    def composer(self) -> Composer:
        """Who makes programs of meanings."""
        return Composer.of(self.language, self.lexicon)

    @cached_property
    def paraphrase(self) -> Paraphrase:
        """Who says meanings back."""
        return Paraphrase(self.lexicon)

    @cached_property
    def _actions(self) -> dict[str, Any]:
        return actions(self.lexicon)

    def readings(self, question: str) -> list[FreeReading]:
        """All that a sentence may mean, the likeliest first."""
        return self.hear(question).readings

    @cached_property
    def hear(self) -> Callable[[str], FreelyHeard]:
        """What a sentence may mean, or why it means nothing here; the last few are kept, since they are asked again."""
        prepare()
        return lru_cache(_KEPT)(self._heard)

    def _heard(self, question: str) -> FreelyHeard:
        """What a sentence may mean as it is, or else without talk around what it asks."""
        question = with_its_mark(without_signs(question))
        said = without_asides(question, self.lexicon)
        whole = self._heard_as(said, question)
        if wants_number(question) and not self.lexicon.finds and whole.readings and whole.readings[0].cost >= BARE:
            whole = self._heard_as(f"{_HOW_MANY} {said}", question)
        if whole.readings or whole.unsayable or whole.lost:
            return whole
        tried = {said}
        orders = commanded(question, self.lexicon) if self.lexicon.finds else ()
        for shorter in chain(skimmed(question, self.lexicon), orders):
            said = without_asides(shorter, self.lexicon)
            if said in tried:
                continue
            tried.add(said)
            heard = self._heard_as(said, shorter)
            if heard.readings and self._is_whole(heard.readings[0], shorter):
                return heard
        return whole

    def _is_whole(self, reading: FreeReading, left: str) -> bool:
        """Whether what was left of a sentence is more than half a question, and no question where nobody asks."""
        if self.lexicon.finds and "?" not in left and reading.asked.head in _YES_OR_NO:
            return False
        return reading.cost < BARE or (self.lexicon.finds and reading.asked.head == "refer")

    def _heard_as(self, said: str, question: str) -> FreelyHeard:
        words = without_padding(sentence_words(said, self.lexicon.words), self.lexicon)
        if not words or len(words) > _LONGEST:
            return FreelyHeard([])
        ways = [self._ways(word) for word in words]
        unknown = tuple(dict.fromkeys(word for word, near in zip(words, ways, strict=True) if not near))
        if unknown:
            return FreelyHeard([], words, unknown)
        try:
            found, unsayable = self._mended(islice(product(*ways), _MENDED))
        except Lost:
            return FreelyHeard([], words, lost=True)
        found = [reading._replace(cost=self._cost(reading, question)) for reading in found]
        found.sort(key=lambda reading: reading.cost)
        return FreelyHeard(found, words, unsayable=unsayable and not found)

    def _mended(self, ways: Iterable[tuple[str, ...]]) -> tuple[list[FreeReading], bool]:
        """The readings of all ways to put slips right, and whether one of these means what cannot be said."""
        tries = iter(range(_TRIES))
        found: list[FreeReading] = []
        unsayable = False
        for said in ways:
            read = self._of_moves(said, tries)
            if not read:
                read, meant = self._read(said, tries)
                unsayable |= meant and not read
            found += [reading._replace(words=said) for reading in read]
        return found, unsayable

    def _cost(self, reading: FreeReading, question: str) -> float:
        """How far off a reading is. Half a sentence is rather asked with a question mark, and rather shown without."""
        finds, cost = self.lexicon.finds, reading.cost
        if finds and "?" not in question and cost < ANYTHING and reading.asked.head in _YES_OR_NO:
            return cost + ANYTHING
        if finds and "?" not in question and reading.asked.head == "query" and cost >= ANYTHING:
            return cost + BARE
        if reading.asked.head == "verify" and cost >= BARE and "?" not in question:
            return cost + BARE + finds * _RATHER
        if reading.asked.head != "exist":
            return cost + _RATHER if finds and reading.asked.head == "verify" and "?" not in question else cost
        if cost >= BARE and self._limits(reading.words):
            cost += BARE  # "just cubes?" asks for no others
        if "?" not in question:
            return cost + BARE + finds * _RATHER if cost >= (ANYTHING if finds else BARE) else cost
        return max(cost, SHOWN + _RATHER) if finds and cost >= ANY else cost

    def _limits(self, words: tuple[str, ...]) -> bool:
        """Whether a sentence begins with a word for "only", even if that may say nothing."""
        return any(entry.token == "EXACTLY" for entry in self.lexicon.phrases.get(words[:1], ()))

    def _ways(self, word: str) -> tuple[str, ...]:
        """A word, or those that it may be a slip of."""
        if word in self.lexicon.words:
            return (word,)
        known = self.lexicon.words, self.lexicon.foreign
        near = corrections(word, *known)
        return tuple(dict.fromkeys((*sounding_alike(word, *known, exactly=bool(near)), *near)))

    def _bare(self, asked: Asked) -> float:
        """From which cost on a meaning that cannot be said tells nothing of others: half a sentence may mean much."""
        return inf if self.lexicon.finds and asked.head == "refer" else ANYTHING

    def _of_moves(self, words: tuple[str, ...], tries: Iterator[int]) -> list[FreeReading]:
        """What a sentence asks about moving a thing."""
        said = moved(words, self.lexicon)
        if said is None:
            return []
        mark = None if said.direction is None else Is(said.attribute, said.direction)
        found: dict[str, FreeReading] = {}
        for _, cut in islice(cuts(said.rest, self.lexicon), _CUTS):
            for cost, thing in meanings(cut, self._actions, tries):
                if thing.head == "refer":
                    asked = Asked("change", thing.phrases, said.attribute, mark)
                    for made in self.composer.programs(asked):
                        found.setdefault(made.text, FreeReading(asked, made, cost))
        return list(found.values())

    def _read(self, words: tuple[str, ...], tries: Iterator[int]) -> tuple[list[FreeReading], bool]:
        """The readings of known words, and whether they mean anything at all."""
        found: dict[str, FreeReading] = {}
        shortest: float | None = None
        meant_something = False
        unsaid = inf
        for length, cut in islice(cuts(words, self.lexicon), _CUTS):
            if shortest is not None and length > shortest + 1:
                break
            for meant in meanings(cut, self._actions, tries):
                meant_something = True
                asked = settled(meant.value, self.lexicon.own.get("counterparts", {}))
                if asked is None:
                    continue
                cost = meant.cost + _CUTTING * (length - (shortest or length))
                programs, rather = self.composer.programs(asked), of_the_same(asked, self.lexicon.own.get("part"))
                owned = self.composer.programs(rather) if rather != asked and programs else []
                for made in owned:
                    found.setdefault(made.text, FreeReading(rather, made, cost))
                cost += _OWNED if owned else 0.0
                unsaid = min(unsaid, inf if programs or cost >= self._bare(asked) else cost)
                for made in programs:
                    if made.text not in found or found[made.text].cost > cost:
                        found[made.text] = FreeReading(asked, made, cost)
            if found and shortest is None:
                shortest = length
        if inf > unsaid >= ANYTHING:
            return [one for one in found.values() if one.cost < ANYTHING or one.asked.head == "refer"], meant_something
        return [reading for reading in found.values() if reading.cost <= unsaid + _BEYOND], meant_something
