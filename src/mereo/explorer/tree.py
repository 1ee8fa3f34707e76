"""The entities of a scene as a tree of parts, a line each."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape
from types import MappingProxyType

from mereo.datasets.inspector import Inspector, listed_words
from mereo.evaluation.understood import Mark
from mereo.explorer.canvas import entity_tree
from mereo.world import World

__all__ = ["tree_html"]


def tree_html(
    world: World,
    eye: Inspector,
    written: Mapping[int, str] = MappingProxyType({}),
    marks: Mapping[int, Mark] = MappingProxyType({}),
) -> str:
    """The tree of parts; each line carries the number of its entity.

    written : what is to be read about some · marks : what is wrong with some
    """
    lines = []
    for entity, depth in entity_tree(world):
        own, mark = world.entities[entity], marks.get(entity, Mark())
        name, paint = eye.name(own), eye.sign(own).paint
        told = ", ".join(
            _said(", ".join(listed_words(value)), attribute in mark.unlike)
            for attribute, value in own.attributes.items()
            if listed_words(value) and value != name
        )
        dot = f'<i class="c-dot" style="background:{escape(paint)}"></i>' if paint else ""
        misnamed = any(own.attributes.get(attribute) == name for attribute in mark.unlike)
        lines.append(
            f'<div class="c-line {mark.state}" data-entity="{entity}" tabindex="0" style="--depth:{depth}" '
            f'title="{escape(mark.told)}">{dot}<span>{_said(name, misnamed)}</span><small>{told}</small></div>'
        )
        if entity in written:
            lines.append(f'<p class="c-written" data-written="{entity}">{escape(written[entity])}</p>')
    return "".join(lines)


def _said(words: str, unlike: bool) -> str:
    return f"<mark>{escape(words)}</mark>" if unlike else escape(words)
