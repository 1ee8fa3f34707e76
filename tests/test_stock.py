"""The stock gives what was made, bit for bit, whether it is full, empty, damaged, out of bounds or not there at all."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

from kit import CommandLine
from mereo import caches, stock
from mereo.benchmarks.ptr import stocking
from mereo.benchmarks.ptr.numbers import NUMBERS
from mereo.benchmarks.ptr.parts import ptr_categories
from mereo.benchmarks.ptr.record import geometry_of
from mereo.benchmarks.ptr.view import hull_of
from mereo.packing import packed, unpacked
from mereo.scenes import assemble, textures
from mereo.scenes.assemble import kept_of, shape_of
from mereo.scenes.physics import collision_corners, substance
from mereo.scenes.scene import ShapeRef, Surface
from mereo.scenes.textures import texture, texture_bytes
from mereo.shapes.grammar import make_shape
from mereo.shapes.own import digits_of, keep_shape
from mereo.shapes.physical import substance_of
from mereo.shapes.plain import plain_shape, shape_of_plain
from mereo.workbench.environment import examine

CHAIR = ShapeRef("chair", family=3, instance=1)
REMEMBERED = (shape_of, substance, geometry_of, hull_of, texture_bytes)
"""What a process also remembers by itself."""


@pytest.fixture(autouse=True)
def own_stock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A stock for this test only, and nothing remembered from others."""
    place = tmp_path / "caches"
    monkeypatch.setenv(caches.PLACE, str(place))
    _forget()
    yield place / "stock"
    monkeypatch.undo()
    _forget()


def _forget() -> None:
    for function in (caches.lasting_cache, caches.cache_folder, stock.code_digits, *REMEMBERED):
        function.cache_clear()


def _files(place: Path) -> list[Path]:
    return sorted(path for path in place.rglob("*") if path.is_file())


def _once(value: Any) -> Callable[[], Any]:
    """Makes a value, but only once."""
    left = [value]
    return left.pop


def test_plain_values_and_arrays_come_back_as_they_were() -> None:
    grid, nothing = np.arange(6.0).reshape(2, 3), np.empty((0, 3), ">i4")
    plain = [1, 2.5, "x", None, True, 0, {"y": []}]
    back, back_grid, back_nothing = unpacked(packed((plain, grid.T, nothing)))
    assert back == plain
    assert back_grid.tolist() == grid.T.tolist()
    assert (back_nothing.dtype, back_nothing.shape) == (nothing.dtype, nothing.shape)
    assert back_grid.flags.aligned
    assert not back_grid.flags.writeable
    assert unpacked(packed(0)) == 0
    with pytest.raises(TypeError, match="object is no plain value"):
        packed(object())


@pytest.mark.parametrize("place", range(0, 200, 7))
def test_bytes_that_are_not_as_they_were_written_are_refused(place: int) -> None:
    data = packed({"a": np.arange(20), "b": "text"})
    spoiled = bytearray(data)
    spoiled[place] ^= 1
    with pytest.raises(ValueError, match="damaged"):
        unpacked(bytes(spoiled))
    with pytest.raises(ValueError, match="damaged"):
        unpacked(data[:place])


@pytest.mark.parametrize("category", ptr_categories())
def test_a_shape_comes_back_bit_for_bit(category: str) -> None:
    made = make_shape(category, seed=0, family=5)
    back = shape_of_plain(unpacked(packed(plain_shape(made))))
    assert (back.category, back.name, back.facts) == (made.category, made.name, made.facts)
    for one, other in zip(back.parts(), made.parts(), strict=True):
        assert (one.name, one.label, one.id) == (other.name, other.label, other.id)
        assert [piece.tolist() for piece in one.pieces] == [piece.tolist() for piece in other.pieces]
        assert (one.mesh is None) == (other.mesh is None)
    assert digits_of(keep_shape(back, "one")) == digits_of(keep_shape(made, "other"))


