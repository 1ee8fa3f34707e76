"""The text of our own templates: `There is a {A}; how many {B.plural} are {R} it?`

`{A}` is a hole's noun phrase or word, `{A.plural}` several of it. Words in `[brackets]` are said half the time. An "a"
before a hole becomes "an" where it must. `{other B than A}` says "other" only if what A refers to is itself a B, and
`{another B than A}` says "another B" then and "a B" otherwise. Where a chosen word names parts of which there may be
several, `{P.number}` is "leg" or "legs" as it happens, and `{P:is|are}` agrees with it. `{visible}` is no hole: it is
the word where what is hidden would change the answer, and elsewhere mostly nothing.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass

from mereo.errors import BadInput
from mereo.questions.phrase import Optional, Piece, Said, Speech, Text, Visible, article

__all__ = ["Agreeing", "Hole", "holes_of", "parse_text"]

_MARKUP = re.compile(
    r"\{(visible)\}"
    r"|\{(?:(other|another) )?(\w+)(\.plural|\.number)?(?: than (\w+))?\}"
    r"|\[([^\[\]]*)\]"
    r"|\{(\w+):([^|{}]*)\|([^|{}]*)\}"
)
_ARTICLE = re.compile(r"(?:^|(?<=\s))([Aa]) $")


def parse_text(text: str) -> Text:
    """A text as literal words, holes and optional stretches."""
    return Text(_pieces(text), text)


def holes_of(text: str) -> list[str]:
    """The holes that a text says, in order."""
    found = []
    for match in _MARKUP.finditer(text):
        if match[3]:
            found.append(match[3])
        elif match[6]:
            found += holes_of(match[6])
    return found


def _pieces(text: str) -> tuple[Piece, ...]:
    pieces: list[Piece] = []
    end = 0
    for match in _MARKUP.finditer(text):
        literal, end = text[end : match.start()], match.end()
        if match[1]:
            pieces += [literal, Visible()]
            continue
        if match[6] is not None:
            pieces += [literal, Optional(_pieces(match[6]))]
            continue
        if match[7]:
            pieces += [literal, Agreeing(match[7], match[8], match[9])]
            continue
        with_article = _ARTICLE.search(literal)
        if with_article:
            literal = literal[: with_article.start(1)]
        pieces += [literal, Hole(match[3], (match[4] or "")[1:], match[2], match[5], bool(with_article))]
    pieces.append(text[end:])
    rest = "".join(piece for piece in pieces if isinstance(piece, str))
    if set(rest) & set("{}[]"):
        raise BadInput(f"the text {text!r} has a stray bracket", field="text")
    return tuple(piece for piece in pieces if piece != "")


@dataclass(frozen=True)
class Agreeing:
    """A word that agrees with the number of what a hole stands for."""

    name: str
    one: str
    more: str

    def __call__(self, speech: Speech, said: Said, chance: random.Random) -> str:
        return self.more if speech.several(self.name, said) else self.one


@dataclass(frozen=True)
class Hole:
    """What a hole was filled with, in the form that the text wants."""

    name: str
    form: str
    """`plural`, `number`, or nothing."""
    other: str | None
    than: str | None
    """The hole whose referent "other" sets this one apart from."""
    with_article: bool

    def __call__(self, speech: Speech, said: Said, chance: random.Random) -> str:
        filling = said.fillings[self.name]
        several = self.form == "plural" or (self.form == "number" and speech.several(self.name, said))
        if isinstance(filling, str):
            words = speech.spoken(self.name, said, chance, several=several)
        else:
            words = speech.described(self.name, said, chance, several=several)
        if (self.with_article or self.other == "another") and not several:
            words = speech.single(filling, words)
        if self.other and self.than and speech.fits(filling, said.referents[self.than], said.world):
            return f"{self.other} {words}"
        return f"{article(words)} {words}" if self.with_article or self.other == "another" else words
