"""Mesh files of furniture as somebody might have them: groups in an OBJ, and a map that says what they are."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from mereo.shapes.solids import box, cylinder

CHAIR_MAP = """
category = "chair"
units = "cm"

[parts]
"seat" = "chair/chair_seat/seat_surface/seat_single_surface"
"back" = "chair/chair_back/back_surface/back_single_surface"
"leg_*" = "chair/chair_base/regular_leg_base/leg"
"""


def write_chair(path: Path, *, width: float = 40.0, high: float = 50.0) -> Path:
    """A plain chair in centimeters, one group for each part."""
    parts = {
        "seat": box((width, 44, 4), (0, 0, 45)).mesh(),
        "back": box((width, 3, high), (0, 20, 47 + high / 2)).mesh(),
    }
    for number, (x, y) in enumerate(((-1, -1), (1, -1), (1, 1), (-1, 1))):
        parts[f"leg_{number}"] = cylinder(2, 43, (x * (width / 2 - 3), 18 * y, 0)).mesh()
    return write_groups(path, parts)


def write_groups(path: Path, parts: Mapping[str, Any], word: str = "g") -> Path:
    """An OBJ file of named groups, or with the word `o` of objects. parts : by name what has vertices and faces"""
    lines, start = [], 1
    for name, mesh in parts.items():
        lines.append(f"{word} {name}")
        lines += [f"v {x} {y} {z}" for x, y, z in mesh.vertices.tolist()]
        lines += [f"f {a} {b} {c}" for a, b, c in (mesh.faces + start).tolist()]
        start += len(mesh.vertices)
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text("\n".join(lines))
    return path


def write_chairs(folder: Path, count: int = 4, *, more: str = "", share: float = 1.0) -> Path:
    """So many different chairs, their map, and the TOML file that puts them into rooms."""
    for number in range(count):
        write_chair(folder / "meshes" / f"chair_{number}.obj", width=36.0 + 4 * number, high=30.0 + 10 * number)
    (folder / "chair.toml").write_text(CHAIR_MAP)
    path = folder / "objects.toml"
    path.write_text(
        f'[objects.mine]\ncategory = "chair"\nmeshes = "meshes/*.obj"\nmap = "chair.toml"\nshare = {share}\n{more}'
    )
    return path
