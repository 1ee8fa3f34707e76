"""Masks: against pixels counted one by one, against pycocotools' own reader, and with all that others may write."""

from __future__ import annotations

import math
import sys
from itertools import product
from typing import Any

import numpy as np
import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays
from pycocotools import mask as coco

import referred
from kit import complaint
from mereo.errors import BadInput, MissingExtra
from mereo.masks import (
    BadMask,
    areas,
    box_of,
    box_overlap,
    boxes_overlap,
    counts_of,
    decode,
    encode,
    mask_of_row_runs,
    read,
    row_runs,
    shared,
    shifted,
    union,
)

sides = st.tuples(st.integers(1, 7), st.integers(1, 7))
masks = arrays(np.bool_, sides)
several = sides.flatmap(lambda shape: st.lists(arrays(np.bool_, shape), min_size=1, max_size=5))
LETTERS = "".join(map(chr, range(48, 112)))
WIDTH, HEIGHT = 480, 320


@given(masks)
def test_letters_are_those_of_pycocotools_and_read_back(mask: Any) -> None:
    theirs = coco.encode(np.asfortranarray(mask.astype(np.uint8)))
    assert encode(mask) == {"size": list(mask.shape), "counts": theirs["counts"].decode()}
    assert np.array_equal(decode(encode(mask)), mask)
    assert read([encode(mask)]) == [encode(mask)]


@given(masks)
def test_counts_are_runs_column_by_column(mask: Any) -> None:
    assert counts_of(mask) == list(map(int, referred.runs(mask.T.ravel().tolist()).split(",")))
    assert read([{"size": mask.shape, "counts": counts_of(mask)}]) == [encode(mask)]


@given(masks)
def test_rows_are_written_and_read_as_clevr_ref_has_them(mask: Any) -> None:
    height, width = mask.shape
    assert row_runs(mask) == referred.runs(mask.ravel().tolist())
    assert np.array_equal(mask_of_row_runs(row_runs(mask), width=width, height=height), mask)


@given(several)
def test_many_masks_are_reckoned_with_as_their_pixels_are(pixels: Any) -> None:
    encoded = [encode(mask) for mask in pixels]
    others = encoded[1:] + encoded[:1]
    assert areas(encoded).tolist() == [mask.sum() for mask in pixels]
    both = [(one & other).sum() for one, other in zip(pixels, pixels[1:] + pixels[:1], strict=True)]
    assert shared(encoded, others).tolist() == both
    assert union(encoded, size=pixels[0].shape) == encode(np.any(pixels, axis=0))


def test_none_are_none() -> None:
    assert areas([]).tolist() == shared([], []).tolist() == read([]) == []
    assert union([], size=(3, 4)) == encode(np.zeros((3, 4), bool))


@given(masks, st.integers(-9, 9))
def test_a_mask_moved_aside_loses_what_leaves_the_picture(mask: Any, by: int) -> None:
    moved = np.zeros_like(mask)
    for column in range(mask.shape[1]):
        if 0 <= column + by < mask.shape[1]:
            moved[:, column + by] = mask[:, column]
    assert shifted([encode(mask)] * 2, by) == [encode(moved)] * 2


@given(masks)
def test_a_box_goes_around_just_the_mask(mask: Any) -> None:
    box = box_of(mask)
    if box is None:
        assert not mask.any()
        return
    left, top, width, height = box
    inside = mask[top : top + height, left : left + width]
    assert inside.sum() == mask.sum()
    assert inside[0].any()
    assert inside[-1].any()
    assert inside[:, 0].any()
    assert inside[:, -1].any()


boxes = st.tuples(st.integers(0, 6), st.integers(0, 6), st.integers(1, 6), st.integers(1, 6))


@given(boxes, boxes)
def test_boxes_overlap_as_their_pixels_do(one: tuple[int, ...], other: tuple[int, ...]) -> None:
    a, b = (
        {(x, y) for x in range(left, left + width) for y in range(top, top + height)}
        for left, top, width, height in (one, other)
    )
    assert box_overlap(one, other) == pytest.approx(len(a & b) / len(a | b))


anywhere = st.tuples(*[st.integers(-9, 9)] * 4)


@given(st.lists(anywhere, max_size=3), st.lists(anywhere, max_size=3))
@example([], [])
@example([(0, 0, 1e308, 1e308)], [(0, 0, 5, 4)])
def test_lists_of_boxes_overlap_as_what_they_cover_of_the_picture(ones: list[Any], others: list[Any]) -> None:
    a, b = (
        {
            (x, y)
            for x, y in product(range(5), range(4))
            for left, top, width, height in boxes
            if left <= x < left + width and top <= y < top + height
        }
        for boxes in (ones, others)
    )
    assert boxes_overlap(ones, others, width=5, height=4) == (len(a & b) / len(a | b) if a | b else 1)


# What others write


def naive_lengths(text: str) -> list[int] | None:
    """COCO's letters, read one by one; None where they end too early, are none of its letters, or never end."""
    found: list[int] = []
    number = place = 0
    for letter in text:
        bits = ord(letter) - 48
        if not 0 <= bits < 64 or place > 5:
            return None
        number |= (bits & 31) << 5 * place
        place += 1
        if not bits & 32:
            number -= (bits & 16 != 0) << 5 * place
            found.append(number + (found[-2] if len(found) > 2 else 0))
            number = place = 0
    return found if found and not place else None


