"""Turning a program's structure into straight-line Python, for structures that are run often.

A step becomes one assignment. A function of the table whose body is a single `return` is written out in place, so that
`filter_color` costs two dictionary look-ups and one `&` instead of a call; any other function is called. Literal values
are parameters, so that all programs of one structure share the code.

What is written out looks into the plain dictionaries under a world's tables, which costs half as much. They may lack
what nobody has looked up before, so a `KeyError` says nothing yet: the program is then run step by step, which decides.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from mereo.programs.step import Step
from mereo.programs.table import Function
from mereo.world import World

__all__ = ["Routine", "generate"]

Routine = Callable[[World, tuple[Any, ...]], tuple[Any, ...]]
"""routine(world, literals) -> the value of every step."""


def generate(steps: Sequence[Step], functions: Sequence[Function], stepwise: Routine) -> Routine:
    """The routine of a structure.

    steps : only their inputs and the number of their values matter
    stepwise : gives the same, function by function
    """
    scope: dict[str, Any] = {"stepwise": stepwise}
    lines, at = [], 0
    for position, (step, function) in enumerate(zip(steps, functions, strict=True)):
        arguments = ["world", *[f"v{i}" for i in step.inputs]]
        arguments += [f"literals[{at + k}]" for k in range(len(step.values))]
        at += len(step.values)
        written = _written(function.call, len(arguments))
        scope.update(written.names)
        lines.append(f"  v{position} = {written.text.format(*arguments)}")
    results = "".join([f"v{position}, " for position in range(len(steps))])
    body = "\n".join([*lines, f"  return ({results})"])
    tables = [f"  {name} = world.{table}.plain" for table, name in _TABLES.items() if name in body]
    end = [" except KeyError:", "  pass", " return stepwise(world, literals)"]
    source = "\n".join(["def routine(world, literals):", " try:", *tables, body, *end])
    exec(compile(source, "<program>", "exec"), scope)
    routine: Routine = scope["routine"]
    return routine


_TABLES = {table: f"world_{table}" for table in ("having", "value", "related", "kinds")}
"""What of a world lies on plain dictionaries, and what a routine calls these."""


class _Writing(NamedTuple):
    """How a function is written into a routine."""

    text: str
    """An expression with places `{0}`, `{1}`, … for the arguments."""
    names: dict[str, Any]
    """What the other names in it stand for."""


@cache
def _written(call: Callable[..., Any], arguments: int) -> _Writing:
    """A function written out if it is a single `return`, else as a call of it."""
    places = [f"{{{k}}}" for k in range(arguments)]
    body = _single_return(call)
    if body is None or len(body.parameters) != arguments:
        name = f"f{id(call)}"
        return _Writing(f"{name}({', '.join(places)})", {name: call})
    # A mark that no word of the function can hold: in strings it would be written \x00.
    marks = {parameter: f"\0{k}\0" for k, parameter in enumerate(body.parameters)}
    rename = _Rename(marks, body.names)
    text = ast.unparse(rename.visit(ast.parse(ast.unparse(body.expression), mode="eval")))
    text = text.replace("{", "{{").replace("}", "}}")
    for mark, place in zip(marks.values(), places, strict=True):
        text = text.replace(mark, place)
    return _Writing(f"({text})", rename.bound)


class _Body(NamedTuple):
    parameters: tuple[str, ...]
    expression: ast.expr
    names: dict[str, Any]
    """What the free names of the expression stand for."""


class _Rename(ast.NodeTransformer):
    """Parameters become places, words and numbers are written out, anything else is bound under a name of its own."""

    def __init__(self, places: dict[str, str], names: dict[str, Any]):
        self.places, self.names, self.bound = places, names, dict[str, Any]()
        self.world = next(iter(places))

    def visit_Subscript(self, node: ast.Subscript) -> ast.expr:
        match node.value:
            case ast.Attribute(ast.Name(self.world), table) if table in _TABLES:
                return ast.Subscript(ast.Name(_TABLES[table], ast.Load()), self.visit(node.slice), node.ctx)
        self.generic_visit(node)
        return node

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id in self.places:
            return ast.Name(self.places[node.id], ast.Load())
        if node.id not in self.names:
            return node
        value = self.names[node.id]
        if isinstance(value, str | int):
            return ast.Constant(value)
        name = f"f{id(value)}"
        self.bound[name] = value
        return ast.Name(name, ast.Load())


@cache
def _single_return(call: Callable[..., Any]) -> _Body | None:
    """The one expression a function returns, or None where it has to be called."""
    if hasattr(call, "__wrapped__"):
        return None  # its source is that of the function inside
    try:
        definition = ast.parse(textwrap.dedent(inspect.getsource(call))).body[0]
        free = inspect.getclosurevars(call)
    except (OSError, TypeError, SyntaxError):
        return None
    if not isinstance(definition, ast.FunctionDef):
        return None
    statements = definition.body[1:] if ast.get_docstring(definition) else definition.body
    if definition.args.vararg or definition.args.kwonlyargs or definition.args.kwarg:
        return None
    if len(statements) != 1 or not isinstance(statements[0], ast.Return) or statements[0].value is None:
        return None
    expression = statements[0].value
    scoped = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Yield)
    if any(isinstance(node, scoped) for node in ast.walk(expression)):
        return None
    parameters = tuple(argument.arg for argument in definition.args.args)
    return _Body(parameters, expression, {**free.globals, **free.nonlocals})
