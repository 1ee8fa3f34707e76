"""The floors of ARCHITECTURE.md hold: a room imports only from the floors below it, and the library stays quiet."""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator
from functools import cache
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from typing import NamedTuple

import pytest

SOURCE = Path(__file__).parents[1] / "src" / "mereo"

FLOORS = {
    **dict.fromkeys(["world", "masks", "knowledge"], 1),
    **dict.fromkeys(["programs", "shapes"], 2),
    **dict.fromkeys(["questions", "scenes"], 3),
    "datasets": 4,
    **dict.fromkeys(["models", "evaluation"], 5),
    **dict.fromkeys(["training", "clevr_family"], 6),
    "benchmarks": 7,
    "workbench": 8,
    **dict.fromkeys(["cli", "explorer", "annotation", "__main__"], 9),
}
FRONT_DOOR = "the front door"
"""`mereo` itself, which opens onto the workbench."""
GROUND = "the ground floor"
"""The modules that lie directly in mereo (errors, files, ...): one room, on which every floor stands."""

SYMBOLIC = {GROUND, "world", "knowledge", "programs", "questions"}
LIGHT_PACKAGES = {"lark", "msgspec", "numpy", "pluralizer"}
LATE_PACKAGES = {"knowledge": {"duckdb", "pyarrow", "spacy", "textblob"}}
"""What a symbolic room may import inside the functions that need it: the rest of the room does without."""
DOORS = {("__main__", "cli"), ("cli", "explorer"), ("cli", "annotation")}
"""What may be imported from the same floor."""


class Module(NamedTuple):
    """One source file: its dotted name inside mereo ("" for mereo itself), and every node of its syntax tree."""

    name: str
    path: Path
    nodes: tuple[ast.AST, ...]


def read_modules(root: Path) -> list[Module]:
    def name(path: Path) -> str:
        return ".".join(path.relative_to(root).with_suffix("").parts).removesuffix("__init__").removesuffix(".")

    return [Module(name(path), path, nodes_of(path.read_text())) for path in sorted(root.rglob("*.py"))]


@cache  # by what is written: reading a thousand files anew for every test took most of its time
def nodes_of(code: str) -> tuple[ast.AST, ...]:
    return tuple(ast.walk(ast.parse(code)))


@pytest.fixture(scope="module", autouse=True)
def forgotten() -> Iterator[None]:
    """What was read is 180 MB, which the tests of other files do without."""
    yield
    nodes_of.cache_clear()


def room_of(name: str, folders: set[str]) -> str:
    """The room that a module belongs to; every benchmark is a room of its own above their common one."""
    if not name:
        return FRONT_DOOR
    parts = name.split(".")
    if parts[0] == "benchmarks" and len(parts) > 1 and ".".join(parts[:2]) in folders:
        return ".".join(parts[:2])
    return parts[0] if parts[0] in folders or parts[0] in FLOORS else GROUND


def floor_of(room: str) -> float:
    if room in (GROUND, FRONT_DOOR):
        return 0 if room == GROUND else max(FLOORS.values()) + 1
    return FLOORS["benchmarks"] + 0.5 if room.startswith("benchmarks.") else FLOORS[room]


def imports(module: Module) -> Iterator[tuple[int, str]]:
    """Line and full dotted name of everything imported, also inside functions and by `import_module("...")`."""
    package = f"mereo.{module.name}".strip(".").split(".")
    if module.path.name != "__init__.py":
        package.pop()
    for node in module.nodes:
        match node:
            case ast.Import():
                yield from ((node.lineno, alias.name) for alias in node.names)
            case ast.ImportFrom():
                base = package[: len(package) - node.level + 1] if node.level else []
                start = ".".join([*base, *([node.module] if node.module else [])])
                yield from ((node.lineno, f"{start}.{alias.name}") for alias in node.names)
            case ast.Call(func=ast.Name("import_module") | ast.Attribute(attr="import_module"), args=[first, *_]):
                if isinstance(first, ast.Constant) and isinstance(first.value, str):
                    yield node.lineno, first.value


