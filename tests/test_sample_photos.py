"""A benchmark unlike any of ours goes through every command, and mereo does not know its name.

`sample_photos` holds it as pip would have installed it: photographs with boxes and no masks, names and looks in any
words, of which a thing may have none or several, relations as in a scene graph, answers that are lists, a judge, a
table, a section of the report and a command of its own.
"""

from __future__ import annotations

import io
import json
import os
import re
import shlex
import shutil
import sys
import tarfile
from collections.abc import Callable, Iterator, Mapping
from contextlib import redirect_stderr, redirect_stdout
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from browsing import chromium, keep_screenshot, serving, visiting
from kit import ROOT
from mereo.benchmarks.benchmark import all_benchmarks
from mereo.benchmarks.offer import plugged
from mereo.cli import main
from mereo.datasets.export import export_dataset
from mereo.errors import BadInput
from mereo.programs import parse_program

PACKAGE = Path(__file__).with_name("sample_photos")
SCENES = 40
PAGE = ROOT / "docs" / "your-own-benchmark.md"
CUT = re.compile(r"<!-- not run: from (\S+) -->\n```\w+\n(.*?)```", re.DOTALL)
COMMANDS = re.compile(r"```sh\n(.*?)```", re.DOTALL)
RELATIONS = {"under": "on", "held by": "holding"}
"""What links call the other way round."""


@pytest.fixture(scope="module", autouse=True)
def installed() -> Iterator[None]:
    """The package on the path, here and in every process that is started from here."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(PACKAGE))
        patch.setenv("PYTHONPATH", os.pathsep.join(filter(None, [str(PACKAGE), os.environ.get("PYTHONPATH")])))
        forget()
        yield
    forget()


def forget() -> None:
    all_benchmarks.cache_clear()
    plugged.cache_clear()


def mereo(*arguments: object, code: int = 0) -> str:
    """What a command prints, on either stream."""
    told = io.StringIO()
    with pytest.MonkeyPatch.context() as patch, redirect_stdout(told), redirect_stderr(told):
        patch.setattr(sys, "argv", ["mereo", *map(str, arguments)])
        with pytest.raises(SystemExit) as end:
            main()
    assert (end.value.code or 0) == code, told.getvalue()
    return told.getvalue()


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos") / "kitchens"
    said = mereo("build", "photos", folder, "--scenes", SCENES, "--things", 6, "--seed", 3)
    assert f"questions about {SCENES} scenes (train 24, val 8, test 8)" in said
    return folder


@pytest.fixture(scope="module")
def exported(built: Path) -> Path:
    folder = built.with_name("exported")
    assert "40 scenes as photos" in mereo("export", built, folder, "--to", "photos")
    return folder


def rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    files = [name for name in json.loads((folder / "dataset.json").read_text())["files"] if name.startswith(kind)]
    return [row for name in files for row in pq.read_table(folder / name).to_pylist()]


def naive(program: str, photo: Mapping[str, Any]) -> Any:
    """A program's answer, read off the graph as it stands in the file."""
    things: Mapping[str, Any] = photo["things"]

    def links(relation: str, referent: str) -> list[str]:
        found = [one for one, name, other in photo["links"] if (name, other) == (relation, referent)]
        back = relation if relation == "next to" else RELATIONS.get(relation)
        return [*found, *(other for one, name, other in photo["links"] if (name, one) == (back, referent))]

    def choose(one: str, other: str, referent: str, relation: str) -> str:
        (right,) = [thing for thing in (one, other) if thing in links(relation, referent)]
        return str(things[right]["name"])

    functions: dict[str, Any] = {
        "scene": lambda: list(things),
        "filter_name": lambda some, word: [one for one in some if things[one]["name"] == word],
        "filter_look": lambda some, word: [one for one in some if word in things[one].get("look", [])],
        "relate": lambda one, relation: [thing for thing in things if thing in links(relation, one)],
        "unique": lambda some: some[0] if len(some) == 1 else None,
        "count": len,
        "exist": bool,
        "query_name": lambda one: things[one]["name"],
        "query_look": lambda one: things[one]["look"],
        "names": lambda some: sorted({things[one]["name"] for one in some}),
        "choose": choose,
    }
    values: list[Any] = []
    for step in parse_program(program).steps:
        values.append(functions[step.function](*[values[i] for i in step.inputs], *step.values))
    return values[-1]


