"""Orders by whatever verb: where things are to be found, "polish the red cube" means the same thing as "find it"."""

from __future__ import annotations

from collections.abc import Iterator

from mereo.questions.free.asides import begun, clauses_of, phrased
from mereo.questions.free.english import ENGLISH, spoken
from mereo.questions.free.lexicon import Lexicon

__all__ = ["commanded"]

_ORDERS = ENGLISH["orders"]
_VERB = "show"
_FARTHEST = 6
"""How many words an order has before it names a thing."""


def commanded(sentence: str, lexicon: Lexicon) -> Iterator[str]:
    """A sentence with a verb that is known in the place of what comes before the thing that it names.

    Nothing that is left out may name anything, ask, deny or compare, and no verb may ask for a change.
    """
    names = frozenset(word for word in lexicon.content if (word,) in lexicon.phrases)
    kept = names.union(_ORDERS["kept"], _ORDERS["changes"])
    told = kept.union(lexicon.content)
    clauses = clauses_of(sentence, lexicon)
    for first in range(len(clauses)):
        words = spoken(" ".join(clauses[first:]))
        polite = begun(words, phrased("orders", "polite"))
        asks = "?" in sentence and not polite
        words = words[polite:]
        for place in range(1, min(len(words), _FARTHEST + 1)):
            word = words[place - 1]
            if asks or word in kept or (place > 1 and (word not in lexicon.words or word in lexicon.foreign)):
                break
            if words[place] in _ORDERS["begins"]:
                yield " ".join((_VERB, *words[place:]))
        if told.intersection(spoken(clauses[first])):
            break
