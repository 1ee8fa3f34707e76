"""Turning a program's structure into straight-line Python, for structures that are run often.

A step becomes one assignment. A function of the table whose body is a single `return` is written out in place, so that
`filter_color` costs one dictionary look-up and one `&` instead of a call; any other function is called. Literal values
are parameters, so that all programs of one structure share the code.
"""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, NamedTuple

from mereo.programs.program import Step
from mereo.programs.table import Function
from mereo.world import World

__all__ = ["Routine", "generate"]

Routine = Callable[[World, tuple[Any, ...]], tuple[Any, ...]]
"""routine(world, constants) -> the value of every step."""


def generate(steps: Sequence[Step], functions: Sequence[Function]) -> Routine:
    """The routine of a structure. steps : only their inputs and the number of their values matter."""
    scope: dict[str, Any] = {}
    lines, constant = [], 0
    for position, (step, function) in enumerate(zip(steps, functions, strict=True)):
        arguments = ["world", *[f"v{i}" for i in step.inputs]]
        arguments += [f"constants[{constant + k}]" for k in range(len(step.values))]
        constant += len(step.values)
        form = _form(function.call, len(arguments))
        scope.update(form.names)
        lines.append(f" v{position} = {form.text.format(*arguments)}")
    results = "".join([f"v{position}, " for position in range(len(steps))])
    source = "\n".join(["def routine(world, constants):", *lines, f" return ({results})"])
    exec(compile(source, "<program>", "exec"), scope)
    routine: Routine = scope["routine"]
    return routine


class _Form(NamedTuple):
    """How a function is written into a routine."""

    text: str
    """An expression with places `{0}`, `{1}`, … for the arguments."""
    names: dict[str, Any]
    """What the other names in it stand for."""


@cache
def _form(call: Callable[..., Any], arguments: int) -> _Form:
    """A function written out if it is a single `return`, else as a call of it."""
    places = [f"{{{k}}}" for k in range(arguments)]
    body = _single_return(call)
    if body is None or len(body.parameters) != arguments:
        name = f"f{id(call)}"
        return _Form(f"{name}({', '.join(places)})", {name: call})
    rename = _Rename({parameter: f"place{k}" for k, parameter in enumerate(body.parameters)}, body.names)
    text = ast.unparse(rename.visit(ast.parse(ast.unparse(body.expression), mode="eval")))
    text = text.replace("{", "{{").replace("}", "}}")
    for k in reversed(range(arguments)):
        text = text.replace(f"place{k}", places[k])
    return _Form(f"({text})", rename.bound)


class _Body(NamedTuple):
    parameters: tuple[str, ...]
    expression: ast.expr
    names: dict[str, Any]
    """What the free names of the expression stand for."""


class _Rename(ast.NodeTransformer):
    """Parameters become places, words and numbers are written out, anything else is bound under a name of its own."""

    def __init__(self, places: dict[str, str], names: dict[str, Any]):
        self.places, self.names, self.bound = places, names, dict[str, Any]()

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
    plain = not (definition.args.vararg or definition.args.kwonlyargs or definition.args.kwarg)
    if len(statements) != 1 or not isinstance(statements[0], ast.Return) or statements[0].value is None or not plain:
        return None
    expression = statements[0].value
    scoped = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.NamedExpr, ast.Yield)
    if any(isinstance(node, scoped) for node in ast.walk(expression)):
        return None
    parameters = tuple(argument.arg for argument in definition.args.args)
    return _Body(parameters, expression, {**free.globals, **free.nonlocals})
