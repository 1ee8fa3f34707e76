"""What people say of themselves while they ask, which says nothing of the scene: left out before a sentence is read."""

from __future__ import annotations

import re
from functools import cache

from mereo.questions.free.english import ENGLISH, spoken, worded
from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.listing import joined_lists

__all__ = ["begun", "clauses_of", "phrased", "prepare", "wants_number", "with_its_mark", "without_asides"]

_ENDS = re.compile(rf"(?<=[,.;:!?])\s+|\s+[-–—]+\s+|\s+(?=(?:{'|'.join(ENGLISH['asides']['breaks'])})\b)")
"""Where a clause ends."""
_STOPS = ",.;:!?"
_ASKING = ("question", "asking")


def without_asides(sentence: str, lexicon: Lexicon) -> str:
    """A sentence without what was taken back, and without clauses in which somebody speaks of themselves.

    A clause with a word for anything that can be here is never left out.
    """
    clauses = _without_tags(_after_restart(clauses_of(sentence, lexicon), lexicon))
    kept = [clause for clause in clauses if not _is_aside(clause, lexicon)]
    kept = _before_talk(_after_talk(kept or clauses, lexicon), lexicon)
    left = _from_question(" ".join([kept[0], *map(_less_asking, kept[1:])]), lexicon)
    return left if "?" in left or "?" not in sentence else f"{left.rstrip(_STOPS)}?"


def with_its_mark(sentence: str) -> str:
    """A sentence with a question mark, where "yes or no" says that it lacks one."""
    said = sentence.lower().rstrip(f" {_STOPS}")
    asks = any(way in said for way in ENGLISH["wanted"]["whether"]) or said.endswith(tuple(ENGLISH["wanted"]["ends"]))
    lacks = "?" not in sentence and asks
    return f"{sentence.rstrip(_STOPS)}?" if lacks else sentence


def wants_number(sentence: str) -> bool:
    """Whether somebody wants a number, by words that are left out later."""
    return any(said in sentence.lower() for said in ENGLISH["wanted"]["number"])


def clauses_of(sentence: str, lexicon: Lexicon) -> list[str]:
    """The clauses of a sentence, lists joined."""
    return _ENDS.split(joined_lists(sentence, lexicon))


def _without_tags(clauses: list[str]) -> list[str]:
    """The clauses but for "isn't there?" in the middle."""
    return [one for one in clauses[:-1] if spoken(one) not in phrased("asides", "tags")] + clauses[-1:]


def _after_talk(clauses: list[str], lexicon: Lexicon) -> list[str]:
    """The clauses from the first on that may be about what is here: those before say "nice picture", "next one"."""
    meant = lexicon.content.union(ENGLISH["asides"]["bound"])
    for place, clause in enumerate(clauses[:-1]):
        if clause.rstrip().endswith("?") or meant.intersection(spoken(clause)):
            return clauses[place:]
    return clauses[-1:]


def _less_asking(clause: str) -> str:
    """A clause without the words that only say that something is asked: "I would like to know"."""
    words = spoken(clause)
    words = words[words[0] in ENGLISH["asides"]["joins"] :] if words else words
    if words and words[0] in ENGLISH["asides"]["whether"]:
        return clause  # "every red thing, whether or not it is a cube"
    longest = begun(words, _dropped(*_ASKING))
    seeing = begun(words, _seeing()) > longest
    return " ".join(words[longest:]) if longest > 1 and not seeing else clause


def _from_question(sentence: str, lexicon: Lexicon) -> str:
    """A sentence from its question on, where what comes before only leads to it: "try to find out how many"."""
    words = spoken(sentence)
    kept = lexicon.content.union(ENGLISH["ordinals"], ENGLISH["ordinals_backward"], ENGLISH["sides"])
    for place in range(2, len(words)):
        before = words[:place]
        if kept.intersection(before):
            return sentence
        if begun(words[place:], phrased("asides", "heads")):
            if before[-1] in ENGLISH["asides"]["holding"]:
                return sentence
            end = "?" if sentence.rstrip().endswith("?") else ""
            return " ".join(words[place:]) + end
    return sentence


