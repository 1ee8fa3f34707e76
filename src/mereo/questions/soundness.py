"""Type-checking templates: a template that could only become ill-typed programs is refused when it is read."""

from __future__ import annotations

from collections.abc import Sequence

from mereo.errors import BadInput, nearest
from mereo.programs import Language, Type
from mereo.questions.template import Apply, Choose, Describe, Node

__all__ = ["check_nodes"]


def check_nodes(nodes: Sequence[Node], language: Language, *, field: str, refers: bool = False) -> Type:
    """The type of the answer, or a complaint about the first node that is wrong.

    field : where the file has them
    refers : whether the programs are to end in a set of entities instead of an answer in words
    """
    if not nodes:
        raise BadInput("has no step at all", field=field)
    types: list[Type] = []
    for position, node in enumerate(nodes):
        try:
            types.append(_checked(node, types, language))
        except BadInput as error:
            raise BadInput(f"node {position}: {error.reason}", field=field) from None
    answer = types[-1]
    if refers:
        if answer.form != "entities":
            raise BadInput(f"ends in {answer}, which refers to nothing", field=field)
        return answer
    if answer.form in ("entity", "entities", "integers"):
        raise BadInput(f"ends in {answer}, which is no answer", field=field)
    return answer


def _checked(node: Node, types: Sequence[Type], language: Language) -> Type:
    if isinstance(node, Describe):
        return _described(node, types, language)
    function = language.functions[node.function]
    given = tuple(types[i] for i in node.inputs)
    if given != function.inputs:
        raise BadInput(f"{function.signature} cannot take ({', '.join(map(str, given))})")
    if isinstance(node, Apply):
        if len(node.values) != len(function.values):
            raise BadInput(f"{function.signature} cannot take {len(node.values)} values")
        for value, type in zip(node.values, function.values, strict=True):
            if not type.admits(value):
                raise BadInput(f"{value!r} is not a {type}{nearest(value, type.values or ())}")
    if isinstance(node, Choose):
        if not node.type.values:
            raise BadInput(f"any {node.type} could fill the hole {node.hole}: list the words that may")
        strange = [word for word in node.type.values or () if not function.values[0].admits(word)]
        if strange:
            raise BadInput(f"{function.signature} cannot take the hole {node.hole}, which may be '{strange[0]}'")
    return function.output


def _described(node: Describe, types: Sequence[Type], language: Language) -> Type:
    related, describer = node.relation is not None, node.describer
    wanted = language.function(describer.relate).inputs[0] if related else language.function("scene").output
    if types[node.inputs[0]] != wanted:
        raise BadInput(f"a description of {wanted} cannot take {types[node.inputs[0]]}")
    return language.function("scene" if node.goal == "set" else describer.goal(node.goal)).output
