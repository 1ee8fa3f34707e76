"""What is known, as the explorer shows it: beside the steps that used it, drawn with what is seen, and to search in."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Callable, Iterator
from itertools import combinations
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from nicegui import Client, core, ui

import laid_table
from browsing import chromium, keep_screenshot, serving, visiting
from laid_table import BESIDE, CUTTING, GRAPH, LORE, questions
from mereo.benchmarks.cric.graph import Stated
from mereo.benchmarks.cric.graph_drawing import draw_sub_graph
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.question import Described, SubGraph, Used
from mereo.benchmarks.cric.shown import known_steps, lore_knowledge, painted
from mereo.datasets.inspector import Known
from mereo.errors import BadInput, UnknownName
from mereo.evaluation.graphs import Arrow, Node, as_file, draw_graph
from mereo.explorer.address import View
from mereo.explorer.bases import EMBEDDED, Bases
from mereo.explorer.catalog import Catalog
from mereo.explorer.knowing import about, draw_neighborhood
from mereo.explorer.pages import browse, reasoning, scene
from mereo.explorer.pages import knowledge as knowledge_page
from mereo.explorer.standing import standing_of
from mereo.explorer.thumbnails import Thumbnails
from mereo.knowledge import Item, MemoryKnowledge, embedded_knowledge, write_store
from mereo.programs import Trace, execute

HOSTILE = '<img src=x onerror="window.stolen = 1">'
SVG = "{http://www.w3.org/2000/svg}"


def trace(program: str) -> Trace:
    return execute(program, laid_table.world(), LANGUAGE)


# What steps took


def test_a_step_tells_what_it_took_from_knowledge_and_of_what_else_that_is_not_so() -> None:
    known = known_steps(trace(CUTTING))
    assert known == {
        3: Known(
            (Item("knife", "UsedFor", "cutting food"), Item("bread", "IsA", "food")), ("bread", "mug", "plate", "table")
        ),
        4: Known((Item("knife", "IsA", "utensil"),)),
    }


def test_a_step_tells_of_what_only_some_would_say_so() -> None:
    (known,) = known_steps(trace("verify(find_kg[BLANK, UsedFor, slicing bread](initial()))")).values()
    assert known == Known((Item("knife", "UsedFor", "slicing bread"),), ("mug", "plate", "table"), ("bread",))


def test_what_happens_stands_first_where_it_is_known_so() -> None:
    (known,) = known_steps(trace("verify(find_kg_reverse[slicing a loaf, HasPrerequisite, BLANK](initial()))")).values()
    assert known.items == (Item("slicing a loaf", "HasPrerequisite", "knife"),)


def test_programs_that_only_look_take_nothing_from_knowledge() -> None:
    assert known_steps(trace("verify(find_hypernym[object](relate[on](find[bread](initial()))))")) == {}


def test_the_lore_of_the_base_can_be_looked_up_as_the_base() -> None:
    def facts(items: tuple[Item, ...]) -> set[tuple[str, str, str]]:
        return {(item.head, item.relation, item.tail) for item in items}

    assert facts(lore_knowledge(LORE).items()) == facts(embedded_knowledge())


# Drawings


def texts(drawing: str) -> list[str]:
    return [element.text or "" for element in ET.fromstring(drawing).iter(f"{SVG}text")]


def test_a_sub_graph_is_drawn_with_what_fills_its_blanks() -> None:
    drawing = draw_sub_graph(questions()[0].sub_graph, questions()[0].trace)
    assert sorted(texts(drawing)) == sorted(
        ["knife", "metal", "bread", "plate", "utensil", "cutting food", "on", "VISION", "BLANK is used for"]
        + ["is a type of"]
    )
    assert drawing.count("dashed") == 1
    assert 'aria-label="seen: bread on plate; known: knife is used for cutting food;' in drawing


def test_what_is_looked_for_in_a_tail_is_pointed_at() -> None:
    used = Used("slicing a loaf", "HasPrerequisite", "knife", 1)
    asked = trace("verify(find_kg_reverse[slicing a loaf, HasPrerequisite, BLANK](initial()))")
    assert texts(draw_sub_graph(SubGraph((), (), (used,)), asked)) == ["knife", "slicing a loaf", "requires BLANK"]


def test_what_is_asked_for_and_not_so_stands_beside_what_is_there() -> None:
    no = questions()[2]
    told = texts(draw_sub_graph(no.sub_graph, no.trace, no.wrong_part))
    assert told == ["knife", "cutting food", "white", "is asked for; instead: metal", "BLANK is used for"]


def test_nothing_is_drawn_of_nothing() -> None:
    assert draw_sub_graph(SubGraph(), trace(BESIDE)) == ""


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (SubGraph(relations=(Stated("k", "on", "nobody"),)), "thing 'nobody'"),
        (SubGraph(attributes=(Described("nobody", "red"),)), "thing 'nobody'"),
        (SubGraph(knowledge=(Used("knife", "Eats", "food", 1),)), "relation 'Eats'"),
        (SubGraph(knowledge=(Used("knife", "IsA", "utensil", 40),)), "no step 40"),
    ],
)
def test_a_sub_graph_that_names_what_is_not_there_is_refused(wrong: SubGraph, reason: str) -> None:
    with pytest.raises(BadInput, match=reason):
        draw_sub_graph(wrong, trace(BESIDE))


WORDS = st.text("abc <>&\"'", min_size=1, max_size=40)


@given(st.lists(st.lists(st.tuples(WORDS, WORDS), min_size=1, max_size=6), min_size=1, max_size=3), st.data())
@settings(max_examples=60, deadline=None)
def test_nodes_of_any_graph_lie_apart_and_in_sight(columns: list[list[tuple[str, str]]], data: st.DataObject) -> None:
    nodes = [
        [Node(f"{c} {r}", text, note=note) for r, (text, note) in enumerate(column)] for c, column in enumerate(columns)
    ]
    keys = [(c, node.key) for c, column in enumerate(nodes) for node in column]
    pairs = [(a, b) for (c, a), (d, b) in combinations(keys, 2) if abs(c - d) <= 1]
    chosen = data.draw(st.lists(st.sampled_from(pairs), max_size=8, unique=True)) if pairs else []
    drawing = ET.fromstring(as_file(draw_graph(nodes, [Arrow(*pair, "to") for pair in chosen], label="&")))
    width, height = (float(size) for size in drawing.attrib["viewBox"].split()[2:])
    boxes = [
        tuple(float(box.attrib[name]) for name in ("x", "y", "width", "height"))
        for box in drawing.findall(f".//{SVG}g/{SVG}rect")
    ]
    assert len(boxes) == len(keys)
    for left, top, wide, tall in boxes:
        assert min(left, top) >= 0
        assert left + wide <= width + 1
        assert top + tall <= height + 1
    for (a, b, c, d), (e, f, g, h) in combinations(boxes, 2):
        assert a + c <= e or e + g <= a or b + d <= f or f + h <= b


# Relations


def test_a_thing_that_is_picked_stands_as_the_graph_says() -> None:
    world = laid_table.world()
    ids = [thing.id for thing in GRAPH.things]
    for place, thing in enumerate(ids):
        told = {
            (thing, relation, ids[other]) if begins else (ids[other], relation, thing)
            for relation, begins, others in standing_of(world, place)
            for other in others
        }
        assert told == {
            tuple(msgspec.to_builtins(one)) for one in GRAPH.relations if thing in (one.subject, one.object)
        }


def test_things_are_painted_in_the_color_that_is_said_of_them() -> None:
    paints = [painted(entity).paint for entity in laid_table.world().entities]
    assert paints == ["#8a5a2f", "#f2f1ee", "#8a5a2f", None, "#c0392f"]


# Knowledge to search in


def test_each_name_is_told_with_what_it_shares() -> None:
    found = about(MemoryKnowledge([Item("a", "IsA", "b"), Item("c", "IsA", "b"), Item("b", "HasA", "d")]), "a")
    assert (found.of, found.by, found.shared) == ((Item("a", "IsA", "b"),), (), {("IsA", "b"): ("c",)})
    drawing = draw_neighborhood(about(MemoryKnowledge(embedded_knowledge()), "knife"), EMBEDDED)
    assert "knife" in texts(drawing)
    assert 'href="/knowledge?of=mereo&amp;name=' in drawing


@pytest.fixture(scope="module")
def laid(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return laid_table.build(tmp_path_factory.mktemp("tables") / "laid")


@pytest.fixture
def catalog(laid: Path) -> Catalog:
    return Catalog([laid])


def test_knowledge_comes_from_files_datasets_and_mereo(catalog: Catalog, tmp_path: Path) -> None:
    write_store([Item("fork", "UsedFor", "lifting food")], tmp_path / "items.parquet")
    bases = Bases(catalog.datasets, [tmp_path / "items.parquet"])
    assert bases.titles() == {"file0": "items.parquet", "0": "laid", EMBEDDED: "comes with mereo"}
    assert bases.knowledge("file0").heads("UsedFor", "lifting food") == ("fork",)
    assert (bases.key_of(0), bases.key_of(1)) == ("0", EMBEDDED)
    with pytest.raises(UnknownName):
        bases.knowledge("file1")


def test_what_a_dataset_knows_may_be_damaged_and_the_rest_be_searched(
    catalog: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    def damaged() -> None:
        raise BadInput("is torn")

    monkeypatch.setattr(catalog.datasets[0].inspector, "knowledge", damaged)
    bases = Bases(catalog.datasets, [])
    assert list(bases.titles()) == ["0", EMBEDDED]
    assert bases.knowledge(EMBEDDED).heads("UsedFor", "cutting food") == ("blade", "knife")
    with pytest.raises(BadInput, match="is torn"):
        bases.knowledge("0")


def shown(make: Callable[..., Any], *given: object) -> str:
    """All that a page says, as a visit builds it."""

    async def visit() -> str:
        core.loop = asyncio.get_running_loop()
        with Client(ui.page("")) as client:
            made = make(*given)
            if made is not None:
                await made
        said = [str(element.props.get("innerHTML", "")) for element in client.elements.values()]
        client.delete()
        return "\n".join(said)

    return asyncio.run(visit())


def test_reasoning_shows_what_is_known_and_both_graphs(catalog: Catalog) -> None:
    page = shown(reasoning.page, catalog, 0, "test-000000", {"question": "test-000000-00", "step": "4"})
    assert '<div class="k-step on" data-known="3">' in page
    assert '<div class="k-step later" data-known="4">' in page
    assert "not so of bread, mug, plate, table" in page
    assert '<a class="k-name" href="/knowledge?of=0&amp;name=cutting%20food">cutting food</a>' in page
    assert '<svg class="graph"' in page


def test_the_page_of_a_scene_lists_how_a_thing_stands(catalog: Catalog) -> None:
    page = shown(scene.page, catalog, 0, "test-000000", {"entity": "1"})
    told = re.findall(r'<dt>(.+?)</dt><dd><span data-entity="(\d)"', page)
    assert set(told) == {("on", "0"), ("on it", "2"), ("left of it", "3"), ("next to it", "4")}


def test_without_a_dataset_it_is_said_what_can_be_looked_at(tmp_path: Path) -> None:
    nothing = Catalog([])
    assert "can be looked at without" in shown(browse.page, nothing, Thumbnails(nothing, tmp_path), View())
    assert "Most is said of" in shown(knowledge_page.page, nothing, {})


def test_a_name_of_which_nothing_is_said_is_told(catalog: Catalog) -> None:
    page = shown(knowledge_page.page, catalog, {"name": HOSTILE})
    assert "Nothing is said of &#x27;&lt;img" in page
    assert HOSTILE not in page


# In a browser


@pytest.fixture(scope="module")
def address(laid: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """An explorer of the table and of a file of knowledge whose phrases would run as markup."""
    items = tmp_path_factory.mktemp("knowledge") / "items.parquet"
    write_store(
        [Item("fork", "UsedFor", HOSTILE), Item("fork", "IsA", "utensil"), Item("spoon", "IsA", "utensil")], items
    )
    with serving([laid], tmp_path_factory.mktemp("cache"), "--knowledge", str(items)) as address:
        yield address


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    with chromium() as browser:
        yield browser


def test_knowledge_is_searched_by_typing_and_gone_through_by_clicking(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(f"{address}/knowledge?of={EMBEDDED}")
        page.get_by_label("Search in").fill("cutting f")
        page.locator(".k-found a", has_text="cutting food").click()
        page.locator(".k-drawn a", has_text="knife").click()
        page.wait_for_url("**name=knife**")
        assert page.locator(".k-title").inner_text() == "knife"
        keep_screenshot(page, "knowledge-light")
        page.locator(".k-listed .k-name", has_text="cutlery").first.click()
        page.wait_for_url("**name=cutlery**")
        assert "fork" in page.locator(".k-listed").inner_text()


@pytest.mark.parametrize("width", [1440, 390])
def test_what_others_wrote_is_shown_as_it_is(address: str, browser: Any, width: int) -> None:
    with visiting(browser, width=width, dark=True) as page:
        page.goto(f"{address}/knowledge?name=fork")
        assert HOSTILE in page.locator(".k-listed").inner_text()
        assert page.evaluate("window.stolen") is None
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        keep_screenshot(page, f"knowledge-dark-{width}")


def test_what_a_step_took_from_knowledge_lights_up_with_the_step(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(f"{address}/reasoning/0/test-000000?question=test-000000-00")
        page.locator("[data-ready]").wait_for()
        assert page.locator("[data-known].on").count() == 0
        page.locator('[data-step="3"]').hover()
        assert page.locator(".pointed").get_attribute("data-known") == "3"
        page.locator('[data-step="4"]').click()
        page.locator('[data-known="4"].on').wait_for()
        assert page.locator('[data-known="3"].later').count() == 0
        keep_screenshot(page, "reasoning-known")
        page.locator(".k-steps .k-name", has_text="cutting food").click()
        page.wait_for_url("**/knowledge?of=0&name=cutting%20food")


def test_how_a_thing_stands_follows_what_is_picked(address: str, browser: Any) -> None:
    with visiting(browser) as page:
        page.goto(f"{address}/scene/0/test-000000?layer=boxes")
        page.locator("[data-ready]").wait_for()
        page.locator(".c-line", has_text="plate").click()
        page.get_by_text("left of it").wait_for()
        page.wait_for_url("**layer=boxes&entity=1")
        box = page.locator(".s-catch").bounding_box()
        page.mouse.click(box["x"] + box["width"] * 390 / 480, box["y"] + box["height"] * 160 / 320)
        page.wait_for_url("**entity=4")
        assert page.locator(".c-standing b").inner_text() == "red mug"
        keep_screenshot(page, "scene-standing")
