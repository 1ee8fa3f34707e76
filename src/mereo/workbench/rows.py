"""The zoo: rows that fit any benchmark, those of single benchmarks, and those that installed packages offer."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import fields
from importlib.metadata import entry_points
from typing import Any, NamedTuple, cast

from mereo.benchmarks.benchmark import all_benchmarks, benchmark
from mereo.errors import BadInput, UnknownName
from mereo.training.learning import Learning, Study
from mereo.training.row import PART, WIDEST, Pace, Row

__all__ = ["Model", "all_models", "all_studies", "chosen", "find_model", "find_study", "learning_of"]

_GROUP = "mereo.rows"
"""The entry points with which installed packages offer rows."""
Value = str | int | float | bool


class Model(NamedTuple):
    """A row, and the benchmark that it belongs to, if it does to one."""

    row: Row
    benchmark: str | None = None


def learning_of(name: str) -> Learning:
    """What a benchmark has of its own for learning; nothing where it has none."""
    make = benchmark(name).learning
    return make() if make is not None else Learning()


def all_models() -> list[Model]:
    """Every row: those for any benchmark first. Two benchmarks may have one of the same name each."""
    own = [Model(row, name) for name in all_benchmarks() for row in learning_of(name).rows]
    return [*map(Model, _common().values()), *own]


def _common() -> dict[str, Row]:
    from mereo.training.zoo import all_rows
    from mereo.training.zoo_stages import staged_rows

    return {**all_rows(), **staged_rows(), **dict(_plugged())}


def _plugged() -> Iterator[tuple[str, Row]]:
    for point in entry_points(group=_GROUP):
        row = point.load()
        if not isinstance(row, Row) or row.name != point.name:
            found = f"a row that is named '{row.name}'" if isinstance(row, Row) else f"{row!r}, which is no row"
            raise BadInput(f"the entry point '{point.name}' in {_GROUP} offers {found}")
        yield row.name, row


def find_model(name: str, *, of: str | None = None) -> Model:
    """The row of this name. of : the benchmark of the data, whose own rows come first"""
    known = [Model(row, of) for row in learning_of(of).rows] if of is not None else []
    known += [model for model in all_models() if model.benchmark != of or of is None]
    found = [model for model in known if model.row.name == name]
    if not found:
        raise UnknownName("row", name, {model.row.name for model in known})
    if of is not None and found[0].benchmark not in (None, of):
        raise BadInput(f"row {name} knows only datasets of {found[0].benchmark}, not of {of}")
    return found[0]


def chosen(row: Row, given: Mapping[str, Any]) -> dict[str, Value]:
    """What is chosen about a row, with every name and kind checked. given : values, or text as `--set` has it

    Besides its own choices these are how it learns: `rate=0.001` in all stages, `parser.rate=0.001` in one; `part`,
    after which part of the time it answers; and `widest`, how large pictures are at most where it looks at some. A row
    that declares no choices checks them itself, when its networks are made.
    """
    paces = [name for stage in row.stages for one in _PACES for name in (one, f"{stage.name}.{one}")]
    kinds: dict[str, type] = {name: _PACES[name.rpartition(".")[2]] for name in paces}
    kinds |= {PART: int} if row.stages else {}
    kinds |= {WIDEST: int} if "pictures" in row.needs else {}
    kinds |= {name: type(value) for name, value in row.choices.items()}
    for name in given:
        if name not in kinds and (row.choices or not row.stages or "." in name):
            raise UnknownName(f"choice of row {row.name} named", name, kinds)
    return {name: _as(kinds[name], value, name) if name in kinds else _guessed(value) for name, value in given.items()}


def _guessed(value: Any) -> Value:
    """Text as the kind of value that it looks like."""
    if value in ("true", "false"):
        return bool(value == "true")
    for kind in (int, float):
        try:
            return kind(value) if isinstance(value, str) else cast("Value", value)
        except ValueError:
            continue
    return str(value)


def _as(kind: type, value: Any, name: str) -> Value:
    """A value of the kind that the default has."""
    if isinstance(value, str) and kind is bool and value in ("true", "false"):
        return value == "true"
    if isinstance(value, str) and kind in (int, float):
        try:
            value = kind(value)
        except ValueError:
            raise BadInput(f"must be {_CALLED[kind]}, not '{value}'", field=name) from None
    if kind is float and type(value) is int:
        value = float(value)
    if type(value) is not kind:
        raise BadInput(f"must be {_CALLED[kind]}, not {value!r}", field=name)
    return cast("Value", value)


_PACES = {one.name: int if one.name in ("batch", "parts", "steps") else float for one in fields(Pace)}
"""The kinds of what can be chosen about the pace of a stage."""
_CALLED = {int: "a whole number", float: "a number", str: "text", bool: "true or false"}


def all_studies() -> dict[str, tuple[str, Study]]:
    """By names like `ptr/table2` every study, with its benchmark."""
    return {f"{name}/{study.name}": (name, study) for name in all_benchmarks() for study in learning_of(name).studies}


def find_study(name: str) -> tuple[str, Study]:
    """The study of a name like `ptr/table2`, and its benchmark."""
    known = all_studies()
    if name not in known:
        raise UnknownName("study", name, known)
    return known[name]
