"""Whatever a person gets wrong: one sentence on standard error, exit code 2, no traceback, nothing left behind."""

from __future__ import annotations

import json
import random
import re
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kit import CommandLine, complaint, questions, scene_file
from mereo.benchmarks.benchmark import find_format
from mereo.clevr_family.language import VOCABULARY
from mereo.datasets.verify import verify_files

TYPES = {name.capitalize(): list(VOCABULARY.words(name)) for name in VOCABULARY.attributes}
METADATA = {"dataset": "CLEVR-v1.0", "types": {**TYPES, "Relation": list(VOCABULARY.relations)}}


def template(**changes: Any) -> dict[str, Any]:
    """How many red cubes?"""
    return {
        "text": ["How many <C> <S>s?"],
        "nodes": [
            {"type": "scene", "inputs": []},
            {"type": "filter_count", "inputs": [0], "side_inputs": ["<C>", "<S>"]},
        ],
        "params": [{"type": "Color", "name": "<C>"}, {"type": "Shape", "name": "<S>"}],
        "constraints": [],
        **changes,
    }


UNFILLABLE = template(
    text=["What shape is the <C> thing?"],
    nodes=[
        {"type": "scene", "inputs": []},
        {"type": "filter_unique", "inputs": [0], "side_inputs": ["<C>", "<S>"]},
        {"type": "filter_unique", "inputs": [0], "side_inputs": ["<C2>"]},
        {"type": "equal_object", "inputs": [1, 2]},
    ],
    params=[
        {"type": "Color", "name": "<C>"},
        {"type": "Shape", "name": "<S>"},
        {"type": "Color", "name": "<C2>"},
    ],
    constraints=[
        {"type": "NULL", "params": ["<S>"]},
        {"type": "NULL", "params": ["<C>"]},
        {"type": "NULL", "params": ["<C2>"]},
    ],
)
"""Two things that may not be described at all, in scenes of several."""


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder of good and bad files, in which the command runs."""
    scenes = scene_file(2)
    asked = [
        {"image_index": number // 10, "program": one.nodes, "answer": one.question.answer}
        for number, one in enumerate(questions("our", 2))
    ]
    write(tmp_path, "scenes.json", scenes)
    write(tmp_path, "questions.json", {"questions": asked})
    write(tmp_path, "metadata.json", METADATA)
    write(tmp_path, "templates/good.json", [template()])
    write(tmp_path, "unbound/bad.json", [template(), template(text=["How many <X>?"])])
    write(tmp_path, "unknown/bad.json", [template(nodes=[{"type": "scen", "inputs": []}])])
    write(tmp_path, "unfillable/bad.json", [UNFILLABLE])
    write(tmp_path, "world.json", {"world": 1, "attributes": {}, "entities": [{"id": "a"}, {"id": "a"}]})
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty.json").write_bytes(b"")
    (tmp_path / "broken.json").write_text('{"scenes": [],\n "questions": [],, }')
    (tmp_path / "broken_templates").mkdir()
    (tmp_path / "broken_templates" / "bad.json").write_text('[\n  {"text": ]')
    (tmp_path / "latin.json").write_bytes(b'{"scenes": ["caf\xe9"]}')
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine.txt").write_text("mine")
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write(folder: Path, name: str, content: Any) -> None:
    (folder / name).parent.mkdir(exist_ok=True)
    (folder / name).write_text(json.dumps(content))


def snapshot(folder: Path) -> dict[str, bytes | None]:
    return {str(path): path.read_bytes() if path.is_file() else None for path in sorted(folder.rglob("*"))}


RUN = "run --world {} --scene 0 count(scene())"
VERIFY = "verify --scenes {} --questions questions.json"
VERIFY_QUESTIONS = "verify --scenes scenes.json --questions {}"
QUESTIONS = "questions --scenes {} --templates templates --metadata metadata.json --out out.json"
METADATAS = "questions --scenes scenes.json --templates templates --metadata {} --out out.json"
SYNONYMS = "questions --scenes scenes.json --templates templates --metadata metadata.json --synonyms {} --out out.json"
TEMPLATES = "questions --scenes scenes.json --templates {} --metadata metadata.json --out out.json"
READERS = [RUN, VERIFY, VERIFY_QUESTIONS, QUESTIONS, METADATAS, SYNONYMS]
"""Every command that reads a JSON file, with a place for its name."""


def refused(mereo: CommandLine, folder: Path, command: str) -> str:
    """Run a command that must fail as bad input does, and give its sentence."""
    before = snapshot(folder)
    done = mereo(*command.split(" "), code=2)
    assert done.out == ""
    assert done.err.endswith("\n")
    (line,) = done.err.splitlines()
    assert line.startswith("mereo: ")
    assert snapshot(folder) == before
    return line.removeprefix("mereo: ")


@pytest.mark.parametrize("command", READERS)
def test_a_missing_file_is_named(mereo: CommandLine, folder: Path, command: str) -> None:
    assert refused(mereo, folder, command.format("nowhere.json")) == "nowhere.json: there is no such file"


@pytest.mark.parametrize("command", [RUN, VERIFY_QUESTIONS, METADATAS, SYNONYMS])
def test_a_folder_in_the_place_of_a_file_is_named(mereo: CommandLine, folder: Path, command: str) -> None:
    assert refused(mereo, folder, command.format("empty")) == "empty: is a folder, not a file"


@pytest.mark.parametrize("command", [VERIFY, QUESTIONS, TEMPLATES])
def test_an_empty_folder_is_named(mereo: CommandLine, folder: Path, command: str) -> None:
    assert refused(mereo, folder, command.format("empty")) == "empty: holds no .json file"


def test_a_folder_that_is_not_there_is_named(mereo: CommandLine, folder: Path) -> None:
    assert refused(mereo, folder, TEMPLATES.format("nowhere")) == "nowhere: there is no such folder"
    assert refused(mereo, folder, "show nowhere") == "nowhere: there is no such folder"
    assert refused(mereo, folder, "show empty") == "empty: is not a dataset: it has no dataset.json"


@pytest.mark.parametrize("command", READERS)
@pytest.mark.parametrize(
    ("file", "reason"),
    [
        ("broken.json", r"is not JSON: .* at line 2, column 18"),
        ("empty.json", r"is not JSON: the file is empty"),
    ],
)
def test_unreadable_json_is_named_with_line_and_column(
    mereo: CommandLine, folder: Path, command: str, file: str, reason: str
) -> None:
    assert re.fullmatch(rf"{re.escape(file)}: {reason}", refused(mereo, folder, command.format(file)))


@pytest.mark.parametrize("command", [RUN, VERIFY, QUESTIONS, METADATAS, SYNONYMS])
def test_what_is_not_utf8_is_said_to_be(mereo: CommandLine, folder: Path, command: str) -> None:
    sentence = refused(mereo, folder, command.format("latin.json"))
    assert sentence.startswith("latin.json: is not JSON: not UTF-8 at line 1, column ")


@pytest.mark.parametrize("command", READERS)
def test_json_of_something_else_is_named(mereo: CommandLine, folder: Path, command: str) -> None:
    (folder / "list.json").write_text("[1, 2]")
    assert re.match(r"list\.json(, field '[^']+')?: ", refused(mereo, folder, command.format("list.json")))


@pytest.mark.parametrize(
    ("program", "sentence"),
    [
        ("count(scen())", "program, step 0: clevr has no function 'scen' (did you mean 'scene'?)"),
        (
            "count(unique(scene()))",
            "program, step 2 (count): input 1 must be ObjectSet, but unique gives Object",
        ),
        (
            "filter_color[rad](scene())",
            "program, step 1 (filter_color[rad]): 'rad' is not a Color (did you mean 'red'?)",
        ),
        ("count(scene()", "program: at its end: expected ')'"),
        ("count(scene()))", "program: column 15 (at ')'): the program should end here"),
        ("query_color(unique(scene()))", "program, step 1 (unique): expected exactly one, and 5 are referred to"),
    ],
)
def test_a_program_that_cannot_be_run_is_said_to_be(
    mereo: CommandLine, folder: Path, program: str, sentence: str
) -> None:
    scenes = scene_file(12)
    five = next(i for i, scene in enumerate(scenes["scenes"]) if len(scene["objects"]) == 5)
    write(folder, "many.json", scenes)
    assert refused(mereo, folder, f"run --world many.json --scene {five} {program}") == sentence


@pytest.mark.parametrize(
    ("command", "sentence"),
    [
        ("functions clvr", "there is no language 'clvr' (did you mean 'clevr'?)"),
        (
            "run --world scenes.json --language clvr count(scene())",
            "there is no language 'clvr' (did you mean 'clevr'?)",
        ),
        (
            VERIFY.format("scenes.json") + " --language x",
            "there is no language with official files 'x' (there is: clevr",
        ),
        (QUESTIONS.format("scenes.json") + " --language clvr", "there is no language with official files 'clvr'"),
        ("build clver out --symbolic", "there is no benchmark 'clver' (did you mean 'clevr'?)"),
        ("run --world scenes.json count(scene())", "scenes.json: has 2 scenes: say which with --scene, from 0 to 1"),
        ("run --world scenes.json --scene 2 count(scene())", "scenes.json: has 2 scenes, none of which is number 2"),
        ("run --world scenes.json --scene -1 count(scene())", "scenes.json: has 2 scenes, none of which is number -1"),
        ("run --world world.json count(scene())", "world.json, entity 1 ('a'), field 'id': the id is already"),
    ],
)
def test_a_name_that_does_not_exist_is_said_with_the_nearest(
    mereo: CommandLine, folder: Path, command: str, sentence: str
) -> None:
    assert refused(mereo, folder, command).startswith(sentence)


def test_a_metadata_file_of_an_unknown_family_is_named(mereo: CommandLine, folder: Path) -> None:
    write(folder, "other.json", {**METADATA, "dataset": "CLEVR-v2.0"})
    sentence = refused(mereo, folder, METADATAS.format("other.json"))
    assert sentence.startswith("there is no template family for the dataset 'CLEVR-v2.0' (did you mean 'CLEVR-v1.0'?)")
    write(folder, "none.json", {"types": {}})
    assert refused(mereo, folder, METADATAS.format("none.json")).startswith("none.json, field 'dataset': ")


def test_a_template_with_an_unbound_hole_is_named(mereo: CommandLine, folder: Path) -> None:
    reason = "the text 'How many <X>?' has the hole <X>, which params does not bind"
    sentence = refused(mereo, folder, TEMPLATES.format("unbound"))
    assert sentence == f"unbound/bad.json, template 1, field 'text': {reason}"


def test_a_template_with_an_unknown_function_is_named(mereo: CommandLine, folder: Path) -> None:
    assert refused(mereo, folder, TEMPLATES.format("unknown")) == (
        "unknown/bad.json, template 0, field 'nodes': node 0: there is no function 'scen' (did you mean 'scene'?)"
    )


def test_an_unreadable_template_file_is_named(mereo: CommandLine, folder: Path) -> None:
    sentence = refused(mereo, folder, TEMPLATES.format("broken_templates"))
    assert re.fullmatch(r"broken_templates/bad\.json: is not JSON: .* at line 2, column 12", sentence)


def test_templates_that_no_scene_can_fill_say_what_stood_in_the_way(mereo: CommandLine, folder: Path) -> None:
    sentence = refused(mereo, folder, TEMPLATES.format("unfillable"))
    assert sentence == (
        "none of the 1 templates can be asked of these scenes: nothing fits {<C> <S>} (unique) (2 times)"
    )


def test_output_is_never_put_where_it_does_not_belong(mereo: CommandLine, folder: Path) -> None:
    good = "questions --scenes scenes.json --templates templates --metadata metadata.json --out "
    assert refused(mereo, folder, good + "full") == "full: is a folder, not a file"
    assert refused(mereo, folder, good + "scenes.json/out.json").startswith("scenes.json/out.json: cannot be written")
    assert refused(mereo, folder, "build clevr full --symbolic").startswith("full: is not empty: ")
    assert refused(mereo, folder, "build clevr full --symbolic --resume").startswith("full: holds no unfinished build")
    assert refused(mereo, folder, "build clevr scenes.json --symbolic") == "scenes.json: is a file, not a folder"
    assert "cannot be written" in refused(mereo, folder, "build clevr scenes.json/out --symbolic")


def changed(*path: str | int, to: Any) -> Callable[[Any], None]:
    def change(content: Any) -> None:
        for key in path[:-1]:
            content = content[key]
        content[path[-1]] = to

    return change


FIRST = ("scenes", 0, "objects", 1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (changed(*FIRST, "color", to="rad"), "scene 0, entity 1 ('1'), field 'color': 'rad' is not a color"),
        (changed(*FIRST, "color", to=None), "scene 0, object 1, field 'color': is missing"),
        (changed(*FIRST, "color", to=3), "scene 0, object 1, field 'color': must be a word"),
        (changed(*FIRST, "3d_coords", to=[1, "x", 2]), "scene 0, object 1, field '3d_coords': 'x' is not a finite"),
        (changed(*FIRST, to="cube"), "scene 0, object 1: must be an object with fields"),
        (changed("scenes", 0, "objects", to=None), "scene 0, field 'objects': must be a list"),
        (
            changed("scenes", 0, "relationships", "left", 1, to=[99]),
            "scene 0, object 1, field 'relationships.left': there is no object 99",
        ),
        (
            changed("scenes", 0, "relationships", "left", to=[]),
            "scene 0, field 'relationships.left': must have one list for each of the ",
        ),
        (changed("scenes", 0, "relationships", to=[]), "scene 0, field 'relationships': must be an object"),
        (changed("scenes", to={}), "field 'scenes': must be a list of scenes"),
    ],
)
@pytest.mark.parametrize("command", [RUN, VERIFY, QUESTIONS])
def test_a_mistake_in_a_scene_names_file_scene_object_and_field(
    mereo: CommandLine, folder: Path, command: str, change: Callable[[Any], None], sentence: str
) -> None:
    scenes = scene_file(2)
    change(scenes)
    write(folder, "wrong.json", scenes)
    assert refused(mereo, folder, command.format("wrong.json")).startswith(f"wrong.json, {sentence}")


NODE = ("questions", 3, "program", 1)


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (
            changed(*NODE, "type", to="filter_colour"),
            "question 3: program, step 1: clevr has no function 'filter_colour'",
        ),
        (changed(*NODE, "inputs", to=[4]), "question 3, field 'program': step 1 ("),
        (changed(*NODE, "inputs", to=[]), "question 3: program, step 1 ("),
        (changed(*NODE, "inputs", to="x"), "field 'questions[3].program[1].inputs': expected `array`, got `str`"),
        (changed("questions", 3, "image_index", to=99), "question 3, field 'image_filename': asks about 99"),
        (changed("questions", 3, "program", to=[]), "question 3, field 'program': a program has at least one step"),
        (changed("questions", 3, to={}), "field 'questions[3]': object missing required field `program`"),
    ],
)
def test_a_mistake_in_a_question_names_file_question_and_step(
    mereo: CommandLine, folder: Path, change: Callable[[Any], None], sentence: str
) -> None:
    content = json.loads((folder / "questions.json").read_text())
    change(content)
    write(folder, "wrong.json", content)
    assert refused(mereo, folder, VERIFY_QUESTIONS.format("wrong.json")).startswith(f"wrong.json, {sentence}")


anything = st.one_of(
    *(st.none(), st.booleans(), st.integers(-3, 99), st.floats(), st.text(max_size=3)),
    *map(st.just, ([], {}, [[]], ["a"], [0], {"a": 1})),
)


@settings(max_examples=200)
@given(st.randoms(use_true_random=False), anything)
def test_another_value_anywhere_in_a_question_file_is_a_verdict_or_a_sentence(
    chance: random.Random, value: Any
) -> None:
    content = json.loads(json.dumps({"questions": [{"program": one.nodes} for one in questions("our", 1)]}))
    for number, question in enumerate(content["questions"]):
        question |= {"image_index": 0, "image_filename": "CLEVR_test_000000.png", "answer": number}
    place = content
    while True:
        key = chance.choice(list(place) if isinstance(place, dict) else range(len(place)))
        if not isinstance(place[key], dict | list) or not place[key] or chance.random() < 0.2:
            break
        place = place[key]
    place[key] = value
    said = complaint(lambda: verified(content))
    assert said is None or ("questions.json" in said and "\n" not in said)


def verified(content: Any) -> object:
    """Verify questions against the first of our scenes, through real files."""
    known = find_format("clevr")
    with tempfile.TemporaryDirectory() as folder:
        scenes, asked = Path(folder, "scenes.json"), Path(folder, "questions.json")
        scenes.write_text(json.dumps(scene_file(1)))
        asked.write_text(json.dumps(content))
        return verify_files(scenes, asked, known)
