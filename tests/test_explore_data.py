"""What the explorer knows without a browser: views, counts, faults, pictures, and who may look."""

from __future__ import annotations

import asyncio
import json
import shutil
import sys
import time
from collections import Counter
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from browsing import build, running
from kit import CommandLine
from mereo.datasets.pictures import decode_png
from mereo.errors import BadInput, UnknownName
from mereo.explorer.address import FACT, MARK, MOST_FACETS, QUESTION_FACETS, SCENE_FACETS, View, scene_address
from mereo.explorer.catalog import Catalog
from mereo.explorer.guard import Guard, check_host
from mereo.explorer.layers import depth_picture, entity_boxes, ids_of, ids_picture, normals_picture, size_of, tinted
from mereo.explorer.search import Search
from mereo.explorer.steps import branches
from mereo.explorer.thumbnails import Thumbnails
from mereo.programs import parse_program

ATTRIBUTES = ("color", "shape", "size", "material", "category", "part", "stability")


@pytest.fixture(scope="module")
def clevr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return build(tmp_path_factory.mktemp("clevr") / "solids", "clevr", "--scenes", "40", "--symbolic", "--seed", "3")


@pytest.fixture(scope="module")
def ptr(tmp_path_factory: pytest.TempPathFactory) -> Path:
    size = ("--size", "192x128", "--samples", "8")
    return build(tmp_path_factory.mktemp("ptr") / "rooms", "ptr", "--scenes", "3", *size, "--seed", "1")


@pytest.fixture(scope="module")
def catalog(clevr: Path, ptr: Path) -> Catalog:
    return Catalog([clevr, ptr])


class Naive:
    """The same datasets as plain lists, searched by looking at everything."""

    def __init__(self, folders: list[Path]):
        self.scenes: list[dict[str, Any]] = []
        for number, folder in enumerate(folders):
            questions = [_with_program(row) for row in _rows(folder, "questions")]
            for row in _rows(folder, "scenes"):
                own = [one for one in questions if one["scene_id"] == row["scene_id"]]
                record = json.loads(row["scene"])
                self.scenes.append({**row, "dataset": str(number), "questions": own, "has": _has(record)})

    def matching(self, view: View) -> list[tuple[dict[str, Any], list[dict[str, Any]]]]:
        found = []
        for scene in self.scenes:
            if all(self._scene_fits(scene, name, values) for name, values in view.chosen.items()):
                asked = [one for one in scene["questions"] if self._question_fits(one, view)]
                if asked or not view.asks:
                    found.append((scene, asked))
        return found

    def _scene_fits(self, scene: dict[str, Any], name: str, values: tuple[str, ...]) -> bool:
        if name in ("dataset", "split"):
            return scene[name] in values
        if name.startswith(FACT):
            return any((name.removeprefix(FACT), value) in scene["has"] for value in values)
        return True

    def _question_fits(self, question: dict[str, Any], view: View) -> bool:
        facets = {name: values for name, values in view.chosen.items() if name in QUESTION_FACETS}
        fits = all(
            bool(question["uses"] & set(values)) if name == "uses" else question[name] in values
            for name, values in facets.items()
        )
        return fits and view.words.lower() in question["question"].lower()


def _rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    files = [name for name in json.loads((folder / "dataset.json").read_text())["files"] if name.startswith(kind)]
    return [row for name in files for row in pq.read_table(folder / name).to_pylist()]


def _with_program(question: dict[str, Any]) -> dict[str, Any]:
    used = [step.function for step in parse_program(question["program"]).steps]
    return {**question, "function": used[-1], "length": str(len(used)), "uses": set(used)}


def _has(record: dict[str, Any]) -> set[tuple[str, str]]:
    things = [*record["objects"], *(part for thing in record["objects"] for part in thing.get("parts", ()))]
    return {(name, thing[name]) for thing in things for name in ATTRIBUTES if isinstance(thing.get(name), str)}


@pytest.fixture(scope="module")
def naive(clevr: Path, ptr: Path) -> Naive:
    return Naive([clevr, ptr])


