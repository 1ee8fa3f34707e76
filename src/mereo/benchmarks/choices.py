"""Choices that a person has: declared once, and the command line, its help and the Python call are made from them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from mereo.errors import BadInput, UnknownName

if TYPE_CHECKING:
    from mereo.datasets.picture_settings import PictureSettings

__all__ = ["OBJECTS", "PICTURES", "QUESTIONS_PER_SCENE", "Choice", "chosen_pictures", "resolved", "settled"]

Kind = type[int] | type[float] | type[str] | type[bool] | type[Path]


@dataclass(frozen=True)
class Choice:
    """One thing that can be chosen: an option `--name`, or an argument that is given by its place."""

    name: str
    """As a Python name: `image_format` is `--image-format`."""
    kind: Kind
    default: Any
    """None where nothing is chosen unless somebody does."""
    help: str
    least: float | None = None
    argument: bool = False
    """Whether it is given by its place, and must be given."""
    optional: bool = False
    """Whether an argument may be left out."""
    flag: str = ""
    """What the option is called, where its name cannot be that: `as` is no Python name."""
    known: tuple[str, ...] = ()
    """Words that may stand there, for the shell to offer."""


def settled(choices: Iterable[Choice], given: Mapping[str, Any], *, of: str) -> dict[str, Any]:
    """What was given, and the default of all else; unknown names and wrong kinds are told. of : who has the choices"""
    known = {choice.name: choice for choice in choices}
    for name, value in given.items():
        if name not in known:
            raise UnknownName(f"choice of {of} named", name, known)
        choice = known[name]
        if value is None and choice.default is None:
            continue
        if not isinstance(value, _TAKEN[choice.kind]) or isinstance(value, bool) is not (choice.kind is bool):
            raise BadInput(f"must be {_CALLED[choice.kind]}, not {value!r}", field=name)
        if choice.least is not None and float(str(value)) < choice.least:
            raise BadInput(f"must be at least {choice.least:g}, not {value}", field=name)
    missing = [
        choice.name
        for choice in known.values()
        if choice.argument and not choice.optional and given.get(choice.name) is None
    ]
    if missing:
        raise BadInput("must be given", field=missing[0])
    return {name: given.get(name, choice.default) for name, choice in known.items()}


_CALLED = {int: "a whole number", float: "a number", str: "text", bool: "true or false", Path: "a path"}
_TAKEN: dict[type, tuple[type, ...]] = {int: (int,), float: (int, float), str: (str,), bool: (bool,), Path: (str, Path)}

QUESTIONS_PER_SCENE = Choice("questions_per_scene", int, 10, "Questions for each scene.", least=0)

OBJECTS = Choice("objects", Path, None, "A TOML file of own shapes, to be used beside those of grammars or instead.")

_RENDERERS, _IMAGES, _DENOISE = ("auto", "cuda", "llvm", "scalar"), ("png", "webp", "jpeg"), ("auto", "on", "off")
PICTURES = (
    Choice("symbolic", bool, False, "Without pictures."),
    Choice("size", str, "480x320", "Width and height of pictures."),
    Choice("samples", int, None, "Rays per pixel; else 32, or 64 where pictures are not denoised.", least=8),
    Choice("denoise", str, "auto", "`on`, `off`, or wherever the machine can.", known=_DENOISE),
    Choice("renderer", str, "auto", "`cuda`, `llvm`, `scalar`, or whichever works best.", known=_RENDERERS),
    Choice(
        "image_format",
        str,
        "png",
        "`png`; `webp`: lossless too, smaller, slower; `jpeg`: a fifth, not the very pixels.",
        known=_IMAGES,
    ),
    Choice("amodal", bool, False, "Masks of what is hidden, too."),
)
"""What can be chosen about pictures."""


def resolved(path: str | Path | None) -> str | None:
    """A chosen path that means the same to every worker."""
    return None if path is None else str(Path(path).resolve())


def chosen_pictures(choices: Mapping[str, Any]) -> PictureSettings | None:
    """How pictures are to be taken; None where there are to be none."""
    if choices["symbolic"]:
        return None
    from mereo.datasets.picture_settings import PictureSettings

    return PictureSettings.chosen(**{choice.name: choices[choice.name] for choice in PICTURES[1:]})
