"""DuckDB answers questions about a dataset straight from its shards."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import duckdb
import pytest

from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.store import open_dataset, read_table


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Three splits in five shards."""
    folder = tmp_path_factory.mktemp("duckdb") / "dataset"
    recipe = ClevrRecipe(seed=4, questions_per_scene=6)
    build_dataset(recipe, folder, splits={"train": 25, "val": 8, "test": 5}, shard_size=10)
    return folder


def test_types_are_counted_over_all_shards(dataset: Path) -> None:
    answer = duckdb.execute(f"select type, count(*) from '{dataset}/questions/*.parquet' group by type").fetchall()
    shards = sorted((dataset / "questions").iterdir())
    expected = Counter(row["type"] for path in shards for row in read_table(path).to_pylist())
    assert len(shards) == 5
    assert dict(answer) == expected
    assert len(expected) > 3
    assert sum(expected.values()) == sum(open_dataset(dataset).questions.values()) == 38 * 6


def test_questions_join_their_scenes_and_lists_unfold(dataset: Path) -> None:
    crowded = duckdb.execute(
        f"""
        select s.split, count(distinct s.scene_id), count(*)
        from '{dataset}/scenes/*.parquet' s join '{dataset}/questions/*.parquet' q using (scene_id)
        where s.objects >= 6 group by s.split order by s.split
        """
    ).fetchall()
    rows = [row for path in sorted((dataset / "scenes").iterdir()) for row in read_table(path).to_pylist()]
    expected = Counter(row["split"] for row in rows if row["objects"] >= 6)
    assert crowded == [(split, count, 6 * count) for split, count in sorted(expected.items())]
    (longest,) = duckdb.execute(f"select max(len(referred)) from '{dataset}/questions/*.parquet'").fetchall()[0]
    questions = [row for path in sorted((dataset / "questions").iterdir()) for row in read_table(path).to_pylist()]
    assert longest == max(len(row["referred"]) for row in questions)