def stored(answer: Any) -> str:
    if isinstance(answer, bool):
        return "yes" if answer else "no"
    return ", ".join(answer) if isinstance(answer, list) else str(answer)


def test_mereo_has_no_line_about_it() -> None:
    for path in (ROOT / "src").rglob("*"):
        if path.suffix in (".py", ".toml", ".js", ".css", ".txt"):
            assert "mereo_photos" not in path.read_text()


def test_its_help_and_its_sentences_come_from_what_it_declares(tmp_path: Path) -> None:
    assert "--things" in mereo("build", "photos", "--help")
    assert "names(ObjectSet)" in mereo("functions", "photos")
    assert "--things" in mereo("build", "photos", tmp_path / "few", "--things", 1, code=2)


def test_any_number_of_workers_makes_the_same_bytes(built: Path) -> None:
    again = built.with_name("again")
    mereo("build", "photos", again, "--scenes", SCENES, "--things", 6, "--seed", 3, "--workers", 2)
    assert (again / "dataset.json").read_bytes() == (built / "dataset.json").read_bytes()


def test_answers_are_what_a_naive_reading_of_the_graph_gives(built: Path) -> None:
    photos = {row["scene_id"]: json.loads(row["scene"]) for row in rows(built, "scenes")}
    asked = rows(built, "questions")
    for question in asked:
        answer = stored(naive(question["program"], photos[question["scene_id"]]))
        assert question["answer"] == answer, (question["question"], question["program"])
    kinds = {question["type"] for question in asked}
    assert kinds == {"list", "word", "number", "yes or no"}
    assert any("," in question["answer"] for question in asked if question["subtype"] == "names")
    looks = [thing.get("look", []) for photo in photos.values() for thing in photo["things"].values()]
    assert {len(own) for own in looks} == {0, 1, 2}
    assert {question["template"] for question in asked} >= {"kitchen/choose", "kitchen/names", "kitchen/looks"}


def test_an_audit_finds_nothing_until_something_is_wrong(built: Path, tmp_path: Path) -> None:
    assert "nothing is wrong" in mereo("audit", built)
    first = rows(built, "scenes")[0]["scene"]

    def spoil(scenes: list[str]) -> list[str]:
        moved = scenes[0].replace('"table","box":[70,', '"table","box":[170,')
        return [moved, first.replace("train-000000", "val-000001"), *scenes[2:]]

    spoiled = altered(built, tmp_path / "spoiled", spoil)
    said = mereo("audit", spoiled, "--show", 100, code=1)
    assert "val-000000: the box of table does not lie in the picture" in said
    assert "val-000001: the same scene as train-000000" in said


def altered(built: Path, out: Path, change: Callable[[list[str]], list[str]]) -> Path:
    """A copy of a dataset in which the records of the validation split are others."""
    shutil.copytree(built, out)
    path = out / "scenes" / "val-00000.parquet"
    table = pq.read_table(path)
    scenes = [change(table["scene"].to_pylist())]
    pq.write_table(table.set_column(table.schema.get_field_index("scene"), "scene", scenes), path)
    return out


def test_its_own_files_are_written_verified_and_read_again(built: Path, exported: Path) -> None:
    files = ("--scenes", exported / "photos", "--questions", exported / "questions")
    said = mereo("verify", *files, "--language", "photos")
    count = len(rows(built, "questions"))
    assert f"answers: {count} of {count} (100%)" in said
    again = built.with_name("imported")
    mereo("import", "photos", again, *files, "--images", exported / "pictures")
    assert "nothing is wrong" in mereo("audit", again)
    before, after = ({row["scene_id"]: row["image"]["bytes"] for row in rows(one, "scenes")} for one in (built, again))
    assert len(set(before.values()) & set(after.values())) == SCENES
    assert sorted(row["answer"] for row in rows(built, "questions")) == sorted(
        row["answer"] for row in rows(again, "questions")
    )
    twice = built.with_name("exported-again")
    mereo("export", again, twice, "--to", "photos")
    for path in exported.rglob("*.*"):
        assert (twice / path.relative_to(exported)).read_bytes() == path.read_bytes()
    assert (again / "sheet.png").stat().st_size > 10_000