def is_read_or_refused(counts: str | list[int], height: int, width: int) -> None:
    """What is accepted must be what a plain reader reads, in the form of pycocotools; all else is refused."""
    lengths = naive_lengths(counts) if isinstance(counts, str) else counts
    fills = lengths and min(lengths) >= 0 and sum(lengths) == height * width
    said = complaint(lambda: read([{"size": [height, width], "counts": counts}]))
    if not lengths or not fills:
        assert said is not None
        assert said.startswith("field 'counts': are ")
        return
    assert said is None
    flat = [bool(k % 2) for k, length in enumerate(lengths) for _ in range(length)]
    pixels = np.array(flat).reshape(width, height).T
    assert np.array_equal(decode({"size": [height, width], "counts": counts}), pixels)
    mask = read([{"size": [height, width], "counts": counts}])
    assert mask == [encode(pixels)]
    assert areas(mask).tolist() == shared(mask, mask).tolist() == [pixels.sum()]


@given(st.text(max_size=12) | st.text(alphabet=LETTERS, max_size=12))
@example("")
@example("\0")
@example("o")
@example("P" * 40)
@example("<\0<")
def test_any_text_is_run_lengths_or_refused(text: str) -> None:
    is_read_or_refused(text, 4, 3)


@given(masks, st.data())
def test_letters_that_were_changed_are_run_lengths_or_refused(mask: Any, data: st.DataObject) -> None:
    text = encode(mask)["counts"]
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(text)))
        text = text[:at] + data.draw(st.text(alphabet=LETTERS, max_size=2)) + text[at + data.draw(st.integers(0, 2)) :]
    is_read_or_refused(text, *mask.shape)


@given(st.lists(st.integers(-2, 7) | st.integers(), max_size=8))
@example([4, 0, 0, 0, 0, 8])
@example([0, 0, 12, 0])
@example([12, 0])
@example([2**70, 12 - 2**70])
def test_any_numbers_are_run_lengths_or_refused(counts: list[int]) -> None:
    is_read_or_refused(counts, 4, 3)


def test_runs_of_no_length_do_not_lead_pycocotools_astray() -> None:
    # As they stand, pycocotools writes more runs than it has room for, and stops where two masks pause at once.
    written = {"size": [2, 3], "counts": [2, 0, 0, 0, 1, 0, 0, 2, *[0] * 5000, 1, 0]}
    (mask,) = read([written])
    assert len(mask["counts"]) < 7
    for other in (mask, encode(np.ones((2, 3), bool))):
        assert areas([union([mask, other], size=(2, 3))]) == np.count_nonzero(decode(written) | decode(other))
        assert shared([mask], [other]) == np.count_nonzero(decode(written) & decode(other))


def test_lengths_whose_sum_comes_full_circle_are_refused() -> None:
    # 12, and then every other length in steps of 2**28 up to 2**46 and down again: 2**64 pixels more.
    steps = 1 << 18
    text = "<" + "PPPPP80" * steps + "PPPPPH0" * (steps - 1)
    said = complaint(lambda: read([{"size": [4, 3], "counts": text}]))
    assert said == f"field 'counts': are run lengths of {2**64 + 12:,} pixels, not of 12"


@pytest.mark.parametrize(
    "size", [None, 12, [12], [3, 4, 1], [0, 12], [-3, -4], [3.0, 4.0], ["3", "4"], [1 << 20, 1 << 20], [1 << 70, 1]]
)
def test_a_size_that_no_picture_has_is_named(size: Any) -> None:
    said = complaint(lambda: decode({"size": size, "counts": "<"}))
    assert said == f"field 'size': must be height and width of a picture, not {size}"


def test_the_one_that_is_wrong_among_many_is_told() -> None:
    rng = np.random.default_rng(0)
    written: list[dict[str, Any]] = [{**encode(rng.random((5, 6)) < 0.5)} for _ in range(700)]
    assert areas(read(written)).sum() == sum(decode(mask).sum() for mask in written)
    for place in (0, 299, 300, 699):
        for wrong in ({"counts": "é"}, {"counts": "P"}, {"counts": "5"}, {"counts": [31]}, {"size": [5, 5]}):
            with pytest.raises(BadMask) as caught:
                read([*written[:place], {**written[place], **wrong}, *written[place + 1 :]])
            assert caught.value.place == place


def test_masks_of_different_pictures_are_not_compared() -> None:
    one, other = encode(np.ones((2, 3), bool)), encode(np.ones((3, 2), bool))
    for call in (lambda: shared([one], [other]), lambda: union([one, other], size=(2, 3))):
        with pytest.raises(ValueError, match="different size"):
            call()


@pytest.mark.parametrize("text", ["", "3,x", "3,,4", "-3,15", "5,6", "9" * 6000])
def test_rows_that_are_no_mask_are_refused(text: str) -> None:
    with pytest.raises(BadInput, match=r"must be run lengths|pixels, the picture has 12"):
        mask_of_row_runs(text, width=4, height=3)


def test_pictures_of_usual_size_are_reckoned_with_exactly() -> None:
    rng = np.random.default_rng(1)
    pixels = [rng.random((HEIGHT, WIDTH)) < share for share in (0.0, 0.001, 0.5, 1.0)]
    encoded = [encode(mask) for mask in pixels]
    for k, one in enumerate(pixels):
        found = shared([encoded[k]] * len(pixels), encoded)
        assert found.tolist() == [np.count_nonzero(one & other) for other in pixels]
        assert np.array_equal(decode(encoded[k]), one)
    assert max(math.prod(mask["size"]) for mask in encoded) == areas(encoded).max()


def test_without_pycocotools_one_sentence_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pycocotools", None)
    with pytest.raises(MissingExtra, match=r"^masks needs packages .*\[scenes\]'"):
        encode(np.ones((2, 2), bool))
