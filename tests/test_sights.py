"""What is kept of what a run saw: nothing is lost on the way, what is damaged is told, and all runs show the same."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays

import mereo
from kit import complaint
from mereo.datasets.asked import Asked, load_questions
from mereo.datasets.seen import masks_in, overlaid
from mereo.datasets.sights import Looks, SeenScene, open_sights, write_sights
from mereo.datasets.spread import spread
from mereo.world import Attribute, Entity, Vocabulary, make_world, world_to_json

WORLD = make_world(
    [Entity("chair-0", "object", {"color": "red"}), Entity("leg", "part", {}, "chair-0", {"box": (1, 2, 3, 4)})],
    Vocabulary.of([Attribute("color", ("red", "blue"))], relations=("left",)),
    related={"left": (0b10, 0)},
)
SEEN = SeenScene("test-1", WORLD, np.arange(12, dtype=np.uint16).reshape(3, 4), [[1, 2, 11], [2]])
LOOKS = Looks("test-1-00", np.arange(24, dtype=np.uint8).reshape(2, 3, 4), (0.5, 0.25), ("how", "many"), None)
READ = Looks("test-2-00", np.full((1, 1, 1), 255, np.uint8), (1.0,), ("what",), np.array([[200]], np.uint8))
ASKED = {"test-1-00": "test-1", "test-2-00": "test-2", "test-2-01": "test-2"}


@given(arrays.arrays(bool, st.tuples(st.integers(1, 12), st.integers(1, 6), st.integers(1, 7))))
def test_masks_that_overlap_come_back_from_one_picture(masks: Any) -> None:
    ids, instances = overlaid([*masks])
    assert all((one == other).all() for one, other in zip(masks, masks_in(ids, instances), strict=True))
    assert ((ids > 0) == masks.any(0)).all()


@pytest.fixture
def path(tmp_path: Path) -> Path:
    write_sights(tmp_path / "sights.parquet", "abc", ASKED, [LOOKS, SEEN, READ])
    return tmp_path / "sights.parquet"


def test_what_is_kept_comes_back(path: Path) -> None:
    sights = open_sights(path, dataset="abc")
    assert sights.asked == ASKED
    seen = sights.seen("test-1")
    assert seen is not None
    assert world_to_json(seen.world) == world_to_json(WORLD)
    assert (seen.ids == SEEN.ids).all()
    assert seen.instances == SEEN.instances
    for told in (LOOKS, READ):
        looks = sights.looks(told.question_id)
        assert looks is not None
        assert (looks.maps == told.maps).all()
        assert (looks.most, looks.words) == (told.most, told.words)
        assert (None if looks.read is None else looks.read.tolist()) == (
            None if told.read is None else told.read.tolist()
        )
    assert sights.seen("test-2") is None
    assert sights.looks("test-2-01") is None
    assert sights.looks("test-1") is None


def test_many_are_found_one_by_one(tmp_path: Path) -> None:
    many = [Looks(f"q{k}", np.full((1, 1, 2), k, np.uint8), (0.5,)) for k in range(40)]
    write_sights(tmp_path / "many.parquet", "abc", {one.question_id: "s" for one in many}, many)
    sights = open_sights(tmp_path / "many.parquet", dataset="abc")
    assert [int(sights.looks(f"q{k}").maps.max()) for k in range(40)] == [*range(40)]  # type: ignore[union-attr]


def _changed(path: Path, **columns: Any) -> None:
    """The same file with other values in its first row of a question (looks), or in its last of a scene."""
    table = pq.read_table(path)
    for name, value in columns.items():
        place = 0 if name in ("grid", "maps", "most", "read", "words") else table.num_rows - 1
        values = table.column(name).to_pylist()
        values[place] = value
        column = pa.array(values, table.schema.field(name).type)
        table = table.set_column(table.column_names.index(name), table.schema.field(name), column)
    pq.write_table(table, path)


@pytest.mark.parametrize(
    ("changed", "told"),
    [
        ({"maps": b"123"}, "row 1, field 'maps': must have 2 x 3 x 4 bytes"),
        ({"grid": [0, 3, 4]}, "row 1, field 'maps': must have 0 x 3 x 4 bytes, at least one"),
        ({"grid": [2, 3]}, "row 1, field 'grid'"),
        ({"most": [0.5]}, "row 1, field 'most': must have 2 numbers"),
        ({"read": b"1"}, "row 1, field 'read': must have 2 x 2 bytes"),
        ({"world": "{"}, "row 4"),
        ({"ids": b"no picture"}, "row 4: is no PNG picture"),
        ({"instances": [[1]]}, "row 4, field 'instances': are of 1 entities, not of 2"),
        ({"instances": [[1], [12]]}, "row 4, field 'instances': must be from 1 to 11"),
        ({"world": None}, "row 4: tells of no world"),
    ],
)
def test_what_is_damaged_is_told(path: Path, changed: dict[str, Any], told: str) -> None:
    _changed(path, **changed)
    sights = open_sights(path, dataset="abc")
    asked = (lambda: sights.looks("test-1-00")) if "row 1" in told else (lambda: sights.seen("test-1"))
    assert told in str(complaint(asked))
    assert str(path) in str(complaint(asked))


def test_a_file_of_another_dataset_or_time_is_refused(path: Path) -> None:
    assert "tells of another dataset (abc…)" in str(complaint(lambda: open_sights(path, dataset="other")))
    table = pq.read_table(path)
    header = msgspec.json.encode({"sights": 2, "dataset": "abc"})
    pq.write_table(table.replace_schema_metadata({"mereo": header}), path)
    assert "is of version 2; this mereo reads up to 1" in str(complaint(lambda: open_sights(path, dataset="abc")))
    path.write_bytes(b"PAR1")
    assert "is not a whole Parquet file" in str(complaint(lambda: open_sights(path, dataset="abc")))


@pytest.fixture(scope="module")
def asked(tmp_path_factory: pytest.TempPathFactory) -> Asked:
    folder = tmp_path_factory.mktemp("spread") / "solids"
    return load_questions(mereo.build("clevr", folder, split="test=12", symbolic=True, questions_per_scene=10).folder)


def test_few_questions_are_of_all_types_and_scenes(asked: Asked) -> None:
    kinds = [*zip(asked.words("type"), asked.words("subtype"), strict=True)]
    many = len(set(kinds))
    places = spread(asked, 2 * many)
    assert spread(asked, many) == places[:many]
    assert Counter(kinds[place] for place in places[:many]) == Counter(set(kinds))
    scenes = asked.words("scene_id")
    assert len({scenes[place] for place in places[:many]}) == min(many, len(set(scenes)))
    assert sorted(spread(asked, 10_000)) == [*range(len(asked))]
    assert spread(asked, 0) == []
