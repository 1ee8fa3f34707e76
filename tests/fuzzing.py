"""Changes by chance to the bytes, the values, the columns and the datasets of good files, each known by its seed."""

from __future__ import annotations

import json
import random
from collections.abc import Callable
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq

__all__ = ["mutate_bytes", "mutate_file", "mutate_hdf5", "mutate_json", "mutate_parquet", "mutate_text"]

Chance = random.Random
Mutated = tuple[str, bytes]
"""What was done, in words, and what came of it."""

_BITS = 8
_DEEP = 5000
_LONG = 70_000
_WORDS = ("null", "true", "-1", "0", "1e999", "NaN", "[]", "{}", '""', '"\\ud800"', "99999999999999999999999", "[[[]]]")
_SURROGATE = "\ud800"


def mutate_file(path: Path, chance: Chance) -> str:
    """Change a file in one of the ways that fit its kind; gives what was done."""
    ways = _WAYS.get(path.suffix, (mutate_bytes,))
    # Now and then the bytes, whatever they mean: what cannot be parsed must be refused as well.
    way = mutate_bytes if chance.random() < 0.2 else chance.choice(ways)
    done, data = way(path.read_bytes(), chance)
    path.write_bytes(data)
    return done


def mutate_bytes(data: bytes, chance: Chance) -> Mutated:
    """Bytes flipped, cut out, doubled, put in, or lost from the end."""
    start = chance.randrange(len(data) + 1)
    stop = min(len(data), start + chance.choice([1, 1, 2, 8, 64, 4096]))
    where = f"bytes {start}:{stop}"
    match chance.choice(["flip", "cut", "double", "insert", "end", "ones", "latin"]):
        case "flip":
            flipped = bytes(byte ^ 1 << chance.randrange(_BITS) for byte in data[start:stop])
            return f"flip a bit in each of {where}", data[:start] + flipped + data[stop:]
        case "cut":
            return f"cut {where}", data[:start] + data[stop:]
        case "double":
            return f"double {where}", data[:stop] + data[start:stop] + data[stop:]
        case "insert":
            extra = chance.randbytes(chance.choice([1, 4, 100]))
            return f"insert {extra[:8]!r} at {start}", data[:start] + extra + data[start:]
        case "end":
            return f"end at {start}", data[:start]
        case "ones":
            return f"set {where} to ones", data[:start] + b"\xff" * (stop - start) + data[stop:]
        case _:
            return f"bad UTF-8 at {start}", data[:start] + b"caf\xe9 \xc3\x28" + data[start:]


def mutate_json(data: bytes, chance: Chance) -> Mutated:
    """One value of a JSON text replaced, or one key lost, renamed or doubled; of JSON Lines in one line."""
    lines = data.splitlines()
    if len(lines) > 1 and all(line.startswith(b"{") for line in lines[:2]):
        number = chance.randrange(len(lines))
        done, lines[number] = mutate_json(lines[number], chance)
        return f"line {number + 1}: {done}", b"\n".join(lines)
    try:
        value = json.loads(data)
    except ValueError:
        return mutate_bytes(data, chance)
    hole = [value]
    place: Any = hole
    key: Any = 0
    path = "$"
    while isinstance(place[key], dict | list) and place[key] and chance.random() < 0.85:
        place = place[key]
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        path += f".{key}"
    if isinstance(place, dict) and chance.random() < 0.25:
        old = place.pop(key)
        match chance.choice(["drop", "rename", "double"]):
            case "rename":
                place[f"{key}x"] = old
                return f"rename {path}", _dumped(hole[0])
            case "double":
                place["\x00twice"] = None
                first, rest = _dumped(old).decode(), _dumped(odd(chance, None)[1]).decode()
                twice = f"{json.dumps(key)}: {first}, {json.dumps(key)}: {rest}"
                return f"double {path}", _dumped(hole[0]).replace(b'"\\u0000twice": null', twice.encode())
        return f"drop {path}", _dumped(hole[0])
    if isinstance(place, list) and place is not hole and chance.random() < 0.15:
        match chance.choice(["drop", "double", "append"]):
            case "drop":
                del place[key]
                return f"drop {path}", _dumped(hole[0])
            case "double":
                place.insert(key, place[key])
                return f"double {path}", _dumped(hole[0])
        place.append(odd(chance, place[key])[1])
        return f"append to {path}", _dumped(hole[0])
    what, place[key] = odd(chance, place[key])
    return f"{path} becomes {what}", _dumped(hole[0])


class _Deep:
    """A value nested so deeply that a recursive writer could not write it."""

    def __init__(self, sign: str):
        self.sign = sign