def test_a_program_runs_on_a_photograph_of_its_files(exported: Path) -> None:
    file = exported / "photos" / "train.json"
    photo = json.loads(file.read_text())["photos"][0]
    program = "names(relate[on](unique(filter_name[table](scene()))))"
    said = mereo("run", "--world", file, "--scene", 0, "--language", "photos", program)
    assert said.strip() == ", ".join(naive(program, photo))


def test_a_file_that_is_wrong_is_told_in_a_sentence(exported: Path, tmp_path: Path) -> None:
    content = json.loads((exported / "photos" / "val.json").read_text())
    content["photos"][0]["links"].append(["table", "upon", "table"])
    (tmp_path / "val.json").write_text(json.dumps(content))
    said = mereo("import", "photos", tmp_path / "out", "--scenes", tmp_path, "--strict", code=2)
    assert "val.json, val-000000.png, field 'links': there is no relation 'upon' (did you mean 'on'?)" in said


def test_coco_has_its_boxes_and_no_masks(built: Path) -> None:
    coco = pytest.importorskip("pycocotools.coco", reason="pycocotools is not installed")
    out = built.with_name("coco")
    mereo("export", built, out, "--to", "coco")
    photos = {row["scene_id"]: json.loads(row["scene"]) for row in rows(built, "scenes")}
    with redirect_stdout(io.StringIO()):
        read = coco.COCO(str(out / "annotations" / "instances_val.json"))
    assert len(read.imgs) == 8
    for number, image in read.imgs.items():
        assert (image["width"], image["height"]) == (320, 220)
        assert (out / "images" / "val" / image["file_name"]).exists()
        found = [
            (read.cats[one["category_id"]]["name"], one["bbox"]) for one in read.loadAnns(read.getAnnIds(imgIds=number))
        ]
        things = photos[Path(image["file_name"]).stem]["things"].values()
        assert found == [(thing["name"], thing["box"]) for thing in things]
    assert not list((out / "annotations").glob("panoptic*"))
    with pytest.raises(BadInput, match="has neither masks nor boxes, which COCO needs"):
        export_dataset(built, out.with_name("nothing"), to="coco")


def test_webdataset_holds_pictures_graphs_and_questions(built: Path) -> None:
    out = built.with_name("webdataset")
    mereo("export", built, out, "--to", "webdataset")
    with tarfile.open(out / "val-00000.tar") as archive:
        names = archive.getnames()
        assert names[:2] == ["val-000000.png", "val-000000.json"]
        member = archive.extractfile("val-000000.json")
        assert member is not None
        content = json.loads(member.read())
    assert set(json.loads(content["scene"])) == {"photo", "things", "links"}
    assert content["questions"]


def test_an_oracle_knows_everything_unless_it_sees_badly(built: Path) -> None:
    assert "100.0" in mereo("oracle", built).splitlines()[2]
    mereo("oracle", built, "--noise", "attributes=0.3,objects=0.2")
    kept = built / "runs" / "oracle-attributes=0.3-objects=0.2" / "result.json"
    overall = json.loads(kept.read_text())["overall"]["scores"]["score"]["value"]
    assert 0.1 < overall < 0.8
    said = mereo("oracle", built, "--noise", "masks=3", code=2)
    assert said == "mereo: there are no masks to erode: the dataset does not tell which pixels show what\n"


