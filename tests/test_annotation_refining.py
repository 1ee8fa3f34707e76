"""A refined template: what annotators confuse is merged or left out, and a new project can begin with it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kit import CommandLine, complaint
from mereo.annotation.actions import Action, Custom, Group, Have, Note, Undo
from mereo.annotation.agreement import Confusion, refined_by
from mereo.annotation.own_template import own_tree, tree_named
from mereo.annotation.project import Project
from mereo.annotation.refining import refined_template, write_template
from mereo.annotation.restating import restated
from mereo.annotation.state import State, begin, fold
from mereo.annotation.store import Store, Whole
from mereo.annotation.tables import Work
from mereo.annotation.tree import Tree
from mereo.annotation.web.pictures import Pictures
from mereo.shapes.template import all_templates, template_of
from works import ACROSS, LEG, WHOLE_CHAIR, annotate, person, project, started

BASE = "chair/chair_base/regular_leg_base"
SURFACE = "chair/chair_seat/seat_surface/seat_single_surface"


def found(*paths: str) -> Confusion:
    """What annotators used, without how often they were taken for each other."""
    size = (len(paths), len(paths))
    return Confusion(tuple(sorted(paths)), np.ones(size, np.int64), {}, {}, 1)


def refined(
    out: Path, used: Confusion, *, merge: tuple[tuple[str, ...], ...] = (), remove: tuple[str, ...] = ()
) -> Tree:
    """The tree of a chair after some change, written and read back."""
    change = refined_by(used, merge=merge, remove=remove)
    write_template(refined_template(template_of("chair"), used, change), out)
    return own_tree(out)


def test_a_part_that_is_merged_into_another_is_gone_and_all_else_stays(tmp_path: Path) -> None:
    foot, leg = f"{BASE}/foot", f"{BASE}/leg"
    tree = refined(tmp_path / "t.toml", found(foot, leg, SURFACE), merge=((leg, foot),))
    before = tree_named("chair")
    assert before.nodes.keys() - tree.nodes.keys() == {foot}
    assert tree[BASE].below == tuple(name for name in before[BASE].below if name != "foot")
    assert tree.template.renamed[foot] == leg
    assert tree[leg].most is None, "how many legs there are, feet included, is not known"


def test_a_project_with_the_new_template_has_the_pictures_of_the_old_one(tmp_path: Path) -> None:
    foot, leg = f"{BASE}/foot", f"{BASE}/leg"
    refined(tmp_path / "t.toml", found(foot, leg, SURFACE), merge=((leg, foot),))
    opened = Project.create(tmp_path / "again", template=tmp_path / "t.toml")
    assert Pictures(opened).of_example(leg)
    assert Pictures(opened).of_example(foot) is None, "there is no such part any more"
    opened.close()


def test_what_loses_all_its_parts_becomes_a_leaf(tmp_path: Path) -> None:
    surface = "chair/chair_back/back_surface"
    bars = [f"{surface}/{name}" for name in tree_named("chair")[surface].below]
    tree = refined(tmp_path / "t.toml", found(*bars, SURFACE), remove=tuple(bars))
    assert (tree[surface].kind, tree[surface].below) == ("leaf", ())
    assert all(tree.template.renamed[bar] == "" for bar in bars)


def test_a_part_stays_above_one_that_is_kept(tmp_path: Path) -> None:
    seat = "chair/chair_seat"
    tree = refined(tmp_path / "t.toml", found(seat, SURFACE, f"{BASE}/foot"), remove=(seat, f"{BASE}/foot"))
    assert {seat, SURFACE} <= tree.nodes.keys()
    bare = refined(tmp_path / "u.toml", found(seat, f"{BASE}/foot"), remove=(seat,))
    assert not any(path.startswith(seat) for path in bare.nodes), "nobody used what lies below"


@pytest.mark.parametrize("category", sorted(all_templates()))
def test_every_template_can_lose_any_leaf(tmp_path: Path, category: str) -> None:
    template = template_of(category)
    leaves = [path for path, label in template.labels.items() if label.kind == "leaf" and path != template.root]
    for place, leaf in enumerate(leaves[:3]):
        used = found(*leaves)
        change = refined_by(used, merge=(), remove=(leaf,))
        write_template(refined_template(template, used, change), tmp_path / f"{place}.toml")
        tree = own_tree(tmp_path / f"{place}.toml")
        assert leaf not in tree.nodes
        assert set(leaves) - {leaf} <= tree.nodes.keys()


def test_a_project_begins_with_the_template_that_another_one_led_to(tmp_path: Path, mereo: CommandLine) -> None:
    with project(tmp_path / "p") as made:
        store = Store(made)
        done = mereo("annotate-refine", tmp_path / "p", tmp_path / "out.toml", code=2)
        assert "has no shape yet that two annotators have finished" in done.err
        annotate(store, person(made, "ann"), *WHOLE_CHAIR)
        seat, back, *rest = WHOLE_CHAIR
        annotate(store, person(made, "bob"), back, seat, *rest)
    done = mereo("annotate-refine", tmp_path / "p", tmp_path / "out.toml")
    assert "merged into chair/chair_" in done.out
    assert "3 kinds of parts become 2" in done.out
    again = mereo("annotate-refine", tmp_path / "p", tmp_path / "out.toml", code=2)
    assert "is there already" in again.err
    mereo("annotate-new", tmp_path / "q", "--template", tmp_path / "out.toml", "--made", "1")
    opened = Project.open(tmp_path / "q")
    assert len({"chair/chair_seat", "chair/chair_back"} & opened.tree.nodes.keys()) == 1
    opened.close()


def test_somebody_chooses_what_is_merged_and_left_out(tmp_path: Path, mereo: CommandLine) -> None:
    with project(tmp_path / "p") as made:
        for name in ("ann", "bob"):
            annotate(Store(made), person(made, name), *WHOLE_CHAIR)
    seat, back = "chair/chair_seat", "chair/chair_back"
    out = tmp_path / "out.toml"
    for given, said in (
        (("--merge", f"{seat},chair/chair_bakc"), f"did you mean '{back}'"),
        (("--merge", seat), "is merged with nothing"),
        (("--merge", f"{seat},{back}", "--remove", back), "is named twice"),
    ):
        assert said in mereo("annotate-refine", tmp_path / "p", out, *given, code=2).err
    done = mereo("annotate-refine", tmp_path / "p", out, "--merge", f"{seat},{back}", "--remove", LEG)
    assert f"merged into {seat}: {back}\nleft out: {LEG}\n" in done.out
    assert "3 kinds of parts become 1, and agreement 100.0% becomes 100.0%" in done.out
    assert not {back, LEG} & own_tree(out).nodes.keys()


def test_where_nothing_is_confused_nothing_is_written(tmp_path: Path) -> None:
    said = complaint(lambda: refined(tmp_path / "t.toml", found(SURFACE))) or ""
    assert "no parts are confused so often" in said
    assert list(tmp_path.iterdir()) == []


def test_what_was_annotated_is_carried_over_in_the_new_names(
    tmp_path: Path, mereo: CommandLine, database_address: str, other_address: str
) -> None:
    seat, back, *rest = WHOLE_CHAIR
    with project(tmp_path / "p", database_address) as made:
        store = Store(made)
        note = Note(1, "worn")
        halved = (ACROSS, Undo(), ACROSS, *WHOLE_CHAIR[:5], Group(1, (6, 7)), *WHOLE_CHAIR[6:], note)
        one = annotate(store, person(made, "ann"), *halved)
        other = annotate(store, person(made, "bob"), back, seat, *rest)
        kept = store.everything()
    taken = mereo("annotate-refine", tmp_path / "p", tmp_path / "out.toml", "--carry", tmp_path, code=2)
    assert (taken.out, len(taken.err.splitlines()), (tmp_path / "out.toml").exists()) == ("", 1, False)
    into = ("--carry", tmp_path / "q", "--database", other_address)
    done = mereo("annotate-refine", tmp_path / "p", tmp_path / "out.toml", *into)
    assert "1 shapes, 2 works and 2 accounts carried over; annotators agree there on 100.0% of 2 kinds" in done.out
    opened, before = Project.open(tmp_path / "q"), Project.open(tmp_path / "p")
    (joined,) = {"chair/chair_seat", "chair/chair_back"} & opened.tree.nodes.keys()
    anns, bobs = (whole.state for whole in Store(opened).everything())
    assert paths(anns) == {**dict.fromkeys((6, 7, 1), joined), **dict.fromkeys(range(2, 6), LEG)}
    assert paths(bobs) == {**dict.fromkeys((0, 1), joined), **dict.fromkeys(range(2, 6), LEG)}
    assert len({anns.owner[piece] for piece in (6, 1)}) == 2, "two parts of one name, not one"
    assert [(anns.path(remark.part or 0), remark.text) for remark in anns.notes] == [(joined, "worn")]
    assert [work.row.status for work in Store(opened).everything()] == ["finished", "finished"]
    assert [whole.actions for whole in Store(before).everything()] == [whole.actions for whole in kept]
    assert (one, other) == (1, 2)
    opened.close()
    before.close()


def paths(state: State) -> dict[int, str]:
    """By piece the path of the part that it is given to."""
    return {piece: state.path(part) for piece, part in state.owner.items()}


def carried(tree: Tree, *actions: Action) -> State:
    """What an annotation of six pieces is in another tree."""
    start = started(6)
    work = Whole(Work(status="open"), start, fold(start, actions), list(actions))
    return fold(begin(tree, start.pieces), restated(tree, work))


def test_a_part_that_was_left_out_goes_to_its_parent_and_what_is_not_known_stays_below(tmp_path: Path) -> None:
    foot, leg = f"{BASE}/foot", f"{BASE}/leg"
    tree = refined(tmp_path / "t.toml", found(foot, leg, SURFACE), remove=(leg,))
    own = (*WHOLE_CHAIR, Custom(5, "bell"), Custom(0, "tail"), Group(9, (2,)), Group(10, (0,)), Have(0, "chair_arm", 0))
    state = carried(tree, *own)
    wanted = {0: "chair/tail", 1: "chair/chair_back", 2: f"{BASE}/bell", **dict.fromkeys((3, 4, 5), BASE)}
    assert paths(state) == wanted
    assert (0, "chair_arm") in state.answered, "what is not there is not asked for again"


def test_parts_that_become_one_kind_are_still_as_many(tmp_path: Path) -> None:
    foot, leg = f"{BASE}/foot", f"{BASE}/leg"
    tree = refined(tmp_path / "t.toml", found(foot, leg, SURFACE), merge=((leg, foot),))
    feet: list[Action] = [Have(4, "leg", 2), Have(4, "foot", 2), *(Group(part, (part - 3,)) for part in (7, 8, 5, 6))]
    state = carried(tree, *WHOLE_CHAIR[:4], *feet)
    assert paths(state) == dict.fromkeys((2, 3, 4, 5), leg)
    assert len(set(state.owner.values())) == 4
    assert state.owner[2] < state.owner[3], "legs stay the first ones"


def test_a_kind_that_excludes_another_goes_to_what_is_above_both(tmp_path: Path) -> None:
    star = "chair/chair_base/star_leg_base/star_leg_set/star_leg"
    leg = f"{BASE}/leg"
    tree = refined(tmp_path / "t.toml", found(star, leg, SURFACE), merge=((star, leg),))
    state = carried(tree, *WHOLE_CHAIR, Have(4, "foot", 1), Group(9, (5,)))
    assert set(paths(state).values()) == {"chair/chair_seat", "chair/chair_back", star, "chair/chair_base"}
