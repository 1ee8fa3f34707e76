"""What can be searched of the opened datasets, as tables of DuckDB: scenes, what is in them, and their questions.

Pictures and records stay in the shards. What is kept in memory is a few words per scene and question, so that a filter
over a hundred thousand questions takes milliseconds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import pyarrow as pa

from mereo.datasets.inspector import UNREADABLE, Inspector
from mereo.datasets.shards import open_shard, read_shard
from mereo.datasets.store import HEAVY
from mereo.errors import BadInput, MereoError

__all__ = ["Index", "literal_path"]

_TABLES = """
CREATE TABLE scenes (scene INTEGER, dataset INTEGER, benchmark VARCHAR, scene_id VARCHAR, split VARCHAR,
                     objects INTEGER, file VARCHAR, pictured BOOLEAN);
CREATE TABLE words (word INTEGER, attribute VARCHAR, value VARCHAR);
CREATE TABLE facts (scene INTEGER, word INTEGER);
CREATE TABLE questions (number INTEGER, scene INTEGER, question_id VARCHAR, type VARCHAR, subtype VARCHAR,
                        template VARCHAR, answer VARCHAR, form INTEGER, question VARCHAR);
CREATE TABLE forms (form INTEGER, bare VARCHAR, function VARCHAR, length VARCHAR, uses VARCHAR[]);
CREATE TABLE marks (number INTEGER, run VARCHAR, mark VARCHAR, said VARCHAR);
CREATE SEQUENCE scene_numbers START 0 MINVALUE 0;
CREATE SEQUENCE question_numbers START 0 MINVALUE 0;
"""

_LITERALS = r'\[(?:"(?:[^"\\]|\\.)*"|[^\]"])*\]'
"""The values of a step in the notation of programs."""
_FUNCTION = r"([A-Za-z_][\w\-]*)\("

_QUESTION_COLUMNS = ("question_id", "scene_id", "type", "subtype", "template", "question", "program", "answer")


class Index:
    """The tables, and how a shard gets into them."""

    def __init__(self) -> None:
        self._connection = duckdb.connect(config={"threads": 2})
        self._connection.execute(_TABLES)

    def rows(self, query: str, values: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
        """The rows that a query gives; safe to call from any thread."""
        with self._connection.cursor() as cursor:
            return cursor.execute(query, list(values)).fetchall()

    def records(self, query: str, values: Sequence[Any] = ()) -> list[dict[str, Any]]:
        """The same as dictionaries by column."""
        with self._connection.cursor() as cursor:
            found = cursor.execute(query, list(values))
            names = [column[0] for column in found.description or ()]
            return [dict(zip(names, row, strict=True)) for row in found.fetchall()]

    def add_scenes(self, path: Path, dataset: int, benchmark: str, inspector: Inspector | None) -> None:
        """Put a scene shard into the tables, whole or not at all. inspector : who knows what its scenes hold"""
        with open_shard(path) as shard:
            columns, table = shard.names, shard.read(["scene_id", "split", "objects", "scene"])
        with self._connection.cursor() as cursor:
            cursor.register("shard", table)
            cursor.execute("BEGIN")
            try:
                cursor.execute(
                    """INSERT INTO scenes SELECT nextval('scene_numbers'), ?, ?, scene_id, split, objects, ?, ?
                       FROM shard""",
                    [dataset, benchmark, str(path), "image" in columns],
                )
                if inspector is not None and inspector.searched:
                    _search_records(cursor, inspector, dataset)
                elif inspector is not None:
                    _search_worlds(cursor, inspector, path, dataset)
                cursor.execute("COMMIT")
            except MereoError:
                cursor.execute("ROLLBACK")
                raise
            except duckdb.Error as error:
                cursor.execute("ROLLBACK")
                raise BadInput(f"cannot be read ({_first_line(error)})", file=path) from None
            finally:
                cursor.unregister("shard")

    def add_questions(self, path: Path, dataset: int) -> None:
        """Put a question shard into the tables, whole or not at all."""
        table = read_shard(path, _QUESTION_COLUMNS)
        with self._connection.cursor() as cursor:
            cursor.register("shard", table)
            cursor.execute("BEGIN")
            try:
                cursor.execute(_ASKED, [_LITERALS])
                cursor.execute(_FORMS, [_FUNCTION])
                cursor.execute(_QUESTIONS, [dataset])
                cursor.execute("DROP TABLE asked")
                cursor.execute("COMMIT")
            except duckdb.Error as error:
                cursor.execute("ROLLBACK")
                raise BadInput(f"cannot be read ({_first_line(error)})", file=path) from None
            finally:
                cursor.unregister("shard")

    def add_marks(self, run: str, dataset: int, marks: pa.Table) -> None:
        """Say which questions a run got right. marks : columns question_id, mark and said"""
        with self._connection.cursor() as cursor:
            cursor.register("given", marks)
            cursor.execute(
                """INSERT INTO marks SELECT number, ?, mark, said FROM given JOIN questions USING (question_id)
                   JOIN scenes USING (scene) WHERE dataset = ?""",
                [run, dataset],
            )
            cursor.unregister("given")


def _search_records(cursor: Any, inspector: Inspector, dataset: int) -> None:
    """What scenes are found by, read off their records, many at once."""
    for attribute, paths in inspector.searched.items():
        listed = ", ".join("json_extract(scene, ?)" for _ in paths)
        cursor.execute(_TOLD.format(listed), [*paths, dataset])
        _tell(cursor, attribute)


def _search_worlds(cursor: Any, inspector: Inspector, path: Path, dataset: int) -> None:
    """What scenes are found by, as the benchmark tells of each; a row that cannot be understood is left out."""
    told: dict[str, list[tuple[str, str]]] = {}
    with open_shard(path) as shard:
        rows = shard.read([column for column in shard.names if column not in HEAVY]).to_pylist()
    for row in rows:
        try:
            facts = list(inspector.facts(row))
        except UNREADABLE:
            continue
        for attribute, value in facts:
            told.setdefault(attribute, []).append((row["scene_id"], value))
    for attribute, pairs in told.items():
        ids, values = zip(*pairs, strict=True)
        cursor.register("pairs", pa.table({"scene_id": list(ids), "value": list(values)}))
        cursor.execute(
            """CREATE TEMP TABLE told AS SELECT DISTINCT scene, value FROM pairs JOIN scenes USING (scene_id)
               WHERE dataset = ?""",
            [dataset],
        )
        cursor.unregister("pairs")
        _tell(cursor, attribute)


def _tell(cursor: Any, attribute: str) -> None:
    cursor.execute(_WORDS, [attribute])
    cursor.execute(_FACTS, [attribute])
    cursor.execute("DROP TABLE told")


_TOLD = """
CREATE TEMP TABLE told AS SELECT DISTINCT scene, value FROM (
  SELECT scene_id, unnest(CASE WHEN json_type(value) = 'ARRAY' THEN json_extract_string(value, '$[*]')
                          ELSE [json_extract_string(value, '$')] END) AS value FROM (
    SELECT scene_id, unnest(list_concat({})) AS value FROM shard))
