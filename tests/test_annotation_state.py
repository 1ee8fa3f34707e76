"""Actions fold to states that hold together, whatever is done, and the template asks until nothing is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mereo.annotation.actions import (
    Action,
    Choose,
    Custom,
    Cut,
    Finish,
    Group,
    Have,
    Note,
    Redo,
    Release,
    Reopen,
    Undo,
    Unfit,
    encoded,
    read_action,
    stored_action,
)
from mereo.annotation.own_template import own_tree, tree_named
from mereo.annotation.state import State, after, begin, fold, plain
from mereo.annotation.workflow import question, questions_about, taken_over
from mereo.errors import BadInput
from mereo.shapes.template import all_templates
from works import LEG, WHOLE_CHAIR, started

NAMES = ["chair_base", "chair_seat", "chair_arm", "regular_leg_base", "star_leg_base", "leg", "knob", "nonsense"]
parts, pieces = st.integers(-1, 9), st.integers(-1, 9)
several = st.lists(pieces, max_size=3).map(tuple)
actions = st.one_of(
    st.builds(Have, parts, st.sampled_from(NAMES), st.integers(-1, 4)),
    st.builds(Have, st.just(0), st.sampled_from(NAMES[:3]), st.integers(0, 3)),
    st.builds(Choose, parts, st.sampled_from(NAMES)),
    st.builds(Group, parts, several),
    st.builds(Release, several),
    st.builds(Custom, parts, st.sampled_from(["other thing", "<b>", ""])),
    st.builds(Note, st.none() | parts, st.sampled_from(["well", ""])),
    st.builds(Unfit, st.sampled_from(["torn", ""])),
    st.builds(Cut, pieces, st.just(((0.0, 0.0, 0.0), (1.0, 0.0, 0.0))), st.just((0.0, 0.0, 1.0))),
    st.just(Undo()),
    st.just(Redo()),
)


def done(state: State, tried: list[Action]) -> tuple[State, list[Action]]:
    """The state after all of these that can be, and which these are."""
    kept: list[Action] = []
    for action in tried:
        if isinstance(action, Cut):
            into = (state.next_piece, state.next_piece + 1)
            action = Cut(action.piece, action.path, action.direction, into, ("a" * 64, "b" * 64))
        try:
            state = after(state, action)
        except BadInput:
            continue
        kept.append(action)
    return state, kept


@settings(max_examples=60)
@given(st.lists(actions, max_size=40))
def test_whatever_is_done_the_state_holds_together(tried: list[Action]) -> None:
    start = started()
    state, kept = done(start, tried)
    assert state.owner.keys() <= state.pieces.keys()
    assert set(state.owner.values()) <= state.parts.keys()
    for part in state.parts.values():
        assert part.number == 0 if part.parent is None else part.parent in state.parts
        assert part.custom or state.path(part.number) in state.tree.nodes
        if (node := state.node(part.number)) is not None and node.kind == "one":
            assert len({child.name for child in state.children(part.number) if not child.custom}) <= 1
    assert {part for part, _ in state.answered} <= state.parts.keys()
    assert {piece for piece in state.pieces if piece >= 4} == {piece for piece in state.origin if piece in state.pieces}
    assert question(state).text
    assert fold(start, [stored_action(encoded(action), file="x") for action in kept]) == state


@settings(max_examples=60)
@given(st.lists(actions, max_size=40))
def test_undoing_all_gives_the_start_and_redoing_all_gives_it_back(tried: list[Action]) -> None:
    start = started()
    state, _ = done(start, [action for action in tried if not isinstance(action, Undo | Redo)])
    undone, steps = state, 0
    while undone.can_undo:
        undone, steps = after(undone, Undo()), steps + 1
    assert undone == start
    assert not undone.can_undo
    redone = fold(undone, [Redo()] * steps)
    assert redone == state
    assert not redone.can_redo


def test_a_new_change_ends_what_could_be_redone() -> None:
    state = fold(started(), [Group(0, (0,)), Group(0, (1,)), Undo(), Release((0,))])
    assert not state.can_redo
    assert state.owner == {}
    assert fold(state, [Undo(), Undo()]) == started()


def test_a_cut_gives_both_halves_to_the_part_of_the_whole() -> None:
    path, up = ((0.0, 0.0, 0.0), (1.0, 0.0, 0.0)), (0.0, 0.0, 1.0)
    state = fold(started(2), [Group(0, (1,)), Cut(1, path, up, (2, 3), ("a" * 64, "b" * 64))])
    assert state.pieces == {0: "0" * 64, 2: "a" * 64, 3: "b" * 64}
    assert state.owner == {2: 0, 3: 0}
    state = after(state, Cut(3, path, up, (4, 5), ("c" * 64, "d" * 64)))
    assert state.origin == {2: 1, 3: 1, 4: 1, 5: 1}


def test_choosing_another_kind_releases_what_was_given_to_the_first() -> None:
    state = fold(started(), [*WHOLE_CHAIR[:5], Group(5, (0,)), Note(5, "short"), Choose(3, "star_leg_base")])
    assert [part.name for part in state.parts.values()][-1] == "star_leg_base"
    assert (state.owner, state.notes) == ({}, ())
    assert after(state, Undo()).owner == {0: 5}


def test_fewer_parts_are_the_first_ones() -> None:
    state = fold(started(), [*WHOLE_CHAIR[:5], Group(5, (0,)), Group(8, (1,)), Have(4, "leg", 2)])
    assert [part.number for part in state.children(4)] == [5, 6]
    assert state.owner == {0: 5}


@pytest.mark.parametrize(
    ("action", "sentence"),
    [
        (Group(99, (0,)), "there is no part 99"),
        (Group(0, (99,)), "there is no piece 99"),
        (Group(0, ()), "names no piece"),
        (Have(0, "chair_bse", 1), "there is no part of chair 'chair_bse' .did you mean 'chair_base'"),
        (Have(0, "leg", 1), "there is no part of chair 'leg'"),
        (Have(0, "chair_base", 65), "65 is not within 0 to 64"),
        (Have(0, "chair_base", -1), "-1 is not within 0 to 64"),
        (Choose(0, "chair_base"), "chair is not one of several kinds"),
        (Custom(0, "<script>alert(1)</script>"), "a name is letters"),
        (Custom(0, "chair_base"), "the template knows 'chair_base' there"),
        (Note(None, "x" * 2001), "is longer than 2000 characters"),
        (Unfit(" "), "is empty"),
        (Undo(), "there is nothing to undo"),
        (Redo(), "there is nothing to redo"),
        (Reopen(""), "is not finished"),
        (Cut(0, ((0.0, 0.0, 0.0),), (0.0, 0.0, 1.0)), "has 1 points, not 2 to"),
        (Cut(0, ((0.0, 0.0, 0.0),) * 2, (0.0, 0.0, 1.0)), "piece 0: is not cut yet"),
    ],
)
def test_what_cannot_be_is_refused_in_a_sentence(action: Action, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        after(started(), action)


def test_nothing_changes_in_what_is_finished_until_it_is_opened_again() -> None:
    state = fold(started(), [Group(0, (0,)), Finish()])
    for action in (Undo(), Release((0,)), Finish()):
        with pytest.raises(BadInput, match="is finished: a reviewer can open it again"):
            after(state, action)
    assert not state.can_undo
    assert fold(state, [Reopen("why?"), Undo()]) == started()


@pytest.mark.parametrize(
    "value", [{"type": "nothing"}, {"type": "undo", "more": 1}, {"type": "group", "part": "0", "pieces": []}, [], None]
)
def test_actions_that_are_none_are_refused(value: Any) -> None:
    with pytest.raises(BadInput, match=r"^action"):
        read_action(value)


def test_parts_can_be_taken_away_that_the_template_does_not_know() -> None:
    state = fold(started(), [Custom(0, "cup holder"), Group(1, (0,)), Have(0, "cup holder", 0)])
    assert (list(state.parts), state.owner) == ([0], {})


@pytest.mark.parametrize("category", ["chair", "lamp", "mug", "storage_furniture"])
def test_who_answers_every_question_comes_to_an_end(category: str) -> None:
    state = begin(tree_named(category), {number: f"{number:064x}" for number in range(200)})
    free = iter(range(200))
    for _ in range(2_000):
        asked = question(state)
        match asked.kind:
            case "choose":
                state = after(state, Choose(asked.part, asked.choices[-1].name))
            case "have":
                assert asked.text.endswith("?")
                state = after(state, Have(asked.part, asked.child, min(asked.usual, 2)))
            case "group":
                state = after(state, Group(asked.part, (next(free),)))
            case "done":
                break
    assert "belong to no part" in asked.text
    state = after(state, Group(0, tuple(state.pieces)))
    every = [asked for part in state.parts for asked in questions_about(state, part)]
    assert all(asked.answered for asked in every if asked.kind != "group")
    assert "cannot be annotated" in question(after(state, Unfit("torn"))).text


def test_questions_are_asked_in_plain_words() -> None:
    texts = [question(started()).text]
    state = fold(started(), WHOLE_CHAIR[:3])
    texts += [asked.text for asked in questions_about(state, 0)]
    texts += [asked.text for asked in questions_about(state, 3)]
    texts += [asked.text for asked in questions_about(fold(state, WHOLE_CHAIR[3:5]), 6)]
    assert {
        "Does the chair have a head?",
        "How many arms does the chair have?",
        "What kind of base does the chair have?",
        "Select leg 2 of 4.",
    } <= set(texts)


def test_a_proposal_is_taken_over_by_ordinary_actions() -> None:
    state = started()
    for piece in (0, 1):
        state = fold(state, taken_over(state, LEG, [piece]))
    legs = [part.number for part in state.parts.values() if part.name == "leg"]
    assert [state.owner[piece] for piece in (0, 1)] == legs
    with pytest.raises(BadInput, match="the template has no 'chair/leg'"):
        taken_over(state, "chair/leg", [0])


def test_every_template_of_ours_is_a_tree_that_can_be_walked() -> None:
    for category in all_templates():
        tree = tree_named(category)
        assert next(iter(tree.nodes)) == tree.root
        assert all((node.kind == "leaf") == (not node.below) for node in tree.nodes.values())


def test_a_template_of_ones_own_needs_no_labels(tmp_path: Path) -> None:
    file = tmp_path / "boat.toml"
    file.write_text('root = "boat"\n[all]\nboat = {hull = 1, drive = 1}\n[one]\ndrive = ["sail", "motor"]\n')
    tree = own_tree(file)
    assert list(tree.nodes) == ["boat", "boat/hull", "boat/drive", "boat/drive/sail", "boat/drive/motor"]
    assert (tree["boat/drive"].kind, tree.template.category) == ("one", "boat")


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ('root = "a"\n[all]\na = {b = 1}\nb = {a = 1}', "a contains itself .and 1 more."),
        ('root = "a"\n[all]\na = {b = 1}\nc = {d = 1}', "c is never used"),
        ('root = "a"\n[one]\na = ["b"]', "a has a single subtype"),
        ('root = "a"\nlabels = ["1 a tree"]', "a label is a number"),
        ('root = "a"\nlabels = ["1 b leaf"]', "the first label is not the root 'a'"),
        ('root = "a"\n[all]\na = {"<b>" = 1}', "part '<b>', field 'name': a name is letters"),
        ('root = "a"\nlabels = ["1 a all", "2 a/<b> leaf"]', "part '<b>', field 'name': a name is letters"),
        ('roots = "a"', "unknown field"),
        ("[all]", "missing required field `root`"),
        ("root = 1", "expected `str`, got `int`"),
        (
            'root = "p0"\n[all]\n'
            + "".join(f"p{n} = {{p{n + 1} = 1, q{n} = 1}}\nq{n} = {{p{n + 1} = 1}}\n" for n in range(20)),
            "more than 10000 parts",
        ),
    ],
)
def test_a_template_that_is_none_is_refused_with_its_file(tmp_path: Path, text: str, sentence: str) -> None:
    file = tmp_path / "own.toml"
    file.write_text(text)
    with pytest.raises(BadInput, match=rf"own\.toml.*{sentence}"):
        own_tree(file)


def test_a_state_is_told_as_json_has_it() -> None:
    told = plain(fold(started(2), [*WHOLE_CHAIR[:3], Group(1, (0,)), Note(None, "well")]))
    assert told["parts"][1] == {
        "number": 1,
        "name": "chair_seat",
        "parent": 0,
        "custom": False,
        "path": "chair/chair_seat",
    }
    assert [piece["owner"] for piece in told["pieces"]] == [1, None]
    assert (told["notes"], told["can_undo"]) == ([{"part": None, "text": "well"}], True)
