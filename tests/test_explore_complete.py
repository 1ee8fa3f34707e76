"""Typing a program: whatever comes next is offered, everything offered fits, and faults are told where they are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

pytest.importorskip("nicegui", reason="the explorer is not installed")

from mereo.benchmarks.benchmark import all_languages
from mereo.benchmarks.clevr.language import LANGUAGE as CLEVR
from mereo.benchmarks.ptr.language import LANGUAGE as PTR
from mereo.errors import MereoError
from mereo.explorer.complete import applicable, complete, fault_in
from mereo.programs import compile_program, parse_program

PROGRAMS = {
    CLEVR.name: [
        "count(filter_color[red](relate[left](unique(filter_shape[cube](scene())))))",
        "equal_integer(count(filter_size[large](scene())), count(same_size(unique(filter_color[cyan](scene())))))",
        "query_material(unique(union(filter_shape[sphere](scene()), intersect(scene(), filter_size[small](scene())))))",
    ],
    PTR.name: [
        "count_part(filter_part_category[arm vertical bar](own_parts(unique(filter_stability[stable](scene())))))",
        "exist_part(intersect_parts(relate_part[line-plane parallel](surface[back wall]()), expand_parts(scene())))",
        "count_object(filter_part_count[2](count_part(filter_part_category[leg](expand_parts(scene())))))",
    ],
}
LINES = [(name, line) for name, lines in PROGRAMS.items() for line in lines]


@pytest.mark.parametrize(("name", "line"), LINES)
def test_what_comes_next_is_always_offered(name: str, line: str) -> None:
    language = all_languages()[name]
    for match in re.finditer(r"[a-z_]+(?=[\[(])|(?<=\[)[^\]]+(?=\])", line):
        for cut in (match.start(), match.start() + 1, match.end() - 1):
            offered = complete(line[:cut], cut, language)
            assert match.group() in [option.label for option in offered.options], line[:cut]
            assert offered.start == match.start()


@pytest.mark.parametrize(("name", "line"), LINES)
def test_a_program_can_be_written_by_taking_offers_only(name: str, line: str) -> None:
    language, text = all_languages()[name], ""
    while text != line:
        offered = complete(text, len(text), language)
        fitting = [line[: offered.start] + option.text for option in offered.options]
        longer = [taken for taken in fitting if line.startswith(taken) and len(taken) > len(text)]
        assert longer, f"nothing leads on from {text!r}"
        text = max(longer, key=len)
    assert fault_in(text, language) is None


@pytest.mark.parametrize(("name", "line"), LINES)
def test_every_function_that_is_offered_on_top_fits(name: str, line: str) -> None:
    language = all_languages()[name]
    program = parse_program(line)
    given = compile_program(program, language).types[-1]
    options = applicable(program, line, language)
    assert {option.label for option in options} == {f.name for f in language.functions.values() if given in f.inputs}
    for option in options:
        function = language.functions[option.label]
        assert line in option.text
        if len(function.inputs) == 1 and not function.values:
            assert fault_in(option.text, language) is None
        if function.values:
            assert option.text[option.cursor - 1 : option.cursor + 1] == "[]"
            for choice in complete(option.text, option.cursor, language).options:
                filled = option.text[: option.cursor] + choice.text + option.text[option.cursor :]
                assert len(function.inputs) > 1 or fault_in(filled, language) is None


FAULTS = [
    ("$1 = scene(); $2 = unique(scene()); count($2)", 36, "must be ObjectSet, but unique gives Object"),
    ("count(", 6, "function's name"),
    ("cout(scene())", 0, "did you mean 'count'"),
    ("count(unique(scene()))", 0, "must be ObjectSet, but unique gives Object"),
    ("count(filter_color[rde](scene()))", 6, "did you mean 'red'"),
    ("count(filter_shape(scene()))", 6, "expected 1 values"),
    ("count(scene()))", 14, "should end here"),
    ("equal_integer(count(scene()), exist(scene()))", 0, "input 2 must be Integer"),
    ("", 0, "function's name"),
]


@pytest.mark.parametrize(("line", "column", "reason"), FAULTS)
def test_a_fault_says_where_and_why(line: str, column: int, reason: str) -> None:
    fault = fault_in(line, CLEVR)
    assert fault is not None
    assert fault.column == column
    assert reason in fault.reason


@settings(max_examples=200, deadline=None)
@given(st.text(alphabet='count(filter_olr[red],)$1=; "x\\', max_size=40), st.integers(0, 40))
def test_no_text_is_too_odd_to_be_looked_at(text: str, cursor: int) -> None:
    offered = complete(text, min(cursor, len(text)), CLEVR)
    assert 0 <= offered.start <= offered.end <= len(text)
    fault = fault_in(text, CLEVR)
    try:
        compile_program(text, CLEVR)
    except MereoError:
        assert fault is not None
        assert 0 <= fault.column <= len(text)
    else:
        assert fault is None
