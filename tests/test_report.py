"""The report: one page that needs nothing else, with everything in it, and the same tables beside it."""

from __future__ import annotations

import csv
import json
import re
import shutil
import subprocess
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree as ET

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from kit import CommandLine, world
from mereo.benchmarks.clevr.inspect import ClevrInspector
from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.benchmarks.clevr.tables import TABLES
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.build import build_dataset
from mereo.datasets.picture_settings import PictureSettings
from mereo.datasets.predictions import Header, Prediction, Predictions
from mereo.evaluation.answers import judge_answers
from mereo.evaluation.baselines import all_baselines
from mereo.evaluation.blind import run_baselines
from mereo.evaluation.charts import bars, columns, dots, heat, lines, score_columns
from mereo.evaluation.curves import measure_curves, save_curves
from mereo.evaluation.drawing import draw_map, outline
from mereo.evaluation.instructive import choose_errors, shown_steps
from mereo.evaluation.intervals import Mean
from mereo.evaluation.judging import Judging
from mereo.evaluation.result import Judged, judge_run
from mereo.programs import parse_program


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reported") / "set"
    build_dataset(ClevrRecipe(seed=5), folder, splits={"train": 10, "test": 12}, shard_size=50)
    return folder


@pytest.fixture(scope="module")
def seen(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("seen") / "set"
    recipe = ClevrRecipe(seed=6, questions_per_scene=5, pictures=PictureSettings(width=96, height=64, samples=8))
    build_dataset(recipe, folder, splits={"train": 1, "test": 2}, shard_size=5)
    return folder


@pytest.fixture(scope="module")
def ready(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """With baselines and curves, which a report need not make again."""
    folder = Path(shutil.copytree(built, tmp_path_factory.mktemp("ready") / "set"))
    asked = load_questions(folder)
    run_baselines(asked, list(all_baselines()), judging=Judging(tables=TABLES))
    save_curves(folder, measure_curves(asked, ClevrInspector(), ["attributes"]))
    return folder


@pytest.fixture
def fresh(built: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(built, tmp_path / "set"))


@pytest.fixture
def dataset(ready: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(ready, tmp_path / "set"))


class Page(HTMLParser):
    """A page as a reader sees it: its text, its links, and whether all that is opened is closed."""

    def __init__(self, text: str):
        super().__init__()
        self.open: list[str] = []
        self.words: list[str] = []
        self.ids: list[str] = []
        self.links: list[str] = []
        self.kinds: list[str] = []
        self.feed(text)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        known = dict(attrs)
        self.ids += [str(known["id"])] if "id" in known else []
        self.links += [str(known[name]) for name in ("href", "src") if name in known]
        self.kinds += str(known.get("class", "")).split()
        if tag not in ("meta", "br", "image", "wbr"):
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if self.open and self.open[-1] == tag:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        self.words.append(data)


def test_a_report_tells_everything_and_needs_nothing(fresh: Path, mereo: CommandLine) -> None:
    mereo("oracle", fresh, "--noise", "attributes=0.1")
    done = mereo("report", fresh)
    text = (fresh / "report.html").read_text()
    page = Page(text)
    assert page.open == []
    anchors = [link for link in page.links if not link.startswith("data:")]
    assert {link.removeprefix("#") for link in anchors} <= set(page.ids)
    assert not re.search(r"https?://(?!www\.w3\.org)", text)
    assert "url(" not in text
    assert "@import" not in text
    said = "".join(page.words)
    for title in ("At a glance", "Scenes", "Audit", "What is asked", "Scores", "Where runs fail", "Instructive errors"):
        assert title in said
    for run in ("random-by-type", "frequent-by-type", "frequent-by-template", "bag-of-words", "nearest-question"):
        assert run in said
        assert (fresh / "runs" / run / "result.json").exists()
    assert "Nothing is wrong" in said
    assert "oracle-attributes=0.1" in said
    assert "6 runs in " in done.out
    assert page.kinds.count("mistake") == 6 * 20
    assert (fresh / "runs" / "curves.json").exists()
    assert "## Without looking" in (fresh / "README.md").read_text()


def test_the_tables_beside_it_are_the_same(dataset: Path, mereo: CommandLine) -> None:
    mereo("report", dataset, "--out", dataset / "elsewhere")
    folder = dataset / "elsewhere"
    with (folder / "report.csv").open() as file:
        records = list(csv.DictReader(file))
    text, paper, page = ((folder / f"report.{kind}").read_text() for kind in ("md", "tex", "html"))
    for record in records:
        shown = f"{100 * float(record['score']):.1f}"
        assert shown in text
        assert shown in paper
        assert f"<b>{shown}</b>" in page or record["table"] == "overall"
    kept = json.loads((dataset / "runs" / "bag-of-words" / "result.json").read_text())
    (overall,) = [r for r in records if (r["table"], r["column"]) == ("overall", "bag-of-words")]
    assert float(overall["score"]) == pytest.approx(kept["overall"]["scores"]["accuracy"]["value"], abs=1e-6)
    assert paper.count(r"\begin{tabular}") == paper.count(r"\end{tabular}") == text.count("## ")
    assert not (dataset / "report.html").exists()


def test_it_is_the_same_every_time(dataset: Path, mereo: CommandLine) -> None:
    mereo("report", dataset)
    first = (dataset / "report.html").read_bytes()
    mereo("report", dataset)
    assert (dataset / "report.html").read_bytes() == first


def test_pictures_are_inside_and_steps_point_into_them(seen: Path, tmp_path: Path, mereo: CommandLine) -> None:
    dataset = Path(shutil.copytree(seen, tmp_path / "set"))
    mereo("oracle", dataset, "--noise", "attributes=0.3")
    mereo("report", dataset)
    text = (dataset / "report.html").read_text()
    page = Page(text)
    assert sum(link.startswith("data:image/jpeg;base64,") for link in page.links) == 3
    assert "Pictures" in "".join(page.words)
    cards = re.findall(r'<article class="mistake">.*?</article>', text, re.DOTALL)
    assert cards
    for card in cards:
        drawn = set(re.findall(r'data-entity="(\d+)"', card))
        for lit in re.findall(r'data-lit="([\d ]+)"', card):
            assert set(lit.split()) <= drawn


def test_a_damaged_dataset_says_so(dataset: Path, mereo: CommandLine) -> None:
    shutil.copy(dataset / "scenes" / "test-00000.parquet", dataset / "scenes" / "test-00007.parquet")
    mereo("report", dataset)
    said = "".join(Page((dataset / "report.html").read_text()).words)
    assert "1 complaints" in said
    assert "scenes/test-00007.parquet: dataset.json does not know this file" in said


def test_scenes_that_were_changed_are_not_reported_on(dataset: Path, mereo: CommandLine) -> None:
    manifest = json.loads((dataset / "dataset.json").read_text())
    manifest["files"]["scenes/test-00000.parquet"]["sha256"] = "0" * 64
    (dataset / "dataset.json").write_text(json.dumps(manifest))
    assert "test-00000.parquet: is not what dataset.json says" in mereo("report", dataset, code=2).err
    assert not (dataset / "report.html").exists()


def test_a_run_on_another_dataset_is_left_out_and_told(dataset: Path, mereo: CommandLine, tmp_path: Path) -> None:
    folder = dataset / "runs" / "stale"
    folder.mkdir(parents=True)
    (folder / "predictions.jsonl").write_text('{"predictions": 1, "dataset": "00"}\n{"question_id": "x"}\n')
    done = mereo("report", dataset)
    assert "mereo: run stale is left out" in done.err
    assert "are predictions for another dataset" in done.err
    assert "stale" not in "".join(Page((dataset / "report.html").read_text()).words)


def test_only_some_runs_and_an_unknown_one(dataset: Path, mereo: CommandLine) -> None:
    mereo("oracle", dataset)
    mereo("oracle", dataset, "--noise", "objects=0.2")
    mereo("report", dataset, "--runs", "oracle-objects=0.2")
    said = "".join(Page((dataset / "report.html").read_text()).words)
    assert "oracle-objects=0.2" in said
    assert "random-by-type" in said  # blind baselines are always there
    done = mereo("report", dataset, "--runs", "orakel", code=2)
    assert "there is no run 'orakel' (did you mean 'oracle'?)" in done.err


def test_what_others_write_is_not_taken_for_html(dataset: Path, mereo: CommandLine, tmp_path: Path) -> None:
    asked = load_questions(dataset)
    nasty = "<script>alert('x')</script>"
    path = tmp_path / "nasty.jsonl"
    path.write_text("".join(json.dumps({"question_id": q, "answer": nasty, "raw": nasty}) + "\n" for q in asked.ids))
    mereo("evaluate", dataset, path)
    mereo("report", dataset)
    text = (dataset / "report.html").read_text()
    assert nasty not in text
    assert text.count("<script>") == 1
    assert "&lt;script&gt;" in text


PROBE = """<script>
const body = document.body.dataset, card = document.querySelector(".mistake");
body.wide = document.documentElement.scrollWidth + " of " + document.documentElement.clientWidth;
const step = card.querySelector(".steps li[data-lit]");
step.click();
body.lit = [...card.querySelectorAll(".outline.on")].map((one) => one.dataset.entity).join(" ");
body.wanted = step.dataset.lit;
</script>"""


in_a_browser = pytest.mark.skipif(shutil.which("chromium") is None, reason="there is no chromium to open the page in")


def opened(page: str, folder: Path) -> dict[str, str]:
    """What the scripts of a page have written on its body, after a narrow browser has shown it."""
    (folder / "probe.html").write_text(page)
    flags = "--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking"
    flags += " --disable-component-update --disable-sync --window-size=500,844 --dump-dom"
    done = subprocess.run(
        ["chromium", *flags.split(), f"--user-data-dir={folder / 'profile'}", f"file://{folder / 'probe.html'}"],
        check=True,
        capture_output=True,
        text=True,
        timeout=120,
    )
    (body,) = re.findall(r"<body[^>]*>", done.stdout)
    return dict(re.findall(r'data-(\w+)="([^"]*)"', body))


@in_a_browser
def test_a_browser_shows_it_without_overflow_and_lights_what_a_step_refers_to(
    dataset: Path, mereo: CommandLine, tmp_path: Path
) -> None:
    mereo("oracle", dataset, "--noise", "attributes=0.1")
    mereo("report", dataset)
    text = (dataset / "report.html").read_text()
    found = opened(text.replace("</body>", f"{PROBE}</body>"), tmp_path)
    wide, available = found["wide"].split(" of ")
    assert wide == available
    assert sorted(found["lit"].split()) == sorted(found["wanted"].split()) != []


# The errors that are shown


def run_of(asked: Asked, name: str, wrong: set[int]) -> Judged:
    answers = asked.words("answer")
    given = [Prediction(q, "wrong" if k in wrong else answers[k]) for k, q in enumerate(asked.ids)]
    return judge_run(asked, Predictions(Header(), given), run=name)


def test_errors_that_others_knew_come_first_and_all_are_errors(built: Path) -> None:
    asked = load_questions(built)
    bad = run_of(asked, "bad", set(range(0, len(asked), 2)))
    good = run_of(asked, "good", set(range(0, len(asked), 4)))
    chosen = choose_errors(bad, [good])
    marks = judge_answers(asked, bad.predictions).main
    assert len(chosen) == len({mistake.question_id for mistake in chosen}) == 20
    for mistake in chosen:
        assert marks[asked.places[mistake.question_id]] == 0
        assert mistake.said == "wrong"
    assert sum(mistake.others_right for mistake in chosen) >= 15
    assert len({mistake.kind for mistake in chosen}) >= 8
    assert len({mistake.scene_id for mistake in chosen}) >= 8
    assert choose_errors(run_of(asked, "perfect", set()), [good]) == []


def test_steps_are_those_of_the_program_with_their_values() -> None:
    own = world(3)
    steps = shown_steps("count(filter_size[large](scene()))", ClevrInspector(), own)
    assert [step.text for step in steps] == ["scene", "filter_size[large]", "count"]
    large = [k for k, entity in enumerate(own.entities) if entity.attributes["size"] == "large"]
    assert steps[1].referred == large
    assert steps[2].value == str(len(large))
    assert [step.inputs for step in steps] == [(), (0,), (1,)]
    assert shown_steps("query_size(unique(scene()))", ClevrInspector(), own) == []
    assert len(parse_program("count(scene())")) == 2


# Drawings and charts


@given(st.integers(0, 10_000), st.integers(1, 12), st.integers(1, 12))
def test_an_outline_goes_around_just_the_mask(seed: int, height: int, width: int) -> None:
    mask = np.random.default_rng(seed).random((height, width)) < 0.5
    path, (x, y) = outline(mask, 1.0)
    crossed = np.zeros((height + 1, width + 1, 2), int)
    for left, top, kind, end in re.findall(r"M([\d.]+) ([\d.]+)([HV])([\d.]+)", path):
        a, b, c = int(left), int(top), int(end)
        if kind == "H":
            crossed[b, a:c, 0] += 1
        else:
            crossed[b:c, a, 1] += 1
    wide = np.pad(mask, 1)
    assert np.array_equal(crossed[:, :-1, 0], (wide[1:] != wide[:-1])[:, 1:-1])
    assert np.array_equal(crossed[:-1, :, 1], (wide[:, 1:] != wide[:, :-1])[1:-1])
    if mask.any():
        assert mask[int(y), int(x)]


def test_a_map_keeps_left_and_behind() -> None:
    own = world(5)
    drawing = draw_map({}, own, ClevrInspector())
    places = {k: tuple(map(float, re.findall(r'c[xy]="(\d+)"', shape))) for k, shape in drawing.outlines.items()}
    assert len(places) == len(own)
    for k, left in enumerate(own.related["left"]):
        for other in range(len(own)):
            if left >> other & 1:
                assert places[other][0] < places[k][0]
            if own.related["behind"][k] >> other & 1:
                assert places[other][1] < places[k][1]


MEAN = Mean(10, 0.5, 0.3, 0.7)


@pytest.mark.parametrize(
    "chart",
    [
        dots([("models", [("a & b", 0, MEAN), ("<c>", 11, MEAN)]), ("none", [])], label="x"),
        bars([("yes", 5), ("no", 0)], label='"quoted"'),
        bars([], label="nothing"),
        columns([("1", 3), ("2", 0)], label="x", axis="n"),
        lines([("a", 0, [(0.0, MEAN), (1.0, MEAN)])], label="x", axis="p", ticks=[(0.0, "0"), (1.0, "1")]),
        lines([("a", 0, [(0.0, MEAN)])], label="x", axis="p", ticks=[(0.0, "0")]),
        heat(["yes", "<no>"], ["yes", "<no>", "nothing"], [[1, 2, 0], [0, 0, 0]], label="x", color=2),
    ],
)
def test_charts_are_well_formed(chart: str) -> None:
    root = ET.fromstring(chart)
    assert root.tag == "svg"
    assert "nan" not in chart
    assert root.attrib["aria-label"]


GROUPS = [
    [("a & b", [("into", MEAN), ("<out>", Mean(3, 1.0, 1.0, 1.0))]), ("with a long name that leans", [("into", MEAN)])],
    [("one", [("", Mean(0, 0.0, 0.0, 0.0))])],
    [(f"{k} things", [("", Mean(12_345, 0.99, 0.97, 1.0))]) for k in range(12)],
    [(f"filter_number_{k}", [("into", MEAN), ("out of", Mean(99_999, 0.0, 0.0, 0.1))]) for k in range(15)],
    [],
]
FILES = [score_columns(groups, title="A title that is longer than some charts", about="x < 1") for groups in GROUPS]
SVG = "{http://www.w3.org/2000/svg}"


@pytest.mark.parametrize("place", range(len(FILES)))
def test_a_chart_that_is_a_file_says_its_numbers_and_brings_all_its_style(place: int) -> None:
    root = ET.fromstring(FILES[place])
    style = root.findtext(f"{SVG}style") or ""
    styled = set(re.findall(r"\.([\w-]+)", style))
    assert {kind for one in root.iter() for kind in one.get("class", "").split()} <= styled
    assert "var(" not in style  # which few programs but browsers know
    said = [text.text for text in root.iter(f"{SVG}text")]
    for name, scores in GROUPS[place]:
        assert said.count(name) == 1
        for series, mean in scores:
            assert f"{mean.value:.2f}".removeprefix("0") in said
            assert series in said or len(scores) == 1


def test_how_much_bars_of_a_chart_count_is_told_once() -> None:
    scores = [(f"model {k}", Mean(count, 0.5, 0.4, 0.6)) for k, count in enumerate((38, 38, 1_000, 38))]
    said = [text.text for text in ET.fromstring(score_columns([("all", scores)], title="x", about="y")).iter()]
    assert said.count("38/1,000") == 1


CROWD = """<script>
const crowded = [];
for (const [number, chart] of document.querySelectorAll("svg").entries()) {
  const all = chart.getBoundingClientRect(), texts = [...chart.querySelectorAll("text")];
  const boxes = texts.map((one) => one.getBoundingClientRect());
  for (const [k, box] of boxes.entries()) {
    if (box.left < all.left || box.right > all.right || box.top < all.top || box.bottom > all.bottom)
      crowded.push(number + " loses " + texts[k].textContent);
    for (const [j, other] of boxes.slice(0, k).entries())
      if (!texts[k].closest("g") && !texts[j].closest("g") && box.left < other.right && other.left < box.right
          && box.top + 2 < other.bottom && other.top + 2 < box.bottom)
        crowded.push(number + " writes " + texts[k].textContent + " over " + texts[j].textContent);
  }
}
document.body.dataset.charts = document.querySelectorAll("svg").length;
document.body.dataset.crowded = crowded.join("; ");
</script>"""


@in_a_browser
def test_no_word_of_a_chart_leaves_the_paper_or_lies_on_another(tmp_path: Path) -> None:
    found = opened(f"<html><body>{''.join(FILES)}{CROWD}</body></html>", tmp_path)
    assert found == {"charts": str(len(FILES)), "crowded": ""}
