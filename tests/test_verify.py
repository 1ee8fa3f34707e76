"""`mereo verify` agrees with what the official generator wrote, in all its spellings, and finds what does not agree."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kit import CommandLine, questions, scene_file
from mereo.benchmarks.benchmark import find_format
from mereo.datasets.answers import plain_answer
from mereo.datasets.verify import verify_files

Record = dict[str, Any]


def question_file(scenes: int) -> Record:
    """Questions of our own about the scenes of `scene_file`, in the official format."""
    asked = questions("our", scenes)
    return {
        "questions": [
            {
                "question": one.question.text,
                "image_index": number // 10,
                "image_filename": f"CLEVR_test_{number // 10:06d}.png",
                "program": one.nodes,
                "answer": one.question.answer,
            }
            for number, one in enumerate(asked)
        ]
    }


class Files:
    """A scene and a question file that agree, to be changed."""

    def __init__(self, folder: Path):
        self.folder = folder
        self.scenes, self.questions = scene_file(5), json.loads(json.dumps(question_file(5)))

    def write(self) -> list[str | Path]:
        """Write both and give the arguments that name them."""
        scenes, asked = self.folder / "scenes.json", self.folder / "questions.json"
        scenes.write_text(json.dumps(self.scenes))
        asked.write_text(json.dumps(self.questions))
        return ["--scenes", scenes, "--questions", asked]

    def each(self, change: Callable[[Record], None]) -> None:
        for question in self.questions["questions"]:
            change(question)


@pytest.fixture
def files(tmp_path: Path) -> Files:
    return Files(tmp_path)


def test_files_of_the_official_generator_agree_completely(mereo: CommandLine, official_data: Path) -> None:
    samples = official_data / "official_samples"
    done = mereo(
        "verify",
        "--scenes",
        samples / "clevr_questions_scenes.json",
        "--questions",
        samples / "clevr_questions.json",
        "--language",
        "clevr",
    )
    steps = sum(len(one["program"]) for one in json.loads((samples / "clevr_questions.json").read_text())["questions"])
    assert done.out == f"answers: 50 of 50 (100%)\nsteps: {steps} of {steps} (100%)\n"


def test_our_own_questions_agree_too(mereo: CommandLine, files: Files) -> None:
    done = mereo("verify", *files.write())
    assert re.fullmatch(r"answers: 50 of 50 \(100%\)\nsteps: (\d+) of \1 \(100%\)\n", done.out)


def spell_function(question: Record) -> None:
    for node in question["program"]:
        node["function"] = node.pop("type")


def spell_side_inputs(question: Record) -> None:
    for node in question["program"]:
        node["side_inputs"] = node.pop("value_inputs")


def drop_empty_values(question: Record) -> None:
    for node in question["program"]:
        if not node["value_inputs"]:
            del node["value_inputs"]


def say_yes_and_digits(question: Record) -> None:
    answer = question["answer"]
    question["answer"] = {True: "yes", False: "no"}[answer] if isinstance(answer, bool) else str(answer)


def say_true(question: Record) -> None:
    question["answer"] = str(question["answer"])


def name_by_index(question: Record) -> None:
    del question["image_filename"]


def name_by_file(question: Record) -> None:
    del question["image_index"]


@pytest.mark.parametrize(
    "spelling",
    [
        spell_function,
        spell_side_inputs,
        drop_empty_values,
        say_yes_and_digits,
        say_true,
        name_by_index,
        name_by_file,
    ],
)
def test_all_spellings_of_the_same_are_read(
    mereo: CommandLine, files: Files, spelling: Callable[[Record], None]
) -> None:
    files.each(spelling)
    assert "answers: 50 of 50 (100%)" in mereo("verify", *files.write()).out


def test_a_file_without_outputs_or_answers_is_judged_by_what_it_has(mereo: CommandLine, files: Files) -> None:
    def drop_outputs(question: Record) -> None:
        for node in question["program"]:
            del node["_output"]

    files.each(drop_outputs)
    assert mereo("verify", *files.write()).out == "answers: 50 of 50 (100%)\nsteps: none in the file\n"
    files.each(lambda question: question.pop("answer"))
    assert mereo("verify", *files.write()).out == "answers: none in the file\nsteps: none in the file\n"


def test_scenes_may_be_a_folder_of_one_scene_files(mereo: CommandLine, files: Files, tmp_path: Path) -> None:
    arguments = files.write()
    (tmp_path / "folder").mkdir()
    for number, scene in enumerate(files.scenes["scenes"]):
        (tmp_path / "folder" / f"{number}.json").write_text(json.dumps(scene))
    assert "50 of 50" in mereo("verify", "--scenes", tmp_path / "folder", *arguments[2:]).out


def test_relations_that_are_not_stored_are_computed(mereo: CommandLine, files: Files) -> None:
    for scene in files.scenes["scenes"]:
        del scene["relationships"]
    assert "50 of 50 (100%)" in mereo("verify", *files.write()).out


def other(answer: Any) -> Any:
    if isinstance(answer, bool):
        return not answer
    return answer + 1 if isinstance(answer, int) else {"small": "large"}.get(answer, "small")


@pytest.mark.parametrize("number", [0, 17, 49])
def test_one_wrong_answer_is_found_and_shown(mereo: CommandLine, files: Files, number: int) -> None:
    question = files.questions["questions"][number]
    right = question["answer"]
    question["answer"] = wrong = other(right)
    done = mereo("verify", *files.write(), code=1)
    answers, steps, shown = done.out.splitlines()
    assert answers == "answers: 49 of 50 (98.00%)"
    assert steps.endswith("(100%)")
    assert shown == f"question {number}: the file answers {json.dumps(wrong)}, we {json.dumps(right)}"


def test_one_wrong_step_is_found_and_shown(mereo: CommandLine, files: Files) -> None:
    node = files.questions["questions"][3]["program"][1]
    right = node["_output"]
    node["_output"] = [*right, 99]
    done = mereo("verify", *files.write(), code=1)
    answers, steps, shown = done.out.splitlines()
    assert answers == "answers: 50 of 50 (100%)"
    total = sum(len(question["program"]) for question in files.questions["questions"])
    assert steps.startswith(f"steps: {total - 1} of {total} (99.")
    assert shown.startswith("question 3, step 1 (")
    assert json.dumps(right, separators=(",", ":")) in shown


def test_any_single_change_of_an_output_is_found(files: Files, tmp_path: Path) -> None:
    """Of whatever kind the step is: sets, objects, numbers, words, truths."""
    kinds = set()
    for question in files.questions["questions"]:
        for node in question["program"]:
            kind = type(node["_output"]).__name__ + str(node["type"] == "unique")
            if kind in kinds:
                continue
            kinds.add(kind)
            right = node["_output"]
            node["_output"] = [*right, 7, 7] if isinstance(right, list) else other(right)
            arguments = files.write()
            found = find_format("clevr")
            agreement = verify_files(Path(arguments[1]), Path(arguments[3]), found)
            assert (agreement.perfect, agreement.steps - agreement.steps_right) == (False, 1)
            node["_output"] = right
    assert len(kinds) == 5


def test_many_disagreements_are_counted_and_the_first_are_shown(mereo: CommandLine, files: Files) -> None:
    files.each(lambda question: question.update(answer=other(question["answer"])))
    done = mereo("verify", *files.write(), "--show", "3", code=1)
    assert done.out.startswith("answers: 0 of 50 (0.00%)\n")
    assert done.out.endswith("… and 47 more\n")
    assert len(done.out.splitlines()) == 2 + 3 + 1


def test_a_program_that_has_no_answer_in_its_scene_is_a_disagreement(mereo: CommandLine, files: Files) -> None:
    nodes = [{"type": "scene", "inputs": []}, {"type": "unique", "inputs": [0]}, {"type": "query_size", "inputs": [1]}]
    files.questions["questions"][0].update(program=nodes, answer="small")
    done = mereo("verify", *files.write(), code=1)
    assert "answers: 49 of 50" in done.out
    assert "question 0: program, step 1 (unique): expected exactly one, and " in done.out


def test_ninety_nine_point_something_percent_is_never_called_a_hundred(mereo: CommandLine, files: Files) -> None:
    counting = [{"type": "scene", "inputs": []}, {"type": "count", "inputs": [0]}]
    objects = len(files.scenes["scenes"][0]["objects"])
    question = {"image_index": 0, "program": counting, "answer": objects}
    files.questions["questions"] = [question] * 20_100 + [{**question, "answer": objects + 1}]
    assert "answers: 20100 of 20101 (99.99%)" in mereo("verify", *files.write(), code=1).out


@pytest.mark.parametrize(
    ("one", "same"),
    [(True, "yes"), (False, "no"), (True, "True"), (3, "3"), ("Red ", "red"), ([1, 2], ["1", "2"])],
)
def test_answers_that_mean_the_same_are_the_same(one: Any, same: Any) -> None:
    assert plain_answer(one) == plain_answer(same)


@pytest.mark.parametrize(("one", "other"), [(True, 1), (False, 0), (True, "no"), (1, 2), ("red", "blue"), ([1], 1)])
def test_answers_that_differ_stay_different(one: Any, other: Any) -> None:
    assert plain_answer(one) != plain_answer(other)
