"""Plain values with arrays in them as bytes that are read back without copying: numbers, text, lists, dictionaries."""

from __future__ import annotations

import struct
import zlib
from typing import Any

import msgspec
import numpy as np

__all__ = ["packed", "unpacked"]

_MAGIC = b"mereo 1\n"
_BEGIN = struct.Struct("<8sII")
"""The magic, a checksum, and how long the part without arrays is."""
_ARRAY = 1
"""What msgpack calls the kind of an array."""
_STEP = 16
"""Bytes: every array begins at a multiple, as in memory that was asked for."""


def packed(value: Any) -> bytes:
    """The bytes of a value; tuples become lists."""
    arrays: list[bytes] = []

    def hook(each: Any) -> msgspec.msgpack.Ext:
        if not isinstance(each, np.ndarray):
            raise TypeError(f"{type(each).__name__} is no plain value")
        told = (each.dtype.str, each.shape, sum(map(len, arrays)))
        data = each.tobytes()
        arrays.append(data + _padding(len(data)))
        return msgspec.msgpack.Ext(_ARRAY, msgspec.msgpack.encode(told))

    head = msgspec.msgpack.encode(value, enc_hook=hook)
    body = b"".join([head, _padding(len(head)), *arrays])
    return _BEGIN.pack(_MAGIC, zlib.crc32(body, len(head)), len(head)) + body


def unpacked(data: bytes) -> Any:
    """The value of bytes; a ValueError where they are not as they were written. Arrays are read-only."""
    magic, checksum, length = _BEGIN.unpack_from(data) if len(data) >= _BEGIN.size else (b"", 0, 0)
    if magic != _MAGIC or zlib.crc32(memoryview(data)[_BEGIN.size :], length) != checksum:
        raise ValueError("is damaged")
    head = memoryview(data)[_BEGIN.size : _BEGIN.size + length]
    arrays = _BEGIN.size + length + len(_padding(length))

    def hook(code: int, told: memoryview) -> Any:
        dtype, shape, offset = msgspec.msgpack.decode(told)
        return np.ndarray(shape, dtype, data, arrays + offset)

    return msgspec.msgpack.decode(head, ext_hook=hook)


def _padding(length: int) -> bytes:
    return bytes(-length % _STEP)
