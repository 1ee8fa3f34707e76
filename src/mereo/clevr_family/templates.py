"""Template sets as CLEVR and its descendants publish them: JSON files, a `metadata.json` and a `synonyms.json`.

They load unchanged. What differs from one descendant to the next is a `Dialect`: the functions that exist only in
templates, the constraints, and a few words. A benchmark brings its own by adding rows to these tables.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

import msgspec

from mereo.clevr_family.mending import mending
from mereo.errors import BadInput, nearest
from mereo.files import read_json
from mereo.programs import Language, Type
from mereo.questions.describe import Describer
from mereo.questions.phrase import Optional, Piece, Said, Speech, Text
from mereo.questions.rules import CLEVR_RULES, Rules
from mereo.questions.soundness import check_nodes
from mereo.questions.template import Apply, Choose, Describe, Differ, Goal, Node, OneOf, Slot, Template
from mereo.questions.template_set import TemplateSet

__all__ = [
    "Composite",
    "Dialect",
    "Draft",
    "composites_by",
    "described",
    "load_family",
    "none_of",
    "null",
    "one_of",
    "outputs_differ",
    "words_differ",
]


class _Param(msgspec.Struct):
    type: str
    name: str


class _Node(msgspec.Struct):
    inputs: list[int] = []
    type: str | None = None
    function: str | None = None
    side_inputs: list[Any] | None = None
    value_inputs: list[Any] | None = None


class _Constraint(msgspec.Struct):
    type: str
    params: list[Any]


class _Template(msgspec.Struct):
    text: list[str]
    nodes: list[_Node]
    params: list[_Param]
    constraints: list[_Constraint] = []


class _Metadata(msgspec.Struct):
    types: dict[str, Any]
    dataset: str = ""


@dataclass
class Draft:
    """A template while its file is being read."""

    params: dict[str, str]
    """Type name of each hole."""
    nodes: list[Node] = field(default_factory=list)
    differ: list[Differ] = field(default_factory=list)
    one_of: list[OneOf] = field(default_factory=list)
    further: list[Any] = field(default_factory=list)
    """Constraints that only the dialect's own asker knows."""

    def holder(self, hole: str) -> int:
        """The node that a hole belongs to."""
        for k, node in enumerate(self.nodes):
            if isinstance(node, Choose) and node.hole == hole:
                return k
            if isinstance(node, Describe) and (hole in node.slots.values() or hole == node.relation):
                return k
        raise BadInput(f"no node takes the hole {hole}", field="constraints")

    def slots(self, hole: str) -> tuple[Slot, ...]:
        """The attributes of descriptions that a hole stands for; none where it is a hole that no node takes."""
        if hole not in self.params or self.filled(hole):
            self.holder(hole)
            raise BadInput(f"the hole {hole} cannot stay empty", field="constraints")
        return tuple(
            Slot(k, attribute)
            for k, node in enumerate(self.nodes)
            if isinstance(node, Describe)
            for attribute, name in node.slots.items()
            if name == hole
        )

    def filled(self, hole: str) -> bool:
        """Whether a hole is always filled: with a relation, or a word that a step of its own takes."""
        return any(
            hole == (node.hole if isinstance(node, Choose) else node.relation if isinstance(node, Describe) else None)
            for node in self.nodes
        )

    def describe(self, k: int) -> Describe:
        """A node that is known to describe."""
        node = self.nodes[k]
        assert isinstance(node, Describe)
        return node

    def node(self, position: Any) -> int:
        """A node that a constraint names by its place."""
        if not isinstance(position, int) or not 0 <= position < len(self.nodes):
            raise BadInput(f"there is no node {position!r}", field="constraints")
        return position


@dataclass(frozen=True)
class Dialect:
    """How one family of template files is to be read."""

    language: Language
    describer: Describer
    composites: Mapping[str, Composite]
    """Functions that exist only in templates, each with what makes a node of it."""
    constraints: Mapping[str, Callable[[Draft, list[Any]], None]]
    """Constraint types, each with what puts it into a template."""
    unnamed_word: Mapping[str, str]
    """What stands in the text for a hole that is left empty, by the hole's type; nothing for others."""
    rules: Rules = CLEVR_RULES
    finish: Callable[[str, Said], str] = lambda text, said: text
    mending: tuple[str, ...] = ()
    """The names of files beside the metadata that say what is replaced in a text when its holes are filled."""
    refers: bool = False
    """Whether programs end in the entities that are referred to; a `count` that a template ends in is left out."""
    types: tuple[str, ...] = ()
    """Types of holes that the metadata forgets to list."""
    asker: Callable[[TemplateSet, Language, Rules], Any] | None = None
    """What asks questions with these templates, where the usual `Asker` would not do."""


Composite = Callable[[Dialect, Draft, tuple[int, ...], list[str]], Node]
"""What makes a node of a function that exists only in templates, of its inputs and of its holes."""


