"""Knowledge is read from any dump, merged whatever the order, kept in memory or on disk, and completed."""

from __future__ import annotations

import gzip
import json
import random
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import OFFICIAL_DATA
from mereo.errors import BadInput
from mereo.knowledge import (
    Item,
    Knowledge,
    MemoryKnowledge,
    Tally,
    apart,
    completed,
    merged,
    open_store,
    read_items,
    read_knowledge,
    relations,
    store_knowledge,
    unified,
    write_store,
)
from mereo.knowledge import store as store_module
from mereo.knowledge.store import StoredKnowledge

REAL = OFFICIAL_DATA / "conceptnet"
needs_data = pytest.mark.skipif(not REAL.is_dir(), reason=f"there is no {REAL}")


def row(relation: str, start: str, end: str, *, weight: float = 1.0, language: str = "en") -> str:
    ends = [f"/c/{language}/{name}" for name in (start, end)]
    about = json.dumps({"dataset": "/d/test", "surfaceText": None, "weight": weight})
    return "\t".join([f"/a/[/r/{relation}/,{ends[0]}/,{ends[1]}/]", f"/r/{relation}", *ends, about])


DUMP = [
    row("UsedFor", "fork", "lift_food", weight=2.0),
    row("UsedFor", "fork/n/wn/artifact", "lift_food", weight=0.5),
    row("PartOf", "prong", "fork", weight=1.5),
    row("HasA", "fork", "prong"),
    row("MadeOf", "fork", "steel"),
    row("IsA", "cat", "feline"),
    row("IsA", "cat", "animal"),
    row("IsA", "bank/n/wn/a", "bank/n/wn/b"),
    row("Synonym", "fork", "pitchfork"),
    row("UsedFor", "fourchette", "manger", language="fr"),
]
KEPT = (
    Item("cat", "IsA", "animal", "/d/test"),
    Item("cat", "IsATaxonomy", "feline", "/d/test"),
    Item("fork", "HasA", "prong", "/d/test", 2.5),
    Item("fork", "MadeFrom", "steel", "/d/test"),
    Item("fork", "UsedFor", "lift food", "/d/test", 2.5),
)
DAMAGED = {
    "/a/x\t/r/IsA\t/c/en/a\t/c/en/b": "4 columns instead of 5",
    "/a/x\t/r/Eats\t/c/en/a\t/c/en/b\t{}": "there is no relation '/r/Eats'",
    "/a/x\t/r/IsA\t/c/en/a\t/c/en/b\t{": "the last column is not JSON",
    '/a/x\t/r/IsA\t/c/en/a\t/c/en/b\t{"weight": "1"}': "the last column expected `float`, got `str`",
    '/a/x\t/r/IsA\t/c/en/a\t/c/en/b\t{"weight": -1}': "the weight must be above 0",
    '/a/x\t/r/IsA\t/c/en/a\t/c/en/b\t{"weight": 1e300}': "the weight must be above 0",
    "/a/x\t/r/IsA\t/c/en/a\t/c/en/\t{}": "a concept has no name",
    "": "1 columns instead of 5",
}


def written(path: Path, rows: list[str], *, packed: bool = False, end: str = "\n") -> Path:
    data = "".join(f"{line}{end}" for line in rows).encode()
    path.write_bytes(gzip.compress(data) if packed else data)
    return path


@pytest.mark.parametrize("packed", [False, True])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_a_dump_is_read_merged_and_turned_round_packed_or_not(tmp_path: Path, packed: bool, end: str) -> None:
    knowledge, tally = read_knowledge(written(tmp_path / "dump", DUMP, packed=packed, end=end))
    assert knowledge.items() == KEPT
    assert tally is not None
    assert tally.told() == ("10 rows, 7 kept; left out: 1 with other relations, 1 not English, 1 that say nothing")
    assert tally.others == {"Synonym": 1}


def test_the_last_line_needs_no_end_and_the_names_of_taxonomy_can_be_given(tmp_path: Path) -> None:
    path = tmp_path / "dump"
    path.write_text("\n".join(DUMP))
    knowledge, _ = read_knowledge(path, taxonomic=["animal"])
    assert knowledge.tails("cat", "IsATaxonomy") == ("animal",)
    assert knowledge.categories("cat") == ("feline",)
    assert {item.relation for item in apart(knowledge.items(), ())} == {item.relation for item in knowledge.items()}
    assert apart([Item("cat", "IsA", "feline")], ["feline"]) == (Item("cat", "IsATaxonomy", "feline"),)


@given(st.permutations(range(len(DUMP))))
@settings(max_examples=20)
def test_the_order_of_a_dump_changes_nothing(tmp_path_factory: pytest.TempPathFactory, order: list[int]) -> None:
    path = written(tmp_path_factory.mktemp("order") / "dump", [DUMP[place] for place in order])
    assert read_knowledge(path).knowledge.items() == KEPT


