"""Lark's own Earley parser over the grammar of free words: what the chart of mereo is held against."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from math import prod
from pathlib import Path
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer
from lark.parsers.earley_forest import PackedNode, SymbolNode, TokenNode

from mereo.questions.free import chart
from mereo.questions.free.tokens import Cut, Stretch


class _Given(Lexer):
    """Tokens come as they are."""

    def __init__(self, cut: Any):
        self.cut = cut

    def lex(self, _: Any) -> Iterator[Stretch]:  # type: ignore[override]
        yield from self.cut


@cache
def _grammar() -> Lark:
    grammar = Path(chart.__file__).with_name("english.lark").read_text()
    lark = Lark(grammar, parser="earley", lexer=_Given, ambiguity="forest", keep_all_tokens=True)
    lark.parser.parser.term_matcher = lambda terminal, stretch: terminal.name in stretch.tokens
    return lark


def forest(cut: Cut) -> SymbolNode | None:
    """All ways to read some tokens; None where there is none."""
    try:
        found: SymbolNode = _grammar().parser.parser.parse(_Given(cut), "start")
    except UnexpectedInput:
        return None
    return found


def ways(node: SymbolNode) -> int:
    """In how many ways a symbol was found."""
    known: dict[int, int] = {}

    def count(node: Any) -> int:
        if isinstance(node, TokenNode):
            return 1
        if id(node) not in known:
            known[id(node)] = sum(_rules(one) * prod(map(count, one.children)) for one in node.children)
        return known[id(node)]

    return count(node)


def _rules(packed: PackedNode) -> int:
    """By how many rules. Of those that take one stretch as different tokens, Lark keeps only one."""
    if packed.left is not None or not isinstance(packed.right, TokenNode) or packed.parent.is_intermediate:
        return 1
    alone = [rule for rule in _grammar().rules if rule.origin == packed.rule.origin and len(rule.expansion) == 1]
    return sum(rule.expansion[0].is_term and rule.expansion[0].name in packed.right.token.tokens for rule in alone)