def begun(words: tuple[str, ...], starts: frozenset[tuple[str, ...]]) -> int:
    """How long the longest of some beginnings is that words have; 0 where they have none."""
    return next((end for end in range(len(words), 0, -1) if words[:end] in starts), 0)


@cache
def _seeing() -> frozenset[tuple[str, ...]]:
    """Beginnings of questions whether there is something, of which some begin as mere asking does."""
    return frozenset(worded(*ENGLISH["token"]["EXIST"]))


@cache
def phrased(table: str, kind: str) -> frozenset[tuple[str, ...]]:
    """The phrases of a kind, in words."""
    return frozenset(worded(*ENGLISH[table][kind]))


@cache
def _dropped(*kinds: str) -> frozenset[tuple[str, ...]]:
    """What may be left out before all that means something."""
    return frozenset(words for kind in kinds for words in worded(*ENGLISH["dropped"]["first"][kind]))


def prepare() -> None:
    """Put phrases into words at once, so that no question after the first waits for it."""
    _dropped(*_ASKING)
    _seeing()


def _after_restart(clauses: list[str], lexicon: Lexicon) -> list[str]:
    """The clauses after the last of which all that was said before is taken back: "no, wait".

    What comes after, and is no question by itself, stands in the place of a part of what was said.
    """
    restarts, questions = phrased("asides", "restarts"), ENGLISH["asides"]["questions"]
    taken = [place for place, clause in enumerate(clauses[:-1]) if spoken(clause) in restarts]
    if not taken or taken[-1] == 0:
        return clauses[taken[-1] + 1 :] if taken else clauses
    before, after = clauses[: taken[-1]], clauses[taken[-1] + 1 :]
    if _is_only_how_many(after[0], lexicon):
        return [*before, *after]  # "What is red? I mean, how many things?"
    asks = [next(iter(spoken(clause)), "") in questions for clause in (*before, after[0])]
    if asks[-1] or not (any(asks) or _is_place(after[0], lexicon)):
        return after
    before = [clause for clause in before if spoken(clause) not in restarts]
    instead = f"{before[-1].rstrip(_STOPS)} {ENGLISH['token']['MEAN'][0]} {after[0]}" if before else after[0]
    return [*before[:-1], instead, *after[1:]]


def _is_only_how_many(clause: str, lexicon: Lexicon) -> bool:
    """Whether a clause asks for a number, and does not say of what."""
    words = spoken(clause)
    rest = words[begun(words, phrased("token", "HOWMANY")) :]
    bare = any(entry.token == "NOUN" and not entry.meaning.marks for entry in lexicon.phrases.get(rest, ()))
    return rest != words and (bare or not rest)


def _is_place(clause: str, lexicon: Lexicon) -> bool:
    """Whether a clause begins by telling where something is."""
    words = spoken(clause)
    ways = (words[:end] for end in range(1, len(words) + 1))
    return any(entry.token == "RELATION" for way in ways for entry in lexicon.phrases.get(way, ()))


def _before_talk(clauses: list[str], lexicon: Lexicon) -> list[str]:
    """The clauses up to the last that may be about what is here: those after say why it is asked, or nothing."""
    bound = frozenset(ENGLISH["asides"]["bound"])
    while len(clauses) > 1:
        words = spoken(clauses[-1])
        reason = bool(begun(words, phrased("asides", "reasons")))
        idle = clauses[-2].rstrip().endswith("?") and not bound.intersection(words)
        if not (reason or idle) or lexicon.content.intersection(words):
            break
        end = "?" if clauses[-1].rstrip().endswith("?") else ""
        clauses = [*clauses[:-2], clauses[-2].rstrip().rstrip(_STOPS if end else "") + end]
    return clauses


def _is_aside(clause: str, lexicon: Lexicon) -> bool:
    words = spoken(clause)
    if words in _dropped("greeting"):
        return True
    asks = lexicon.content.union(ENGLISH["asides"]["asked"]).intersection(words)
    return bool(begun(words, phrased("asides", "begins"))) and not asks
