"""Sheets of stories: what was asked about a picture, and beside it how it was answered, shot by shot."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

import numpy as np

from mereo.datasets.picture_bytes import pillow
from mereo.evaluation.lit import WRONG, Lit, draw_lit
from mereo.evaluation.panels import INK, MARGIN, PAPER, QUIET, WIDTH, Image, font

__all__ = ["Shot", "Story", "stories_sheet"]

_LEFT, _GAP = 400, 32
"""Pixels of the picture of a story, and between it and the shots."""
_ACROSS, _BETWEEN = 5, 16
"""Shots side by side, and pixels between them."""
_SHOT = (WIDTH - 2 * MARGIN - _LEFT - _GAP - (_ACROSS - 1) * _BETWEEN) // _ACROSS
_APART, _BELOW = 52, 16
"""Pixels between stories, and between rows of shots."""
_LINE = 1.28
"""How high a line of text is, for letters of one pixel."""
_TITLE, _RIGHT = (196, 122, 0), (30, 130, 70)
"""Colors of titles, and of answers that are right."""


class Shot(NamedTuple):
    """One step."""

    words: str
    """What is done."""
    found: str
    """What that comes to."""
    lit: Lit
    fault: str = ""
    """What is wrong with it, if something is."""
    first: bool = False
    """Whether it is here that the answer goes wrong."""


class Story(NamedTuple):
    """A question, and how it was answered."""

    title: str
    picture: Image
    question: str
    answer: str
    truth: str
    shots: Sequence[Shot]
    notes: Sequence[str] = ()
    """What else there is to say."""
    aside: tuple[Image, str] | None = None
    """Another picture, and what it shows."""


class _Words(NamedTuple):
    """Text that is set in a column."""

    said: str
    size: int
    color: tuple[int, int, int]


def stories_sheet(stories: Sequence[Story], *, foot: str) -> Image:
    """Stories one below the other. foot : what is to be said of all of them"""
    drawn = [_story(story) for story in stories]
    told = _column([_Words(foot, 16, QUIET)], WIDTH - 2 * MARGIN)
    tall = 2 * MARGIN + sum(one.height + _APART for one in drawn) + told.height
    sheet, top = pillow("Image").new("RGB", (WIDTH, tall), PAPER), MARGIN
    pen = pillow("ImageDraw").Draw(sheet)
    for one in drawn:
        sheet.paste(one, (MARGIN, top))
        top += one.height + _APART
        pen.line((MARGIN, top - _APART // 2, WIDTH - MARGIN, top - _APART // 2), fill=(222, 221, 216), width=1)
    sheet.paste(told, (MARGIN, top))
    return np.asarray(sheet)


def _story(story: Story) -> Any:
    """All of a story as an image."""
    left = _stacked(_about(story), _LEFT, gap=12)
    rows = [_row(story, start) for start in range(0, len(story.shots), _ACROSS)]
    right = _stacked(rows, WIDTH - 2 * MARGIN - _LEFT - _GAP, gap=_BELOW)
    both = _blank(WIDTH - 2 * MARGIN, max(left.height, right.height))
    both.paste(left, (0, 0))
    both.paste(right, (_LEFT + _GAP, 0))
    return both


def _about(story: Story) -> list[Any]:
    """What stands at the left."""
    image, right = pillow("Image"), story.answer == story.truth
    said = f"answer: {story.answer}" + ("" if right else f", in truth: {story.truth}")
    found = [
        _column([_Words(story.title, 18, _TITLE)], _LEFT),
        image.fromarray(draw_lit(story.picture, Lit(), width=_LEFT)),
        _column([_Words(story.question, 23, INK)], _LEFT),
        _column([_Words(said, 25, _RIGHT if right else WRONG)], _LEFT),
        _column([_Words(note, 16, QUIET) for note in story.notes], _LEFT),
    ]
    if story.aside is not None:
        picture, words = story.aside
        found += [image.fromarray(draw_lit(picture, Lit(), width=_LEFT)), _column([_Words(words, 16, QUIET)], _LEFT)]
    return found


def _row(story: Story, start: int) -> Any:
    """Some shots side by side."""
    shots = enumerate(story.shots[start : start + _ACROSS], start=start + 1)
    some = [_shot(number, shot, story.picture) for number, shot in shots]
    row = _blank(_ACROSS * (_SHOT + _BETWEEN) - _BETWEEN, max(one.height for one in some))
    for column, one in enumerate(some):
        row.paste(one, (column * (_SHOT + _BETWEEN), 0))
    return row


def _shot(number: int, shot: Shot, picture: Image) -> Any:
    """The picture small, with the number of the step in its corner, and words below."""
    small = pillow("Image").fromarray(draw_lit(picture, shot.lit, width=_SHOT))
    pen, color = pillow("ImageDraw").Draw(small), WRONG if shot.first else INK
    if shot.first:
        pen.rectangle((0, 0, small.width - 1, small.height - 1), outline=WRONG, width=4)
    pen.rectangle((0, 0, 26, 24), fill=color)
    pen.text((13, 12), str(number), fill=PAPER, font=font(16), anchor="mm")
    words = [_Words(shot.words, 17, INK), _Words(shot.found, 17, QUIET)]
    fault = f"here it goes wrong: {shot.fault}" if shot.first else shot.fault
    return _stacked([small, _column([*words, _Words(fault, 15, WRONG)], _SHOT)], _SHOT, gap=6)


def _column(words: Iterable[_Words], width: int) -> Any:
    """Text, one below the other."""
    lines = [(line, one) for one in words for line in _wrapped(one.said, font(one.size), width)]
    column = _blank(width, round(sum(_LINE * one.size for _, one in lines)))
    pen, top = pillow("ImageDraw").Draw(column), 0.0
    for line, one in lines:
        top += _LINE * one.size
        pen.text((0, top - 0.28 * one.size), line, fill=one.color, font=font(one.size), anchor="ls")
    return column


def _wrapped(text: str, type: Any, width: int) -> list[str]:
    """Text in lines that fit."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and type.getlength(longer) <= width:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines


def _stacked(images: Iterable[Any], width: int, *, gap: int) -> Any:
    """Images one below the other; those without height are left out."""
    there = [image for image in images if image.height]
    whole, top = _blank(width, sum(image.height + gap for image in there) - gap), 0
    for image in there:
        whole.paste(image, (0, top))
        top += image.height + gap
    return whole


def _blank(width: int, height: int) -> Any:
    return pillow("Image").new("RGB", (width, max(height, 0)), PAPER)
