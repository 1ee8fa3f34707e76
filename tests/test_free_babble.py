"""Babble: whatever the grammar allows is understood somehow or not at all, and nothing breaks.

Sentences are put together from the rules of the grammar by chance, each token a phrase by chance. With MEREO_THOROUGH=1
in the environment there are ten times as many.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from functools import cache

import pytest

from free_wordings import worlds
from kit import THOROUGH
from lark_chart import grammar
from mereo.benchmarks.benchmark import listener_of
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.understand import Listener
from mereo.world import World

SENTENCES = 2_000 if THOROUGH else 200
LONGEST = 16
Body = list[tuple[str, bool]]
"""The symbols of a rule, each with whether it is a token."""


@cache
def rules() -> dict[str, list[Body]]:
    """What each symbol of the grammar may be made of."""
    found: dict[str, list[Body]] = {}
    for rule in grammar().rules:
        body = [(str(symbol.name), symbol.is_term) for symbol in rule.expansion]
        found.setdefault(str(rule.origin.name), []).append(body)
    return found


@cache
def depths() -> dict[str, int]:
    """How deep the shallowest tree of each symbol is."""
    found = dict.fromkeys(rules(), len(rules()))
    while True:
        deeper = {name: min(_depth(body, found) for body in bodies) for name, bodies in rules().items()}
        if deeper == found:
            return found
        found = deeper


def _depth(body: Body, known: dict[str, int]) -> int:
    return 1 + max((known[name] for name, is_token in body if not is_token), default=0)


def _tokens(symbol: str, chance: random.Random, left: int) -> Iterator[str]:
    """The tokens of a tree that is no deeper than it need be or may be."""
    allowed = max(left, depths()[symbol])
    for name, is_token in chance.choice([body for body in rules()[symbol] if _depth(body, depths()) <= allowed]):
        if is_token:
            yield name
        else:
            yield from _tokens(name, chance, left - 1)


def babble(lexicon: Lexicon, chance: random.Random) -> Iterator[str]:
    """Sentences without end."""
    phrases: dict[str, list[str]] = {}
    for words, entries in lexicon.phrases.items():
        for entry in entries:
            phrases.setdefault(entry.token, []).append(" ".join(words))
    while True:
        tokens = list(_tokens("start", chance, chance.randint(4, 8)))
        if len(tokens) <= LONGEST and all(token in phrases for token in tokens):
            yield " ".join(chance.choice(phrases[token]) for token in tokens).replace(" 's", "'s") + "?"


def _heard(sentence: str, world: World, listener: Listener) -> bool:
    understood = listener.understand(sentence, world, suggested=0)
    return understood.program is not None or bool(understood.told)


@pytest.mark.parametrize("benchmark", ["clevr", "refer", "ptr", "shop"])
def test_nothing_that_the_grammar_allows_breaks_who_listens(benchmark: str) -> None:
    listener, world = listener_of(benchmark), worlds(benchmark, 1)[0]
    assert listener is not None
    assert listener.free is not None
    sentences = babble(listener.free.lexicon, random.Random(3))
    heard = [_heard(next(sentences), world, listener) for _ in range(SENTENCES)]
    assert any(heard)  # babble is seldom anything, but not never
