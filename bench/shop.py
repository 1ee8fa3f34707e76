"""Questions per CPU second with SHOP-VRB's own templates and rules, and how fast its files are verified.

    python bench/shop.py [--scenes 100] [--plain 2] [--patience 2] [--official FOLDER]

Measured with the official template files that are at hand, and with templates of every family that are written in the
same form (`shop_templates.py`), since the official ones here are few. The reference is the plain search of
`naive_shop_search.py` on some of the scenes. SHOP-VRB's own generator is not run; on one core of a Neoverse-N1 and with
all its templates it was found to ask 0.43 visual questions a second (2.9 where it waits for three seconds instead of
sixty) and 0.09 textual ones. Scenes lie about by chance; nobody has rendered them.
"""

from __future__ import annotations

import argparse
import json
import tempfile
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import shop_templates
from measure import options, rates, save, spread
from mereo.benchmarks.benchmark import find_format
from mereo.datasets.format import Asking
from mereo.datasets.verify import verify_files
from naive_shop_search import HANDLERS, NaiveShopGenerator
from tables import Row

OFFICIAL = Path("../shared/data/templates/shop_vrb")
KINDS = {"": "visual", shop_templates.TEXT: "textual"}


class Templates(NamedTuple):
    """A folder of templates with its metadata."""

    what: str
    folder: Path
    metadata: Path


def main() -> None:
    """Measure and keep."""
    given = _options()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "scenes.json").write_text(json.dumps(shop_templates.scene_file(given.scenes)))
        found = [row for one in _templates(given, folder) for row in _rows(given, one, folder)]
    notes = [
        f"{given.scenes} scenes, {given.each} questions each; the plain search about the first {given.plain}, with "
        f"{given.patience:g} s for each template in each scene. Medians of {given.rounds} warm rounds of mereo."
    ]
    save("shop-official", given, found, notes=notes)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", type=int, default=100)
    parser.add_argument("--plain", type=int, default=2, help="scenes that the plain search asks about")
    parser.add_argument("--patience", type=float, default=2.0, help="seconds of the plain search for a template")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--each", type=int, default=10, help="questions about each scene")
    parser.add_argument("--official", type=Path, default=OFFICIAL)
    given = options(parser)
    if given.quick:
        given.scenes, given.plain, given.rounds, given.each = 2, 1, 1, 1
        given.official = Path()  # the plain search takes long with them
    return given


def _templates(given: argparse.Namespace, folder: Path) -> list[Templates]:
    """Ours of every family, and the official ones that are there."""
    found = []
    for kind, what in KINDS.items():
        shop_templates.write_templates(folder / what, kind)
        found.append(
            Templates(f"{what}, templates of every family", folder / what, folder / f"metadata_{kind or what}.json")
        )
        end = f"_{kind}" if kind else ""
        official = given.official / f"templates{end}"
        if official.is_dir():
            names = ", ".join(sorted(file.stem for file in official.glob("*.json")))
            metadata = given.official / f"metadata_shop_vrb{end}.json"
            found.append(Templates(f"{what}, official {names}", official, metadata))
    return found


def _rows(given: argparse.Namespace, templates: Templates, folder: Path) -> list[Row]:
    form, out = find_format("shop_vrb"), folder / "questions.json"
    scenes = form.scenes(folder / "scenes.json")
    asking = Asking(templates.folder, templates.metadata, None, given.each, 0, out)

    def ask() -> int:
        return form.ask(scenes, asking, progress=lambda scenes: None)

    def verify() -> int:
        agreement = verify_files(folder / "scenes.json", out, form)
        assert agreement.perfect
        return agreement.answers

    def run() -> int:
        content = json.loads(out.read_text())["questions"]
        records = {scene["image_index"]: scene for scene in json.loads((folder / "scenes.json").read_text())["scenes"]}
        assert all(rerun(question["program"], records[question["image_index"]]) for question in content)
        return len(content)

    plain, unit = "plain search", "questions per CPU s"
    theirs = spread(plain, [plainly(given, templates)], unit=unit, against=plain, table=f"asking: {templates.what}")
    ours = rates(ask, rounds=given.rounds).row("mereo", unit=unit, against=plain, table=f"asking: {templates.what}")
    lists, table = "lists and dictionaries", f"verifying: {templates.what}"
    return [
        theirs,
        ours,
        rates(run, rounds=given.rounds).row(lists, unit=unit, against=lists, table=table),
        rates(verify, rounds=given.rounds).row("mereo verify", unit=unit, against=lists, table=table),
    ]


def rerun(nodes: Sequence[Mapping[str, Any]], scene: dict[str, Any]) -> bool:
    """Whether every step of a program gives what the file says."""
    outputs: list[Any] = []
    for node in nodes:
        inputs = [outputs[i] for i in node["inputs"]]
        outputs.append(HANDLERS[node["function"]](scene, inputs, node["value_inputs"]))
    return outputs == [node["_output"] for node in nodes]


def plainly(given: argparse.Namespace, templates: Templates) -> float:
    """Questions per CPU second of the plain search."""
    started = time.process_time()
    naive = NaiveShopGenerator(templates.folder, templates.metadata, seed=0, patience=given.patience)
    asked = sum(len(naive.ask(shop_templates.strewn(index), given.each)) for index in range(given.plain))
    return asked / (time.process_time() - started)


if __name__ == "__main__":
    main()
