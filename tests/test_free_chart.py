"""The chart finds every way to read a sentence that a general parser finds, and no other."""

from __future__ import annotations

from itertools import islice

import pytest

from free_wordings import wordings
from kit import THOROUGH
from lark_chart import forest, ways
from mereo.benchmarks.benchmark import listener_of
from mereo.questions.free.chart import Found, Reached, Taken, parsed
from mereo.questions.free.listener import FreeListener
from mereo.questions.free.tokens import Cut, cuts, sentence_words

CUTS = 2
SOME = 48
"""Wordings of each language, spread over all."""
WHOLE = SOME if THOROUGH else 2
"""Of how many of them Lark looks through the whole grammar, which takes it a second."""


@pytest.mark.parametrize("benchmark", ["clevr", "refer", "ptr", "shop", "cric"])
def test_a_sentence_is_read_in_as_many_ways_as_lark_reads_it(benchmark: str) -> None:
    tried = read = 0
    said = wordings(benchmark)
    for wording in said[:: max(1, len(said) // SOME)]:
        for cut in _cuts(benchmark, wording.said):
            theirs, ours = forest(cut), parsed(cut)
            assert (theirs is None) == (ours is None), wording.said
            if theirs is not None and ours is not None:
                assert _ways(ours) == ways(theirs), wording.said
                read += 1
            tried += 1
    assert read > tried / 4


@pytest.mark.parametrize("benchmark", ["clevr", "refer", "ptr", "shop", "cric"])
def test_rules_that_no_token_of_a_sentence_fits_are_in_none_of_its_readings(benchmark: str) -> None:
    said, tried = wordings(benchmark), 0
    for wording in said[5 :: max(1, len(said) // (3 * WHOLE))]:
        for cut in _cuts(benchmark, wording.said)[:1]:
            whole, some = forest(cut, whole=True), forest(cut)
            assert (whole is None) == (some is None), wording.said
            if whole is not None and some is not None:
                assert ways(whole) == ways(some), wording.said
                tried += 1
        if tried == WHOLE:
            break
    assert tried


def test_what_can_be_understood_in_too_many_ways_is_told() -> None:
    listener = listener_of("clevr")
    assert listener is not None
    heard = listener.understand("is the cube " + " and ".join(["red or blue"] * 12))
    assert not heard.readings
    assert heard.told == "This can be understood in too many ways."


def _cuts(benchmark: str, sentence: str) -> list[Cut]:
    listener = listener_of(benchmark)
    assert listener is not None
    free = listener.free
    assert isinstance(free, FreeListener)
    words = sentence_words(sentence, free.lexicon.words)
    known = all(word in free.lexicon.words for word in words)
    return [cut for _, cut in islice(cuts(words, free.lexicon), CUTS)] if known else []


def _ways(found: Found) -> int:
    known: dict[Found, int] = {}

    def symbol(found: Found) -> int:
        if found not in known:
            known[found] = sum(len(end.place.ends) * reached(end) for end in found.ends)
        return known[found]

    def reached(end: Reached) -> int:
        one = [reached(before) * (1 if isinstance(child, Taken) else symbol(child)) for before, child in end.ways]
        return sum(one) if end.ways else 1

    return symbol(found)
