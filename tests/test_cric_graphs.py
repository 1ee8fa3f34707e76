"""Scene graphs of others: every variant of their files reads the same, and what is wrong or left open is told."""

from __future__ import annotations

import copy
import io
import json
import pickle
import random
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from kit import complaint
from mereo.benchmarks.cric.cleaning import cleaned
from mereo.benchmarks.cric.doubts import doubts
from mereo.benchmarks.cric.given import given_graphs, split_of
from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, graph_of, graph_world
from mereo.benchmarks.cric.graph_files import read_graphs
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.lore import Lore
from mereo.benchmarks.cric.word_choice import Counts, Fewest, WordChoice, read_aliases, word_choice
from mereo.errors import BadInput, Refusals
from mereo.programs import execute, parse_program

Json = Any

OBJECTS: Json = [
    {"object_id": 11, "names": ["table"], "x": 10, "y": 100, "w": 300, "h": 100, "synsets": ["table.n.01"]},
    {"object_id": 12, "names": ["cup", "mug"], "x": 50, "y": 80, "w": 30, "h": 40, "synsets": []},
    {"object_id": 9, "names": ["cup"], "x": 200, "y": 20, "w": 30, "h": 40, "synsets": []},
]
WORDS = {11: ["brown", "wooden"], 12: ["red"]}
RELATIONS = [(12, "ON", 11), (9, "above", 11)]
SIZE = {"width": 400, "height": 300, "url": "https://example.org/pictures/7.jpg"}


def written(folder: Path, **files: Json) -> Path:
    folder.mkdir(exist_ok=True)
    for name, content in files.items():
        (folder / f"{name}.json").write_text(json.dumps(content))
    return folder


def apart() -> dict[str, Json]:
    """Visual Genome's release 1.2: a file for each."""
    by_id = {one["object_id"]: one for one in OBJECTS}
    return {
        "objects": [{"image_id": 7, "objects": OBJECTS}],
        "attributes": [
            {"image_id": 7, "attributes": [{**one, "attributes": WORDS.get(key)} for key, one in by_id.items()]}
        ],
        "relationships": [
            {
                "image_id": 7,
                "relationships": [
                    {"predicate": what, "subject": {**by_id[one], "name": "x"}, "object": by_id[other]}
                    for one, what, other in RELATIONS
                ],
            }
        ],
        "image_data": [{"image_id": 7, **SIZE}],
        "region_descriptions": [{"id": 7, "regions": []}],
    }


def whole() -> dict[str, Json]:
    """Release 1.4: all in one."""
    objects = [{**one, "attributes": WORDS.get(one["object_id"], [])} for one in OBJECTS]
    related = [{"subject_id": one, "predicate": what, "object_id": other} for one, what, other in RELATIONS]
    return {
        "scene_graphs": [{"image_id": 7, "objects": objects, "relationships": related}],
        "image_data": [{"image_id": 7, **SIZE}],
    }


def old() -> dict[str, Json]:
    """Release 1.0, in which everything has an `id`, and sides are written out."""
    files = copy.deepcopy(apart())
    for records in files.values():
        for record in records:
            record["id"] = record.pop("image_id", record.get("id"))
            ends = [one[end] for one in record.get("relationships", ()) for end in ("subject", "object")]
            for one in (*record.get("objects", ()), *record.get("attributes", ()), *ends):
                if "w" in one:
                    one.update(id=str(one.pop("object_id")), width=one.pop("w"), height=one.pop("h"))
    return files


def single_names() -> dict[str, Json]:
    """One `name` in place of `names`, ids as texts, and ids that were merged."""
    files = copy.deepcopy(whole())
    graph = files["scene_graphs"][0]
    for one in graph["objects"]:
        one["object_id"] = str(one["object_id"])
        if len(one["names"]) == 1:
            one["name"] = one.pop("names")[0]
    graph["objects"][0]["merged_object_ids"] = [77]
    graph["relationships"][0]["object_id"] = 77
    return files


