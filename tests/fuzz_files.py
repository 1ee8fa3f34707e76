"""What commands do with files other than datasets: calls for trials with changed ones."""

from __future__ import annotations

import asyncio
from pathlib import Path

import mereo
from fuzz_datasets import audit, either
from mereo.benchmarks.benchmark import all_languages, inspector_of
from mereo.benchmarks.clevr import official as clevr
from mereo.benchmarks.cric.given import given_graphs
from mereo.benchmarks.ptr import describe as ptr
from mereo.benchmarks.shop.parsed import judge_parses
from mereo.benchmarks.shop.texts import read_pages, read_properties
from mereo.cli.run import world_of
from mereo.datasets.format import Asking
from mereo.datasets.splits import parse_size, parse_splits
from mereo.errors import Refusals
from mereo.evaluation.chat import open_chat
from mereo.evaluation.endpoint import Endpoint
from mereo.evaluation.extract import extract
from mereo.evaluation.noise import parse_noise
from mereo.explorer.space import pack, space_of_scene
from mereo.knowledge import read_knowledge, store_knowledge
from mereo.knowledge.store import StoredKnowledge
from mereo.programs import compile_program
from mereo.questions.toml_templates import load_templates
from mereo.scenes.scene import load_scene
from mereo.shapes.importer import import_shape, read_part_map
from mereo.shapes.library import open_library
from mereo.shapes.partnet import read_partnet, write_partnet
from mereo.shapes.partnet_h5 import read_h5, read_records
from mereo.shapes.statistics import shape_statistics
from mereo.shapes.tasks import write_task
from mereo.workbench import building


def run(folder: Path, out: Path) -> None:
    """A program on a world."""
    text = (folder / "program.txt").read_text("utf-8", "replace")
    world = world_of(folder / "world.json", None, "clevr")
    compile_program(text, all_languages()["clevr"])(world)


def parse(folder: Path, out: Path) -> None:
    """A program in every language."""
    text = (folder / "program.txt").read_text("utf-8", "replace")
    for language in all_languages().values():
        either(compile_program, text, language)


def options(folder: Path, out: Path) -> None:
    """What is given on the command line, and what models say."""
    text = (folder / "options.txt").read_text("utf-8", "replace")
    noise, splits, size, endpoint, said = [*text.split("\n", 4), "", "", "", ""][:5]
    either(parse_noise, noise)
    either(parse_splits, splits, known={"train": 1, "val": 1})
    either(parse_size, size)
    either(lambda: asyncio.run(_opened(endpoint)))
    extract(said, ("yes", "no", "3", "red cube"))


async def _opened(address: str) -> None:
    async with open_chat(Endpoint.at(address, model="m", key=None), concurrency=1):
        pass


def _scenes(folder: Path) -> Path:
    return folder / "scenes.json" if (folder / "scenes.json").exists() else folder / "scenes"


def run_scene(folder: Path, out: Path) -> None:
    """A program on one of several scenes."""
    compile_program("count(scene())", all_languages()["clevr"])(world_of(_scenes(folder), 0, "clevr"))


def verify(folder: Path, out: Path, *, language: str) -> None:
    mereo.verify(_scenes(folder), folder / "questions.json", language=language)


def bring_in(folder: Path, out: Path, *, source: str, strict: bool = False) -> None:
    """Import official files, and look at what came of them."""
    scenes, questions, images = _scenes(folder), folder / "questions.json", folder / "images"
    mereo.import_files(source, out / "new", scenes=scenes, questions=questions, images=images, strict=strict)
    audit(out / "new", out)


def cric(folder: Path, out: Path, *, strict: bool = False) -> None:
    """Verify and import CRIC's folder."""
    either(mereo.verify, folder / "scene_graphs.json", folder / "test_questions.json", language="cric")
    mereo.import_files("cric", out / "new", folder=folder, strict=strict)
    audit(out / "new", out)


def ask_templates(folder: Path, out: Path) -> None:
    """Ask with somebody's templates."""
    files = (folder / "templates", folder / "metadata.json", folder / "synonyms.json")
    building.ask_templates(_scenes(folder), Asking(*files, per_scene=3, seed=0, out=out / "questions.json"))


