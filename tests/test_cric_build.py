"""CRIC as a whole: built, resumed, audited, damaged, judged, taken in part."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest

from cric_strewn import Strewn
from kit import CommandLine
from mereo.benchmarks.benchmark import inspector_of
from mereo.benchmarks.cric.inspect import CricInspector
from mereo.benchmarks.cric.lore import BLANK, Query
from mereo.benchmarks.cric.lore_file import decoded_lore, encoded_lore
from mereo.benchmarks.cric.names import LORE_FILE
from mereo.benchmarks.cric.question import CRIC_FIELDS
from mereo.benchmarks.cric.recipe import CricRecipe
from mereo.benchmarks.cric.sources import known_of
from mereo.datasets.audit import Audit, audit_dataset
from mereo.datasets.build import build_dataset
from mereo.datasets.store import open_dataset, read_table, record_file, write_manifest, write_table
from mereo.datasets.subset import take_subset
from mereo.datasets.workers import LocalCrew
from mereo.errors import BadInput

SPLITS = {"train": 12, "val": 3, "test": 4}
RECIPE = CricRecipe(5, Strewn())


def made(folder: Path, recipe: CricRecipe = RECIPE, *, splits: Mapping[str, int] = SPLITS, **how: Any) -> Path:
    build_dataset(recipe, folder, splits=splits, shard_size=6, further=recipe.further(), **how)
    return folder


@pytest.fixture(scope="module")
def dataset(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return made(tmp_path_factory.mktemp("cric") / "set")


def content(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def rows(folder: Path, kind: str) -> list[dict[str, Any]]:
    return [row for path in sorted((folder / kind).iterdir()) for row in read_table(path).to_pylist()]


def audited(folder: Path) -> Audit:
    return audit_dataset(folder, inspector_of(open_dataset(folder)))


# Building


def test_every_scene_has_its_questions_and_notes_what_was_drawn(dataset: Path) -> None:
    manifest = open_dataset(dataset)
    assert manifest.scenes == SPLITS
    assert manifest.questions == {split: 5 * count for split, count in SPLITS.items()}
    for row in rows(dataset, "scenes"):
        drawn = json.loads(row["drawn"])
        assert 5 < sum(sum(own.values()) for own in drawn["answers"].values()) <= 10
        assert drawn["items"]


def test_the_same_seed_gives_the_same_bytes_with_any_number_of_workers(dataset: Path, tmp_path: Path) -> None:
    assert content(made(tmp_path / "two", crew=LocalCrew(2))) == content(dataset)


def test_a_build_that_was_stopped_goes_on(dataset: Path, tmp_path: Path) -> None:
    begun = tmp_path / "begun"
    shutil.copytree(dataset, begun)
    (begun / "questions" / "test-00000.parquet").unlink()
    (begun / LORE_FILE).write_bytes(b"{}")
    assert content(made(begun, resume=True)) == content(dataset)


def test_another_seed_asks_otherwise(dataset: Path, tmp_path: Path) -> None:
    other = made(tmp_path / "other", CricRecipe(6, Strewn()), splits={"test": 4})
    asked = [{row["question"] for row in rows(folder, "questions")} for folder in (dataset, other)]
    assert len(asked[1]) == 20
    assert not asked[1] <= asked[0]


def test_a_visual_dataset_has_the_same_scenes_and_asks_without_knowledge(dataset: Path, tmp_path: Path) -> None:
    visual = made(tmp_path / "visual", CricRecipe(5, Strewn(), visual=True), splits={"test": 4})
    assert open_dataset(visual).settings["visual"] is True
    assert "visual" not in open_dataset(dataset).settings
    own, others = ([row for row in rows(folder, "scenes") if row["split"] == "test"] for folder in (visual, dataset))
    assert [row["scene"] for row in own] == [row["scene"] for row in others]
    programs = [row["program"] for row in rows(visual, "questions")]
    assert len(programs) == 20
    assert not any("kg" in program or "hypernym" in program for program in programs)
    assert audited(visual).complaints == []


# What is known goes with the dataset


def test_what_is_known_goes_through_its_file_unchanged() -> None:
    known = known_of(Strewn(), None)
    lore, names = decoded_lore(known.content)
    assert encoded_lore(lore, names) == known.content
    assert {"fork", "bread"} <= lore.filling(Query(BLANK, "AtLocation", "kitchen"))
    assert lore.filling(Query(BLANK, "UsedFor", "cutting food")) == known.kept.lore.filling(
        Query(BLANK, "UsedFor", "cutting food")
    )
    assert "fork" in names


def test_an_inspector_knows_what_the_file_says_and_nothing_else(dataset: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(dataset, own)
    lore, names = decoded_lore((own / LORE_FILE).read_bytes())
    (own / LORE_FILE).write_bytes(encoded_lore(type(lore)({}, lore.categories), names))
    manifest = open_dataset(own)
    manifest.files[LORE_FILE] = record_file(own / LORE_FILE)
    write_manifest(own, manifest)
    assert CricInspector(open_dataset(own)).known.lore.facts == {}
    assert CricInspector(open_dataset(dataset)).known.lore.facts
    assert audited(own).complaints


def test_a_changed_file_is_complained_of(dataset: Path, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(dataset, own)
    (own / LORE_FILE).unlink()
    with pytest.raises(BadInput, match="was not opened"):
        CricInspector(_other(open_dataset(own))).known  # noqa: B018


def _other(manifest: Any) -> Any:
    """A manifest of a dataset that nobody has."""
    record = manifest.files[LORE_FILE]
    manifest.files[LORE_FILE] = type(record)(0, 1, "0" * 64)
    return manifest


def test_a_part_of_a_dataset_has_the_file_too(dataset: Path, tmp_path: Path) -> None:
    take_subset(dataset, tmp_path / "half", share=0.5)
    assert (tmp_path / "half" / LORE_FILE).read_bytes() == (dataset / LORE_FILE).read_bytes()
    assert audited(tmp_path / "half").complaints == []


# Auditing


def test_an_audit_finds_nothing_wrong_and_tells_both_distributions(dataset: Path) -> None:
    found = audited(dataset)
    assert found.complaints == []
    told = [row for sheet in found.sheets for row in sheet.rows]
    drawn, kept = (next(row for row in told if row[1] == when) for when in ("drawn", "kept"))
    assert (drawn[0], int(drawn[3]) >= int(kept[3])) == ("QueryAtt color", True)
    assert int(drawn[2]) > int(kept[2]) > 5
    assert [row[:2] for row in told[-1:]] == [("all", f"{5 * sum(SPLITS.values())}")]
    gates = {gate.name: gate for gate in found.gates}
    assert gates["the one thing spoken of is none or several"].of > 50
    assert gates["guessed by words: all"].most == 0.6018


def no_reason(row: dict[str, Any]) -> None:
    row["wrong_part"] = "" if row["answer"] == "no" else json.dumps({"kind": "attribute", "asked": "red", "step": 1})


def other_reason(row: dict[str, Any]) -> None:
    if row["answer"] == "no":
        row["wrong_part"] = json.dumps({"kind": "attribute", "asked": "red", "instead": "odd", "step": 0})


def false_item(row: dict[str, Any]) -> None:
    row["sub_graph"] = json.dumps({"knowledge": [["moon", "UsedFor", "cutting food", 1]]})


def false_word(row: dict[str, Any]) -> None:
    row["sub_graph"] = json.dumps({"attributes": [["0", "odd"]]})


@pytest.mark.parametrize(
    ("change", "complained"),
    [
        (lambda row: row.update(definite=[0]), "the one thing spoken of"),
        (lambda row: row.update(target=[0, 1]), "targets"),
        (no_reason, "reasons"),
        (other_reason, "reasons"),
        (false_item, "sub-graphs"),
        (false_word, "sub-graphs"),
    ],
)
def test_what_is_noted_wrongly_is_found(
    dataset: Path, tmp_path: Path, change: Callable[[dict[str, Any]], None], complained: str
) -> None:
    own = changed(dataset, tmp_path / "own", "questions", change)
    assert any(complained in complaint for complaint in audited(own).complaints)


def test_a_column_that_holds_nothing_is_told(dataset: Path, tmp_path: Path) -> None:
    own = changed(dataset, tmp_path / "own", "questions", lambda row: row.update(definite=None))
    assert any("'train-000000-00', field 'definite'" in complaint for complaint in audited(own).complaints)


def test_what_only_some_would_say_must_change_nothing(dataset: Path, tmp_path: Path) -> None:
    def doubt(row: dict[str, Any]) -> None:
        record = json.loads(row["scene"])
        for thing in record["graph"]["things"]:
            thing["unclear"] = {"color": ["red", "blue", "white", "brown", "black", "green"]}
        row["scene"] = json.dumps(record)

    own = changed(dataset, tmp_path / "own", "scenes", doubt)
    assert any("unclear" in complaint for complaint in audited(own).complaints)


def changed(dataset: Path, own: Path, kind: str, change: Callable[[dict[str, Any]], None]) -> Path:
    """A copy in which every row of a kind is changed, sealed anew."""
    shutil.copytree(dataset, own)
    manifest = open_dataset(own)
    for path in sorted((own / kind).iterdir()):
        table = read_table(path)
        found = table.to_pylist()
        for row in found:
            change(row)
        write_table(path, {name: [row[name] for row in found] for name in table.column_names}, table.schema)
        manifest.files[f"{kind}/{path.name}"] = record_file(path)
    write_manifest(own, manifest)
    return own


def test_scenes_with_the_same_graph_are_twins(dataset: Path) -> None:
    inspector, row = inspector_of(open_dataset(dataset)), rows(dataset, "scenes")[0]
    record = json.loads(row["scene"])
    record["graph"]["image_id"] = "another"
    assert inspector.twin({**row, "scene": json.dumps(record)}) == inspector.twin(row)
    record["graph"]["things"][0]["name"] = "moon"
    assert inspector.twin({**row, "scene": json.dumps(record)}) != inspector.twin(row)


# Scenes and knowledge of others


def graphs_file(folder: Path, pictures: int = 4) -> Path:
    """Scene graphs in GQA's manner, with a relation to something that is not there."""
    things = ["knife", "bread", "plate", "cup", "table"]
    graphs: dict[str, Any] = {}
    for number in range(pictures):
        objects: dict[str, Any] = {
            f"{number}{place}": {
                **dict(zip("xywh", (10 * place, 5, 9, 9), strict=True)),
                "name": name,
                "attributes": [("white", "brown", "black")[(number + place) % 3]],
                "relations": [{"name": "to the left of", "object": f"{number}{place + 1}"}] if place < 4 else [],
            }
            for place, name in enumerate(things)
        }
        graphs[str(number)] = {"width": 100, "height": 80, "objects": objects}
    graphs["0"]["objects"]["00"]["relations"].append({"name": "on", "object": "nowhere"})
    path = folder / "graphs.json"
    path.write_text(json.dumps(graphs))
    return path


