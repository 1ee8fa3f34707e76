"""Our own templates, in TOML: text variants, one program line with holes, constraints.

    [[template]]
    name = "count"
    type = "count"
    text = ["How many {B.plural} are {R} the {A}?"]
    program = "count(filter[{B}](relate[{R}](unique(filter[{A}](scene())))))"

`filter[{A}]` is a hole for a whole description; together with a relation before it and `unique`, `count` or `exist`
after it, it is searched as one choice. A hole in any other function is a single word of that function's type. `each`
lists substitutions that make several templates of one; `also` adds texts to those that match. Constraints:
`unnamed({A}, size)`, A may not mention the size; `differ({A}, {B})`, they must not be the same.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

import msgspec

from mereo.errors import BadInput, nearest
from mereo.files import read_toml
from mereo.programs import Language, Program, Step, parse_program
from mereo.questions.describe import Describer
from mereo.questions.soundness import check_nodes
from mereo.questions.template import Apply, Choose, Describe, Differ, Goal, Node, Template
from mereo.questions.toml_text import holes_of, parse_text

__all__ = ["load_templates"]

GOALS: tuple[Goal, ...] = ("unique", "count", "exist")
_DESCRIBED = "filter"
_RELATED = "relate"
_HOLE = re.compile(r"\{(\w+)\}")
_CONSTRAINT = re.compile(r"(\w+)\(\{(\w+)\}, (?:\{(\w+)\}|(\w+))\)")


class _Template(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    type: str
    text: list[str]
    program: str
    constraints: list[str] = []
    each: list[dict[str, str]] = msgspec.field(default_factory=lambda: [{}])
    also: list[dict[str, Any]] = []


class _File(msgspec.Struct, forbid_unknown_fields=True):
    template: list[_Template]


def load_templates(folder: Path, *, language: Language, describer: Describer) -> tuple[Template, ...]:
    """All templates of a folder of TOML files, in the order of the files' names."""
    templates: list[Template] = []
    for file in sorted(folder.glob("*.toml")):
        index = 0
        for position, record in enumerate(_records(file)):
            try:
                for expanded in _expanded(record):
                    template = _template(expanded, file, index, language, describer)
                    if any(known.title == template.title for known in templates):
                        raise BadInput(f"there is already a template {template.title}", field="name")
                    templates.append(template)
                    index += 1
            except BadInput as error:
                where = f"template {position} ('{record.name}')"
                where += f", {error.record}" if error.record else ""
                raise BadInput(error.reason, file=file, record=where, field=error.field) from None
    if not templates:
        raise BadInput("holds no template", file=folder)
    return tuple(templates)


def _records(file: Path) -> list[_Template]:
    try:
        return msgspec.convert(read_toml(file), _File).template
    except msgspec.ValidationError as error:
        raise BadInput(str(error), file=file) from None


def _expanded(record: _Template) -> Iterator[_Template]:
    """One template for each substitution."""
    for variables in record.each:

        def put(text: str, variables: Mapping[str, str] = variables) -> str:
            return _HOLE.sub(lambda hole: variables.get(hole[1], hole[0]), text)

        texts = list(record.text)
        for more in record.also:
            condition = {key: value for key, value in more.items() if key != "text"}
            if not isinstance(more.get("text"), list) or not condition:
                raise BadInput("each entry needs a condition and a list of texts", field="also")
            if all(variables.get(key) == value for key, value in condition.items()):
                texts += more["text"]
        yield _Template(
            name=put(record.name),
            type=put(record.type),
            text=[put(text) for text in texts],
            program=put(record.program),
            constraints=[put(constraint) for constraint in record.constraints],
        )


def _template(record: _Template, file: Path, index: int, language: Language, describer: Describer) -> Template:
    program = parse_program(_HOLE.sub(r"<\1>", record.program))
    nodes = _Nodes(program, language, describer)
    differ = []
    for text in record.constraints:
        match = _CONSTRAINT.fullmatch(text)
        if match is None or match[1] not in ("unnamed", "differ"):
            raise BadInput(f"{text!r} is neither unnamed({{A}}, size) nor differ({{A}}, {{B}})", field="constraints")
        if match[1] == "unnamed" and match[4]:
            nodes.leave_unnamed(match[2], match[4])
        elif match[1] == "differ" and match[3]:
            differ.append(nodes.differ(match[2], match[3], text))
        else:
            raise BadInput(f"{text!r} is neither unnamed({{A}}, size) nor differ({{A}}, {{B}})", field="constraints")
    output = check_nodes(nodes.nodes, language, field="program")
    nodes.refuse_giving_away()
    if not record.text:
        raise BadInput("must have at least one text", field="text")
    for text in record.text:
        said = holes_of(text)
        if sorted(said) != sorted(nodes.holes):
            unbound = sorted(set(said) - set(nodes.holes)) or sorted(set(nodes.holes) - set(said))
            fault = "is not in the program" if unbound and unbound[0] in said else "is not said exactly once"
            unbound = unbound or [hole for hole in nodes.holes if said.count(hole) > 1]
            raise BadInput(f"hole {{{unbound[0]}}} of {text!r} {fault}", field="text")
    return Template(
        family=file.stem,
        name=record.name,
        index=index,
        texts=tuple(map(parse_text, record.text)),
        nodes=tuple(nodes.nodes),
        output=output,
        differ=(*differ, *nodes.told_apart()),
        type=record.type,
        source=file.name,
    )