@given(st.lists(st.floats(1e-6, 1e6), min_size=1, max_size=30), st.randoms(use_true_random=False))
def test_weights_are_the_same_sum_in_any_order(weights: list[float], chance: random.Random) -> None:
    items = [Item("a", "IsA", "b", weight=weight) for weight in weights]
    (whole,) = merged(items)
    chance.shuffle(items)
    half = len(items) // 2
    assert merged([*merged(items[:half]), *merged(items[half:])]) == (whole,)


@pytest.mark.parametrize(("line", "reason"), DAMAGED.items())
def test_a_damaged_row_is_counted_and_shown_or_stops(tmp_path: Path, line: str, reason: str) -> None:
    path = written(tmp_path / "dump", [*DUMP[:5], line, *DUMP[5:]])
    knowledge, tally = read_knowledge(path)
    assert knowledge.items() == KEPT
    assert tally is not None
    assert tally.refused == 1
    assert tally.shown[0].startswith(f"{path}, line 6: {reason}")
    with pytest.raises(BadInput) as error:
        read_knowledge(path, strict=True)
    assert str(error.value) == tally.shown[0]


def test_only_the_first_three_damaged_rows_are_shown(tmp_path: Path) -> None:
    path = tmp_path / "triples"
    path.write_bytes(b"IsA\tcat\tanimal\nIsA\tcat\nEats\tcat\tmouse\nIsA\tcat\t \nIsA\t\xff\tx\nIsA\tdog\tpet\t0\n")
    tally = Tally()
    assert list(read_items(path, tally=tally)) == [Item("cat", "IsA", "animal", "triples")]
    assert tally.refused == 5
    assert [text.partition(", ")[2] for text in tally.shown] == [
        "line 2: 2 columns instead of 3",
        "line 3: there is no relation 'Eats'",
        "line 4: a concept has no name",
    ]


@pytest.mark.parametrize(
    ("content", "complaint"),
    [
        (None, "there is no such file"),
        (b"", "is no file of knowledge"),
        (b"no tabs\nat all\n", "is no file of knowledge"),
        (gzip.compress(b"IsA\ta\tb\n" * 99)[:-9], "is packed by gzip and not whole"),
        (b"\x1f\x8bnot packed", "is packed by gzip and not whole"),
        (b"PAR1 and no more", "is no Parquet file"),
        (b"x" * (18 << 20), "has a line of more than 16 MiB"),
    ],
    ids=["absent", "empty", "no tabs", "cut", "not gzip", "not Parquet", "no lines"],
)
def test_what_is_no_file_of_knowledge_is_one_sentence(tmp_path: Path, content: bytes | None, complaint: str) -> None:
    path = tmp_path / "given"
    if content is not None:
        path.write_bytes(content)
    with pytest.raises(BadInput, match=complaint):
        read_knowledge(path)
    with pytest.raises(BadInput, match=r"^.*given"):
        store_knowledge(path, tmp_path / "out.parquet")
    assert not list(tmp_path.glob("*out*"))


WORDS = st.sampled_from(["cat", "dog", "animal", "feline", "pet", "thing", "é", "a b", "zoo's"])
ITEMS = st.lists(
    st.builds(
        Item, WORDS, st.sampled_from(sorted(relations())), WORDS, st.sampled_from(["", "x"]), st.floats(1e-3, 100)
    ),
    max_size=40,
)


@given(ITEMS, st.data())
@settings(max_examples=12, deadline=None)
def test_knowledge_on_disk_gives_the_answers_of_that_in_memory(
    tmp_path_factory: pytest.TempPathFactory, items: list[Item], data: st.DataObject
) -> None:
    path = tmp_path_factory.mktemp("store") / "items.parquet"
    write_store(items, path)
    memory, stored = MemoryKnowledge(items), StoredKnowledge(path)
    assert len(memory) == len(stored) == len(merged(items))
    names = st.one_of(st.none(), WORDS, st.lists(WORDS, max_size=3))
    asked = {"head": data.draw(names), "tail": data.draw(names)}
    relation = data.draw(st.sampled_from([None, "IsA", "UsedFor", ("IsA", "HasA")]))
    assert memory.items(relation=relation, **asked) == stored.items(relation=relation, **asked)
    word = data.draw(WORDS)
    for graph in (memory, stored):
        assert graph.items() == merged(items)
    assert answers(memory, word) == answers(stored, word)
    assert memory.named(word[:2], most=4) == stored.named(word[:2], most=4)
    assert open_store(path).items() == open_store(path, large=0).items()


def test_names_are_found_by_their_words() -> None:
    items = [
        Item("knife", "UsedFor", "cutting food"),
        Item("food", "AtLocation", "table"),
        Item("knife", "IsA", "food"),
    ]
    found = MemoryKnowledge(items).named("food", most=9)
    assert found == (("food", 2), ("cutting food", 1))
    assert MemoryKnowledge(items).named("food", most=1) == (("food", 2),)
    assert MemoryKnowledge(items).named("i", most=9) == (("knife", 2), ("cutting food", 1))


