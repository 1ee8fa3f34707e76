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
    "count": "how many are there of {0}",
    "exist": "whether there is {0}",
    "verify": "whether {0} is {mark}",
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
_COMPARED = {"equal": "equal to", "less": "less than", "greater": "greater than"}
_BOUNDS = {"exactly": "exactly", "least": "at least", "most": "at most", "more": "more than", "fewer": "less than"}


class Paraphrase:
    """Says meanings of a language."""

    def __init__(self, lexicon: Lexicon):
        self.noun, self.part = lexicon.noun, lexicon.own.get("part")
        self.belongs = lexicon.own.get("belongs")
        self.anything = str(lexicon.own["anything"][0])
        self.relations = {name: phrases[0] for name, phrases in lexicon.own.get("relations", {}).items()}

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
        count = asked.phrases[0].counted
        mark = "" if asked.mark is None else self.mark(asked.mark)
        return _HEADS[asked.head].format(*map(self.phrase, asked.phrases), word=word, mark=mark, count=count)

    def phrase(self, phrase: Phrase) -> str:
        """Whom a phrase means."""
        said = self._alone(phrase)
        joint = " or " if phrase.either else " and "
        return joint.join([said, *(self._alone(other) for other in phrase.others)])

    def _alone(self, phrase: Phrase) -> str:
        before, noun, after = list[str](), "", list[str]()
        for mark in phrase.marks:
            if isinstance(mark, Is) and mark.attribute in (self.noun, self.part, "surface", "category"):
                noun = mark.value
            elif isinstance(mark, Is) and mark.attribute != "it":
                before.append(mark.value)
            elif isinstance(mark, Ranked) and mark.number:
                after.insert(0, self.mark(mark))
            elif isinstance(mark, Known):
                after.append(f"that {mark.said}")
            elif not isinstance(mark, Is):
                after.append(self.mark(mark))
        noun = noun or ("part" if phrase.kind == "part" else self.anything)
        noun = plural(noun) if phrase.several or phrase.every else noun
        article = "each of the" if phrase.each else "all the" if phrase.every else "the" if phrase.definite else ""
        return " ".join(word for word in (article, *before, noun, *after) if word)

    def mark(self, mark: Mark | None) -> str:
        """What a mark says."""
        if isinstance(mark, Is):
            return mark.value
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
        if isinstance(mark, Alike):
            return f"of the same {mark.attribute} as {self.phrase(mark.other)}"
        if isinstance(mark, Same):
            return f"that {'are' if mark.other.several else 'is'} {self.phrase(mark.other)}"
        if isinstance(mark, Besides):
            return f"other than {self.phrase(mark.other)}"
        if isinstance(mark, Ranked):
            return f"({mark.number} from the {mark.side})" if mark.side else f"({mark.number})"
        if isinstance(mark, Has):
            bound = "" if mark.bound == "exactly" else f"{_BOUNDS[mark.bound]} "
            count = "" if mark.count is None else f"{bound}{mark.count} "
            return f"with {count}{self.phrase(mark.parts)}"
        if isinstance(mark, Of):
            return f"of {self.phrase(mark.whole)}"
        if isinstance(mark, Not):
            return f"not {self.mark(mark.mark)}"
        if isinstance(mark, Either):
            return " or ".join(map(self.mark, mark.ways))
        return " and ".join(map(self.mark, mark.marks)) if isinstance(mark, Both) else ""