def described(goal: Goal, *, related: bool, empty: bool = False) -> Composite:
    """A composite that describes objects, by a relation or not, towards a goal.

    empty : whether a set may be described without naming anything
    """

    def make(dialect: Dialect, draft: Draft, inputs: tuple[int, ...], holes: list[str]) -> Node:
        if related and not holes:
            raise BadInput("names no relation", field="nodes")
        names = holes[1:] if related else holes
        slots = {draft.params[name].lower(): name for name in names}
        attributes = dialect.describer.attributes
        for attribute in slots:
            if attribute not in attributes:
                raise BadInput(
                    f"objects are not described by {attribute}{nearest(attribute, attributes)}", field="nodes"
                )
        return Describe(
            dialect.describer,
            inputs,
            hole=" ".join(names),
            slots=slots,
            goal=goal,
            relation=holes[0] if related else None,
            unnamed=frozenset(attributes) - set(slots),
            named=goal == "set" and not related and not empty,
        )

    return make


_GOALS: Mapping[str, Goal] = {"": "set", "_unique": "unique", "_count": "count", "_exist": "exist"}


def composites_by(make: Callable[..., Composite], goals: Mapping[str, Goal] = _GOALS) -> dict[str, Composite]:
    """`filter`, `filter_unique` and so on, then the same of what stands in a relation, each made for its goal.

    make : make(goal, related=); goals : by what the names end in
    """
    return {
        f"{'relate_' if related else ''}filter{ending}": make(goal, related=related)
        for related in (False, True)
        for ending, goal in goals.items()
    }


def null(draft: Draft, params: list[Any]) -> None:
    """NULL: the hole stays empty."""
    for hole in params:
        for k, attribute in draft.slots(hole):
            node = draft.describe(k)
            draft.nodes[k] = node._replace(unnamed=node.unnamed | {attribute})


def none_of(draft: Draft, params: list[Any]) -> None:
    """NONE_OF: the holes stay empty, as if the descriptions did not have them.

    So what is drawn out of thin air is drawn of what may be named. Drawn of everything, as SHOP-VRB's generator does,
    next to nothing of it would leave all of these out.
    """
    for hole in params:
        for k, attribute in draft.slots(hole):
            node = draft.describe(k)
            rest = tuple(name for name in node.describer.attributes if name != attribute)
            draft.nodes[k] = node._replace(
                describer=replace(node.describer, attributes=rest), unnamed=node.unnamed & set(rest)
            )


def one_of(draft: Draft, params: list[Any], *, needed: bool = False) -> None:
    """ONE_OF: one of the holes may be filled, which one is drawn for every search. needed : it must be filled"""
    filled = [hole for hole in params if draft.filled(hole)]
    if len(filled) > 1:
        raise BadInput(f"the holes {filled[0]} and {filled[1]} are both filled always", field="constraints")
    if filled:
        null(draft, [hole for hole in params if hole not in filled])
    elif params:
        draft.one_of.append(OneOf(tuple(map(draft.slots, params)), needed))


def outputs_differ(draft: Draft, params: list[Any]) -> None:
    """OUT_NEQ: two nodes give different things."""
    one, other = (draft.node(position) for position in _pair(params, "OUT_NEQ"))
    draft.differ.append(Differ(one, other, text=f"OUT_NEQ {params}"))


def words_differ(draft: Draft, params: list[Any]) -> None:
    """NEQ: two holes are filled with different words."""
    one, other = (draft.holder(hole) for hole in _pair(params, "NEQ"))
    if not isinstance(draft.nodes[one], Choose) or not isinstance(draft.nodes[other], Choose):
        raise BadInput("NEQ compares holes of single values, not of descriptions", field="constraints")
    draft.differ.append(Differ(one, other, "word", text=f"NEQ {params}"))


def _pair(params: list[Any], constraint: str) -> list[Any]:
    if len(params) != 2:
        raise BadInput(f"{constraint} compares two, not {len(params)}", field="constraints")
    return params


def load_family(
    folder: str | Path, *, metadata: str | Path, synonyms: str | Path | None, dialect: Dialect
) -> TemplateSet:
    """All templates of a folder of JSON files, in the order of the files' names."""
    types = read_json(metadata, type=_Metadata)
    words: dict[str, list[str]] = read_json(synonyms, type=dict[str, list[str]]) if synonyms else {}
    for word, others in words.items():
        if not others:
            raise BadInput("is a word with no way to say it", file=synonyms, field=word)
    files = sorted(Path(folder).glob("*.json"))
    if not files:
        raise BadInput("there is no such folder" if not Path(folder).is_dir() else "holds no .json file", file=folder)
    templates = []
    for file in files:
        for index, record in enumerate(read_json(file, type=list[_Template])):
            try:
                templates.append(_template(record, file, index, types, dialect))
            except BadInput as error:
                raise error.within(file=file, record=f"template {index}") from None
    mended = mending([Path(metadata).with_name(name) for name in dialect.mending])
    return TemplateSet(tuple(templates), Speech(words, finish=dialect.finish, mended=mended), types.dataset)


