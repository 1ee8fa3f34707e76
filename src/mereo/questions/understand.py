"""Understanding: from a plain question to the program that it asks for.

What was generated is read back exactly, whatever variant, synonym or optional word was drawn. Of several readings the
one that the template's own rules allow and that has an answer in the scene comes first. What templates do not say is
read by the grammar of free words, where the language has a lexicon: see `mereo.questions.free`. What cannot be read at
all is guessed, where somebody guesses, and aligned with the nearest texts; each of these is a sentence that is itself
read exactly.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass
from difflib import get_close_matches
from functools import cached_property, partial
from typing import Any

from mereo.programs import Language, Program, ProgramFailure, Type, compile_program
from mereo.questions.align import Alignment, align, shown_text
from mereo.questions.filling import filled
from mereo.questions.free.listener import FreeListener
from mereo.questions.freely import freely
from mereo.questions.guessing import Guesser, guessed
from mereo.questions.hearing import Heard, Hearing, Words, words_of
from mereo.questions.pattern import Gap, Pattern, patterns_of
from mereo.questions.phrase import plural
from mereo.questions.template import Choose, Describe, Template
from mereo.questions.template_set import TemplateSet
from mereo.questions.understood import Reading, Understood
from mereo.world import World

__all__ = ["Listener", "Reading", "Understood"]

_SIMILAR = 0.72
"""How much two words must be alike for one to be taken for a slip of the other."""
_COMPARED = 100
"""The texts that are looked at closely for a suggestion."""
_TOO_FAR = 6.0
"""Beyond this a suggestion would be a guess."""
_LONGEST = 80
"""Words of a question beyond which no suggestion is looked for."""
_BESIDE = 1.0
"""How much farther than the nearest a suggestion may be."""


@dataclass(frozen=True, eq=False)
class Listener:
    """Understands the language of some templates."""

    templates: TemplateSet
    hearing: Hearing
    language: Language
    free: FreeListener | None = None
    """Who understands other words."""

    @property
    def spoken(self) -> Language:
        """The language of all that is understood: free words have places in an order besides."""
        return self.language if self.free is None else self.free.language

    def understand(
        self, question: str, world: World | None = None, *, suggested: int = 3, guesser: Guesser | None = None
    ) -> Understood:
        """What a question means; where it has several meanings, those with an answer in this world come first.

        guesser : who is asked for what nobody reads, and the language may yet have a way to say
        """
        words = words_of(question)
        readings = self._readings(question, words)
        ordered = tuple(self._ordered(readings, world))
        if not words or self.free is None or (ordered and not self._fails(ordered[0].program, world)):
            return Understood(ordered, () if ordered else tuple(self._suggestions(words, world, suggested)))
        heard = freely(question, world, self.free)
        if ordered:  # templates say it, and it has no answer here: perhaps other readings have one, or tell why
            return heard if heard.readings else Understood(ordered)
        if heard.readings or heard.suggestions:
            return heard
        unsayable = self.free.hear(question).unsayable
        guess = None if guesser is None or unsayable else guessed(question, world, self.free, guesser)
        near = self._suggestions(words, world, suggested)
        return Understood((), tuple(near if guess is None else [guess, *near]), told=heard.told)

    def _readings(self, question: str, words: Words) -> list[tuple[Reading, bool]]:
        """Each reading, and whether it goes against the rules of its template."""
        found: dict[Program, tuple[Reading, bool]] = {}
        heard: dict[Any, list[Heard]] = {}
        for pattern in self._patterns:
            for said in self._exactly(pattern, words, 0, 0, heard):
                picks = self._picks(pattern.template, dict(said))
                reading = Reading(question, pattern.template, filled(pattern.template, picks).canonical())
                against = _against_rules(pattern.template, picks)
                if reading.program not in found or (found[reading.program][1] and not against):
                    found[reading.program] = reading, against
        return list(found.values())

    def _exactly(
        self, pattern: Pattern, words: Words, at: int, place: int, heard: dict[Any, list[Heard]]
    ) -> Iterator[tuple[tuple[str, Any], ...]]:
        """Every way to read all words from a place on, as what the gaps were filled with."""
        if at == len(pattern.ways) - 1:
            if place == len(words):
                yield ()
            return
        for by, to in pattern.ways[at]:
            if isinstance(by, Gap):
                for one in self._at_gap(pattern, by, words, place, heard):
                    if one.agrees(by.form):
                        for rest in self._exactly(pattern, words, to, one.end, heard):
                            yield ((by.hole, one.meaning), *rest)
            elif by is None or not by.word:
                yield from self._exactly(pattern, words, to, place, heard)
            elif place < len(words) and by.word == words[place]:
                yield from self._exactly(pattern, words, to, place + 1, heard)

    def _at_gap(
        self, pattern: Pattern, gap: Gap, words: Words, place: int, heard: dict[Any, list[Heard]]
    ) -> Sequence[Heard]:
        """What can be read in a gap at a place. heard : what is known of these words already"""
        type = self._gap_type(pattern.template, gap.hole)
        nouns = gap.form != ""
        key = (place, None if type is None else (type.name, type.values, nouns))
        if key not in heard:
            if type is None:
                heard[key] = list(self.hearing.described(words, place))
            else:
                heard[key] = list(self.hearing.spoken(type, nouns=nouns).at(words, place))
        return heard[key]

    def _gap_type(self, template: Template, hole: str) -> Type | None:
        """The type of a hole's words; None where it is a description."""
        return self._types[template.title][hole]

    @cached_property
    def _patterns(self) -> tuple[Pattern, ...]:
        return tuple(pattern for template in self.templates.templates for pattern in patterns_of(template))

    @cached_property
    def _types(self) -> dict[str, dict[str, Type | None]]:
        types: dict[str, dict[str, Type | None]] = {}
        for template in self.templates.templates:
            own = types[template.title] = {}
            for node in template.nodes:
                if isinstance(node, Choose):
                    own[node.hole] = node.type
                elif isinstance(node, Describe):
                    own[node.hole] = None
                    if node.relation is not None:
                        own[node.relation] = self.language.function(node.describer.relate).values[0]
        return types

    @staticmethod
    def _picks(template: Template, said: Mapping[str, Any]) -> list[Any]:
        """What fills each node of a template."""
        picks: list[Any] = []
        for node in template.nodes:
            if isinstance(node, Choose):
                picks.append(said[node.hole])
            elif isinstance(node, Describe):
                relation = said[node.relation] if node.relation is not None else None
                names = said[node.hole]
                picks.append((relation, tuple(names.get(attribute) for attribute in node.describer.attributes)))
            else:
                picks.append(None)
        return picks

    def _ordered(self, readings: Iterable[tuple[Reading, bool]], world: World | None) -> list[Reading]:
        """The likeliest first."""

        def unlikely(found: tuple[Reading, bool]) -> tuple[bool, bool]:
            reading, against = found
            return against, self._fails(reading.program, world)

        return [reading for reading, _ in sorted(readings, key=unlikely)]

    def _fails(self, program: Program, world: World | None) -> bool:
        """Whether a program has no answer in a world."""
        return world is not None and isinstance(compile_program(program, self.language).attempt(world), ProgramFailure)

    def _suggestions(self, words: Words, world: World | None, suggested: int) -> list[Reading]:
        """Questions near to what was said; where putting slips right is enough, just that."""
        if not words or len(words) > _LONGEST or not self._patterns or not suggested:
            return []
        corrected = self._corrected(words)
        found = self._read_back([" ".join(corrected)], world)
        if not found and corrected:
            changed = sum(word not in self._lexicon for word in words)
            found = self._read_back(self._near(corrected, float(changed)), world, by_rule=True)
        return list(found.values())[:suggested]

    def _read_back(self, texts: Iterable[str], world: World | None, *, by_rule: bool = False) -> dict[Program, Reading]:
        """The readings of sentences that can be read, each program once. by_rule : only what templates would ask"""
        found: dict[Program, Reading] = {}
        for text in texts:
            readings = [item for item in self._readings(text, words_of(text)) if not (by_rule and item[1])]
            for reading in self._ordered(readings, world)[:1]:
                assert reading.template is not None
                mark = "?" if reading.template.texts[0].source.endswith("?") and not text.endswith("?") else ""
                sentence = text[:1].upper() + text[1:] + mark
                found.setdefault(reading.program, reading._replace(text=sentence))
        return found

    def _corrected(self, words: Words) -> Words:
        """The words with slips put right; words that are like none that is known are left out."""
        known = sorted(self._lexicon)
        found = []
        for word in words:
            close = [word] if word in self._lexicon else get_close_matches(word, known, n=1, cutoff=_SIMILAR)
            found += close
        return tuple(found)

    @cached_property
    def _lexicon(self) -> frozenset[str]:
        return self._named.union(*self._fixed)

    @cached_property
    def _named(self) -> frozenset[str]:
        """All words that gaps are filled with."""
        words = set[str]()
        for pattern in self._patterns:
            for ways in pattern.ways:
                for by, _ in ways:
                    if isinstance(by, Gap):
                        type = self._gap_type(pattern.template, by.hole)
                        words |= self.hearing.spoken(type, nouns=by.form != "").words if type is not None else set()
        return self.hearing.lexicon | words

    def _near(self, words: Words, correction: float) -> list[str]:
        """Sentences of the texts that are nearest to some words, the nearest first.

        correction : how much was put right before
        """
        own = set(words)

        def unlike(found: tuple[Pattern, Set[str]]) -> tuple[float, int]:
            pattern, fixed = found
            return -len(own & fixed) / (len(fixed) + 0.5 * len(own)), len(pattern.ways)

        heard: dict[Any, list[Heard]] = {}
        furthest = _TOO_FAR - correction
        lines: list[Alignment] = []
        for pattern, _ in sorted(zip(self._patterns, self._fixed, strict=True), key=unlike)[:_COMPARED]:
            line = self._aligned(pattern, words, heard, furthest)
            if line is not None:
                lines.append(line)
                furthest = min(furthest, line.cost + _BESIDE)
        near = sorted((line for line in lines if line.cost <= furthest), key=lambda line: line.cost)
        return [shown_text(line, partial(self._example, line.pattern)) for line in near]

    def _aligned(
        self, pattern: Pattern, words: Words, heard: dict[Any, list[Heard]], furthest: float
    ) -> Alignment | None:
        def read(gap: Gap, place: int) -> Sequence[Heard]:
            return self._at_gap(pattern, gap, words, place, heard)

        return align(pattern, words, read=read, cost=self._cost, spoken=self._named, most=furthest)

    def _cost(self, word: str) -> float:
        """How much a word matters: the fewer texts have it, the more."""
        return self._costs.get(word, 1.0)

    @cached_property
    def _costs(self) -> dict[str, float]:
        """How much each word of a text matters."""
        counts = Counter(word for fixed in self._fixed for word in fixed)
        return {word: 0.3 + 0.7 * (1 - count / len(self._patterns)) ** 4 for word, count in counts.items()}

    @cached_property
    def _fixed(self) -> tuple[frozenset[str], ...]:
        """The fixed words of each text."""
        return tuple(frozenset(pattern.fixed) for pattern in self._patterns)

    def _example(self, pattern: Pattern, gap: Gap) -> str:
        """Words for a gap that nothing was said for."""
        type = self._gap_type(pattern.template, gap.hole)
        word = self.hearing.anything if type is None else next(iter(self.hearing.ways(type)))[0]
        return plural(word) if gap.form == "plural" else word


def _against_rules(template: Template, picks: Sequence[Any]) -> bool:
    """Whether a description names what it must not, or nothing where it must."""
    for node, pick in zip(template.nodes, picks, strict=True):
        if isinstance(node, Describe):
            names = node.describer.names(pick[1])
            if node.unnamed & names.keys() or (node.named and not names):
                return True
    return False
