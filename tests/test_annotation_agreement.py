"""How far annotators agree is told by area, whatever they cut, and refining the template by hand or by itself helps."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mereo.annotation.accounts import Person
from mereo.annotation.actions import Action, Group, Have, Release, Unfit
from mereo.annotation.agreement import by_annotator, by_part, confusion, refined_by
from mereo.annotation.sampling import compared, pieces_of_points, sampled
from mereo.annotation.store import Store
from mereo.benchmarks.partnet.confusion import agreement, refined, refinement, regrouped
from works import ACROSS, WHOLE_CHAIR, annotate, person, project

SEAT, BACK = "chair/chair_seat", "chair/chair_back"


class Team(NamedTuple):
    """A project with a shape, and two who annotate it."""

    store: Store
    ann: Person
    bob: Person

    def both(self, ann: tuple[Action, ...], bob: tuple[Action, ...]) -> None:
        annotate(self.store, self.ann, *ann)
        annotate(self.store, self.bob, *bob)


@pytest.fixture
def team(tmp_path: Path) -> Iterator[Team]:
    with project(tmp_path / "p") as made:
        yield Team(Store(made), person(made, "ann"), person(made, "bob"))


def test_the_same_said_of_different_cuts_is_full_agreement(team: Team) -> None:
    team.both(WHOLE_CHAIR, (*WHOLE_CHAIR, ACROSS))
    found = confusion(team.store)
    assert (found.shapes, agreement(found.counts).mean) == (1, 1.0)
    assert [one.same for one in by_annotator(found)] == [1.0, 1.0]


def test_half_a_seat_called_back_is_counted_by_its_area(team: Team) -> None:
    team.both(WHOLE_CHAIR, (*WHOLE_CHAIR, ACROSS, Group(2, (6,))))
    found = confusion(team.store)
    seat, back = found.paths.index(SEAT), found.paths.index(BACK)
    assert found.annotators["ann"][seat, back] / found.annotators["ann"][seat].sum() == pytest.approx(0.5, abs=0.05)
    assert found.annotators["ann"][back, seat] == 0
    assert np.array_equal(found.counts, found.counts.T)
    worst = by_part(found)[0]
    assert (worst.path, worst.mistaken) == (SEAT, BACK)
    area = 2 * (1 + 0.1 + 0.1)
    whole = 2 * area + 4 * (4 * 0.1 + 2 * 0.01)
    assert by_annotator(found)[0].same == pytest.approx(1 - area / 2 / whole, abs=0.03)


def test_points_of_a_cut_piece_belong_to_the_half_they_lie_on(team: Team) -> None:
    team.both(WHOLE_CHAIR, (*WHOLE_CHAIR, ACROSS))
    one, other = team.store.finished()
    home = team.store.project.home
    sample = sampled(home, one.start.pieces, seed=1)
    assert np.array_equal(pieces_of_points(sample, one.state, home), sample.piece)
    own = pieces_of_points(sample, other.state, home)
    seat = sample.piece == 0
    assert set(own[seat]) == {6, 7}
    left = {piece: sample.points[own == piece, 0].mean() < 0.5 for piece in (6, 7)}
    sure = seat & (np.abs(sample.points[:, 0] - 0.5) > 0.02)
    assert all(left[piece] == (x < 0.5) for piece, x in zip(own[sure].tolist(), sample.points[sure, 0], strict=True))


def test_two_annotations_beside_each_other_show_what_differs(team: Team) -> None:
    team.both(WHOLE_CHAIR, (*WHOLE_CHAIR, ACROSS, Group(2, (6,))))
    one, other = team.store.finished(1)
    sample = sampled(team.store.project.home, one.start.pieces, seed=1)
    found = compared(sample, one.state, other.state, team.store.project.home)
    assert found.differing[0][0] == pytest.approx(0.5, abs=0.05)
    assert {piece: share for piece, share in found.differing[1].items() if share} == {6: 1.0}
    assert found.same == pytest.approx(0.82, abs=0.03)


def test_what_was_given_to_no_part_is_told_apart(team: Team) -> None:
    team.both(WHOLE_CHAIR, (*WHOLE_CHAIR, Release((0,))))
    found = confusion(team.store)
    assert SEAT not in [one.path for one in by_part(found)]
    assert [one.missing > 0.3 for one in by_annotator(found)] == [False, True]


def test_what_only_one_has_finished_or_cannot_be_annotated_is_not_compared(team: Team) -> None:
    team.both(WHOLE_CHAIR, (Unfit("torn"),))
    found = confusion(team.store)
    assert (found.shapes, found.paths) == (0, ())
    assert refined_by(found).before.labels == 0


def test_merging_what_is_confused_mends_agreement(team: Team) -> None:
    swapped = (*WHOLE_CHAIR, Group(1, (1,)), Group(2, (0,)))
    team.both(WHOLE_CHAIR, swapped)
    found = confusion(team.store)
    suggested = refined_by(found)
    assert set(suggested.merged[0]) == {SEAT, BACK}
    assert suggested.before.mean < 0.5
    assert suggested.after.mean == 1.0
    assert refined_by(found, merge=[[BACK, SEAT]]).after.mean == 1.0
    removed = refined_by(found, merge=[], remove=[BACK, SEAT, "chair/nothing"])
    assert (removed.after.labels, removed.after.mean, removed.removed) == (1, 1.0, (BACK, SEAT))
    assert refined_by(found, merge=[]).after == suggested.before


@settings(max_examples=40)
@given(
    st.integers(1, 6).flatmap(
        lambda n: st.lists(st.lists(st.integers(0, 20), min_size=n, max_size=n), min_size=n, max_size=n)
    )
)
def test_a_refinement_says_which_labels_its_counts_are_of(rows: list[list[int]]) -> None:
    counts = np.array(rows, np.int64)
    counts += counts.T
    found = refinement(counts)
    assert np.array_equal(found.counts, refined(counts))
    assert np.array_equal(found.counts, regrouped(counts, found.groups))
    told = [label for group in (*found.groups, *found.removed) for label in group]
    assert sorted(told) == np.flatnonzero(counts.sum(1)).tolist()


def test_parts_without_pieces_have_no_say(team: Team) -> None:
    team.both((*WHOLE_CHAIR, Have(0, "chair_arm", 2)), WHOLE_CHAIR)
    assert "chair/chair_arm" not in confusion(team.store).paths
