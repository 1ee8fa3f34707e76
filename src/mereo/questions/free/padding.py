"""Words that only color what is said: left out one by one before a sentence is cut into phrases."""

from __future__ import annotations

from collections.abc import Sequence

from mereo.questions.free.english import ENGLISH
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.slips import corrections
from mereo.questions.phrase import plural

__all__ = ["without_padding"]

_PADDING = ENGLISH["padding"]


def without_padding(words: Sequence[str], lexicon: Lexicon) -> tuple[str, ...]:
    """Words without praise and adverbs that nobody knows.

    Praise stays where it may tell things from others: "the pretty ball", but not "that pretty ball" or "pretty red".
    """
    kept: list[str] = []
    words = _less_plurals(words)
    words = _with_numbers(_with_nouns(words, lexicon), lexicon)
    for place, word in enumerate(words):
        after = words[place + 1] if place + 1 < len(words) else ""
        praise = word in _PADDING["praise"] and (
            _is_valued(after, lexicon) or (kept[-1:] and kept[-1] in _PADDING["that"])
        )
        apart = word in _PADDING["apart"] and after in _PADDING["things"]
        if not praise and not apart and not _is_adverb(word, lexicon):
            kept.append(word)
    return tuple(kept)


def _with_nouns(words: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Words with another noun for those that are one after an adjective or an article: "the red can", not "can you"."""
    found = list(words)
    for place, word in enumerate(words):
        noun, after = lexicon.own.get("homonyms", {}).get(word), "".join(words[place + 1 : place + 2])
        if noun is None or not place or after in _PADDING["subjects"]:
            continue
        if _tokens(words[place - 1], lexicon).intersection(_PADDING["before_nouns"]):
            found[place] = noun
    return found


def _less_plurals(words: Sequence[str]) -> list[str]:
    """Words with "things" in the place of "thing or things"."""
    found = list(words)
    for place in range(len(words) - 2, 0, -1):
        if words[place] == "or" and words[place + 1] == plural(words[place - 1]):
            del found[place - 1 : place + 1]
    return found


def _with_numbers(words: Sequence[str], lexicon: Lexicon) -> list[str]:
    """Words with "the number of red cubes" in the place of "the red cube count"; but not in that of "given the red
    cube, count the others"."""
    found: list[str] = []
    for place, word in enumerate(words):
        after = "".join(words[place + 1 : place + 2])
        orders = not _tokens(after, lexicon).isdisjoint(_PADDING["counted"])
        known = bool(found) and not _tokens(found[-1], lexicon).isdisjoint(("NOUN", "PART"))
        if word not in _PADDING["numbers"] or orders or not known:
            found.append(word)
            continue
        noun, sorts = found.pop(), list[str]()
        while found and "ADJ" in _tokens(found[-1], lexicon):
            sorts.insert(0, found.pop())
        several = plural(noun)
        found += ["number", "of", *sorts, several if _tokens(several, lexicon) else noun]
    return found


def _tokens(word: str, lexicon: Lexicon) -> frozenset[str]:
    return frozenset(entry.token for entry in lexicon.phrases.get((word,), ()))


def _is_valued(word: str, lexicon: Lexicon) -> bool:
    return word in _PADDING["praise"] or "ADJ" in _tokens(word, lexicon)


def _is_adverb(word: str, lexicon: Lexicon) -> bool:
    if word in _PADDING["manner"]:
        return True
    known = word in lexicon.words or word in lexicon.foreign or word in _PADDING["weighty"]
    if known or not word.endswith(tuple(_PADDING["endings"])):
        return False
    return not corrections(word, lexicon.words.union(_PADDING["weighty"]), lexicon.foreign)