VALUES = {
    "dataset": ("0", "1", "7"),
    "split": ("train", "val", "nowhere"),
    "type": ("count", "exist", "concept", "relation"),
    "answer": ("yes", "no", "2", "red"),
    "function": ("count", "exist", "query_color", "exist_object"),
    "length": ("5", "8", "9"),
    "uses": ("relate", "union", "own_parts"),
    FACT + "color": ("red", "cyan", "pink"),
    FACT + "shape": ("cube", "sphere"),
    FACT + "part": ("leg", "door"),
}
VIEWS = st.builds(
    View,
    st.fixed_dictionaries(
        {},
        optional={
            name: st.lists(st.sampled_from(values), min_size=1, max_size=2, unique=True).map(tuple)
            for name, values in VALUES.items()
        },
    ).filter(lambda chosen: len(chosen) <= 4),
    st.sampled_from(["", "", "the", "CUBE", "leg", "50% _ off"]),
)


@given(VIEWS)
@settings(max_examples=60)
def test_a_view_shows_what_looking_at_every_scene_and_question_finds(
    catalog: Catalog, naive: Naive, view: View
) -> None:
    search = Search(catalog)
    expected = naive.matching(view)
    assert search.counts(view) == (len(expected), sum(len(asked) for _, asked in expected))
    cards = search.cards(view, size=1000)
    assert [(str(card.dataset), card.scene_id) for card in cards] == [
        (s["dataset"], s["scene_id"]) for s, _ in expected
    ]
    assert [card.questions for card in cards] == [len(asked) for _, asked in expected]


@given(VIEWS)
@settings(max_examples=30)
def test_facets_count_what_choosing_them_would_show(catalog: Catalog, naive: Naive, view: View) -> None:
    for facet in Search(catalog).facets(view):
        others = naive.matching(view.without(facet.name))
        if facet.name in ("dataset", "split"):
            counted = Counter(scene[facet.name] for scene, _ in others)
        elif facet.name.startswith(FACT):
            counted = Counter(v for scene, _ in others for a, v in scene["has"] if FACT + a == facet.name)
        elif facet.name in ("type", "answer"):
            counted = Counter(one[facet.name] for _, asked in others for one in asked)
        else:
            continue
        assert {value.value: value.count for value in facet.values if value.count} == dict(counted)
        assert {value.value for value in facet.values if value.chosen} == set(view.chosen.get(facet.name, ()))


NAMES = st.sampled_from([*SCENE_FACETS, *QUESTION_FACETS]) | st.text(min_size=1, max_size=8).map(
    lambda text: FACT + text
)


@given(
    st.dictionaries(NAMES, st.lists(st.text(min_size=1), min_size=1, max_size=3, unique=True).map(tuple), max_size=4),
    st.text(max_size=40).map(str.strip),
    st.integers(1, 10_000),
)
def test_every_view_has_an_address_that_leads_back_to_it(
    chosen: dict[str, tuple[str, ...]], words: str, page: int
) -> None:
    view = View(chosen, words, page)
    assert View.of_query(view.query()) == view
    assert view.address().partition("?")[2] == view.query()


@given(st.text(max_size=60))
def test_any_query_is_some_view(query: str) -> None:
    view = View.of_query(query)
    assert view.page >= 1
    assert View.of_query(view.query()) == view


def test_toggling_a_value_twice_changes_nothing() -> None:
    view = View({"split": ("val",)}, "cube", 3)
    there = view.toggled("type", "count")
    assert there.chosen == {"split": ("val",), "type": ("count",)}
    assert there.page == 1
    assert there.toggled("type", "count") == view.at(1)


@given(st.text(min_size=1, max_size=20))
def test_a_scene_id_stays_one_part_of_an_address(scene_id: str) -> None:
    address = scene_address("scene", 0, scene_id, step=2)
    assert address.count("/") == 3
    assert parse_qsl(address.partition("?")[2]) == [("step", "2")]


def test_a_broken_folder_says_why_and_leaves_the_others_alone(tmp_path: Path, clevr: Path) -> None:
    newer, torn, empty = tmp_path / "newer", tmp_path / "torn", tmp_path / "empty"
    for folder in (newer, torn):
        shutil.copytree(clevr, folder)
    manifest = json.loads((newer / "dataset.json").read_text())
    (newer / "dataset.json").write_text(json.dumps({**manifest, "dataset": 99}))
    for shard in (torn / "scenes").glob("*.parquet"):
        shard.write_bytes(shard.read_bytes()[:-200])
    empty.mkdir()
    opened = Catalog([newer, clevr, torn, empty, tmp_path / "nowhere"])
    faults = [one.fault for one in opened.datasets]
    assert "version 99" in str(faults[0])
    assert faults[1] is None
    assert "not a whole Parquet file" in str(faults[2])
    assert "not a dataset" in str(faults[3])
    assert "there is no such folder" in str(faults[4])
    assert Search(opened).counts(View()).scenes == 40
    with pytest.raises(BadInput, match="version 99"):
        opened.scene_row(0, "train-000000")


