"""What commands, notebooks and the explorer do with a dataset: calls for trials with changed ones."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from inspect import isawaitable
from operator import attrgetter
from pathlib import Path
from typing import Any, ParamSpec
from urllib.parse import quote

import httpx2
from fastapi import FastAPI
from nicegui import Client, core, ui

import mereo
from mereo.benchmarks.benchmark import all_benchmarks
from mereo.benchmarks.refer.figures import figures_of
from mereo.benchmarks.refer.oracles import PREDICTORS
from mereo.datasets.asked import load_questions
from mereo.datasets.predictions import Header, Prediction, read_predictions
from mereo.datasets.samples import sample_questions
from mereo.datasets.store import open_dataset
from mereo.errors import MereoError
from mereo.evaluation.journal import Journal
from mereo.explorer.address import View
from mereo.explorer.catalog import Catalog
from mereo.explorer.meshes import add_meshes
from mereo.explorer.pages import ask, browse, knowledge, reasoning, runs, scene, space
from mereo.explorer.pictures import add_pictures
from mereo.explorer.sight_pictures import add_sights
from mereo.explorer.thumbnails import Thumbnails
from mereo.workbench import judging

P = ParamSpec("P")

REFUSED: list[str] = []
"""What was refused since it was last cleared, by calls after which others were made."""


def either(call: Callable[P, object], *given: P.args, **named: P.kwargs) -> None:
    """Make a call that may be refused, when others are to be made after it."""
    try:
        call(*given, **named)
    except MereoError as error:
        REFUSED.append(str(error))


def audit(folder: Path, out: Path) -> None:
    repr(mereo.audit(folder))


def subset(folder: Path, out: Path) -> None:
    split = next(iter(open_dataset(folder).scenes), "train")
    mereo.subset(folder, out / "subset", share=0.7, split=split)


def export(folder: Path, out: Path) -> None:
    known = all_benchmarks().get(open_dataset(folder).benchmark)
    for form in ("coco", "webdataset", "lmms-eval", "inspect", *(known.exporters if known else ())):
        either(mereo.export, folder, out / form, to=form)


def oracle(folder: Path, out: Path) -> None:
    splits = ",".join(open_dataset(folder).scenes)
    mereo.oracle(folder, {"attributes": 0.2, "objects": 0.1}, split=splits)
    mereo.oracle(folder, {"masks": 1}, split=splits)


def point(folder: Path, out: Path) -> None:
    """Refer to things as they are, and break down how well somebody did."""
    for predictor in PREDICTORS.values():
        either(predictor, load_questions(folder))
    asked = load_questions(folder)
    figures_of(asked, read_predictions(folder / "runs" / "marks" / "predictions.jsonl", asked))


def evaluate(folder: Path, out: Path) -> None:
    for run in ("run", "table", "marks"):
        if (folder / "runs" / run).is_dir():
            either(mereo.evaluate, folder, [run])


def baseline(folder: Path, out: Path) -> None:
    mereo.baseline(folder)


def report(folder: Path, out: Path) -> None:
    judging.report(folder, out=out, complain=REFUSED.append)


def show(folder: Path, out: Path) -> None:
    sample_questions(folder, 5)


def journal(folder: Path, out: Path) -> None:
    """Go on with asking a model."""
    asked = load_questions(folder)
    header = Header(dataset=asked.checksum, benchmark=asked.manifest.benchmark, model="m", settings={"temperature": 0})
    with Journal(folder / "runs" / "run" / "predictions.jsonl", header) as begun:
        begun.append([Prediction(asked.ids[0], "yes")])


def refer(folder: Path, out: Path) -> None:
    """Refer to what another dataset shows."""
    mereo.build("refer", out / "refer", scenes_from=str(folder))


def look(folder: Path, out: Path) -> None:
    """Scenes and questions from Python, as far as each goes."""
    dataset = mereo.load(folder)
    either(repr, dataset)
    either(dataset._repr_html_)
    for place in range(min(len(dataset.scenes), 3)):
        either(_look_at_scene, dataset, place)
    for place in range(min(len(dataset.questions), 12)):
        question = dataset.questions[place]
        for use in (repr, attrgetter("scene"), lambda one: one.run(), lambda one: one._repr_html_()):
            either(use, question)


def _look_at_scene(dataset: mereo.Dataset, place: int) -> None:
    scene = dataset.scenes[place]
    for name in ("record", "world", "questions", "picture", "depth", "ids", "masks", "boxes", "layout"):
        either(attrgetter(name), scene)
    either(repr, scene)
    either(scene._repr_html_)


def examples(folder: Path, out: Path) -> None:
    """Rows as arrays."""
    dataset = mereo.load(folder)
    for more in ((), ("picture", "depth", "ids")):
        fields = ("id", "question", "program", "answer", "boxes", *more)
        either(lambda fields: list(dataset.examples(fields=fields).batches(8, seed=0)), fields)


def explore(folder: Path, out: Path) -> None:
    """Every page of the explorer and every picture on them, as far as each goes."""
    asyncio.run(_explored(Catalog([folder]), out))


async def _explored(catalog: Catalog, out: Path) -> None:
    core.loop = asyncio.get_running_loop()
    thumbnails = Thumbnails(catalog, out / "thumbnails")
    app = FastAPI()
    add_pictures(app, catalog, thumbnails)
    add_meshes(app, catalog)
    await _page(browse.page, catalog, thumbnails, View.of_query([]))
    await _page(runs.page, catalog, {})
    await _page(knowledge.page, catalog, {"name": "knife"})
    opened = catalog.datasets[0]
    REFUSED.extend(opened.damaged or filter(None, [opened.fault]))
    if opened.fault is not None:
        return
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://explorer") as visitor:
        for (name,) in catalog.index.rows("SELECT scene_id FROM scenes ORDER BY 1 LIMIT 2"):
            for page in (scene.page, reasoning.page, ask.page, space.page):
                await _page(page, catalog, 0, name, {})
            for layer in ("plain", "ids", "objects", "parts", "boxes", "depth", "normals"):
                await visitor.get(f"/picture/0/{layer}/{quote(name)}")
            await visitor.get(f"/thumbnail/0/{quote(name)}")
            await visitor.get(f"/mesh/scene/0/{quote(name)}")


def compare(folder: Path, out: Path) -> None:
    """What a run saw, beside the truth."""
    asyncio.run(_compared(Catalog([folder])))


async def _compared(catalog: Catalog) -> None:
    core.loop = asyncio.get_running_loop()
    app = FastAPI()
    add_sights(app, catalog)
    asked = "SELECT scene_id, question_id FROM questions JOIN scenes USING (scene) ORDER BY 2 LIMIT 4"
    async with httpx2.AsyncClient(transport=httpx2.ASGITransport(app), base_url="http://explorer") as visitor:
        for scene_id, question in catalog.index.rows(asked):
            await _page(reasoning.page, catalog, 0, scene_id, {"question": question, "run": "run"})
            for layer in ("ids", "objects", "parts", "boxes"):
                await visitor.get(f"/sight/0/run/{layer}/{quote(scene_id)}")
            await visitor.get(f"/look/0/run/0/{quote(question)}")


async def _page(make: Callable[..., Any], *given: Any) -> None:
    """Build a page as a visit does; what the data does not allow is told on it."""
    with Client(ui.page("")) as client:
        try:
            made = make(*given)
            if isawaitable(made):
                await made
        except MereoError as error:
            REFUSED.append(str(error))
    client.delete()
