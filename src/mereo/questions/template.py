"""A template: a question with holes, as text variants and as a program whose open choices are explicit."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple

from mereo.programs import Type, value_type
from mereo.questions.describe import Describer
from mereo.questions.phrase import Text

__all__ = ["Again", "Apply", "Choose", "Describe", "Differ", "Goal", "Node", "OneOf", "Present", "Slot", "Template"]

Goal = Literal["set", "unique", "count", "exist"]


class Apply(NamedTuple):
    """A function with nothing left open."""

    function: str
    inputs: tuple[int, ...]
    values: tuple[object, ...] = ()


class Choose(NamedTuple):
    """A function whose one literal is a hole: every word of the hole's type is an option."""

    function: str
    inputs: tuple[int, ...]
    hole: str
    type: Type


class Again(NamedTuple):
    """A function whose literal is a word that was chosen before: "the same color of legs", of legs again."""

    function: str
    inputs: tuple[int, ...]
    of: int
    """The node where the word was chosen."""


class Describe(NamedTuple):
    """A hole for a description: which objects, by their attributes and perhaps by a relation, and what for.

    With a relation the input is one object and the description is of those that stand in the relation to it, else the
    input is a set. The goal is what the described set is then used for; options are only what the goal can use.
    """

    describer: Describer
    inputs: tuple[int, ...]
    hole: str
    """The name of the whole description."""
    slots: Mapping[str, str]
    """Hole name of each attribute that may be named."""
    goal: Goal = "set"
    relation: str | None = None
    """Hole name of the relation."""
    unnamed: frozenset[str] = frozenset()
    """Attributes that this description must leave out."""
    named: bool = False
    """Whether it must name something: "any things" will not do."""
    needed: frozenset[str] = frozenset()
    """Attributes that it must name."""
    beside: tuple[int, ...] = ()
    """The nodes whose chosen words it must go with: what is asked about an object must not describe it."""


Node = Apply | Again | Choose | Describe


class Differ(NamedTuple):
    """Two nodes must not give the same."""

    one: int
    other: int
    of: Literal["value", "set", "word", "member"] = "value"
    """What must differ: the values, the sets described (also where only their sizes are used), the words chosen, or
    one object and all those of the other."""
    text: str = "differ"
    """The constraint as its author wrote it, for messages."""


class Present(NamedTuple):
    """A node must give a set of some size: nobody asks how many drawers a chair has."""

    node: int
    least: int = 1
    text: str = "present"


class Slot(NamedTuple):
    """An attribute that the description of a node may name."""

    node: int
    attribute: str


class OneOf(NamedTuple):
    """Of several holes only one, which is drawn anew for every search, may be filled."""

    holes: tuple[tuple[Slot, ...], ...]
    """The slots that each hole fills; none where no node takes it, so that it stays empty."""
    needed: bool = False
    """Whether that one must be filled."""


def _narrowed(type: Type, words: tuple[str, ...]) -> Type:
    return value_type(type.name, tuple(word for word in type.values or () if word in words))


@dataclass(frozen=True)
class Template:
    """One kind of question."""

    family: str
    """The group it belongs to: the file it stands in."""
    name: str
    index: int
    """Its place within the file."""
    texts: tuple[Text, ...]
    """How it is asked."""
    nodes: tuple[Node, ...]
    output: Type
    """What the program answers with."""
    differ: tuple[Differ, ...] = ()
    present: tuple[Present, ...] = ()
    one_of: tuple[OneOf, ...] = ()
    unsaid: bool = False
    """Whether the answer must not be among the words of the question."""
    type: str = ""
    source: str = ""
    """The file's name, as the official question files give it."""
    weight: float = 1.0
    """How often it is to be asked, against others."""
    further: tuple[object, ...] = ()
    """Constraints of one family of template files, for the asker that its dialect brings."""

    heard: tuple[Text, ...] = ()
    """Other ways to ask it, which are understood and never said."""
    answers: tuple[str, ...] | None = None
    """The answers that are asked for, where not all that its type has."""

    def limited(self, words: Mapping[str, tuple[str, ...]]) -> Template:
        """The same with fewer words: for each type that is named, those that may be said and answered."""
        nodes = [
            node._replace(type=_narrowed(node.type, words[node.type.name]))
            if isinstance(node, Choose) and node.type.name in words
            else node
            for node in self.nodes
        ]
        return replace(self, nodes=tuple(nodes), answers=words.get(self.output.name))

    def settled(self, drawn: Sequence[int]) -> Template:
        """The same with only one hole left open of each that exclude each other. drawn : which, for each `OneOf`"""
        nodes = list(self.nodes)
        for choice, chosen in zip(self.one_of, drawn, strict=True):
            for place, slots in enumerate(choice.holes):
                for k, attribute in slots:
                    node = nodes[k]
                    assert isinstance(node, Describe)
                    if place != chosen:
                        nodes[k] = node._replace(unnamed=node.unnamed | {attribute})
                    elif choice.needed:
                        nodes[k] = node._replace(needed=node.needed | {attribute})
        return replace(self, nodes=tuple(nodes), one_of=())

    @property
    def title(self) -> str:
        """Family and name, which together are unique."""
        return f"{self.family}/{self.name}"