def clevr_templates(folder: Path, out: Path) -> None:
    load_templates(folder, language=all_languages()["clevr"], describer=clevr.DESCRIBER)


def ptr_templates(folder: Path, out: Path) -> None:
    load_templates(folder, language=all_languages()["ptr"], describer=ptr.DESCRIBER)


def shop_texts(folder: Path, out: Path) -> None:
    """What is written about household objects."""
    either(read_pages, folder / "pages")
    read_properties(folder / "text_properties.toml")


def parses(folder: Path, out: Path) -> None:
    """What somebody sees in household scenes."""
    judge_parses(folder / "parses.jsonl", folder, inspector_of)


def resume(folder: Path, out: Path) -> None:
    """Go on with a build that has made its scenes."""
    mereo.build("clevr", folder, split="train=2", size="16x16", samples=8, resume=True)


def resume_symbolic(folder: Path, out: Path) -> None:
    """Go on with a build that has made nothing yet."""
    mereo.build("clevr", folder, split="train=2", symbolic=True, resume=True)


def own_objects(folder: Path, out: Path) -> None:
    """A file that names shapes of one's own."""
    building.plan_build("ptr", split="train=1", objects=folder / "objects.toml", symbolic=True)


def layout(folder: Path, out: Path) -> None:
    """Scene files, as the explorer shows them."""
    for path in sorted(folder.glob("*.json")):
        either(lambda path: pack(space_of_scene(load_scene(path))), path)


def library(folder: Path, out: Path) -> None:
    opened = open_library(folder)
    shape_statistics(opened.trees())
    for shape in opened:
        if shape.leaves():
            shape.bounds()


def partnet(folder: Path, out: Path) -> None:
    """Folders of shapes, read and written again."""
    for place in sorted(path.parent for path in folder.glob("*/*/meta.json")):
        for raw in (False, True):
            either(_copied, place, out / f"{place.name} {raw}", raw=raw)


def _copied(folder: Path, out: Path, *, raw: bool) -> None:
    write_partnet(read_partnet(folder, raw=raw), out, raw=raw)


def tasks(folder: Path, out: Path) -> None:
    """Folders of shapes as the files of segmentation tasks."""
    for kind in ("semantic", "instance", "hierarchical", "detection", "truth"):
        either(lambda kind: write_task(open_library(folder), out / kind, kind=kind, points=64), kind)


def hdf5(folder: Path, out: Path) -> None:
    for path in sorted(folder.glob("*.h5")):
        either(read_h5, path, path.stem)
        if path.with_suffix(".json").exists():
            either(read_records, path)


def meshes(folder: Path, out: Path) -> None:
    """Meshes of every format, brought in by a map."""
    for path in sorted(path for path in folder.iterdir() if path.suffix != ".toml"):
        either(_imported, path, out / path.name)


def _imported(path: Path, out: Path) -> None:
    write_partnet(import_shape(path, read_part_map(path.with_name("map.toml"))), out)


def knowledge(folder: Path, out: Path) -> None:
    """Dumps, triples and stores of knowledge, read into memory, brought to disk and asked."""
    for path in sorted(folder.iterdir()):
        either(read_knowledge, path, strict=True)
        either(_asked, path)
        if path.suffix != ".parquet":
            either(store_knowledge, path, out / "store")
    either(_asked_on_disk, folder / "store.parquet")


def scene_graphs(folder: Path, out: Path) -> None:
    """Scene graphs of others, given to a build."""
    for path in (folder / name for name in ("apart", "whole", "gqa")):
        for strict in (False, True):
            either(_given, path, folder / "lists" / "aliases.txt", strict=strict)


def _given(path: Path, aliases: Path, *, strict: bool) -> None:
    graphs = given_graphs(path, names=aliases, predicates=aliases, refusals=Refusals(), strict=strict)
    for split in graphs.splits:
        graphs.row(split, 0)


def _asked(path: Path) -> None:
    read_knowledge(path).knowledge.satisfy("HasA", "tail")


def _asked_on_disk(path: Path) -> None:
    StoredKnowledge(path).satisfy("HasA", "tail")
