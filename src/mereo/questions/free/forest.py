"""From tokens to meanings: Lark finds every way in which the grammar allows them, and each way is worked out once."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import cache
from itertools import product
from pathlib import Path
from typing import Any, NamedTuple

from lark import Lark
from lark.exceptions import UnexpectedInput
from lark.lexer import Lexer
from lark.parsers.earley_forest import PackedNode, SymbolNode, TokenNode

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

    def __init__(self, conf: Any):
        pass

    def lex(self, data: Any) -> Iterator[Stretch]:  # type: ignore[override]
        yield from data


@cache
def _grammar() -> Lark:
    grammar = Path(__file__).with_name("english.lark").read_text()
    lark = Lark(grammar, parser="earley", lexer=_Given, ambiguity="forest", keep_all_tokens=True)
    # A stretch may be several tokens at once, which Lark's own matching by one type leaves out.
    lark.parser.parser.term_matcher = lambda terminal, stretch: terminal.name in stretch.tokens
    return lark


def meanings(cut: Cut, actions: Mapping[str, Action]) -> list[Meant]:
    """All that some tokens may mean, the cheapest first."""
    try:
        root = _grammar().parse(cut)  # type: ignore[arg-type]
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
                for children in self._children(packed):
                    for cost, value in self._applied(packed.rule, children):
                        found[value] = min(cost, found.get(value, cost))
            self.known[id(node)] = sorted((Meant(cost, value) for value, cost in found.items()), key=_cost)[:_MOST]
        return self.known[id(node)]

    def _children(self, packed: PackedNode) -> Iterator[tuple[Meant, ...]]:
        """Each combination of what the children of a rule may mean."""
        for nodes in _sequences(packed):
            options = [self._child(node, symbol) for node, symbol in zip(nodes, packed.rule.expansion, strict=True)]
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
        made = self.actions[rule.alias](*values)
        for one in made if isinstance(made, list) else [made]:
            value, more = one if isinstance(one, tuple) and not hasattr(one, "_fields") else (one, 0.0)
            if value is not None:
                yield Meant(cost + more, value)


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