def odd(chance: Chance, old: Any) -> tuple[str, Any]:
    """Another value than one would expect, with its name."""
    near: list[Any] = []
    if isinstance(old, bool):
        near = [not old]
    elif isinstance(old, int | float):
        near = [old + 1, -old - 1, old * 1000, old + 0.5, 0]
    elif isinstance(old, str):
        near = [old.upper(), f"{old}x", old[: len(old) // 2], f"../{old}", f"{old}\n\n"]
    elif isinstance(old, list) and old:
        near = [old[:-1], old * 2, [old], old[::-1]]
    plain: list[Any] = [None, True, False, -1, 0, 1, 2**31, -(2**63), 10**30, 1e308, -0.0, 0.5, "", "x", [], {}]
    plain += [
        [[]],
        {"a": 1},
        [None],
        ["x"],
        [1, 2, 3],
        {"": {}},
        float("nan"),
        float("inf"),
        "\x00",
        _SURROGATE,
        "é" * 50,
        65_537,
    ]
    match chance.random():
        case draw if draw < 0.3 and near:
            new = chance.choice(near)
        case draw if draw < 0.36:
            new = _Deep(chance.choice("[{"))
        case draw if draw < 0.39:
            new = "long " * (_LONG // 5)
        case draw if draw < 0.42:
            new = list(range(_LONG))
        case _:
            new = chance.choice(plain)
    return _named(new), new


def _named(value: Any) -> str:
    text = f"{_DEEP} times {value.sign}" if isinstance(value, _Deep) else repr(value)
    return text if len(text) < 60 else f"{text[:56]} …"


def _dumped(value: Any) -> bytes:
    """JSON as Python writes it, which knows NaN, with the deep values put in afterwards."""
    deep = {f"\x00deep{sign}": sign for sign in "[{"}
    text = json.dumps(value, default=lambda one: f"\x00deep{one.sign}")
    for mark, sign in deep.items():
        nested = "[" * _DEEP + "]" * _DEEP if sign == "[" else '{"a":' * _DEEP + "0" + "}" * _DEEP
        text = text.replace(json.dumps(mark), nested)
    return text.encode("utf-8", "surrogatepass")


def mutate_text(data: bytes, chance: Chance) -> Mutated:
    """A line, or a word of one, lost, doubled, moved or replaced: for TOML, meshes and whatever is written in words."""
    lines = data.split(b"\n")
    number = chance.randrange(len(lines))
    line = lines[number]
    match chance.choice(["drop", "double", "swap", "value", "value", "word", "word"]):
        case "drop":
            del lines[number]
            return f"drop line {number + 1}", b"\n".join(lines)
        case "double":
            lines.insert(number, line)
            return f"double line {number + 1}", b"\n".join(lines)
        case "swap":
            other = chance.randrange(len(lines))
            lines[number], lines[other] = lines[other], line
            return f"swap lines {number + 1} and {other + 1}", b"\n".join(lines)
        case "value" if b"=" in line:
            new = chance.choice(
                [*_WORDS, "[" * _DEEP + "]" * _DEEP, "nan", "inf", "1979-05-27", "{a = 1}", '"x"', "''"]
            )
            lines[number] = line.partition(b"=")[0] + b"= " + new.encode()
            return f"line {number + 1} becomes … = {new[:20]}", b"\n".join(lines)
    words = line.split(b" ")
    word = chance.randrange(len(words))
    new = chance.choice(
        [*_WORDS, "x", "nan", "-inf", "1e300", "2147483648", "é", "0x10", "1/2/3", "(", ")", '"', "<X>"]
    )
    words[word] = new.encode()
    lines[number] = b" ".join(words)
    return f"word {word + 1} of line {number + 1} becomes {new}", b"\n".join(lines)


def mutate_parquet(data: bytes, chance: Chance) -> Mutated:
    """A column lost, renamed, of another type or without values; a row lost or doubled; a value changed."""
    table = pq.read_table(BytesIO(data))
    number = chance.randrange(table.num_columns)
    field = table.schema.field(number)
    values = table.column(number).to_pylist()
    row = chance.randrange(len(values)) if values else 0
    match chance.choice(["drop", "rename", "retype", "null", "nulls", "value", "value", "value", "value", "rows"]):
        case "drop":
            return f"drop column {field.name}", _packed(table.remove_column(number))
        case "rename":
            names = [f"{name}x" if name == field.name else name for name in table.column_names]
            return f"rename column {field.name}", _packed(table.rename_columns(names))
        case "retype":
            what, column = _retyped(values, chance)
            return f"column {field.name} becomes {what}", _packed(table.set_column(number, field.name, column))
        case "nulls":
            column = pa.nulls(len(values), field.type)
            return f"no values in {field.name}", _packed(table.set_column(number, field, column))
        case "rows":
            some = sorted(chance.choices(range(len(values)), k=chance.randrange(len(values) + 2))) if values else []
            return f"rows {some}", _packed(table.take(pa.array(some, pa.int64())))
        case "null":
            what, values[row] = "null", None
        case _:
            what, values[row] = _changed(values[row], chance) if values else ("null", None)
    try:
        column = pa.array(values, field.type)
    except (pa.ArrowException, TypeError, ValueError, OverflowError):
        return mutate_bytes(data, chance)
    return f"{field.name} of row {row}: {what}", _packed(table.set_column(number, field, column))


def _packed(table: pa.Table) -> bytes:
    sink = BytesIO()
    pq.write_table(table, sink, compression="zstd")
    return sink.getvalue()


def _retyped(values: list[Any], chance: Chance) -> tuple[str, pa.Array]:
    count = len(values)
    columns: dict[str, Callable[[], pa.Array]] = {
        "int64": lambda: pa.array(range(count), pa.int64()),
        "float": lambda: pa.array([0.5] * count, pa.float64()),
        "bool": lambda: pa.array([True] * count),
        "null": lambda: pa.nulls(count),
        "string": lambda: pa.array([str(value)[:100] for value in values], pa.string()),
        "large_string": lambda: pa.array([str(value)[:100] for value in values], pa.large_string()),
        "dictionary": lambda: pa.array([str(value)[:100] for value in values], pa.string()).dictionary_encode(),
        "binary": lambda: pa.array([b"\xff\xfe"] * count, pa.binary()),
        "list": lambda: pa.array([[1, None]] * count, pa.list_(pa.int32())),
        "lists": lambda: pa.array([[[1.5]]] * count, pa.list_(pa.list_(pa.float64()))),
        "struct": lambda: pa.array([{"bytes": "x", "a": 1}] * count),
        "timestamp": lambda: pa.array([0] * count, pa.timestamp("s")),
    }
    what = chance.choice(list(columns))
    return what, columns[what]()


def _changed(value: Any, chance: Chance) -> tuple[str, Any]:
    """A cell, or one of the values in it."""
    if isinstance(value, str) and value[:1] in "[{" and value[1:]:
        what, data = mutate_json(value.encode(), chance)
        return what, data.decode("utf-8", "replace")
    if isinstance(value, bytes):
        return mutate_bytes(value, chance)
    if isinstance(value, dict):
        key = chance.choice(list(value))
        what, new = _changed(value[key], chance) if chance.random() < 0.9 else ("null", None)
        return f"{key}: {what}", {**value, key: new}
    if isinstance(value, list) and value and chance.random() < 0.9:
        place = chance.randrange(len(value))
        what, new = _changed(value[place], chance)
        return f"{place}: {what}", [*value[:place], new, *value[place + 1 :]]
    if isinstance(value, str) and chance.random() < 0.5:
        what, data = mutate_text(value.encode(), chance)
        return what, data.decode("utf-8", "replace")
    if isinstance(value, int):
        return _number(chance)
    return odd(chance, value)


def _number(chance: Chance) -> tuple[str, Any]:
    number = chance.choice([-1, 0, 1, 7, 1000, 2**31 - 1, -(2**31), None])
    return repr(number), number


def mutate_hdf5(data: bytes, chance: Chance) -> Mutated:
    """A field lost, of another type or shape, a group in its place, or a number in it changed."""
    import h5py

    memory = BytesIO(data)
    with h5py.File(memory, "r+") as file:
        name = chance.choice(list(file))
        value = file[name][()]
        del file[name]
        done = chance.choice(
            ["drop", "rename", "group", "type", "axes", "cut", "fill", "text", "scalar", "empty", "huge"]
        )
        match done:
            case "rename":
                file[f"{name}x"] = value
            case "group":
                file.create_group(name)
            case "type":
                other = chance.choice(["f8", "i8", "u1", "?", "S4", "f2", ">f4", "c8"])
                done, file[name] = f"type {other}", value.astype(other)
            case "axes":
                file[name] = value.reshape(-1) if chance.random() < 0.5 else value[..., None]
            case "cut":
                file[name] = value[:-1] if chance.random() < 0.5 else value[:, :-1]
            case "fill":
                fillings: list[Any] = [0, 255, -1, np.nan, np.inf, 1e30]
                with np.errstate(all="ignore"):
                    done = f"fill {(filling := chance.choice(fillings))}"
                    file[name] = np.full(value.shape, np.asarray(filling).astype(value.dtype))
            case "text":
                file[name] = "words"
            case "scalar":
                file[name] = 3
            case "empty":
                file[name] = h5py.Empty("f4")
            case "huge":
                file.create_dataset(name, (1 << 20, 1 << 20, 3), value.dtype, chunks=(1, 1024, 3))
    return f"{done} {name}", memory.getvalue()


_WAYS: dict[str, tuple[Callable[[bytes, Chance], Mutated], ...]] = {
    ".json": (mutate_json,),
    ".jsonl": (mutate_json,),
    ".toml": (mutate_text,),
    ".obj": (mutate_text,),
    ".txt": (mutate_text,),
    ".pts": (mutate_text,),
    ".parquet": (mutate_parquet,),
    ".h5": (mutate_hdf5,),
}
"""How files are changed that end in this."""