def by_picture() -> dict[str, Json]:
    """Graphs by the id of their picture, sizes in them."""
    record = {**whole()["scene_graphs"][0], **SIZE}
    del record["image_id"]
    return {"scene_graphs": {"7": record}}


def gqa(*, listed: bool = True) -> dict[str, Json]:
    objects: dict[str, Json] = {}
    for one in OBJECTS:
        stated = [{"name": what, "object": str(other)} for key, what, other in RELATIONS if key == one["object_id"]]
        objects[str(one["object_id"])] = {
            "name": one["names"][0],
            **{side: one[side] for side in "xywh"},
            "attributes": WORDS.get(one["object_id"], []),
            "relations": stated if listed else {str(place): each for place, each in enumerate(stated)},
        }
    return {"scene_graphs": {"7": {"width": 400, "height": 300, "location": "kitchen", "objects": objects}}}


def stop(error: BadInput) -> None:
    raise error


def plain(graph: SceneGraph, *, other_names: bool = True) -> object:
    """What a graph says."""
    things = [
        (thing.id, thing.name, thing.box, thing.attributes, thing.unclear if other_names else {})
        for thing in graph.things
    ]
    return graph.image_id, graph.width, graph.height, things, graph.relations


EXPECTED = (
    "7",
    400,
    300,
    [
        ("9", "cup", (200, 20, 30, 40), {}, {}),
        ("11", "table", (10, 100, 300, 100), {"other": ("brown", "wooden")}, {}),
        ("12", "cup", (50, 80, 30, 40), {"other": ("red",)}, {"other": ("mug",)}),
    ],
    (Stated("12", "ON", "11"), Stated("9", "above", "11")),
)


@pytest.mark.parametrize("variant", [apart, whole, old, single_names, by_picture])
def test_all_releases_of_visual_genome_say_the_same(variant: Callable[[], dict[str, Json]], tmp_path: Path) -> None:
    (graph,) = read_graphs(written(tmp_path / "vg", **variant()), complain=stop)
    assert plain(graph) == EXPECTED
    assert graph.image_filename == "7.jpg"


@pytest.mark.parametrize("listed", [True, False])
def test_gqa_says_the_same_but_for_other_names(listed: bool, tmp_path: Path) -> None:
    (graph,) = read_graphs(written(tmp_path / "gqa", **gqa(listed=listed)) / "scene_graphs.json", complain=stop)
    assert plain(graph, other_names=False) == (*EXPECTED[:3], [(*thing[:4], {}) for thing in EXPECTED[3]], EXPECTED[4])


def test_relations_alone_tell_of_their_things(tmp_path: Path) -> None:
    files = {"relationships": apart()["relationships"]}
    (graph,) = read_graphs(written(tmp_path / "vg", **files), complain=stop)
    assert {thing.id for thing in graph.things} == {"9", "11", "12"}
    assert (graph.width, graph.height) == (0, 0)


def test_the_order_in_files_does_not_show(tmp_path: Path) -> None:
    files = copy.deepcopy(apart())
    for name, part in (("objects", "objects"), ("attributes", "attributes"), ("relationships", "relationships")):
        files[name] += [{"image_id": number, part: copy.deepcopy(files[name][0][part])} for number in (70, 8)]
    graphs = read_graphs(written(tmp_path / "one", **files), complain=stop)
    chance = random.Random(1)
    for records in files.values():
        chance.shuffle(records)
        for listed in (value for record in records for value in record.values() if isinstance(value, list)):
            chance.shuffle(listed)
    assert read_graphs(written(tmp_path / "other", **files), complain=stop) == graphs
    assert [graph.image_id for graph in graphs] == ["7", "8", "70"]


def damaged(change: Callable[[Json], None]) -> dict[str, Json]:
    files = copy.deepcopy(whole())
    change(files["scene_graphs"])
    return files


