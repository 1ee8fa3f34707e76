"""The words of questions, the answers and the tokens of programs as numbers."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

import msgspec
import numpy as np
from numpy.typing import NDArray

from mereo.datasets.asked import Asked, Selection, is_training
from mereo.errors import BadInput

__all__ = ["BEGIN", "END", "UNKNOWN", "Lexicon", "filled_up", "prefix_tokens", "split_words"]

UNKNOWN = 1
"""The number of a word that was not there to learn from."""
BEGIN, END = 1, 2
"""The tokens before and after a program."""

_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
"""Letters and digits, and what stands within a word: `on-off`, `chair's`."""
_STEP = re.compile(r'(\$\d+)( =)?|(;)|([A-Za-z_][\w\-]*)(\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\])?\(')
"""What a line of notation is made of: a shared step, with = where it is given; its end; a function with its values."""
_VALUE = re.compile(r'"(?:[^"\\]|\\.)*"|[^,\s][^,]*')


class Lexicon(msgspec.Struct, frozen=True, dict=True):
    """What can be read, answered and programmed, in the order of its numbers; the more frequent comes first."""

    words: tuple[str, ...]
    """0 fills up, 1 is any word that is not here."""
    answers: tuple[str, ...]
    """As datasets store them: several words of one answer, with commas between them, are one answer."""
    tokens: tuple[str, ...]
    """Of programs in prefix order, functions by name and values as `[value]`; 0 fills up, 1 begins and 2 ends one."""
    usual: tuple[tuple[str, str, str], ...] = ()
    """Type and subtype of questions, with the answer that most of them have."""

    @staticmethod
    def of(asked: Asked) -> Lexicon:
        """All that occurs in the training splits of a dataset."""
        splits = tuple(split for split in asked.manifest.scenes if is_training(split))
        if not splits:
            raise BadInput("has no split to learn from: none begins with 'train'", file=asked.folder)
        own = asked.take(asked.chosen(Selection(splits))).with_columns("question")
        types = zip(own.words("type"), own.words("subtype"), strict=True)
        return Lexicon.of_texts(own.words("question"), own.words("answer"), own.words("program"), types)

    @staticmethod
    def of_texts(
        questions: Iterable[str],
        answers: Sequence[str],
        programs: Iterable[str],
        types: Iterable[tuple[str, str]] = (),
    ) -> Lexicon:
        """All that occurs in questions, their answers and the lines of their programs.

        types : type and subtype of each question; where none are given, nothing is usual for any
        """
        words = Counter(word for text in questions for word in split_words(text))
        tokens = Counter(token for line in programs for token in prefix_tokens(line))
        return Lexicon(
            words=("", "<unknown>", *_ranked(words)),
            answers=tuple(_ranked(Counter(answers))),
            tokens=("", "<begin>", "<end>", *_ranked(tokens)),
            usual=tuple(_usual(types, answers)),
        )

    def read(self, question: str) -> list[int]:
        """The numbers of a question's words."""
        known = self._words
        return [known.get(word, UNKNOWN) for word in split_words(question)]

    def answer(self, answer: str) -> int:
        """The number of an answer, -1 where it is none of these."""
        return self._answers.get(answer, -1)

    def program(self, line: str) -> list[int] | None:
        """The numbers of a program's tokens, without begin and end; None where it has one that is not here."""
        found = [self._tokens.get(token, -1) for token in prefix_tokens(line)]
        return None if -1 in found else found

    def guess(self, type: tuple[str, str]) -> str:
        """What is answered most often to questions of a type and subtype; to all, where nobody asked any of these."""
        return self._guesses.get(type, self.answers[0])

    @cached_property
    def _words(self) -> Mapping[str, int]:
        return _numbers(self.words)

    @cached_property
    def _answers(self) -> Mapping[str, int]:
        return _numbers(self.answers)

    @cached_property
    def _tokens(self) -> Mapping[str, int]:
        return _numbers(self.tokens)

    @cached_property
    def _guesses(self) -> Mapping[tuple[str, str], str]:
        return {(type, subtype): answer for type, subtype, answer in self.usual}


def split_words(text: str) -> list[str]:
    """The words and numbers of a text in lower case, without what stands between them."""
    return _WORD.findall(text.lower())


def prefix_tokens(line: str) -> list[str]:
    """The tokens of a program as datasets store it: a function, its values, then its inputs, depth first.

    That is the order in which they are written, so nothing has to be parsed, which would take ten times as long. What
    is shared is written out wherever it is used.
    """
    tokens: list[str] = []
    shared: dict[str, list[str]] = {}
    name = ""
    for step, given, end, function, values in _STEP.findall(line):
        if function:
            tokens.append(function)
            if values:
                tokens += [f"[{value.rstrip()}]" for value in _VALUE.findall(values[1:-1])]
        elif end:
            shared[name], tokens = tokens, []
        elif given:
            name = step
        else:
            tokens += shared[step]
    return tokens


def filled_up(rows: Sequence[Sequence[int]]) -> NDArray[np.int64]:
    """Lists of numbers as one table (rows, longest), filled up with 0."""
    lengths = np.array([len(row) for row in rows], np.int64)
    table = np.zeros((len(rows), int(lengths.max(initial=1))), np.int64)
    table[np.arange(table.shape[1]) < lengths[:, None]] = [number for row in rows for number in row]
    return table


def _ranked(counts: Counter[str]) -> list[str]:
    """By frequency, then by alphabet."""
    return sorted(counts, key=lambda word: (-counts[word], word))


def _usual(types: Iterable[tuple[str, str]], answers: Sequence[str]) -> list[tuple[str, str, str]]:
    """Types in order, each with the most frequent of its answers."""
    tallies: dict[tuple[str, str], Counter[str]] = {}
    for type, answer in zip(types, answers, strict=False):
        tallies.setdefault(type, Counter())[answer] += 1
    return [(*type, _ranked(tallies[type])[0]) for type in sorted(tallies)]


def _numbers(words: tuple[str, ...]) -> Mapping[str, int]:
    return {word: number for number, word in enumerate(words)}