class _Nodes:
    """The nodes of a template: a program's steps, with each description and what belongs to it made one."""

    def __init__(self, program: Program, language: Language, describer: Describer):
        self.language, self.describer = language, describer
        self.nodes: list[Node] = []
        self.holes: dict[str, int] = {}
        """Which node each hole belongs to."""
        place: dict[int, int] = {}
        steps = program.steps
        for position, step in enumerate(steps):
            merged = self._merged_into(step, steps, place)
            if merged is not None:
                place[position] = merged
                continue
            node = self._node(step, steps, place)
            if node is not None:
                place[position] = len(self.nodes)
                self.nodes.append(node)

    def _merged_into(self, step: Step, steps: tuple[Step, ...], place: Mapping[int, int]) -> int | None:
        """The description that a `unique`, `count` or `exist` directly on it becomes the goal of."""
        if step.function not in GOALS or not step.inputs or steps[step.inputs[0]].function != _DESCRIBED:
            return None
        k = place[step.inputs[0]]
        node = self.nodes[k]
        assert isinstance(node, Describe)
        self.nodes[k] = node._replace(goal=step.function, named=step.function == "exist" and node.relation is None)
        return k

    def _node(self, step: Step, steps: tuple[Step, ...], place: Mapping[int, int]) -> Node | None:
        if step.function == _DESCRIBED:
            return self._description(step, steps, place)
        function = self.language.functions.get(step.function)
        if function is None:
            known = nearest(step.function, [*self.language.functions, _DESCRIBED])
            raise BadInput(f"there is no function '{step.function}'{known}", field="program")
        if len(step.inputs) != len(function.inputs) or len(step.values) != len(function.values):
            raise BadInput(f"{step.function} does not fit {function.signature}", field="program")
        if step.function == _RELATED and _feeds_description(step, steps):
            return None
        inputs = tuple(place[i] for i in step.inputs)
        if not any(_is_hole(value) for value in step.values):
            return Apply(step.function, inputs, step.values)
        if len(step.values) > 1:
            raise BadInput(f"{step.function} has a hole among several values", field="program")
        return Choose(step.function, inputs, self._bind(step.values[0]), function.values[0])

    def _description(self, step: Step, steps: tuple[Step, ...], place: Mapping[int, int]) -> Describe:
        if len(step.values) != 1 or not _is_hole(step.values[0]) or len(step.inputs) != 1:
            raise BadInput("filter takes one hole and one input: filter[{A}](…)", field="program")
        before = steps[step.inputs[0]]
        related = before.function == _RELATED
        return Describe(
            self.describer,
            inputs=(place[before.inputs[0]] if related else place[step.inputs[0]],),
            hole=self._bind(step.values[0]),
            slots={},
            relation=self._bind(before.values[0]) if related else None,
            named=not related,
        )

    def _bind(self, value: Any) -> str:
        if not _is_hole(value):
            raise BadInput(f"{value!r} should be a hole such as {{R}}", field="program")
        hole = str(value)[1:-1]
        if hole in self.holes:
            raise BadInput(f"the hole {{{hole}}} stands twice in the program", field="program")
        self.holes[hole] = len(self.nodes)
        return hole

    def _described(self, hole: str) -> tuple[int, Describe]:
        k = self.holes.get(hole)
        node = self.nodes[k] if k is not None else None
        if k is None or not isinstance(node, Describe) or node.hole != hole:
            raise BadInput(f"{{{hole}}} is no description of the program", field="constraints")
        return k, node

    def leave_unnamed(self, hole: str, attribute: str) -> None:
        """`unnamed`: a description leaves an attribute out."""
        k, node = self._described(hole)
        if attribute not in self.describer.attributes:
            known = nearest(attribute, self.describer.attributes)
            raise BadInput(f"objects are not described by '{attribute}'{known}", field="constraints")
        self.nodes[k] = node._replace(unnamed=node.unnamed | {attribute})

    def differ(self, one: str, other: str, text: str) -> Differ:
        """`differ`: two holes do not come to the same."""
        for hole in (one, other):
            if hole not in self.holes:
                raise BadInput(f"{{{hole}}} of {text} is no hole of the program", field="constraints")
        k, m = self.holes[one], self.holes[other]
        chosen = isinstance(self.nodes[k], Choose) and isinstance(self.nodes[m], Choose)
        return Differ(k, m, "word" if chosen else "value", text)

    def told_apart(self) -> Iterator[Differ]:
        """What is compared or joined must be two things: "more cubes than cubes" is no question."""
        for node in self.nodes:
            if isinstance(node, Describe) or len(node.inputs) != 2:
                continue
            one, other = node.inputs
            pair = self.nodes[one], self.nodes[other]
            goals = {member.goal for member in pair if isinstance(member, Describe)}
            if all(isinstance(member, Describe) for member in pair) and goals <= {"set", "count"}:
                for k, member in zip((one, other), pair, strict=True):
                    assert isinstance(member, Describe)
                    self.nodes[k] = member._replace(named=member.relation is None)
                yield Differ(one, other, "set", f"the two sides of {node.function} are the same")

    def refuse_giving_away(self) -> None:
        """Complain about a description that could name just what is asked about it."""
        for node in self.nodes:
            asked = None if isinstance(node, Describe) else self.language.function(node.function).asks
            for i in node.inputs if asked else ():
                described = self.nodes[i]
                could = isinstance(described, Describe) and asked in described.describer.attributes
                if isinstance(described, Describe) and could and asked not in described.unnamed:
                    needed = f"unnamed({{{described.hole}}}, {asked})"
                    raise BadInput(f"could give its answer away: add {needed}", field="constraints")


def _is_hole(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("<") and value.endswith(">")


def _feeds_description(step: Step, steps: tuple[Step, ...]) -> bool:
    position = next(i for i, other in enumerate(steps) if other is step)
    return any(position in later.inputs and later.function == _DESCRIBED for later in steps)