def test_of_a_dataset_with_one_torn_shard_the_rest_can_be_seen(tmp_path: Path, clevr: Path) -> None:
    folder = tmp_path / "torn"
    shutil.copytree(clevr, folder)
    shard = folder / "scenes" / "val-00000.parquet"
    shard.write_bytes(b"PAR1 and then nothing")
    (folder / "questions" / "test-00000.parquet").unlink()
    opened = Catalog([folder])
    (own,) = opened.datasets
    assert own.fault is None
    assert [("val-00000" in reason, "test-00000" in reason) for reason in own.damaged] == [(True, False), (False, True)]
    whole = json.loads((folder / "dataset.json").read_text())
    counts = Search(opened).counts(View())
    assert counts.scenes == 40 - whole["scenes"]["val"]
    assert counts.questions == whole["questions"]["train"]
    assert opened.questions(0, "test-000000") == []


def test_a_folder_may_be_called_anything(tmp_path: Path, clevr: Path) -> None:
    odd = tmp_path / "it's [a] 100% *set*?"
    shutil.copytree(clevr, odd / "solids")
    opened = Catalog([odd / "solids", clevr])
    assert [one.name for one in opened.datasets] == [f"{odd.name}/solids", f"{clevr.parent.name}/solids"]
    assert opened.scene_row(0, "train-000000") == opened.scene_row(1, "train-000000")
    assert len(opened.questions(0, "train-000000")) == 10


def _rewritten(source: Path, folder: Path, shard: str, **columns: Any) -> Path:
    """A copy of a dataset in whose shard all rows have other values in some columns."""
    shutil.copytree(source, folder)
    path = folder / "scenes" / shard
    table = pq.read_table(path)
    for name, value in columns.items():
        values = pa.array([value] * table.num_rows, table.schema.field(name).type)
        table = table.set_column(table.schema.get_field_index(name), name, values)
    pq.write_table(table, path)
    return folder


def test_a_record_or_a_picture_that_is_damaged_spoils_no_other(tmp_path: Path, ptr: Path) -> None:
    nonsense = _rewritten(ptr, tmp_path / "nonsense", "train-00000.parquet", scene='{"objects": [{"category": "bed"}]}')
    torn = {"bytes": b"\x89PNG and no more", "path": "x.png"}
    unseen = _rewritten(ptr, tmp_path / "unseen", "train-00000.parquet", image=torn, depth=torn)
    opened = Catalog([nonsense, unseen])
    assert [one.fault for one in opened.datasets] == [None, None]
    with pytest.raises(BadInput, match=r"scene 'train-000000', field 'objects\[0\]': object missing required field"):
        opened.world(0, {"scene_id": "train-000000"})
    assert len(opened.world(0, {"scene_id": "val-000000"})) > 3
    assert Thumbnails(opened, tmp_path / "one").get(0, "train-000000").media_type == "image/jpeg"
    thumbnails = Thumbnails(opened, tmp_path / "other")
    assert thumbnails.get(1, "train-000000").media_type == "image/svg+xml"
    assert thumbnails.get(1, "val-000000").media_type == "image/jpeg"
    with pytest.raises(BadInput, match="is no picture that can be shown"):
        size_of(opened.scene_row(1, "train-000000"))


def test_imported_expressions_are_seen_by_their_masks(mereo: CommandLine, official_data: Path, tmp_path: Path) -> None:
    samples = official_data / "official_samples"
    scenes, questions = samples / "clevr_ref_expressions_scenes.json", samples / "clevr_ref_expressions.json"
    mereo("import", "clevr_ref", tmp_path / "theirs", "--scenes", scenes, "--questions", questions)
    opened = Catalog([tmp_path / "theirs"])
    for card in Search(opened).cards(View(), size=10):
        row = opened.scene_row(0, card.scene_id)
        ids, instances = ids_of(row), opened.instances(0, row)
        assert ids is not None
        assert len(instances) == row["objects"]
        boxes = entity_boxes(ids, instances)
        told = [entity["box"] for entity in json.loads(row["entities"])]
        assert {k: list(box) for k, box in boxes.items()} == {k: told[k] for k in boxes}