def import_violations(root: Path) -> list[str]:
    modules = read_modules(root)
    folders = {".".join(path.relative_to(root).parts) for path in root.rglob("*") if path.is_dir()}
    folders = {folder for folder in folders if any(f"{module.name}.".startswith(f"{folder}.") for module in modules)}
    found = [f"{room}: no such room in the plan" for room in sorted(folders) if "." not in room and room not in FLOORS]
    for module in modules:
        here = room_of(module.name, folders)
        for line, target in imports(module):
            place = f"{module.path.relative_to(root)}:{line}"
            package, _, inner = target.partition(".")
            if package != "mereo":
                foreign = package not in sys.stdlib_module_names | LIGHT_PACKAGES | {"__future__"}
                late = package in LATE_PACKAGES.get(here, ()) and line in late_lines(module)
                if here in SYMBOLIC and foreign and not late:
                    found.append(f"{place}: {here} is symbolic and may not import {package}")
                continue
            there = room_of(inner, folders)
            if here == there or (here, there) in DOORS or f"{here}: no such room in the plan" in found:
                continue
            if f"{there}: no such room in the plan" in found or floor_of(there) >= floor_of(here):
                found.append(f"{place}: {here} may not import {there}")
    return found


def circle(root: Path, room: str) -> list[str]:
    """The modules of a room that import each other in a circle, also inside functions; nothing where there is none.

    What is imported for the type checker alone is never imported.
    """
    modules = {module.name: module for module in read_modules(root) if f"{module.name}.".startswith(f"{room}.")}
    graph = {}
    for module in modules.values():
        checked = {line for node in module.nodes if is_type_checking(node) for line in lines_of(node)}
        named = [target.removeprefix("mereo.") for line, target in imports(module) if line not in checked]
        targets = {name if name in modules else name.rpartition(".")[0] for name in named}
        graph[module.name] = targets & (modules.keys() - {module.name})
    try:
        TopologicalSorter(graph).prepare()
    except CycleError as error:
        return list(error.args[1])
    return []


def late_lines(module: Module) -> set[int]:
    """The lines that are not run when a module is imported: those in functions, and for the type checker alone."""
    nodes = [node for node in module.nodes if isinstance(node, ast.FunctionDef) or is_type_checking(node)]
    return {line for node in nodes for line in lines_of(node)}


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and isinstance(node.test, ast.Name) and node.test.id == "TYPE_CHECKING"


def lines_of(node: ast.AST) -> range:
    assert isinstance(node, ast.stmt)
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def print_violations(root: Path) -> list[str]:
    return [
        f"{module.path.relative_to(root)}:{node.lineno}: print outside the command line"
        for module in read_modules(root)
        if not module.name.startswith("cli")
        for node in module.nodes
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "print"
    ]


def chance_violations(root: Path) -> list[str]:
    """Uses of generators that nobody passed in: the global ones, and those seeded by the operating system."""
    found = []
    for module in read_modules(root):
        names = local_names(module)
        for node in module.nodes:
            if isinstance(node, ast.Name | ast.Attribute):
                target = full_name(node, names)
                if target.startswith(("random.", "numpy.random.")) and not is_generator(target):
                    found.append(f"{module.path.relative_to(root)}:{node.lineno}: global generator {target}")
            if isinstance(node, ast.Call) and is_unseeded(node, names):
                found.append(f"{module.path.relative_to(root)}:{node.lineno}: a generator without a seed")
    return found


def local_names(module: Module) -> dict[str, str]:
    """What each imported name stands for, as a full dotted name."""
    names = {}
    for node in module.nodes:
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom):
            names |= {alias.asname or alias.name: f"{node.module}.{alias.name}" for alias in node.names}
    return names


def full_name(node: ast.expr, names: dict[str, str]) -> str:
    if isinstance(node, ast.Attribute):
        return f"{full_name(node.value, names)}.{node.attr}"
    return names.get(node.id, "") if isinstance(node, ast.Name) else ""


def is_generator(target: str) -> bool:
    """Classes (Random, Generator, PCG64, ...) and `default_rng` make generators; all else draws from a global one."""
    last = target.rpartition(".")[2]
    return last == "default_rng" or (last[0].isupper() and last not in {"RandomState", "SystemRandom"})


def is_unseeded(call: ast.Call, names: dict[str, str]) -> bool:
    makers = {"random.Random", "numpy.random.default_rng"}
    return not call.args and not call.keywords and full_name(call.func, names) in makers


def test_rooms_import_only_from_the_floors_below() -> None:
    assert import_violations(SOURCE) == []


@pytest.mark.parametrize("room", [room for room in FLOORS if (SOURCE / room).is_dir()])
def test_no_modules_of_a_room_import_each_other_in_a_circle(room: str) -> None:
    assert circle(SOURCE, room) == []


def test_a_planted_circle_is_found(tmp_path: Path) -> None:
    plant(tmp_path, "world/a.py", "from mereo.world.b import c")
    assert circle(tmp_path, "world") == []
    (tmp_path / "world" / "b.py").write_text("def f():\n    from mereo.world import a")
    assert set(circle(tmp_path, "world")) == {"world.a", "world.b"}