DAMAGES: list[tuple[Callable[[Json], object], str, int]] = [
    (
        lambda it: it[0]["relationships"][0].update(object_id=99),
        "relation 1: 'ON' points to object 99, which is not",
        3,
    ),
    (lambda it: it[0]["relationships"][0].pop("subject_id"), "points to object without an id, which is not there", 3),
    (lambda it: it[0]["relationships"][0].update(predicate=" "), "field 'predicate': says nothing", 3),
    (lambda it: it[0]["objects"][2].update(names=[""]), "image 7, object 9, field 'name': has no name", 2),
    (lambda it: it[0]["objects"][2].pop("names"), "image 7, object 9, field 'name': has no name", 2),
    (lambda it: it[0]["objects"][2].pop("object_id"), "object without an id, field 'id': has no id", 2),
    (lambda it: it[0]["objects"][2].update(w=0), "image 7, object 9: has a box without area", 2),
    (lambda it: it[0]["objects"][2].update(h=-4), "image 7, object 9: has a box without area", 2),
    (lambda it: it[0]["objects"][2].update(x=500), "image 7, object 9: has a box outside of the picture", 2),
    (lambda it: it[0]["objects"][2].update(y=None), "image 7, object 9: has no whole box", 2),
    (lambda it: it[0]["objects"][2].update(object_id=11), "image 7, object 11: stands there twice", 2),
    (lambda it: it[0]["objects"][2].update(x="left"), "image 7, field 'objects[2].x': expected `float | null`", 0),
    (lambda it: it.append(copy.deepcopy(it[0])), "image 7: stands there twice", 3),
    (lambda it: it.append({"objects": []}), "image number 2: has no image_id", 3),
    (lambda it: it.append(5), "picture number 2: expected `object`, got `int`", 3),
]


@pytest.mark.parametrize(("change", "told", "things"), DAMAGES)
def test_what_is_wrong_is_left_out_and_told(
    change: Callable[[Json], None], told: str, things: int, tmp_path: Path
) -> None:
    found: list[str] = []
    folder = written(tmp_path / "vg", **damaged(change))
    graphs = read_graphs(folder, complain=lambda error: found.append(str(error)))
    assert sum(len(graph.things) for graph in graphs) == things
    told_of = [line for line in found if told in line]
    assert told_of
    assert "scene_graphs.json" in told_of[0]
    assert told in (complaint(lambda: read_graphs(folder, complain=stop)) or "")


def test_a_damaged_object_of_gqa_is_named_and_takes_only_its_relations_with_it(tmp_path: Path) -> None:
    files = gqa()
    files["scene_graphs"]["7"]["objects"]["12"]["x"] = "left"
    found: list[str] = []
    (graph,) = read_graphs(written(tmp_path / "gqa", **files), complain=lambda error: found.append(str(error)))
    assert len(found) == 1
    assert "image 7, object 12, field 'x': expected" in found[0]
    assert [thing.id for thing in graph.things] == ["9", "11"]
    assert graph.relations == (Stated("9", "above", "11"),)


def test_an_attribute_of_what_is_not_there_is_told(tmp_path: Path) -> None:
    files = copy.deepcopy(apart())
    files["attributes"][0]["attributes"][0]["object_id"] = 99
    found: list[str] = []
    read_graphs(written(tmp_path / "vg", **files), complain=lambda error: found.append(str(error)))
    assert len(found) == 1
    assert "attributes.json, image 7, object 99" in found[0]


