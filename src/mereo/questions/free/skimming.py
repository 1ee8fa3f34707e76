"""Talk around a question: what may be left out of a sentence that cannot be read as it is."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import partial

from mereo.questions.free.asides import begun, clauses_of, phrased
from mereo.questions.free.english import ENGLISH, spoken
from mereo.questions.free.lexicon import Lexicon

__all__ = ["skimmed"]

_TALK = ENGLISH["talk"]
_MARKS = " ,.;:!"
_NAME = re.compile(r"(?<=[a-z,] )[A-Z][a-z]+\b")


def skimmed(sentence: str, lexicon: Lexicon) -> Iterator[str]:
    """What is left of a sentence without talk, the most first; never without a word for what can be here.

    Clauses of persons and their thoughts go, then those of other places and times, then what leads to the question.
    """
    clauses = clauses_of(_NAME.sub(partial(_unnamed, lexicon=lexicon), sentence), lexicon)
    asks = sum(clause.rstrip().endswith("?") for clause in clauses)
    named = [clause for clause in clauses if not _is_talk(clause, lexicon, alone=asks == 1)]
    here = [clause for place, clause in enumerate(named) if not _is_elsewhere(named, place, lexicon)]
    seen = {sentence}
    aimless = [_less_purpose(sentence, lexicon)]
    for kept in (named, here, _alone(clauses, lexicon), _meant(clauses), aimless, _counted(clauses)):
        whole = " ".join(kept)
        for shorter in (_marked(whole, sentence), _marked(_less_leading(whole, lexicon), sentence)):
            if shorter not in seen and lexicon.content.intersection(spoken(shorter)):
                seen.add(shorter)
                yield shorter


def _alone(clauses: list[str], lexicon: Lexicon) -> list[str]:
    """The last clauses, if they name all that those before name: "Some cubes are red. How many red cubes …"."""
    for place in range(len(clauses) - 1, 0, -1):
        before = [word for clause in clauses[:place] for word in spoken(clause)]
        after = [word for clause in clauses[place:] for word in spoken(clause)]
        asked = frozenset(before) & frozenset((*_TALK["asked"], *_TALK["asking"]))
        if asked or frozenset(after) & frozenset((*_TALK["pronouns"], *_TALK["back"])):
            continue
        if _named(before, lexicon) <= _named(after, lexicon):
            return clauses[place:]
    return []


def _named(words: Sequence[str], lexicon: Lexicon) -> frozenset[str]:
    """What words name, each in one form; anything at all is nothing."""
    named = frozenset(word for word in words if word in lexicon.content)
    return frozenset(_singular(word, lexicon) for word in named) - frozenset(lexicon.own["anything"])


def _singular(word: str, lexicon: Lexicon) -> str:
    return next((form for form in (word[:-1], word[:-2]) if word.endswith("s") and form in lexicon.content), word)


def _less_purpose(sentence: str, lexicon: Lexicon) -> str:
    """A sentence without what somebody is to do in the end: "how many drawers must I check", "a fridge to clean"."""
    words = spoken(sentence)
    kept = lexicon.content.union(_TALK["strange"], _TALK["asked"], _TALK["asking"], ENGLISH["orders"]["changes"])
    for place in range(2, len(words)):
        length = begun(words[place:], phrased("talk", "purposes"))
        done = words[place + length :]
        if length and done and done[0] not in kept and set(done[1:]) <= set(_TALK["particles"]):
            return " ".join(words[:place])
    return ""


def _meant(clauses: list[str]) -> list[str]:
    """What comes after the last "I mean", if it asks by itself."""
    means = phrased("talk", "means")
    for place in range(len(clauses) - 1, 0, -1):
        words = spoken(clauses[place])
        length = begun(words, means)
        if length and length < len(words):
            return [" ".join(words[length:]), *clauses[place + 1 :]]
    return []


def _counted(clauses: list[str]) -> list[str]:
    """A note that says at its end that a number is wanted, as a question for it: "red cubes behind the ball, count"."""
    noted = len(clauses) == len(("what", "count")) and spoken(clauses[-1]) in phrased("talk", "numbers")
    return [_TALK["how_many"], clauses[0]] if noted else []


def _unnamed(found: re.Match[str], lexicon: Lexicon) -> str:
    """Nothing in the place of the name of somebody."""
    word = found[0].lower()
    return found[0] if word in lexicon.words or word in lexicon.foreign else ""


def _marked(shorter: str, sentence: str) -> str:
    """What is left is asked where the whole was."""
    return shorter.rstrip(_MARKS) + "?" if "?" in sentence and "?" not in shorter else shorter


def _is_talk(clause: str, lexicon: Lexicon, *, alone: bool) -> bool:
    """Whether a clause names nothing that can be here and asks for nothing, or only tells what somebody thinks.

    alone : whether no more than one clause is asked
    """
    words = frozenset(spoken(clause))
    if words & (lexicon.content | frozenset(_TALK["strange"])) or any(_is_slip(word, lexicon) for word in words):
        return False
    if not words & frozenset(ENGLISH["asides"]["bound"]):
        return True
    asked = alone and clause.rstrip().endswith("?")
    return not asked and bool(words & frozenset(_TALK["persons"])) and not words & frozenset(_TALK["asked"])


def _is_slip(word: str, lexicon: Lexicon) -> bool:
    """Whether a word that nobody knows is one for what can be here, but for its last letter: "the bigs"."""
    return word not in lexicon.words and word not in lexicon.foreign and word[:-1] in lexicon.content


def _is_elsewhere(clauses: list[str], place: int, lexicon: Lexicon) -> bool:
    """Whether a clause speaks of another place or time, and none after it of what it names."""
    words = spoken(clauses[place])
    after = [word for clause in clauses[place + 1 :] for word in spoken(clause)]
    if not lexicon.content.intersection(after) or frozenset(after) & frozenset(_TALK["pronouns"]):
        return False
    if frozenset(words) & frozenset(_TALK["asking"]):
        return False
    return any(begun(words[start:], phrased("talk", "elsewhere")) for start in range(len(words)))


def _less_leading(sentence: str, lexicon: Lexicon) -> str:
    """A sentence from where it asks on, without words before that name nothing: "she says that", "oy robot"."""
    words = spoken(sentence)
    kept = lexicon.content.union(_TALK["strange"], _TALK["held"])
    for place in range(1, len(words)):
        saying = begun(words[place:], phrased("talk", "saying"))
        if saying and place + saying < len(words):
            return " ".join(words[place + saying :])
        if words[place - 1] in kept:
            return sentence
        if (
            words[place] in _TALK["joints"]
            and place > 1
            and not frozenset(_TALK["guarded"]).intersection(words[:place])
        ):
            return " ".join(words[place + 1 :])
        bare = frozenset(_TALK["subjects"]).isdisjoint(words[:place])
        if begun(words[place:], phrased("talk", "heads")) or (bare and begun(words[place:], phrased("talk", "verbs"))):
            return " ".join(words[place:])
    return sentence
