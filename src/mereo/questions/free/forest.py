"""From tokens to meanings: Lark finds every way in which the grammar allows them, and each way is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from functools import cache, lru_cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer
from lark.parsers.earley_forest import PackedNode, SymbolNode, TokenNode

from mereo.questions.free.lexicon import Form
from mereo.questions.free.tokens import Cut, Stretch

__all__ = ["Meant", "meanings"]

_MOST = 24
"""How many meanings of one stretch are kept, the cheapest."""


class Meant(NamedTuple):
    """A meaning and what it costs: how far it is from the first that comes to mind."""

    cost: float
    value: Any


Action = Callable[..., Any]
"""Takes what the children of a rule mean, and gives a value, a pair of a value and its cost, or a list of these; None
where it makes no sense."""


class _Given(Lexer):
    """Tokens come as they are."""

    def __init__(self, cut: Any):
        self.cut = cut

    def lex(self, _: Any) -> Iterator[Stretch]:  # type: ignore[override]
        yield from self.cut


@cache
def _grammar() -> Lark:
    grammar = Path(__file__).with_name("english.lark").read_text()
    lark = Lark(grammar, parser="earley", lexer=_Given, ambiguity="forest", keep_all_tokens=True)
    # A stretch may be several tokens at once, which Lark's own matching by one type leaves out.
    lark.parser.parser.term_matcher = lambda terminal, stretch: terminal.name in stretch.tokens
    return lark


@lru_cache(2048)
def _parser(tokens: frozenset[str]) -> Any:
    """A parser that knows only the rules that some tokens can fill, which is much quicker than to try them all."""
    parser = copy(_grammar().parser.parser)
    rules = _grammar().rules
    while True:
        made = {rule.origin for rule in rules}
        fitting = [rule for rule in rules if all(s.name in tokens if s.is_term else s in made for s in rule.expansion)]
        if len(fitting) == len(rules):
            break
        rules = fitting
    known = set(rules)
    parser.predictions = {
        origin: [rule for rule in closure if rule in known] for origin, closure in parser.predictions.items()
    }
    return parser


def meanings(cut: Cut, actions: Mapping[str, Action]) -> list[Meant]:
    """All that some tokens may mean, the cheapest first."""
    parser = _parser(frozenset(name for stretch in cut for name in stretch.tokens))
    try:
        root = parser.parse(_Given(cut), "start")
    except UnexpectedInput:
        return []
    return _Walk(actions).symbol(root)


class _Walk:
    """Works out the nodes of a forest, each once."""

    def __init__(self, actions: Mapping[str, Action]):
        self.actions = actions
        self.known: dict[int, list[Meant]] = {}

    def symbol(self, node: SymbolNode) -> list[Meant]:
        """What a symbol may mean."""
        if id(node) not in self.known:
            self.known[id(node)] = []  # a symbol that is made of itself means nothing new
            found: dict[Any, float] = {}
            for packed in node.children:
                for rule in _rules(packed):
                    for children in self._children(packed, rule):
                        for cost, value in self._applied(rule, children):
                            found[value] = min(cost, found.get(value, cost))
            self.known[id(node)] = sorted((Meant(cost, value) for value, cost in found.items()), key=_cost)[:_MOST]
        return self.known[id(node)]

    def _children(self, packed: PackedNode, rule: Any) -> Iterator[tuple[Meant, ...]]:
        """Each combination of what the children of a rule may mean."""
        for nodes in _sequences(packed):
            options = [self._child(node, symbol) for node, symbol in zip(nodes, rule.expansion, strict=True)]
            yield from product(*options)

    def _child(self, node: Any, symbol: Any) -> Sequence[Meant]:
        if isinstance(node, TokenNode):
            return [Meant(0.0, value) for value in node.token.tokens[symbol.name]]
        return self.symbol(node)

    def _applied(self, rule: Any, children: tuple[Meant, ...]) -> Iterator[Meant]:
        values = [child.value for child in children if child.value is not None]
        cost = sum(child.cost for child in children)
        if rule.alias is None:
            if len(values) == 1:
                yield Meant(cost, values[0])
            elif not values:
                yield Meant(cost, None)
            return
        action = self.actions[rule.alias]
        if not getattr(action, "agrees", False):
            values = [value for value in values if not isinstance(value, Form)]
        made = action(*values)
        for one in made if isinstance(made, list) else [made]:
            value, more = one if isinstance(one, tuple) and not hasattr(one, "_fields") else (one, 0.0)
            if value is not None:
                yield Meant(cost + more, value)


def _rules(packed: PackedNode) -> list[Any]:
    """The rules by which a node was found. Of those that take one stretch as different tokens, Lark keeps only one."""
    if packed.left is not None or not isinstance(packed.right, TokenNode):
        return [packed.rule]
    return [rule for rule in _alone()[packed.rule.origin] if rule.expansion[0].name in packed.right.token.tokens]


@cache
def _alone() -> dict[Any, list[Any]]:
    """The rules that are one token, by what they make."""
    found: dict[Any, list[Any]] = {}
    for rule in _grammar().rules:
        if len(rule.expansion) == 1 and rule.expansion[0].is_term:
            found.setdefault(rule.origin, []).append(rule)
    return found


def _sequences(packed: PackedNode) -> Iterator[tuple[Any, ...]]:
    """The children of a packed node in order, for each way in which its beginning was found."""
    beginnings: Iterator[tuple[Any, ...]]
    if packed.left is None:
        beginnings = iter([()])
    elif isinstance(packed.left, SymbolNode) and packed.left.is_intermediate:
        beginnings = (nodes for before in packed.left.children for nodes in _sequences(before))
    else:
        beginnings = iter([(packed.left,)])
    for nodes in beginnings:
        yield nodes if packed.right is None else (*nodes, packed.right)


def _cost(meant: Meant) -> float:
    return meant.cost
