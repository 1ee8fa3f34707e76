"""Scenes and shapes as the browser gets them, and scores with the questions behind them."""

from __future__ import annotations

import json
import shutil
import struct
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow.parquet as pq
import pytest

pytest.importorskip("nicegui", reason="the explorer's packages are not installed")

from browsing import build, command
from mereo.benchmarks.benchmark import benchmark
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.ptr.inspect import PtrInspector
from mereo.datasets.asked import Selection, load_questions
from mereo.datasets.predictions import read_predictions
from mereo.errors import BadInput
from mereo.evaluation.result import judge_run
from mereo.evaluation.runs import list_runs, predictions_of, run_folder, save_result, selected
from mereo.explorer.catalog import Catalog
from mereo.explorer.meshes import space_of_row
from mereo.explorer.scoreboard import Board, boards
from mereo.explorer.search import Search
from mereo.explorer.space import Space, pack, space_of_scene, space_of_shape
from mereo.scenes.assemble import assemble, pose_matrix
from mereo.scenes.scene import scene_from_json
from mereo.shapes.articulation import joints, posed
from mereo.shapes.grammar import all_grammars, make_shape
from mereo.shapes.joint import Joint


@pytest.fixture(scope="module")
def rooms(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three scenes, the last of which is physical."""
    size = ("--size", "192x128", "--samples", "8")
    return build(tmp_path_factory.mktemp("space") / "rooms", "ptr", "--split", "train=3", *size, "--seed", "1")


@pytest.fixture(scope="module")
def solids(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Solids without pictures, with two runs."""
    out = build(tmp_path_factory.mktemp("space") / "solids", "clevr", "--scenes", "40", "--symbolic", "--seed", "3")
    for name in ("random-by-type", "frequent-by-template"):
        command("baseline", str(out), "--which", name)
    return out


def _rows(folder: Path) -> list[dict[str, Any]]:
    return [row for file in sorted((folder / "scenes").glob("*.parquet")) for row in pq.read_table(file).to_pylist()]


def _unpacked(data: bytes) -> tuple[dict[str, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Header, corners and faces, read as the browser reads them."""
    (length,) = struct.unpack_from("<I", data)
    assert length % 4 == 0
    header = json.loads(data[4 : 4 + length])
    end = 4 + length + 12 * header["corners"]
    corners = np.frombuffer(data[4 + length : end], "<f4").reshape(-1, 3)
    return header, corners, np.frombuffer(data[end:], "<u4").reshape(-1, 3)


def test_the_packed_scene_is_the_one_that_was_rendered(rooms: Path) -> None:
    for row in _rows(rooms):
        scene = scene_from_json(row["layout"].encode())
        header, corners, faces = _unpacked(pack(space_of_row(row, PtrInspector())))
        rendered = assemble(scene)
        drawn = []
        for piece in header["pieces"]:
            first, many = piece["corners"]
            start, count = piece["faces"]
            pose = pose_matrix(scene.objects[piece["body"]].pose)
            own = corners[first : first + many] @ pose[:3, :3].T + pose[:3, 3]
            drawn.append(own[faces[start : start + count]])
        assert np.abs(np.concatenate(drawn) - rendered.vertices[rendered.faces]).max() < 1e-4
        keys = [tuple(map(int, piece["key"].split("/"))) for piece in header["pieces"]]
        assert keys == list(dict.fromkeys(zip(rendered.object.tolist(), rendered.part.tolist(), strict=True)))


def test_only_what_can_be_seen_to_move_has_a_motion(rooms: Path) -> None:
    still, _, physical = _rows(rooms)
    assert not space_of_row(still, PtrInspector()).moves
    record = json.loads(physical["scene"])
    told = [thing.get("motion", []) for thing in record["objects"]]
    space = space_of_row(physical, PtrInspector())
    assert space.moves
    for body, motion, thing in zip(space.bodies, told, record["objects"], strict=True):
        assert [*map(list, body.motion)] in ([], motion)
        assert bool(body.motion) <= (thing["stability"] == "unstable")
        if body.motion:
            assert body.motion[0][1:4] == pytest.approx(body.pose.position, abs=1e-3)
    hardly = [[[0.0, *[0.0] * 7], [1.0, 0.001, *[0.0] * 6]] for _ in record["objects"]]
    assert not space_of_scene(scene_from_json(physical["layout"].encode()), hardly).moves


def test_a_scene_without_a_layout_says_so(solids: Path) -> None:
    with pytest.raises(BadInput, match="without pictures"):
        space_of_row(_rows(solids)[0], ClevrInspector())


@pytest.mark.parametrize("category", sorted(all_grammars()))
def test_a_shape_taken_apart_keeps_all_its_triangles_and_spreads(category: str) -> None:
    shape = make_shape(category, seed=0, family=2)
    space = space_of_shape(shape)
    header, corners, faces = _unpacked(pack(space))
    assert len(faces) == len(shape.mesh().faces)
    assert len(corners) == len(shape.mesh().vertices)
    assert {piece["key"] for piece in header["pieces"]} == {f"0/{leaf.id}" for leaf in shape.leaves()}
    assert all(piece.away[2] >= -1e-6 for piece in space.pieces)
    labels = {piece.label for piece in space.pieces}
    assert len({piece.color for piece in space.pieces}) == len(labels)
    if len(space.pieces) > 1:
        assert _spread(space, 1.0) > _spread(space, 0.0)


@pytest.mark.parametrize(("category", "family"), [("cart", 0), ("storage_furniture", 7), ("chair", 4)])
def test_the_browser_is_told_enough_to_move_every_joint(category: str, family: int) -> None:
    """The joints of a packed shape, one after the other, move its corners to where they are in the moved shape."""
    shape = next(each for k in range(100) if joints(each := make_shape(category, seed=20, family=family + k)))
    header, corners, _ = _unpacked(pack(space_of_shape(shape)))
    values = {number: 60.0 if joint.kind == "spin" else 0.4 * joint.high for number, joint in joints(shape).items()}
    motions: list[Any] = []
    for told in header["movable"]:
        joint = Joint(told["kind"], tuple(told["axis"]), tuple(told["origin"]), at=told["at"])
        above = motions[told["above"]] if told["above"] >= 0 else np.eye(4)
        motions.append(above @ joint.motion(values[told["part"]]))
    drawn = []
    for piece in header["pieces"]:
        first, many = piece["corners"]
        motion = motions[piece["joint"]] if piece["joint"] >= 0 else np.eye(4)
        drawn.append(corners[first : first + many] @ motion[:3, :3].T + motion[:3, 3])
    assert len(motions) == len(values)
    assert np.abs(np.concatenate(drawn) - posed(shape, values).mesh().vertices).max() < 1e-5


def _spread(space: Space, amount: float) -> float:
    """How far apart the middles of the pieces are."""
    middles = [piece.vertices.mean(0) + amount * np.array(piece.away) for piece in space.pieces]
    return float(np.linalg.norm(np.std(middles, axis=0)))


def _found(folder: Path) -> tuple[Catalog, list[Board]]:
    catalog = Catalog([folder])
    results = [run.result for run in catalog.runs(0) if run.result is not None]
    return catalog, boards(results, 0, benchmark("clevr").judging.tables)


@pytest.mark.parametrize("limit", [None, 70])
def test_every_number_leads_to_just_the_questions_that_it_counts(
    solids: Path, limit: int | None, tmp_path: Path
) -> None:
    """Also where runs were judged on some of the questions only."""
    folder = Path(shutil.copytree(solids, tmp_path / "limited"))
    if limit is not None:
        asked = load_questions(folder)
        for name in list_runs(folder):
            path = predictions_of(run_folder(folder, name))
            assert path is not None
            some = selected(asked, read_predictions(path, asked), Selection(("val", "test"), limit))
            judged = judge_run(*some, run=name, judging=benchmark("clevr").judging)
            save_result(folder, judged.result)
    catalog, found = _found(folder)
    search = Search(catalog)
    assert found[0].rows[0].questions == ("120" if limit is None else str(limit))
    assert [board.name for board in found][:2] == ["overall", "question types"]
    assert {board.name for board in found} >= {"program length", "functions"}
    linked = 0
    for board in found:
        assert board.columns == ("frequent-by-template", "random-by-type")
        for row in board.rows:
            assert row.behind is not None, (board.name, row.name)
            questions = int(row.questions.replace(",", ""))
            search.prepare(row.behind)
            assert search.counts(row.behind).questions == questions, (board.name, row.name)
            for cell in row.cells:
                assert cell.score is not None
                assert cell.wrong is not None
                wrong = questions if cell.score.value == 1 else round(questions * (1 - cell.score.value))
                search.prepare(cell.wrong)
                assert search.counts(cell.wrong).questions == wrong, (board.name, row.name)
                linked += 1
    assert linked > 40


def test_the_best_of_a_row_is_marked_where_there_is_one(solids: Path) -> None:
    _, found = _found(solids)
    for board in found:
        for row in board.rows:
            values = [cell.score.value for cell in row.cells if cell.score is not None]
            best = [cell.score.value for cell in row.cells if cell.best and cell.score is not None]
            assert best == ([max(values)] if len(set(values)) > 1 else [])
