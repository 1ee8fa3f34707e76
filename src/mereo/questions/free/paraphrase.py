"""A meaning said back, so that a person sees how a question was understood."""

from __future__ import annotations

from dataclasses import replace

from mereo.questions.free.lexicon import Lexicon
from mereo.questions.free.meaning import (
    Alike,
    Asked,
    At,
    Besides,
    Both,
    Either,
    Has,
    Is,
    Known,
    Lying,
    Mark,
    Not,
    Of,
    Phrase,
    Ranked,
    Same,
)
from mereo.questions.phrase import plural

__all__ = ["Paraphrase"]

_HEADS = {
    "count": "the number of {0}",
    "exist": "whether there {is} {0}",
    "verify": "whether {0} {is} {mark}",
    "query": "the {word} of {0}",
    "compare": "whether the number of {0} is {word} that of {1}",
    "figure": "whether the number of {0} is {word} {count}",
    "difference": "the number of {0} less that of {1}",
    "equal": "whether {0} and {1} have the same {word}",
    "alike": "whether {0} have the same {word}",
    "differ": "whether {0} and {1} differ in {word}",
    "exceed": "whether {0} is {mark}, and {1} is not",
    "identical": "whether {0} is {1}",
    "analogy": "what lies to {2} as {1} lies to {0}",
    "refer": "{0}",
}
_NUMBERS = ("count", "compare", "figure", "difference")
"""What speaks of numbers, for which all of some are simply these."""
_COMPARED = {"equal": "equal to", "less": "less than", "greater": "greater than"}
_BOUNDS = {"exactly": "exactly", "least": "at least", "most": "at most", "more": "more than", "fewer": "less than"}
_ORDER = ("visible", "size", "", "color", "material")
"""In which order adjectives are said, by what they tell; what is not named here stands in the middle."""