JOIN scenes USING (scene_id) WHERE dataset = ? AND value IS NOT NULL AND value NOT LIKE '{{%'
"""

_WORDS = """
INSERT INTO words SELECT (SELECT count(*) FROM words) + row_number() OVER (ORDER BY value), $1, value
FROM (SELECT DISTINCT value FROM told) WHERE value NOT IN (SELECT value FROM words WHERE attribute = $1)
"""

_FACTS = "INSERT INTO facts SELECT scene, word FROM told JOIN words USING (value) WHERE attribute = ?"

_ASKED = "CREATE TEMP TABLE asked AS SELECT *, regexp_replace(program, ?, '', 'g') AS bare FROM shard"

_FORMS = """
INSERT INTO forms SELECT (SELECT count(*) FROM forms) + row_number() OVER (ORDER BY bare), bare,
  regexp_extract(string_split(bare, ';')[-1], $1, 1), CAST(len(regexp_extract_all(bare, $1, 1)) AS VARCHAR),
  regexp_extract_all(bare, $1, 1)
FROM (SELECT DISTINCT bare FROM asked) WHERE bare NOT IN (SELECT bare FROM forms)
"""

_QUESTIONS = """
INSERT INTO questions
SELECT nextval('question_numbers'), scene, question_id, type, subtype, template, answer, form, question
FROM asked JOIN scenes USING (scene_id) JOIN forms USING (bare) WHERE dataset = ?
"""


def literal_path(path: str) -> str:
    """A path as DuckDB takes it literally: its readers look for patterns."""
    return re.sub(r"([*?\[])", r"[\1]", path)


def _first_line(error: Exception) -> str:
    return (str(error).splitlines() or [type(error).__name__])[0]