def test_the_library_does_not_print() -> None:
    assert print_violations(SOURCE) == []


def test_chance_always_comes_from_a_generator_that_was_passed_in() -> None:
    assert chance_violations(SOURCE) == []


@pytest.mark.parametrize(
    ("file", "code", "checker", "complaint"),
    [
        ("world/a.py", "from mereo.programs import run", import_violations, "world may not import programs"),
        ("world/a.py", "def f():\n    import mereo.datasets", import_violations, "world may not import datasets"),
        ("world/a.py", "from mereo import questions", import_violations, "world may not import questions"),
        ("world/a.py", "from ..programs import run", import_violations, "world may not import programs"),
        ("world/a.py", "from mereo.knowledge import graph", import_violations, "world may not import knowledge"),
        ("world/a.py", "import_module('mereo.cli')", import_violations, "world may not import cli"),
        ("errors.py", "from mereo.world import bits", import_violations, "the ground floor may not import world"),
        ("attic/a.py", "", import_violations, "attic: no such room in the plan"),
        ("questions/a.py", "import torch.nn", import_violations, "questions is symbolic and may not import torch"),
        ("knowledge/a.py", "import duckdb", import_violations, "knowledge is symbolic and may not import duckdb"),
        ("world/a.py", "def f():\n    import duckdb", import_violations, "world is symbolic and may not import duckdb"),
        ("files.py", "import pyarrow", import_violations, "the ground floor is symbolic and may not import pyarrow"),
        ("benchmarks/clevr/a.py", "import mereo.benchmarks.ptr", import_violations, "may not import benchmarks.ptr"),
        (
            "benchmarks/shared.py",
            "from mereo.benchmarks import ptr",
            import_violations,
            "may not import benchmarks.ptr",
        ),
        ("world/a.py", "print(1)", print_violations, "print outside the command line"),
        ("world/a.py", "import random\nrandom.shuffle([])", chance_violations, "random.shuffle"),
        ("world/a.py", "from random import choice\nchoice([1])", chance_violations, "random.choice"),
        ("world/a.py", "import numpy as np\nnp.random.rand(2)", chance_violations, "numpy.random.rand"),
        ("world/a.py", "from numpy import random as r\nr.seed(1)", chance_violations, "numpy.random.seed"),
        ("world/a.py", "import numpy as np\nnp.random.default_rng()", chance_violations, "without a seed"),
    ],
)
def test_a_planted_violation_is_found(
    tmp_path: Path, file: str, code: str, checker: Callable[[Path], list[str]], complaint: str
) -> None:
    plant(tmp_path, file, code)
    found = checker(tmp_path)
    assert len(found) == 1
    assert complaint in found[0]


@pytest.mark.parametrize(
    ("file", "code"),
    [
        ("world/a.py", "import msgspec, numpy, json\nfrom mereo.errors import MereoError\nfrom mereo.world import a"),
        ("world/__init__.py", "from . import a\nfrom .a import b"),
        ("questions/a.py", "from mereo.programs import run"),
        ("knowledge/a.py", "def f():\n    import duckdb"),
        (
            "benchmarks/clevr/a.py",
            "from mereo.benchmarks import find\nfrom mereo.benchmarks.clevr import b\nimport torch",
        ),
        ("cli/a.py", "from mereo.benchmarks.clevr import a\nprint(1)"),
        ("__main__.py", "from mereo.cli import main"),
        (
            "world/a.py",
            "import random\nimport numpy as np\nrandom.Random(1).random()\nnp.random.default_rng(1).random()",
        ),
        ("world/a.py", "import numpy as np\ndef f(rng: np.random.Generator) -> float:\n    return rng.random()"),
    ],
)
def test_what_is_allowed_is_not_complained_of(tmp_path: Path, file: str, code: str) -> None:
    plant(tmp_path, file, code)
    assert import_violations(tmp_path) + print_violations(tmp_path) + chance_violations(tmp_path) == []


def plant(root: Path, file: str, code: str) -> None:
    """A little house in which all rooms stand, with the given code in one file."""
    rooms = [*FLOORS, "benchmarks/clevr", "benchmarks/ptr"]
    for path in [*(f"{room}/__init__.py" for room in rooms if room != "__main__"), "__init__.py", "errors.py", file]:
        (root / path).parent.mkdir(parents=True, exist_ok=True)
        (root / path).touch()
    (root / file).write_text(code)