def _template(record: _Template, file: Path, index: int, metadata: _Metadata, dialect: Dialect) -> Template:
    if not record.text:
        raise BadInput("must have at least one text", field="text")
    draft = Draft({param.name: param.type for param in record.params})
    for param in record.params:
        if param.type not in metadata.types and param.type not in dialect.types:
            raise BadInput(f"there is no type '{param.type}'{nearest(param.type, metadata.types)}", field="params")
    for position, node in enumerate(record.nodes):
        draft.nodes.append(_node(node, position, draft, metadata, dialect))
    if dialect.refers and draft.nodes and draft.nodes[-1][:2] == ("count", (len(draft.nodes) - 2,)):
        draft.nodes.pop()
    output = check_nodes(draft.nodes, dialect.language, field="nodes", refers=dialect.refers)
    for constraint in record.constraints:
        if constraint.type not in dialect.constraints:
            known = nearest(constraint.type, dialect.constraints)
            raise BadInput(f"there is no constraint '{constraint.type}'{known}", field="constraints")
        dialect.constraints[constraint.type](draft, constraint.params)
    texts = tuple(Text(_pieces(text, draft, dialect), text) for text in record.text)
    return Template(
        family=file.stem,
        name=str(index),
        index=index,
        texts=texts,
        nodes=tuple(draft.nodes),
        output=output,
        differ=tuple(draft.differ),
        one_of=tuple(draft.one_of),
        further=tuple(draft.further),
        type=file.stem,
        source=file.name,
    )


def _node(node: _Node, position: int, draft: Draft, metadata: _Metadata, dialect: Dialect) -> Node:
    name = node.type or node.function
    if name is None:
        raise BadInput(f"node {position} names no function", field="nodes")
    if any(not 0 <= i < position for i in node.inputs):
        raise BadInput(f"node {position} ({name}) takes a node that does not come before it", field="nodes")
    values = node.side_inputs if node.side_inputs is not None else node.value_inputs or []
    holes = [value for value in values if isinstance(value, str) and value.startswith("<")]
    unbound = [hole for hole in holes if hole not in draft.params]
    if unbound:
        raise BadInput(
            f"node {position} ({name}) takes the hole {unbound[0]}, which params does not bind", field="nodes"
        )
    inputs = tuple(node.inputs)
    if name in dialect.composites:
        if len(inputs) != 1:
            raise BadInput(f"node {position} ({name}) must have one input", field="nodes")
        return dialect.composites[name](dialect, draft, inputs, holes)
    if name not in dialect.language.functions:
        known = nearest(name, [*dialect.language.functions, *dialect.composites])
        raise BadInput(f"node {position}: there is no function '{name}'{known}", field="nodes")
    function = dialect.language.functions[name]
    if len(inputs) != len(function.inputs) or len(values) != len(function.values):
        raise BadInput(f"node {position} does not fit {function.signature}", field="nodes")
    if not holes:
        return Apply(name, inputs, tuple(values))
    if len(values) != 1:
        raise BadInput(f"node {position} ({name}) has more than one hole", field="nodes")
    return Choose(name, inputs, holes[0], _domain(function.values[0], metadata.types[draft.params[holes[0]]]))


def _domain(type: Type, values: Any) -> Type:
    """The function's own type, narrowed to the words that the metadata lists."""
    return replace(type, values=tuple(values)) if isinstance(values, list) else type


_MARKUP = re.compile(r"(<\w+>)|\[([^\]]*)\]")


def _pieces(text: str, draft: Draft, dialect: Dialect) -> tuple[Piece, ...]:
    """A text as literal words, holes and optional stretches."""
    pieces: list[Piece] = []
    end = 0
    for found in _MARKUP.finditer(text):
        hole, words = found.groups()
        touches = hole is not None and end == found.start() and pieces and isinstance(pieces[-1], _Hole)
        # Holes that touch are words all the same: of "<S><N>" both may be said.
        pieces.append(" " if touches else text[end : found.start()])
        if hole is None:
            pieces.append(Optional(_pieces(words, draft, dialect)))
        elif hole not in draft.params:
            raise BadInput(f"the text {text!r} has the hole {hole}, which params does not bind", field="text")
        else:
            pieces.append(_Hole(hole, dialect.unnamed_word.get(draft.params[hole], "")))
        end = found.end()
    pieces.append(text[end:])
    return tuple(piece for piece in pieces if piece != "")


@dataclass(frozen=True)
class _Hole:
    """A single value, or what stands for its absence."""

    name: str
    absent: str

    def __call__(self, speech: Speech, said: Said, chance: Any) -> str:
        return speech.word(said.fillings.get(self.name) or self.absent, chance)
