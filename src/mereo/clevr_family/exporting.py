"""What all exporters to folders of CLEVR's family write alike: pictures, scene files, and the numbers of templates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from mereo.clevr_family.records import official_name
from mereo.datasets.export import Progress
from mereo.errors import BadInput
from mereo.files import write_bytes

__all__ = ["family_places", "write_pictures", "write_scenes"]


def write_pictures(
    rows: Sequence[Mapping[str, Any]], records: Mapping[str, Mapping[str, Any]], folder: Path, progress: Progress
) -> None:
    """The pictures of scene rows, each by the name that its record has for it. records : by the scene's id"""
    for row in rows:
        if row.get("image"):
            name = official_name(records[row["scene_id"]], row["scene_id"])
            write_bytes(folder / name, row["image"]["bytes"])
        progress(1)


def write_scenes(path: Path, scenes: Sequence[Any], *, info: Mapping[str, Any]) -> None:
    """A whole scene file."""
    write_bytes(path, msgspec.json.encode({"info": info, "scenes": scenes}))


def family_places(row: Mapping[str, Any], titles: Sequence[str]) -> tuple[int, int]:
    """The place of a question's template in its family, and among all. titles : of all templates, by name"""
    family = row["family"]
    own = [title for title in titles if title.startswith(f"{family}/")]
    if row["template"] not in own:
        raise BadInput(f"is not of the family '{family}'", record=row["question_id"], field="template")
    return own.index(row["template"]), titles.index(row["template"])