def triples_file(folder: Path, *rows: str) -> Path:
    path = folder / "triples.tsv"
    path.write_text("\n".join(rows))
    return path


KNOWN = (
    "UsedFor\tknife\tcut food",
    "UsedFor\tsaw\tcut food",
    "AtLocation\tbread\tbakery",
    "AtLocation\tcake\tbakery",
    "UsedFor\tcup\tdrink water",
    "UsedFor\tglass\tdrink water",
    "UsedFor\tplate",
)


def test_graphs_and_knowledge_of_others_become_a_dataset(mereo: CommandLine, tmp_path: Path) -> None:
    graphs, known, out = graphs_file(tmp_path), triples_file(tmp_path, *KNOWN), tmp_path / "set"
    done = mereo("build", "cric", out, "--scene-graphs", graphs, "--knowledge", known)
    assert "nowhere" in done.err
    assert "line 7" in done.err
    manifest = open_dataset(out)
    assert manifest.settings["knowledge"] == "triples.tsv"
    assert manifest.settings["scenes_from"] == "graphs.json"
    assert sum(manifest.scenes.values()) == 4
    assert sum(manifest.questions.values()) > 4
    for path in (graphs, known):
        path.unlink()
    assert audited(out).complaints == []
    mereo("build", "cric", tmp_path / "more", "--scene-graphs", graphs_file(tmp_path), "--strict", code=2)
    assert not (tmp_path / "more").exists()