def answers(graph: Knowledge, word: str) -> list[tuple[str, ...]]:
    found = [graph.categories(word), graph.kinds(word)]
    for relation in ("IsA", "IsATaxonomy", "HasSubevent"):
        found += [graph.heads(relation, word), graph.tails(word, relation), graph.satisfy(relation, word)]
    return found


@given(ITEMS, WORDS, st.sampled_from(sorted(relations())))
def test_a_fact_is_satisfied_by_all_below_what_it_is_stated_of(items: list[Item], tail: str, relation: str) -> None:
    found = {item.head for item in items if item.relation == relation and item.tail == tail}
    for _ in items if relations()[relation].inherited else ():
        found |= {item.head for item in items if item.relation in ("IsA", "IsATaxonomy") and item.tail in found}
    assert MemoryKnowledge(items).satisfy(relation, tail) == tuple(sorted(found))


@given(ITEMS)
@settings(max_examples=25)
def test_a_store_is_the_same_in_however_many_runs_it_is_sorted(
    tmp_path_factory: pytest.TempPathFactory, items: list[Item]
) -> None:
    folder = tmp_path_factory.mktemp("runs")
    with pytest.MonkeyPatch.context() as patch:
        write_store(items, folder / "one")
        patch.setattr(store_module, "_RUN", 3)
        patch.setattr(store_module, "_GROUP", 4)
        assert write_store(iter(items), folder / "many") == len(merged(items))
    assert open_store(folder / "many").items() == open_store(folder / "one").items() == merged(items)


def test_a_file_of_other_columns_or_relations_is_no_store(tmp_path: Path) -> None:
    import pyarrow as pa
    import pyarrow.parquet as pq

    pq.write_table(pa.table({"head": ["a"]}), tmp_path / "other")
    with pytest.raises(BadInput, match="is no store of knowledge"):
        open_store(tmp_path / "other")
    write_store([Item("a", "Eats", "b")], tmp_path / "strange")
    with pytest.raises(BadInput, match="there is no relation 'Eats'"):
        open_store(tmp_path / "strange")


def test_what_holds_for_a_category_holds_for_what_belongs_to_it() -> None:
    items = [
        Item("knife", "IsA", "cutlery"),
        Item("cutlery", "IsA", "utensil"),
        Item("utensil", "AtLocation", "kitchen"),
        Item("utensil", "MadeFrom", "metal"),
        Item("cutlery", "UsedFor", "eating"),
        Item("knife", "UsedFor", "cut food", weight=3.0),
        Item("scissors", "UsedFor", "cutting food"),
        Item("spoon", "IsA", "cutlery"),
    ]
    alike = {"cut food": "cut", "cutting food": "cut"}
    found = completed(items, ["knife", "scissors"], fact=lambda item: alike.get(item.tail, item.tail))
    known = MemoryKnowledge(found)
    assert known.tails("knife", "MadeFrom") == ("metal",)
    assert known.items(head="knife", relation="UsedFor", tail="eating")[0].source == "knife is a type of cutlery"
    assert known.tails("knife", "IsA") == ("cutlery", "utensil")
    assert known.tails("knife", "AtLocation") == (), "where some are found not all are"
    assert known.heads("UsedFor", "cut food") == ("knife", "scissors"), "the same fact in other words"
    assert known.tails("spoon", "MadeFrom") == (), "nobody is interested in spoons"
    assert completed(reversed(items), ["scissors", "knife"], fact=lambda item: alike.get(item.tail, item.tail)) == found
    assert known.satisfy("MadeFrom", "metal") == ("cutlery", "knife", "spoon", "utensil")


def test_circles_of_categories_end() -> None:
    items = [Item("a", "IsA", "b"), Item("b", "IsA", "a"), Item("b", "HasA", "c")]
    known = MemoryKnowledge(items)
    assert known.categories("a") == ("b",)
    assert known.satisfy("HasA", "c") == ("a", "b")
    assert MemoryKnowledge(completed(items, ["a"], fact=lambda item: item.tail)).tails("a", "HasA") == ("c",)
    assert unified(items, fact=lambda item: item.tail) == merged(items)


@needs_data
def test_the_real_dump_is_read_without_complaint() -> None:
    knowledge, tally = read_knowledge(REAL / "assertions_764.csv", strict=True)
    assert tally is not None
    assert tally.rows == 764
    assert tally.kept + tally.foreign + tally.others.total() + tally.idle == 764
    assert knowledge.heads("UsedFor", "make music") == ("balalaika",)


@needs_data
def test_the_real_triples_are_read_without_complaint() -> None:
    knowledge, tally = read_knowledge(REAL / "triples_100k.tsv", strict=True)
    assert tally is not None
    assert tally.rows == 100_000
    assert len(knowledge) == 81_476
    assert "wheel" in knowledge.tails("car", "HasA")
