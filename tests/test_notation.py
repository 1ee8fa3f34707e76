"""The one-line notation: what is printed is read back as the same program, and a slip is reported where it stands."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st
from mereo.datasets.formats.clevr_family import PLAIN, write_nodes

from kit import complaint, questions
from mereo.errors import BadInput
from mereo.programs import Program, Step, format_step, parse_program
from mereo.programs.notation import parse_steps
from strategies import programs


@given(programs())
@example(Program((Step("f", (), ("true", "null", "NaN", "", " a", "a ", "1", "-", "a,b", "a]b", '"', "$1", "<A>")),)))
@example(Program((Step("f", (), (True, None, 1, 1.0, -0.0, 1e300, [], {}, [1, {"a": [None]}], float("inf"))),)))
@example(Program((Step("f", (), ("two words", "Ärger", "semi;colon", "(", "tab\there", "new\nline", "back\\slash")),)))
@example(Program((Step("a"), Step("b", (0, 0)), Step("c", (1, 0, 1)))))
def test_a_program_is_read_back_as_it_was_printed(program: Program) -> None:
    line = str(program)
    again = parse_program(line)
    # repr tells 1 from True and from 1.0, which == does not
    assert repr(again) == repr(program)
    assert str(again) == line
    assert "\n" not in line


def test_the_notation_is_what_people_write() -> None:
    line = "count(filter_color[red](relate[left](unique(filter_shape[cube](scene())))))"
    program = parse_program(line)
    assert str(program) == line
    assert [step.function for step in program.steps] == [
        "scene",
        "filter_shape",
        "unique",
        "relate",
        "filter_color",
        "count",
    ]
    assert program.steps[3] == Step("relate", (2,), ("left",))


def test_a_step_that_several_use_is_named_once_and_runs_once() -> None:
    line = "$1 = unique(scene()); equal_size(query_size($1), query_size($1))"
    program = parse_program(line)
    assert [step.inputs for step in program.steps] == [(), (0,), (1,), (1,), (2, 3)]
    assert str(program) == line


@pytest.mark.parametrize(
    ("line", "written"),
    [
        ("$1 = a(); $2 = b(); $1", "a()"),
        ("$1 = a(); $1", "a()"),
        ("$1 = a(); $2 = f($1); $3 = g($2, $1); $2", "f(a())"),
        ("$1 = a(); $2 = $1; $3 = b(); g($2, $1)", "$1 = a(); g($1, $1)"),
    ],
)
def test_the_answer_is_what_stands_last_also_if_it_was_named_before(line: str, written: str) -> None:
    program, columns = parse_steps(line)
    assert str(program) == written
    assert program == parse_program(line) == parse_program(written)
    assert [line[column] for column in columns] == [step.function for step in program.steps]
    assert write_nodes(program, PLAIN)[-1]["type"] == program.steps[-1].function


def test_equal_steps_that_stand_apart_stay_apart() -> None:
    program = parse_program("union(scene(), scene())")
    assert len(program) == 3
    assert str(program) == "union(scene(), scene())"


def test_a_step_that_nothing_needs_is_left_out() -> None:
    program = Program((Step("scene"), Step("count", (0,)), Step("exist", (0,))))
    assert str(program) == "exist(scene())"
    assert len(program.canonical()) == 2


def test_an_exchanged_step_takes_what_only_it_needed_with_it() -> None:
    program = parse_program("count(filter_color[red](relate[left](unique(scene()))))")
    (relation,) = (i for i, step in enumerate(program.steps) if step.function == "relate")
    assert str(program.replaced(relation, Step("scene"))) == "count(filter_color[red](scene()))"


def test_space_may_stand_between_all_signs() -> None:
    loose = "\n count ( filter_color [ red ] ( union ( scene ( ) , scene() ) ) ) \n"
    assert str(parse_program(loose)) == "count(filter_color[red](union(scene(), scene())))"


def test_the_programs_of_all_generated_questions_survive_the_notation() -> None:
    for one in questions("our", 60):
        assert parse_program(str(one.question.program)) == one.question.program.canonical()


def test_one_step_is_shown_without_its_inputs() -> None:
    assert format_step(Step("filter_color", (3,), ("red",))) == "filter_color[red]"
    assert format_step(Step("f", (), ("two words", 3, ["a"]))) == 'f[two words, 3, ["a"]]'
    assert format_step(Step("scene")) == "scene"


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "program: at its end: expected a function's name"),
        ("count(scene()", "program: at its end: expected ')'"),
        ("count", "program: at its end: expected '('"),
        ("count(scene())) ", "program: column 15 (at ') '): the program should end here"),
        ("count(scene(),)", "program: column 15 (at ')'): expected a function's name"),
        ("union(scene() scene())", "program: column 15 (at 'scene())'): expected ','"),
        ("filter_color[](scene())", "program: column 14 (at '](scene())'): expected a value: a plain word, or JSON"),
        ("filter_color[red(scene())", "program: column 17 (at '(scene())'): expected ']'"),
        ('f["open](scene())', "program: column 3 (at '\"open](scene'): expected a value: a plain word, or JSON"),
        ("3(scene())", "program: column 1 (at '3(scene())'): expected a function's name"),
        ("$1 scene(); count($1)", "program: column 4 (at 'scene(); cou'): expected '='"),
        ("$1 = scene() count($1)", "program: column 14 (at 'count($1)'): expected ';'"),
    ],
)
def test_a_slip_is_reported_with_its_column(text: str, sentence: str) -> None:
    with pytest.raises(BadInput) as caught:
        parse_program(text)
    if sentence.endswith("expected ','"):  # whichever of the two signs that could follow is named
        assert str(caught.value).startswith(sentence.removesuffix("expected ','"))
    else:
        assert str(caught.value) == sentence


@pytest.mark.parametrize("text", ["count($1)", "$1 = scene(); count($2)", "$1 = a(); $1 = b(); c($1)"])
def test_a_shared_step_must_be_given_once_and_before_it_is_used(text: str) -> None:
    with pytest.raises(BadInput, match=r"^program: column \d+ .*\$\d is (not given before|given twice)"):
        parse_program(text)


def test_absurd_nesting_is_refused_and_not_a_crash() -> None:
    with pytest.raises(BadInput, match="nested deeper than 200"):
        parse_program("f(" * 50_000)
    with pytest.raises(BadInput, match="expected a value"):
        parse_program("f[" + "[" * 100_000)


@given(st.text(alphabet="ab(),[]{};$1=\"' \\<>0.-ä\n", max_size=30))
def test_any_text_is_a_program_or_one_sentence(text: str) -> None:
    said = complaint(lambda: parse_program(text))
    assert said is None or re.match(r"program: (column \d+ \(at |at its end: )", said)


@given(programs(), st.data())
def test_a_damaged_line_is_a_program_or_one_sentence(program: Program, data: st.DataObject) -> None:
    line = str(program)
    at = data.draw(st.integers(0, len(line) - 1))
    damaged = line[:at] + data.draw(st.sampled_from(["", "(", ")", "]", "[", ",", '"', "$", ";", "x"])) + line[at + 1 :]
    said = complaint(lambda: parse_program(damaged))
    assert said is None or said.startswith("program: ")


def test_a_program_is_made_of_steps_that_come_before_their_use() -> None:
    with pytest.raises(ValueError, match=r"step 0 \(count\) takes a step that does not come before it"):
        Program((Step("count", (0,)),))
    with pytest.raises(ValueError, match="at least one step"):
        Program(())