@pytest.mark.parametrize(
    ("choices", "sentence"),
    [
        (("--scene-graphs", "nowhere.json"), "nowhere.json"),
        (("--scene-graphs", "graphs.json", "--knowledge", "nowhere.tsv"), "there is no such file"),
        (("--scene-graphs", "graphs.json", "--knowledge", "other.tsv"), "says nothing about any thing"),
        (("--scene-graphs", "empty.json"), "empty.json"),
        (("--scene-graphs", "dull.json"), "nothing can be asked"),
        (("--images", "."), "goes with scene graphs"),
    ],
)
def test_what_cannot_be_built_is_one_sentence_and_leaves_nothing(
    choices: tuple[str, ...], sentence: str, mereo: CommandLine, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    graphs_file(tmp_path)
    (tmp_path / "other.tsv").write_text("UsedFor\tmoon\tshine\n")
    (tmp_path / "empty.json").write_text("{}")
    thing = {"name": "sky", "x": 0, "y": 0, "w": 9, "h": 9, "attributes": [], "relations": []}
    (tmp_path / "dull.json").write_text(json.dumps({"1": {"width": 9, "height": 9, "objects": {"1": thing}}}))
    assert sentence in mereo("build", "cric", "set", *choices, code=2).err
    assert not (tmp_path / "set").exists()


# Scenes of our own


def test_own_scenes_are_built_and_asked_about(mereo: CommandLine, tmp_path: Path) -> None:
    out = tmp_path / "set"
    mereo("build", "cric", out, "--symbolic", "--split", "test=1")
    assert audited(out).complaints == []
    manifest = open_dataset(out)
    assert manifest.questions == {"test": 5}
    assert manifest.settings["knowledge"] == "embedded"


# Commands


def test_a_dataset_is_shown_answered_and_guessed(dataset: Path, mereo: CommandLine, tmp_path: Path) -> None:
    own = tmp_path / "own"
    shutil.copytree(dataset, own)
    assert "VerifyAtt" in mereo("audit", own).out
    assert mereo("show", own).out
    assert "100" in mereo("oracle", own).out
    assert mereo("baseline", own).out
    assert set(CRIC_FIELDS.names) == set(read_table(own / "questions" / "test-00000.parquet").column_names)


def test_what_comes_with_mereo_is_told_and_drawn(mereo: CommandLine, tmp_path: Path) -> None:
    told = mereo("knowledge", "--plot", tmp_path / "degrees.svg").out
    assert "UsedFor" in told
    assert "parsed" in told
    assert "as graphs" in told
    assert (tmp_path / "degrees.svg").read_text().startswith("<svg")


def test_a_file_of_knowledge_is_told_with_the_rows_that_cannot_be_read(mereo: CommandLine, tmp_path: Path) -> None:
    path = tmp_path / "triples.tsv"
    path.write_text("UsedFor\tknife\tcut food\nNonsense\ta\tb\nUsedFor\tonly\n")
    told = mereo("knowledge", path).out
    assert "3 rows, 1 kept" in told
    assert "line 2" in told
    assert "line 3" in told
    assert "line 2" in mereo("knowledge", path, "--strict", code=2).err


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("knowledge", "nowhere.tsv"), "there is no such file"),
        (("knowledge", "--plot", "degrees.png"), "must end in .svg"),
    ],
)
def test_what_a_person_gets_wrong_is_one_sentence(
    arguments: tuple[str, ...], sentence: str, mereo: CommandLine
) -> None:
    assert sentence in mereo(*arguments, code=2).err
