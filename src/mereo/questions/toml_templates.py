"""Our own templates, in TOML: text variants, one program line with holes, constraints.

    [[template]]
    name = "count"
    type = "count"
    text = ["How many {B.plural} are {R} the {A}?"]
    program = "count(filter[{B}](relate[{R}](unique(filter[{A}](scene())))))"

`filter[{A}]` is a hole for a whole description; together with a relation before it and `unique`, `count` or `exist`
after it, it is searched as one choice. A hole in any other function is a single word of that function's type. `each`
lists substitutions that make several templates of one, or names a list of them that the benchmark has; `also` adds
texts to those that match; texts under `heard` are understood and never asked. Constraints:
`unnamed({A}, size)`, A may not mention the size; `differ({A}, {B})`, they must not be the same; `outside({B}, {A})`,
the object B must not be one of A; `apart({A}, {P})`, the word P must not be said again in describing A; `present({P})`,
what P leads to must not be empty, wherever it stands; `several({A})`, A must be more than one; `single({A})`, A must be
just one; `unsaid(answer)`, the answer must not stand in the question. `words` lists what a hole may be filled with, for
one template or for all of a file, where that is not every word of its type. A word hole that stands twice in a program
is the same word both times; it is said once.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mereo.errors import BadInput, nearest
from mereo.files import converted, read_toml
from mereo.programs import Language, Program, Step, Type, parse_program, value_type
from mereo.questions.describe import Describer
from mereo.questions.soundness import check_nodes
from mereo.questions.template import Again, Apply, Choose, Describe, Differ, Goal, Node, Present, Template
from mereo.questions.toml_text import holes_of, parse_text

__all__ = ["load_templates"]

GOALS: tuple[Goal, ...] = ("unique", "count", "exist")
_DESCRIBED = "filter"
_HOLE = re.compile(r"\{(\w+)\}")
_CONSTRAINTS = {
    "unnamed": "unnamed({A}, size)",
    "differ": "differ({A}, {B})",
    "outside": "outside({B}, {A})",
    "apart": "apart({A}, {P})",
    "present": "present({P})",
    "several": "several({A})",
    "single": "single({A})",
    "unsaid": "unsaid(answer)",
}
"""What may be demanded, each as it is written."""
_CONSTRAINT = re.compile(r"(\w+)\(([^()]*)\)")


class _Template(msgspec.Struct, forbid_unknown_fields=True):
    name: str
    type: str
    text: list[str]
    program: str
    heard: list[str] = []
    constraints: list[str] = []
    each: list[dict[str, str]] | str = msgspec.field(default_factory=lambda: [dict[str, str]()])
    also: list[dict[str, Any]] = []
    words: dict[str, list[str]] = {}


class _File(msgspec.Struct, forbid_unknown_fields=True):
    template: list[_Template]
    words: dict[str, list[str]] = {}


def _no_lists(name: str) -> Sequence[Mapping[str, str]]:
    raise BadInput(f"there is no list '{name}'", field="each")


def load_templates(
    folder: Path,
    *,
    language: Language,
    describer: Describer,
    refers: bool = False,
    listed: Callable[[str], Sequence[Mapping[str, str]]] = _no_lists,
) -> tuple[Template, ...]:
    """All templates of a folder of TOML files, in the order of the files' names.

    listed : gives the substitutions that `each` names
    refers : whether programs end in the entities that are referred to
    """
    templates: list[Template] = []
    for file in sorted(folder.glob("*.toml")):
        index = 0
        for position, record in enumerate(_records(file)):
            try:
                for expanded in _expanded(record, listed):
                    template = _template(expanded, file, index, language, describer, refers=refers)
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
    whole = converted(read_toml(file), file=file, type=_File)
    return [msgspec.structs.replace(record, words=whole.words | record.words) for record in whole.template]


def _expanded(record: _Template, listed: Callable[[str], Sequence[Mapping[str, str]]]) -> Iterator[_Template]:
    """One template for each substitution."""
    for variables in listed(record.each) if isinstance(record.each, str) else record.each:

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
            heard=[put(text) for text in record.heard],
            program=put(record.program),
            constraints=[put(constraint) for constraint in record.constraints],
            words={name: [put(word) for word in words] for name, words in record.words.items()},
        )


def _template(
    record: _Template, file: Path, index: int, language: Language, describer: Describer, *, refers: bool
) -> Template:
    program = parse_program(_HOLE.sub(r"<\1>", record.program))
    nodes = _Nodes(program, language, describer, record.words)
    for text in record.constraints:
        nodes.constrain(text)
    output = check_nodes(nodes.nodes, language, field="program", refers=refers)
    nodes.refuse_giving_away()
    if not record.text:
        raise BadInput("must have at least one text", field="text")
    for text in (*record.text, *record.heard):
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
        heard=tuple(map(parse_text, record.heard)),
        nodes=tuple(nodes.nodes),
        output=output,
        differ=(*nodes.differing, *nodes.told_apart()),
        present=tuple(nodes.presence),
        unsaid=nodes.unsaid,
        type=record.type,
        source=file.name,
    )


class _Nodes:
    """The nodes of a template: a program's steps, with each description and what belongs to it made one."""

    def __init__(self, program: Program, language: Language, describer: Describer, words: Mapping[str, Sequence[str]]):
        self.language, self.describer, self.words = language, describer, words
        self.nodes: list[Node] = []
        self.holes: dict[str, int] = {}
        """Which node each hole belongs to."""
        self.differing: list[Differ] = []
        self.presence: list[Present] = []
        self.unsaid = False
        self.goals = {describer.goal(goal): goal for goal in GOALS}
        """The goal of each function that may follow a description."""
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
        goal = self.goals.get(step.function)
        if goal is None or not step.inputs or steps[step.inputs[0]].function != _DESCRIBED:
            return None
        k = place[step.inputs[0]]
        node = self.nodes[k]
        assert isinstance(node, Describe)
        self.nodes[k] = node._replace(goal=goal, named=goal == "exist" and node.relation is None)
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
        if step.function == self.describer.relate and _feeds_description(step, steps):
            return None
        inputs = tuple(place[i] for i in step.inputs)
        if not any(_is_hole(value) for value in step.values):
            return Apply(step.function, inputs, step.values)
        if len(step.values) > 1:
            raise BadInput(f"{step.function} has a hole among several values", field="program")
        bound = self.holes.get(str(step.values[0])[1:-1], -1)
        chosen = self.nodes[bound] if bound >= 0 else None
        if isinstance(chosen, Choose):
            strange = [word for word in chosen.type.values or () if not function.values[0].admits(word)]
            if strange:
                fault = f"{step.function} cannot take the hole {{{chosen.hole}}}, which may be '{strange[0]}'"
                raise BadInput(fault, field="program")
            return Again(step.function, inputs, bound)
        hole, type = self._bind(step.values[0]), function.values[0]
        return Choose(step.function, inputs, hole, self._limited(hole, type))

    def _limited(self, hole: str, type: Type) -> Type:
        """The type of a hole that may take only some of its words."""
        words = self.words.get(hole)
        for word in words or ():
            if not type.admits(word):
                raise BadInput(f"'{word}' is not a {type}{nearest(word, type.values or ())}", field="words")
        return type if words is None else value_type(type.name, tuple(words))

    def _description(self, step: Step, steps: tuple[Step, ...], place: Mapping[int, int]) -> Describe:
        if len(step.values) != 1 or not _is_hole(step.values[0]) or len(step.inputs) != 1:
            raise BadInput("filter takes one hole and one input: filter[{A}](…)", field="program")
        before = steps[step.inputs[0]]
        related = before.function == self.describer.relate
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

    def constrain(self, text: str) -> None:
        """Take up a constraint as its author wrote it."""
        match = _CONSTRAINT.fullmatch(text)
        if match is None or match[1] not in _CONSTRAINTS:
            name = match[1] if match else text
            raise BadInput(f"there is no constraint '{name}'{nearest(name, _CONSTRAINTS)}", field="constraints")
        holes = [argument.strip() for argument in match[2].split(",")]
        expected = _CONSTRAINTS[match[1]]
        wanted = expected.partition("(")[2].split(",")
        if ["{" in argument for argument in holes] != ["{" in argument for argument in wanted]:
            raise BadInput(f"{text!r} is not of the form {expected}", field="constraints")
        getattr(self, f"_{match[1]}")(*[hole.strip("{}") for hole in holes], text=text)

    def _unnamed(self, hole: str, attribute: str, text: str) -> None:
        k, node = self._described(hole)
        if not self.describer.can_tell(attribute):
            known = nearest(attribute, self.describer.attributes)
            raise BadInput(f"objects are not described by '{attribute}'{known}", field="constraints")
        self.nodes[k] = node._replace(unnamed=node.unnamed | {attribute})

    def _differ(self, one: str, other: str, text: str) -> None:
        k, m = self._at(one, text), self._at(other, text)
        chosen = isinstance(self.nodes[k], Choose) and isinstance(self.nodes[m], Choose)
        self.differing.append(Differ(k, m, "word" if chosen else "value", text))

    def _outside(self, one: str, many: str, text: str) -> None:
        self.differing.append(Differ(self._at(one, text), self._at(many, text), "member", text))

    def _apart(self, hole: str, word: str, text: str) -> None:
        k, node = self._described(hole)
        m = self._at(word, text)
        if not isinstance(self.nodes[m], Choose):
            raise BadInput(f"{{{word}}} of {text} is no word that is chosen", field="constraints")
        self.nodes[k] = node._replace(beside=(*node.beside, m))

    def _present(self, hole: str, text: str) -> None:
        chosen = self._at(hole, text)
        again = [k for k, node in enumerate(self.nodes) if isinstance(node, Again) and node.of == chosen]
        self.presence += [Present(k, 1, text) for k in (chosen, *again)]

    def _several(self, hole: str, text: str) -> None:
        self.presence.append(Present(self._at(hole, text), 2, text))

    def _single(self, hole: str, text: str) -> None:
        self.presence.append(Present(self._at(hole, text), 1, text, most=1))

    def _unsaid(self, answer: str, text: str) -> None:
        self.unsaid = True

    def _at(self, hole: str, text: str) -> int:
        """The node that a hole belongs to."""
        if hole not in self.holes:
            raise BadInput(f"{{{hole}}} of {text} is no hole of the program", field="constraints")
        return self.holes[hole]

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
                if not isinstance(described, Describe) or asked is None:
                    continue
                if described.describer.can_tell(asked) and asked not in described.unnamed:
                    needed = f"unnamed({{{described.hole}}}, {asked})"
                    raise BadInput(f"could give its answer away: add {needed}", field="constraints")


def _is_hole(value: Any) -> bool:
    return isinstance(value, str) and value.startswith("<") and value.endswith(">")


def _feeds_description(step: Step, steps: tuple[Step, ...]) -> bool:
    position = next(i for i, other in enumerate(steps) if other is step)
    return any(position in later.inputs and later.function == _DESCRIBED for later in steps)