@pytest.mark.parametrize(
    ("content", "told"),
    [
        ("", "is not JSON: the file is empty"),
        ("[{]", "is not JSON"),
        ("[1, 2]", "holds no scene graphs"),
        ('{"a": "b"}', "holds no scene graphs"),
        ('[{"image_id": 1, "regions": []}]', "holds no scene graphs"),
        ("7", "expected `object | array`, got `int`"),
    ],
)
def test_other_files_are_refused_in_a_sentence(content: str, told: str, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    path.write_text(content)
    assert told in (complaint(lambda: read_graphs(path, complain=stop)) or "")
    assert "there is no such file" in (complaint(lambda: read_graphs(tmp_path / "none.json", complain=stop)) or "")


def test_two_systems_in_one_folder_are_refused(tmp_path: Path) -> None:
    folder = written(tmp_path / "both", **apart(), graphs=gqa()["scene_graphs"])
    assert "both Visual Genome and GQA" in (complaint(lambda: read_graphs(folder, complain=stop)) or "")


def choice(*graphs: SceneGraph, **more: Any) -> WordChoice:
    counts = Counts()
    for graph in graphs:
        counts.add(graph)
    return word_choice(counts, **more)


def graph_with(*things: Thing, relations: tuple[Stated, ...] = ()) -> SceneGraph:
    return SceneGraph("1", 400, 300, things=things, relations=relations)


def said(*words: str) -> dict[str, tuple[str, ...]]:
    return {"other": words}


def test_words_are_brought_into_one_form(tmp_path: Path) -> None:
    aliases = tmp_path / "aliases.txt"
    aliases.write_text("on,is sitting atop,atop\nnear,next to\nva,vases\nglass,glasses\nbroad,next broad, , broadway\n")
    groups = read_aliases(aliases)
    graph = graph_with(
        Thing("1", "The Windows.", attributes=said("Grey", "is yellow")),
        Thing("2", "window"),
        Thing("3", "glasses"),
        Thing("4", "vases"),
        Thing("5", "trousers"),
        Thing("6", "bikes"),
        relations=(Stated("1", "is on the", "2"), Stated("1", "ATOP a", "3"), Stated("1", "next to", "2")),
    )
    words = choice(graph, names=groups, predicates=groups)
    assert words.names == {
        "The Windows.": "window",
        "window": "window",
        "glasses": "glasses",
        "vases": "vase",
        "trousers": "trousers",
        "bikes": "bikes",
    }
    assert words.predicates == {"is on the": "on", "ATOP a": "on", "next to": "near"}
    assert words.attributes["Grey"] == "gray"


def test_what_cannot_be_said_is_dropped() -> None:
    graph = graph_with(
        Thing("1", "man", attributes=said('says "stop"', "tall")),
        Thing("2", "background"),
        Thing("3", "sign"),
        relations=(Stated("1", "are fully", "3"), Stated("1", "looks at", "3"), Stated("1", "have been", "3")),
    )
    after = cleaned(graph, choice(graph))
    assert [thing.name for thing in after.things] == ["man", "sign"]
    assert after.things[0].attributes == {"size": ("tall",)}
    assert after.relations == (Stated("1", "looking at", "3"),)


def test_rare_words_are_dropped_with_what_hangs_on_them() -> None:
    graph = graph_with(
        *(Thing(str(place), "cup", attributes=said("red")) for place in range(3)),
        Thing("3", "samovar", attributes=said("ornate")),
        relations=(
            Stated("0", "on", "3"),
            Stated("0", "near", "1"),
            Stated("1", "near", "2"),
            Stated("0", "amid", "2"),
        ),
    )
    words = choice(graph, fewest=Fewest(names=2, attributes=2, predicates=2))
    after = cleaned(graph, words)
    assert [thing.name for thing in after.things] == ["cup"] * 3
    assert {stated.predicate for stated in after.relations} == {"near"}
    assert words.attributes == {"red": "red"}


def test_boxes_of_one_thing_become_the_largest_with_all_that_is_said() -> None:
    graph = graph_with(
        Thing("1", "table", (0, 0, 100, 100), said("wooden")),
        Thing("2", "Table", (0, 0, 110, 100), said("brown")),
        Thing("3", "table", (0, 0, 120, 100)),
        Thing("4", "table", (200, 0, 100, 100)),
        Thing("5", "desk", (0, 0, 110, 100)),
        Thing("6", "cup", (0, 0, 10, 10)),
        relations=(Stated("6", "on", "1"), Stated("6", "on", "2"), Stated("1", "near", "3"), Stated("6", "on", "5")),
    )
    after = cleaned(graph, choice(graph))
    assert [thing.id for thing in after.things] == ["3", "4", "5", "6"]
    assert after.things[0].attributes == {"color": ("brown",), "material": ("wooden",)}
    assert after.things[0].box == (0.0, 0.0, 120.0, 100.0)
    assert after.relations == (Stated("6", "on", "3"), Stated("6", "on", "5"))


def test_contradictions_are_unclear() -> None:
    graph = graph_with(
        Thing("1", "cup", attributes=said("red", "white", "small", "round")),
        Thing("2", "box", attributes=said("open", "closed", "old")),
        relations=(Stated("1", "to the left of", "2"), Stated("1", "right of", "2")),
    )
    cup, box = cleaned(graph, choice(graph)).things
    assert cup.attributes == {"shape": ("round",), "size": ("small",)}
    assert cup.unclear == {"color": ("red", "white")}
    assert box.attributes == {"other": ("old",)}
    assert box.unclear == {"state": ("closed", "open")}
    after = cleaned(graph, choice(graph))
    assert not after.relations
    assert Stated("1", "left of", "2") in after.unclear


def test_relations_are_said_the_other_way_round() -> None:
    graph = graph_with(
        Thing("1", "cup"), Thing("2", "box"), relations=(Stated("1", "next to", "2"), Stated("1", "behind", "2"))
    )
    relations = set(cleaned(graph, choice(graph)).relations)
    assert {Stated("2", "next to", "1"), Stated("2", "in front of", "1")} < relations


def test_names_among_attributes_are_no_attributes() -> None:
    graph = graph_with(Thing("1", "street", attributes=said("sidewalk", "wet")), Thing("2", "sidewalk"))
    street = cleaned(graph, choice(graph)).things[0]
    assert street.attributes == {"state": ("wet",)}


NOTHING = Lore({}, {})


def found(graph: SceneGraph, program: str, *, doubtful: bool) -> object:
    return execute(parse_program(program), graph_world(graph, NOTHING, doubtful=doubtful), LANGUAGE).answer


OPEN = doubts(
    SceneGraph(
        "1",
        400,
        300,
        things=(
            Thing("t", "table", (0, 100, 200, 100), {"color": ("brown",), "size": ("small",)}),
            Thing("u", "table", (300, 100, 100, 100)),
            Thing("v", "table", (0, 250, 50, 50), {"color": ("tan",), "size": ("large",)}),
            Thing("c", "cup", (50, 80, 20, 40), {"color": ("red",)}),
            Thing("d", "cup", (100, 80, 20, 40)),
            Thing("e", "cup", (350, 0, 20, 20)),
            Thing("l", "lamp", (250, 0, 20, 20)),
        ),
        relations=(Stated("c", "on", "t"), Stated("c", "left of", "l")),
    )
)


@pytest.mark.parametrize(
    ("program", "sure", "perhaps"),
    [
        ("find[red](find[table](initial()))", [], ["u"]),
        ("find[brown](find[table](initial()))", ["t"], ["t", "u", "v"]),
        ("find[small](find[table](initial()))", ["t"], ["t", "u"]),
        ("find[cup](relate_reverse[on](find[table](initial())))", ["c"], ["c", "d"]),
        ("find[cup](relate_reverse[`left of`](find[lamp](initial())))", ["c", "d"], ["c", "d"]),
        ("relate_reverse[`left of`](find[lamp](initial()))", ["t", "v", "c", "d"], ["t", "v", "c", "d"]),
        ("find[wet](initial())", [], []),
    ],
)
def test_what_nobody_said_may_be_so(program: str, sure: list[str], perhaps: list[str]) -> None:
    program = program.replace("`", "")
    assert found(OPEN, program, doubtful=False) == sure
    assert found(OPEN, program, doubtful=True) == perhaps


def test_a_graph_that_says_all_is_left_as_it_is() -> None:
    graph = SceneGraph(
        "1",
        400,
        300,
        things=(
            Thing("t", "table", (0, 100, 200, 100), {"color": ("brown",)}),
            Thing("c", "cup", (50, 80, 20, 40), {"color": ("red",)}),
        ),
        relations=(Stated("c", "on", "t"),),
    )
    assert doubts(graph) == graph


def many(tmp_path: Path, count: int = 60) -> Path:
    files = whole()
    files["scene_graphs"] = [{**files["scene_graphs"][0], "image_id": number} for number in range(count)]
    files["image_data"] = [
        {"image_id": number, **SIZE, "url": f"https://e.org/{number}.jpg"} for number in range(count)
    ]
    return written(tmp_path / "many", **files)


def test_a_build_gets_each_graph_once_by_split_and_place(tmp_path: Path) -> None:
    given = given_graphs(many(tmp_path), refusals=Refusals())
    again = pickle.loads(pickle.dumps(given))
    assert sum(given.splits.values()) == 60
    assert set(given.splits) == {"train", "val", "test"}
    rows = [again.row(split, index) for split, count in given.splits.items() for index in range(count)]
    graphs = [graph_of(json.loads(row["scene"])) for row in rows]
    assert sorted(int(graph.image_id) for graph in graphs) == list(range(60))
    assert all(split_of(graph.image_id) == row["split"] for graph, row in zip(graphs, rows, strict=True))
    assert set(rows[0]) == set(given.fields.names)
    assert "has only" in (complaint(lambda: given.row("val", 99)) or "")


def test_a_picture_belongs_to_one_split_in_the_shares_of_the_paper() -> None:
    splits = [split_of(str(number)) for number in range(20_000)]
    shares = {split: splits.count(split) / 20_000 for split in ("train", "val", "test")}
    assert shares == pytest.approx({"train": 0.7, "val": 0.1, "test": 0.2}, abs=0.01)


def test_pictures_are_found_and_those_without_one_left_out(tmp_path: Path) -> None:
    folder, images = many(tmp_path, 6), tmp_path / "images" / "VG_100K"
    images.mkdir(parents=True)
    data = io.BytesIO()
    Image.new("RGB", (400, 300)).save(data, "JPEG")
    for number in range(5):
        (images / f"{number}.jpg").write_bytes(data.getvalue())
    refusals = Refusals()
    given = given_graphs(folder, images=images.parent, refusals=refusals)
    assert refusals.refused == 1
    assert "image 5: there is no picture 5.jpg" in refusals.shown[0]
    split = next(iter(given.splits))
    assert given.row(split, 0)["image"]["bytes"] == data.getvalue()
    Image.new("RGB", (200, 150)).save(images / f"{given.pictures[split][0]}.jpg")
    assert "has 200 x 150 pixels, but its scene graph says 400 x 300" in (complaint(lambda: given.row(split, 0)) or "")


def test_what_is_left_out_is_counted_and_three_shown_or_stops(tmp_path: Path) -> None:
    files = json.loads((many(tmp_path, 9) / "scene_graphs.json").read_text())
    for record in files[:5]:
        record["relationships"][0]["object_id"] = 99
    folder = written(tmp_path / "many", scene_graphs=files)
    refusals = Refusals()
    given_graphs(folder, refusals=refusals)
    assert refusals.refused == 5
    assert len(refusals.shown) == 3
    with pytest.raises(BadInput, match=r"scene_graphs\.json, image 0, relation 1"):
        given_graphs(folder, refusals=Refusals(), strict=True)


def test_the_real_files_are_read_whole(official_data: Path) -> None:
    graphs = read_graphs(official_data / "visual_genome", complain=stop)
    assert next((len(graph.things), len(graph.relations)) for graph in graphs) == (40, 38)
    assert sum(len(graph.things) for graph in graphs) == 177
    others = read_graphs(official_data / "gqa" / "scene_graphs_4.json", complain=stop)
    assert sorted(len(graph.things) for graph in others) == [6, 12, 20, 21]
    words = choice(
        *graphs,
        names=read_aliases(official_data / "visual_genome" / "object_alias.txt"),
        predicates=read_aliases(official_data / "visual_genome" / "relationship_alias.txt"),
    )
    assert words.predicates["ON"] == "on"
    assert words.names["bikes"] == "bicycle"
    for graph in graphs:
        after = doubts(cleaned(graph, words))
        names = {thing.id for thing in after.things}
        assert all({stated.subject, stated.object} <= names for stated in (*after.relations, *after.unclear))