def test_scenes_are_known_by_their_id_only(catalog: Catalog) -> None:
    for name in ("../../etc/passwd", "scenes/train-00000.parquet", "", "train-000000' OR 1=1 --"):
        with pytest.raises(BadInput, match="has no scene"):
            catalog.scene_row(0, name)
    with pytest.raises(UnknownName):
        catalog.scene_row(2, "train-000000")
    with pytest.raises(UnknownName):
        catalog.scene_row(-1, "train-000000")


def test_a_row_its_questions_and_its_neighbors_are_those_of_the_shards(catalog: Catalog, ptr: Path) -> None:
    rows = {row["scene_id"]: row for row in _rows(ptr, "scenes")}
    questions = _rows(ptr, "questions")
    for scene_id, row in rows.items():
        assert catalog.scene_row(1, scene_id) == row
        assert catalog.questions(1, scene_id) == [one for one in questions if one["scene_id"] == scene_id]
    order = [card.scene_id for card in Search(catalog).cards(View({"dataset": ("1",)}), size=9)]
    assert catalog.around(1, order[1]) == (order[0], order[2])
    assert catalog.around(1, order[0])[0] is None
    assert catalog.around(1, order[2])[1] is None


def test_boxes_of_what_is_seen_are_those_of_the_record(catalog: Catalog, ptr: Path) -> None:
    for row in _rows(ptr, "scenes"):
        ids = ids_of(row)
        assert ids is not None
        boxes = entity_boxes(ids, catalog.instances(1, row))
        world = catalog.world(1, row)
        told = {k: e.numbers["box"] for k, e in enumerate(world.entities) if "box" in e.numbers}
        assert told
        assert {k: list(boxes[k]) for k in told} == {k: list(box) for k, box in told.items()}


def test_ids_survive_eight_bits_a_channel() -> None:
    ids = np.arange(0, 3000, 7, dtype=np.uint16).reshape(3, -1)
    shown = decode_png(ids_picture(ids)).astype(int)
    assert np.array_equal(shown[..., 0] * 256 + shown[..., 1], ids)


def test_layers_color_groups_apart_and_leave_the_rest_clear() -> None:
    ids = np.zeros((20, 30), np.uint16)
    ids[2:9, 2:12], ids[12:18, 15:28] = 1, 2
    shown = decode_png(tinted(ids, [[1], [2]]))
    assert shown.shape == (20, 30, 4)
    assert shown[0, 0, 3] == 0
    assert tuple(shown[5, 6]) != tuple(shown[15, 20])
    assert shown[5, 6, 3] > 100


def test_normals_face_the_viewer_on_a_wall_and_up_on_a_floor() -> None:
    height, width, field = 60, 90, 40.0
    wall = np.full((height, width), 3000, np.uint16)
    assert np.allclose(decode_png(normals_picture(wall, field))[5:-5, 5:-5], (128, 128, 255), atol=2)
    # A floor one meter below a camera that looks straight ahead: depth = height / (slope of the ray).
    slope = (np.arange(height) - (height - 1) / 2) * np.tan(np.radians(field / 2)) / (width / 2)
    depth = np.where(slope > 0.02, 1000 / np.maximum(slope, 0.02), 0).astype(np.uint16)
    floor = decode_png(normals_picture(np.tile(depth[:, None], (1, width)), field))
    assert np.allclose(floor[50:58, 20:70], (128, 255, 128), atol=6)
    assert np.array_equal(floor[2, 2], (24, 24, 24))
    near, far = decode_png(depth_picture(np.array([[1000, 9000]], np.uint16)))[0].sum(axis=1)
    assert near > far