def test_half_a_list_is_half_right(built: Path, tmp_path: Path) -> None:
    """Of every list only the first word is said, with another that is wrong; all other answers are right."""
    lines, shares = [], []
    for question in rows(built, "questions"):
        if question["split"] != "val":
            continue
        answer = question["answer"]
        if question["type"] == "list":
            words = answer.split(", ")
            answer = f"{words[0]}, unicorn" if len(words) > 1 else answer.upper()
            shares.append(2 / (2 + len(words)) if len(words) > 1 else 1.0)
        lines.append(json.dumps({"question_id": question["question_id"], "answer": answer}))
    assert min(shares) < 1
    path = tmp_path / "half.jsonl"
    path.write_text("\n".join(lines))
    said = mereo("evaluate", built, path, "--split", "val")
    table = {line.split("  ")[0]: line for line in said.splitlines()}
    assert f"{100 * sum(shares) / len(shares):.1f} [" in table["a list"]
    assert "100.0 [" in table["a word"]
    assert "100.0 [" in table["yes or no"]


def test_its_command_counts_the_words_of_a_dataset(built: Path) -> None:
    said = mereo("words", built, "--least", 5).splitlines()
    photos = [json.loads(row["scene"]) for row in rows(built, "scenes")]
    dotted = sum(any("dotted" in t.get("look", ()) for t in photo["things"].values()) for photo in photos)
    assert ["table", "name", str(SCENES)] in [line.split() for line in said]
    assert ["dotted", "look", str(dotted)] in [line.split() for line in said]


def test_the_report_has_its_table_its_section_and_its_boxes(built: Path) -> None:
    mereo("baseline", built)
    assert "| score |" in (built / "README.md").read_text()
    mereo("report", built)
    page = (built / "report.html").read_text()
    assert '<section id="lists"><h2>Lists</h2>' in page
    assert "What is asked for" in page
    assert "Nothing is wrong" in page
    assert "<image href=" in page
    box = json.loads(rows(built, "scenes")[0]["scene"])["things"]["table"]["box"]
    assert '<rect x="{:.0f}" y="{:.0f}" width="{:.0f}" height="{:.0f}"/>'.format(*box) in page


def test_the_page_about_it_shows_the_package_as_it_is() -> None:
    page = PAGE.read_text()
    blocks = CUT.findall(page)
    for file, code in blocks:
        assert code in (PACKAGE / file).read_text(), file
    assert len(blocks) + len(COMMANDS.findall(page)) == page.count("```") // 2