class Paraphrase:
    """Says meanings of a language."""

    def __init__(self, lexicon: Lexicon):
        self.noun, self.part = lexicon.noun, lexicon.own.get("part")
        self.belongs = lexicon.own.get("belongs")
        self.anything = str(lexicon.own["anything"][0])
        self.relations = {name: phrases[0] for name, phrases in lexicon.own.get("relations", {}).items()}
        self.values: dict[str, dict[str, str]] = lexicon.own.get("said", {})

    def asked(self, asked: Asked) -> str:
        """What is asked, as one line."""
        if asked.head == "change":
            way = (
                f"whether moving {{0}} to the {self.mark(asked.mark)} would"
                if asked.mark
                else "which way moving {0} would"
            )
            return f"{way} make it stable".format(*map(self.phrase, asked.phrases))
        word = _COMPARED.get(asked.word, asked.word) if asked.head == "compare" else asked.word
        word = _BOUNDS[word] if asked.head == "figure" else word
        word = "name" if asked.head == "query" and word == self.part else word
        first, told = asked.phrases[0], asked.mark
        said = [self._asked_for(one, asked.head) for one in asked.phrases]
        several = bool(first.several or first.every or (first.others and not first.either)) and not first.each
        if asked.head == "verify" and isinstance(told, Has) and told.count != 0:
            return f"whether {said[0]} {'have' if several else 'has'} {self._had(told)}"
        mark = "" if told is None else self.mark(told, several=several)
        none = asked.head == "exist" and first.counted == 0 and not _is_any(first)
        be = "are" if several or none else "is"
        return _HEADS[asked.head].format(*said, **{"is": be}, word=word, mark=mark, count=first.counted)

    def _asked_for(self, phrase: Phrase, head: str) -> str:
        """Whom a phrase means in a question of a kind."""
        if head in _NUMBERS:
            return self._of_number(phrase)
        if head == "exist" and _is_any(phrase):
            return self._anything(phrase)
        return self.phrase(replace(phrase, several=True) if head == "refer" and _is_any(phrase) else phrase)

    def phrase(self, phrase: Phrase, *, bare: bool = False) -> str:
        """Whom a phrase means.

        bare : leave out articles
        """
        joint = " or " if phrase.either else " and "
        return joint.join(self._alone(one, bare=bare) for one in (replace(phrase, others=()), *phrase.others))

    def _of_number(self, phrase: Phrase) -> str:
        """Whom a number counts."""
        others = tuple(replace(one, every=False, definite=False, several=True) for one in phrase.others)
        return self.phrase(replace(phrase, every=False, each=False, definite=False, several=True, others=others))

    def _anything(self, phrase: Phrase) -> str:
        """ "anything red left of the ball"."""
        before, after, _ = self._words(phrase)
        return " ".join(("nothing" if phrase.counted == 0 else "anything", *before, *after))

    def _words(self, phrase: Phrase) -> tuple[list[str], list[str], str]:
        """What is said before a noun and after it, and the noun."""
        before, denied, places, after = dict[str, str](), list[str](), list[str](), list[str]()
        noun, several = "", bool(phrase.several or phrase.every)
        for mark in phrase.marks:
            ways = mark.ways if isinstance(mark, Either) else (mark,)
            told = {way.attribute if isinstance(way, Is) else "" for way in ways}
            if isinstance(mark, Is) and self._is_noun(mark):
                noun = mark.value
            elif len(told) == 1 and told != {""} and not any(map(self._is_noun, ways)):
                words, name = " or ".join(map(self.mark, ways)), told.pop()
                before[name] = f"{before[name]} {words}" if name in before else words
            elif isinstance(mark, Ranked) and mark.number:
                after.insert(0, self.mark(mark))
            elif isinstance(mark, Known):
                after.append(f"that {mark.said}")
            elif isinstance(mark, Not | Either) and not isinstance(ways[0], At | Alike | Of | Has):
                (after if _lacks(mark) else denied).append(self.mark(mark, several=several))
            elif not isinstance(mark, Is):
                (after if isinstance(mark, Of | Ranked) else places).append(self.mark(mark))
        before.pop("it", None)
        place = {name: _ORDER.index(name if name in _ORDER else "") for name in before}
        after += [" and ".join(places)] if places else []
        if denied:
            after.append(f"that {'are' if several else 'is'} {' and '.join(denied)}")
        return [before[name] for name in sorted(before, key=place.__getitem__)], after, noun

    def _alone(self, phrase: Phrase, *, bare: bool = False) -> str:
        before, after, noun = self._words(phrase)
        noun = noun or ("part" if phrase.kind == "part" else self.anything)
        noun = plural(noun) if phrase.several or phrase.every or phrase.counted == 0 else noun
        places = [mark for mark in phrase.marks if isinstance(mark, Ranked) and mark.number]
        known = phrase.definite or bool(places)
        article = "each of the" if phrase.each else "all the" if phrase.every else "the" if known else ""
        if len(places) == 1 and after == [self.mark(places[0])]:
            before, after = [places[0].number, *before], [f"from the {places[0].side}"] if places[0].side else []
        if not bare and not article and phrase.counted == 0:
            article = "no"
        elif not bare and not article and phrase.several is False:
            article = _article((*before, noun)[0])
        return " ".join(word for word in (article, *before, noun, *after) if word)

    def _is_noun(self, mark: Mark) -> bool:
        return isinstance(mark, Is) and mark.attribute in (self.noun, self.part, "surface", "category")

    def mark(self, mark: Mark | None, *, several: bool = False) -> str:
        """What a mark says.

        several : whether it says so of several things
        """
        if isinstance(mark, Is) and self._is_noun(mark):
            return plural(mark.value) if several else f"{_article(mark.value)} {mark.value}"
        if isinstance(mark, Is):
            return self.values.get(mark.attribute, {}).get(mark.value, mark.value)
        if isinstance(mark, Known):
            return f"something that {mark.said}"
        if isinstance(mark, Lying):
            said = (self.phrase(each) for each in (mark.third, mark.other, mark.one))
            return "that lies to {} as {} lies to {}".format(*said)
        if isinstance(mark, At) and mark.turned and mark.relation == self.belongs:
            return f"with {self.phrase(replace(mark.other, definite=False))}"
        if isinstance(mark, At) and mark.turned:
            return f"that {self.phrase(mark.other)} is {self.relations.get(mark.relation, mark.relation)}"
        if isinstance(mark, At):
            return f"{self.relations.get(mark.relation, mark.relation)} {self.phrase(mark.other)}"
        if isinstance(mark, Alike) and mark.attribute == "count":
            owners = [self.phrase(one.whole) for one in mark.other.marks if isinstance(one, Of)]
            own = tuple(one for one in mark.other.marks if not isinstance(one, Of))
            parts = self.phrase(replace(mark.other, marks=own, definite=False, several=True))
            return f"with as many {parts} as {' and '.join(owners)}"
        if isinstance(mark, Alike):
            return f"of the same {mark.attribute} as {self.phrase(mark.other)}"
        if isinstance(mark, Same):
            return f"that {'are' if mark.other.several else 'is'} {self.phrase(mark.other)}"
        if isinstance(mark, Besides):
            return f"other than {self.phrase(mark.other)}"
        if isinstance(mark, Ranked):
            return f"{mark.number} from the {mark.side}" if mark.side else mark.number
        if isinstance(mark, Has):
            return self._having(mark)
        if isinstance(mark, Of):
            return f"of {self.phrase(mark.whole)}"
        if isinstance(mark, Not) and isinstance(mark.mark, Has):
            return self._having(replace(mark.mark, count=0, bound="exactly"))
        if isinstance(mark, Not):
            return f"not {self.mark(mark.mark, several=several)}"
        if isinstance(mark, Either):
            return " or ".join(self.mark(way, several=several) for way in mark.ways)
        such = isinstance(mark, Both) and all(isinstance(one, Is) for one in mark.marks)
        if isinstance(mark, Both) and such and any(map(self._is_noun, mark.marks)):
            return self._alone(Phrase(mark.marks, several=several))
        return " and ".join(self.mark(one, several=several) for one in mark.marks) if isinstance(mark, Both) else ""

    def _having(self, mark: Has) -> str:
        """ "with two legs", "without arms", "with a seat"."""
        if mark.count == 0 and mark.bound == "exactly":
            return f"without {self.phrase(replace(mark.parts, several=True), bare=True)}"
        return f"with {self._had(mark)}"

    def _had(self, mark: Has) -> str:
        """ "2 legs", "a seat"."""
        if mark.count is None:
            return self.phrase(mark.parts)
        bound = "" if mark.bound == "exactly" else f"{_BOUNDS[mark.bound]} "
        return f"{bound}{mark.count} {self.phrase(replace(mark.parts, several=mark.count != 1), bare=True)}"


def _is_any(phrase: Phrase) -> bool:
    """Whether a phrase speaks of anything that is so, one or several."""
    ordered = any(isinstance(mark, Ranked) for mark in phrase.marks)
    known = phrase.definite or phrase.every or phrase.others or ordered
    return phrase.several is None and phrase.head is None and not known


def _lacks(mark: Mark) -> bool:
    """Whether a mark says "without"."""
    return isinstance(mark, Not) and isinstance(mark.mark, Has)


def _article(word: str) -> str:
    return "an" if word[:1] in tuple("aeiou") else "a"