def test_thumbnails_are_made_once_and_outside_of_the_datasets(
    catalog: Catalog, clevr: Path, ptr: Path, tmp_path: Path
) -> None:
    before = {path: path.stat().st_mtime_ns for folder in (clevr, ptr) for path in folder.rglob("*")}
    thumbnails = Thumbnails(catalog, tmp_path)
    scene = Search(catalog).cards(View({"dataset": ("1",)}), size=1)[0].scene_id
    small = thumbnails.get(1, scene)
    assert small.media_type == "image/jpeg"
    assert small.data[:2] == b"\xff\xd8"
    assert thumbnails.get(0, "train-000000").media_type == "image/svg+xml"
    (made,) = [path for path in tmp_path.rglob("*") if path.is_file() and path.read_bytes() == small.data]
    stamp = made.stat().st_mtime_ns
    assert thumbnails.get(1, scene) == small
    assert made.stat().st_mtime_ns == stamp
    with pytest.raises(BadInput):
        thumbnails.get(0, "../../dataset.json")
    assert {path: path.stat().st_mtime_ns for folder in (clevr, ptr) for path in folder.rglob("*")} == before


def test_marks_of_a_run_agree_with_its_result(mereo: CommandLine, clevr: Path, tmp_path: Path) -> None:
    folder = tmp_path / "judged"
    shutil.copytree(clevr, folder)
    mereo("baseline", folder, "--which", "random-by-type")
    opened = Catalog([folder])
    (run,) = opened.runs(0)
    assert run.result is not None
    search = Search(opened)
    right, wrong = (View({MARK + run.name: (mark,)}) for mark in ("right", "wrong"))
    search.prepare(right)
    judged = run.result.overall.questions
    (score,) = run.result.overall.scores.values()
    assert search.counts(right).questions == round(score.value * judged)
    assert search.counts(right).questions + search.counts(wrong).questions == judged
    card = search.cards(wrong, size=1)[0]
    mark, said = opened.answer(0, run.name, str(card.question_id))
    assert mark == "wrong"
    assert said != card.answer
    with pytest.raises(UnknownName, match="run"):
        opened.judge(0, "nobody")


def test_a_program_is_a_tree_that_spells_shared_steps_once() -> None:
    program = parse_program("$1 = unique(filter_color[red](scene())); equal_color(query_color($1), query_color($1))")
    found = branches(program)
    functions = [(program.steps[line.step].function, line.depth, line.again) for line in found]
    assert functions[0] == ("equal_color", 0, False)
    assert functions.count(("unique", 2, False)) == 1
    assert functions.count(("unique", 2, True)) == 1
    assert {line.step for line in found} == set(range(len(program.steps)))


class Visit:
    """What a guarded application answered."""

    def __init__(self, token: str | None, *, kind: str = "http", path: str = "/", query: str = "", **headers: str):
        self.reached = False
        self.sent: list[Any] = []
        headers = {"host": "localhost:8080", **headers}
        scope = {"type": kind, "path": path, "query_string": query.encode()}
        scope["headers"] = [(name.encode(), value.encode()) for name, value in headers.items()]

        async def inner(*_: Any) -> None:
            self.reached = True

        async def receive() -> dict[str, Any]:
            return {"type": f"{kind}.connect"}

        async def send(message: Any) -> None:
            self.sent.append(message)

        asyncio.run(Guard(inner, token)(scope, receive, send))

    @property
    def status(self) -> int:
        return int(self.sent[0]["status"])

    @property
    def headers(self) -> dict[str, str]:
        return {name.decode(): value.decode() for name, value in self.sent[0]["headers"]}


SECRET = "correct horse"


def test_without_a_token_only_names_of_this_machine_are_served() -> None:
    assert Visit(None).reached
    assert Visit(None, host="[::1]:8080").reached
    for host in ("evil.example", "localhost.evil.example:8080", "10.0.0.7:8080", ""):
        visit = Visit(None, host=host)
        assert not visit.reached
        assert visit.status == 403


def test_pages_of_other_sites_reach_nothing() -> None:
    assert Visit(None, origin="http://localhost:8080").reached
    assert Visit(None, origin="https://evil.example").status == 403
    assert Visit(None, kind="websocket", origin="https://evil.example").sent[0]["type"] == "websocket.close"
    assert Visit(SECRET, authorization=f"Bearer {SECRET}", origin="null").status == 403