def test_the_commands_of_the_page_do_what_they_say(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    (block,) = COMMANDS.findall(PAGE.read_text())
    for line in block.splitlines():
        program, *arguments = shlex.split(line)
        assert program == "mereo"
        mereo(*arguments)
    assert "Lists" in (tmp_path / "kitchens" / "report.html").read_text()


@pytest.fixture(scope="module")
def address(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    pytest.importorskip("nicegui", reason="the explorer's packages are not installed")
    plain = built.with_name("plain")
    mereo("build", "photos", plain, "--scenes", 6, "--symbolic")
    assert "has no pictures, which COCO needs" in mereo("export", plain, built.with_name("x"), "--to", "coco", code=2)
    with serving([built, plain], tmp_path_factory.mktemp("cache")) as address:
        yield address


@pytest.fixture(scope="module")
def page(address: str) -> Iterator[Any]:
    with chromium() as browser, visiting(browser) as page:
        yield page


DIMMED = """() => { const c = document.querySelector('.s-marks');
  const d = c.getContext('2d').getImageData(0, 0, c.width, c.height).data;
  let n = 0; for (let i = 3; i < d.length; i += 4) n += d[i] > 0; return n; }"""


def test_pointing_finds_the_smallest_box(address: str, page: Any, built: Path) -> None:
    row = next(row for row in rows(built, "scenes") if "person" in json.loads(row["scene"])["things"])
    things = json.loads(row["scene"])["things"]
    held = list(things)[-1]
    left, top, _, tall = things[held]["box"]
    page.goto(f"{address}/scene/0/{row['scene_id']}?layer=boxes")
    stage = page.locator(".s-stage[data-ready]")
    page.wait_for_function("document.querySelector('.s-layer')?.naturalWidth > 0")
    shown = stage.bounding_box()
    # Where what is held overlaps the person who holds it.
    x, y = left + 2, top + tall / 2
    page.mouse.move(shown["x"] + shown["width"] * x / 320, shown["y"] + shown["height"] * y / 220)
    tip = page.locator(".s-tip")
    tip.wait_for()
    assert things[held]["name"] in tip.inner_text()
    assert page.locator(".c-line.lit").get_attribute("data-entity") == str(list(things).index(held))
    keep_screenshot(page, "photos-scene")
    layer = page.request.get(f"{address}/picture/0/boxes/{row['scene_id']}").text()
    assert layer.count("<rect") == layer.count("<text") == len(things)


def test_every_step_marks_its_boxes(address: str, page: Any, built: Path) -> None:
    question = next(one for one in rows(built, "questions") if one["subtype"] == "names" and "relate" in one["program"])
    photo = next(row for row in rows(built, "scenes") if row["scene_id"] == question["scene_id"])
    boxes = [thing["box"] for thing in json.loads(photo["scene"])["things"].values()]
    for number, referred in enumerate(question["referred"][:-1], 1):
        page.goto(f"{address}/reasoning/0/{question['scene_id']}?question={question['question_id']}&step={number}")
        page.locator(".s-stage[data-ready]").wait_for()
        assert page.locator(".s-shapes g.lit").count() == len(referred)
        clear = {(x, y) for k in referred for x, y in _pixels(boxes[k])}
        assert page.evaluate(DIMMED) == 320 * 220 - len(clear)
    keep_screenshot(page, "photos-reasoning")
    assert page.locator(".r-answer").inner_text() == question["answer"]


def _pixels(box: list[float]) -> Iterator[tuple[int, int]]:
    left, top, wide, tall = map(int, box)
    return ((x, y) for x in range(left, left + wide) for y in range(top, top + tall))


def test_scenes_are_found_by_names_looks_and_links(address: str, page: Any, built: Path) -> None:
    photos = [json.loads(row["scene"]) for row in rows(built, "scenes")]
    held = {(photo["things"][one]["name"], name, photo["things"][other]["name"])
            for photo in photos for one, name, other in photo["links"]}  # fmt: skip
    link = next(" ".join(words) for words in sorted(held) if words[1] == "holding")
    wanted = [photo for photo in photos if any(
        f"{photo['things'][one]['name']} {name} {photo['things'][other]['name']}" == link
        for one, name, other in photo["links"]
    )]  # fmt: skip
    page.goto(f"{address}/?dataset=0")
    for facet in ("has.name", "has.look", "has.link"):
        page.locator(f'.b-facet [data-facet="more"][data-value="{facet}"]').wait_for()
    page.goto(f"{address}/?dataset=0&has.link={link.replace(' ', '%20')}")
    assert page.locator(".b-counts").inner_text().startswith(f"{len(wanted)} scenes")
    keep_screenshot(page, "photos-browse")


def test_a_program_of_ones_own_is_asked(address: str, page: Any) -> None:
    page.goto(f"{address}/ask/0/val-000000?program=names(scene())")
    page.locator(".a-answer").wait_for()
    assert "table" in page.locator(".a-answer").inner_text()
    keep_screenshot(page, "photos-ask")


def test_without_a_picture_boxes_are_the_map(address: str, page: Any) -> None:
    page.goto(f"{address}/scene/1/train-000000")
    page.locator(".s-map text").first.wait_for()
    assert "table" in page.locator(".s-map text").all_text_contents()
    shown = page.locator(".s-stage[data-ready]").bounding_box()
    box = page.locator(".s-shapes rect").first.bounding_box()
    page.mouse.move(box["x"] + box["width"] - 4, box["y"] + box["height"] / 2)
    page.locator(".s-tip").wait_for()
    assert shown["width"] > 300
    keep_screenshot(page, "photos-map")
