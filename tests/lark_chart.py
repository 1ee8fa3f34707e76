"""Lark's own Earley parser over the grammar of free words: what the chart of mereo is held against.

Lark predicts all that the grammar allows, whatever comes next, and the grammar is large. Of it a sentence gets what is
made of its tokens alone: no rule that is left out can be part of a reading, and Lark need not look for it.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator
from functools import cache, lru_cache
from math import prod
from pathlib import Path
from typing import Any

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.grammar import Rule
from lark.lexer import Lexer
from lark.parsers.earley import Parser
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
def grammar() -> Lark:
    """The grammar as Lark reads it."""
    text = Path(chart.__file__).with_name("english.lark").read_text()
    lark = Lark(text, parser="earley", lexer=_Given, ambiguity="forest", keep_all_tokens=True)
    lark.parser.parser.term_matcher = _matches
    return lark


def _matches(terminal: Any, stretch: Stretch) -> bool:
    return terminal.name in stretch.tokens


@lru_cache(maxsize=64)
def _parser(tokens: frozenset[str]) -> Parser | None:
    """Lark's parser for sentences of some tokens; None where they make none."""
    whole = grammar().parser.parser
    rules = made_of(whole.parser_conf.rules, tokens)
    if not any(rule.origin.name == "start" for rule in rules):
        return None
    own = type(whole.parser_conf)(rules, whole.parser_conf.callbacks, whole.parser_conf.start)
    return Parser(whole.lexer_conf, own, _matches, resolve_ambiguity=False, tree_class=None)


def made_of(rules: Collection[Rule], tokens: Collection[str]) -> list[Rule]:
    """The rules that can be followed to an end with some tokens alone."""
    left = [rule for rule in rules if all(one.name in tokens for one in rule.expansion if one.is_term)]
    made: set[Any] = set()
    while more := {rule.origin for rule in left if made.issuperset(_symbols(rule))} - made:
        made |= more
    return [rule for rule in left if made.issuperset(_symbols(rule))]


def _symbols(rule: Rule) -> list[Any]:
    return [one for one in rule.expansion if not one.is_term]


def forest(cut: Cut, *, whole: bool = False) -> SymbolNode | None:
    """All ways to read some tokens; None where there is none. whole : whether to look through the whole grammar"""
    parser = grammar().parser.parser if whole else _parser(frozenset().union(*(one.tokens for one in cut)))
    if parser is None:
        return None
    try:
        found: SymbolNode = parser.parse(_Given(cut), "start")
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
    return sum(name in packed.right.token.tokens for name in _alone()[packed.rule.origin])


@cache
def _alone() -> dict[Any, list[str]]:
    """The tokens that are all there is to a symbol."""
    found: defaultdict[Any, list[str]] = defaultdict(list)
    for rule in grammar().rules:
        if len(rule.expansion) == 1 and rule.expansion[0].is_term:
            found[rule.origin].append(rule.expansion[0].name)
    return found