def test_a_token_is_asked_for_once_and_then_remembered() -> None:
    assert Visit(SECRET).status == 401
    assert Visit(SECRET, query="token=wrong horse").status == 401
    assert Visit(SECRET, authorization="Bearer wrong").status == 401
    assert Visit(SECRET, kind="websocket", query=f"token={SECRET}").sent[0]["type"] == "websocket.close"
    assert Visit(SECRET, authorization=f"Bearer {SECRET}", host="box.example").reached
    visit = Visit(SECRET, path="/runs", query="token=correct+horse&split=val")
    assert visit.status == 303
    assert visit.headers["location"] == "/runs?split=val"
    cookie = visit.headers["set-cookie"]
    assert "HttpOnly" in cookie
    assert "SameSite=Strict" in cookie
    assert Visit(SECRET, cookie=cookie.partition(";")[0]).reached
    assert Visit(SECRET, kind="websocket", cookie=cookie.partition(";")[0]).reached


@pytest.mark.parametrize("odd", ["a=\x01", "b[]=1", "{}", "=", 'c="', "d=é"])
def test_a_cookie_of_somebody_else_locks_nobody_out(odd: str) -> None:
    cookie = Visit(SECRET, query="token=correct+horse").headers["set-cookie"].partition(";")[0]
    assert Visit(SECRET, cookie=f"{odd}; {cookie}").reached
    assert Visit(SECRET, cookie=f"{cookie}; {odd}").reached


def test_another_site_may_link_to_a_page_and_embed_none() -> None:
    follows = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "document"}
    for site, reached in {"cross-site": False, "same-site": False, "same-origin": True, "none": True}.items():
        assert Visit(None, **{"sec-fetch-site": site}).reached is reached
        assert Visit(None, **{"sec-fetch-site": site, **follows}).reached
        embeds = {"sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe"}
        assert Visit(None, **{"sec-fetch-site": site, **embeds}).reached is reached


def test_a_view_that_nobody_would_choose_by_hand_is_not_looked_for(catalog: Catalog) -> None:
    search = Search(catalog)
    search.prepare(View.of_query("&".join(f"has.a{k}=0" for k in range(MOST_FACETS))))
    for query in (
        "&".join(f"has.a{k}=0" for k in range(MOST_FACETS + 1)),
        "&".join(f"split={k}" for k in range(1000)),
    ):
        with pytest.raises(BadInput, match="narrowed down"):
            search.prepare(View.of_query(query))


def test_a_token_leads_to_no_other_site() -> None:
    visit = Visit(SECRET, path="//evil.example/x", query="token=correct+horse")
    assert visit.headers["location"] == "/evil.example/x"


@given(st.binary(max_size=40), st.binary(max_size=40))
def test_no_header_gets_past_the_guard(cookie: bytes, bearer: bytes) -> None:
    visit = Visit(SECRET, cookie=cookie.decode("latin-1"), authorization=bearer.decode("latin-1"))
    assert visit.status == 401


@pytest.mark.parametrize(
    ("host", "token"), [("0.0.0.0", None), ("192.168.0.3", None), ("::", ""), ("0.0.0.0", "short")]
)
def test_other_machines_need_a_token(mereo: CommandLine, clevr: Path, host: str, token: str | None) -> None:
    with pytest.raises(BadInput):
        check_host(host, token)
    given_token = ["--token", token] if token else []
    result = mereo("explore", clevr, "--no-open", "--host", host, *given_token, code=2)
    assert len(result.err.strip().splitlines()) == 1


def test_a_port_that_is_taken_is_one_sentence(mereo: CommandLine, clevr: Path) -> None:
    import socket

    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        result = mereo("explore", clevr, "--no-open", "--port", str(taken.getsockname()[1]), code=2)
    assert "give another --port" in result.err
    assert len(result.err.strip().splitlines()) == 1


def test_the_browser_that_it_opens_is_not_turned_away(tmp_path: Path) -> None:
    visitor, found = tmp_path / "visitor.py", tmp_path / "found"
    visitor.write_text(
        "import socket, sys\n"
        "from urllib.parse import urlsplit\n"
        "address = urlsplit(sys.argv[1])\n"
        "print(socket.socket().connect_ex((address.hostname, address.port)), file=open(sys.argv[2], 'w'))\n"
    )
    browser = f"{sys.executable} {visitor} %s {found}"
    with running(["explore"], tmp_path / "log", announced="Exploring at", BROWSER=browser):
        deadline = time.monotonic() + 60
        while not (found.exists() and found.read_text()) and time.monotonic() < deadline:
            time.sleep(0.05)
    assert found.read_text() == "0\n", "it is asked before it listens"