def test_what_follows_from_a_shape_is_the_same_from_a_full_stock_an_empty_one_and_none(
    own_stock: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_of() -> bytes:
        geometry = {
            name: {number: (one.point, one.axis) for number, one in each.items()}
            for name, each in geometry_of(CHAIR).items()
        }
        return packed([plain_shape(shape_of(CHAIR)), substance(CHAIR), hull_of(CHAIR), geometry])

    empty = all_of()
    assert len(_files(own_stock)) == 4
    _forget()
    monkeypatch.setattr(assemble, "_made", None)  # nothing can be made any more
    monkeypatch.setattr("mereo.scenes.physics.substance_of", None)
    full = all_of()
    monkeypatch.undo()
    _forget()
    own_stock.parent.rename(own_stock.parent.with_name("away"))
    own_stock.parent.touch()  # no folder can be made there
    monkeypatch.setenv(caches.PLACE, str(own_stock.parent))
    assert stock.stock() is None
    assert empty == full == all_of()
    assert (substance(CHAIR).corners == substance_of(make_shape("chair", seed=0, family=3, instance=1)).corners).all()


def test_a_value_is_made_once_and_again_when_its_file_is_damaged_or_gone(own_stock: Path) -> None:
    assert stock.stocked("tests", "name", _once([1]), code="c") == [1]
    assert stock.stocked("tests", "name", _once([2]), code="c") == [1]
    assert stock.stocked("tests", "other name", _once([3]), code="c") == [3]
    assert stock.stocked("tests", "name", _once([4]), code="other code") == [4]
    for damaged in (True, False):
        path = next(path for path in _files(own_stock / "tests" / "c") if unpacked(path.read_bytes()) == [1])
        path.write_bytes(path.read_bytes()[:-1])
        if not damaged:
            path.unlink()
        assert stock.stocked("tests", "name", _once([1]), code="c") == [1]
        assert stock.stocked("tests", "name", _once([5]), code="c") == [1]


def test_an_error_of_whoever_makes_a_value_is_not_hidden(own_stock: Path) -> None:
    def fails() -> None:
        raise OSError("no such luck")

    with pytest.raises(OSError, match="no such luck"):
        stock.stocked("tests", "name", fails, code="c")
    assert not _files(own_stock)


def test_what_cannot_be_kept_is_still_given(own_stock: Path) -> None:
    (own_stock / "tests").mkdir(parents=True)
    (own_stock / "tests" / "c").touch()  # a file where a folder should be
    assert stock.stocked("tests", "name", _once([1]), code="c") == [1]
    assert stock.stocked("tests", "name", _once([2]), code="c") == [2]


def test_a_stock_that_is_too_large_loses_what_was_made_first(own_stock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stock, "_LOOK", "")
    one = len(packed(bytes(1000)))
    monkeypatch.setattr(stock, "MOST", 3 * one)
    for number in range(5):
        stock.stocked("tests", str(number), lambda: bytes(1000), code="c")
        for path in _files(own_stock):
            told = path.stat()
            os.utime(path, (told.st_atime - 10, told.st_mtime - 10))
    kept = [number for number in range(5) if stock.is_stocked("tests", str(number), code="c")]
    assert kept == [2, 3, 4]
    assert stock.stock() == (own_stock, 3, 3 * one)


def test_other_code_has_other_digits(tmp_path: Path) -> None:
    folder = tmp_path / "code"
    folder.mkdir()
    seen = set()
    for name, text in (("a.py", "1"), ("a.py", "2"), ("b.toml", "1"), ("c.md", "not code")):
        (folder / name).write_text(text)
        stock.code_digits.cache_clear()
        seen.add(stock.code_digits(folder))
    assert len(seen) == 3


def test_a_texture_is_drawn_once_and_then_read(own_stock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = texture_bytes(Surface("oak_planks", 3))
    assert drawn.dtype == np.uint8
    assert np.abs(drawn / 255 - texture(Surface("oak_planks", 3))).max() < 0.502 / 255
    _forget()
    monkeypatch.setattr(textures, "texture", None)  # nothing can be drawn any more
    assert (texture_bytes(Surface("oak_planks", 3)) == drawn).all()
    assert len(_files(own_stock / "textures")) == 1


def test_own_shapes_and_foreign_grammars_are_not_kept(own_stock: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    name = keep_shape(make_shape("chair", seed=0), "mine")
    assert len(collision_corners(ShapeRef("chair", own=name)))
    monkeypatch.setattr(assemble, "is_our_grammar", lambda category: False)
    assert kept_of(CHAIR, "name", lambda: [1]) == [1]
    assert kept_of(CHAIR, "name", lambda: [2]) == [2]
    assert not _files(own_stock)


def test_shapes_of_other_references_are_others() -> None:
    several = [msgspec.structs.replace(CHAIR, **{field: 1}) for field in ("seed", "family")]
    several += [CHAIR, msgspec.structs.replace(CHAIR, instance=2), msgspec.structs.replace(CHAIR, split="val")]
    assert len({shape_of(each).mesh().vertices.tobytes() for each in several}) == len(several)


def test_a_benchmark_is_stocked_ahead_of_its_builds(
    own_stock: Path, monkeypatch: pytest.MonkeyPatch, mereo: CommandLine
) -> None:
    monkeypatch.setattr(stocking, "ptr_categories", lambda: ("refrigerator",))
    monkeypatch.setitem(NUMBERS["objects"], "families", {"train": 1})
    monkeypatch.setitem(NUMBERS["looks"], "pieces", 1)
    monkeypatch.setitem(NUMBERS["looks"], "floor", ["light_concrete"])
    monkeypatch.setitem(NUMBERS["looks"], "wall", ["light_concrete"])
    told = mereo("stock", "ptr", "--seed", "1").out
    files = 4 * NUMBERS["objects"]["instances"] + 1
    assert f"{own_stock}: {files} files" in told
    before = {path: path.stat().st_mtime_ns for path in _files(own_stock)}
    _forget()
    mereo("stock", "ptr", "--seed", "1")
    assert {path: path.stat().st_mtime_ns for path in _files(own_stock)} == before
    assert examine().facts["stock"] == told.strip()


def test_who_takes_nothing_from_the_stock_and_where_nothing_can_be_kept_is_said(
    own_stock: Path, mereo: CommandLine
) -> None:
    assert "benchmark clevr takes nothing from the stock" in mereo("stock", "clevr", code=2).err
    own_stock.parent.parent.mkdir(exist_ok=True)
    own_stock.parent.touch()
    caches.lasting_cache.cache_clear()
    assert "nothing can be kept: set MEREO_CACHE" in mereo("stock", "ptr", code=2).err
    assert "none: nothing can be kept" in mereo("doctor").out
