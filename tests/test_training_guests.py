"""Objects of one scene that are seen in another as well."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from mereo.models.kinds import Batch  # noqa: E402
from mereo.training.guests import with_guests  # noqa: E402
from mereo.training.seeing import Level  # noqa: E402

LEVELS = {
    "object": Level(words={"category": ("chair", "table"), "stability": ("stable",)}, looks=("category",)),
    "part": Level(words={"part": ("leg", "bar")}, numbers={"axis": 1}, looks=("part",)),
}


def two_scenes() -> Batch:
    """A chair of two parts, one within the other, at the left; and a table of one part all over the right half."""
    objects = torch.tensor([[[1, 1, 0, 0]] * 2, [[0, 0, 1, 1]] * 2])
    inner = torch.tensor([[[1, 2, 0, 0], [1, 1, 0, 0]], [[0, 0, 1, 1]] * 2])
    return {
        "scene": torch.tensor([0, 1]),
        "picture": torch.stack([torch.full((3, 2, 4), 0.25), torch.full((3, 2, 4), 0.75)]),
        "object_ids": objects,
        "object_outer": objects,
        "object_present": torch.tensor([[True], [True]]),
        "object_entity": torch.tensor([[0], [0]]),
        "object_whole": torch.tensor([[-1], [-1]]),
        "object_within": torch.tensor([[-1], [-1]]),
        "object_boxes": torch.zeros(2, 1, 4),
        "object_words_category": torch.tensor([[0], [1]]),
        "object_words_stability": torch.tensor([[0], [0]]),
        "part_ids": inner,
        "part_outer": torch.where(inner == 2, 1, inner),
        "part_present": torch.tensor([[True, True], [True, False]]),
        "part_entity": torch.tensor([[1, 2], [1, -1]]),
        "part_whole": torch.tensor([[0, 0], [0, -1]]),
        "part_within": torch.tensor([[-1, 0], [-1, -1]]),
        "part_boxes": torch.zeros(2, 2, 4),
        "part_words_part": torch.tensor([[0, 1], [0, -1]]),
        "part_numbers_axis": torch.tensor([[[1.0], [2.0]], [[3.0], [torch.nan]]]),
    }


def test_a_guest_is_seen_with_its_parts_where_it_stood_and_keeps_its_looks_alone() -> None:
    found = with_guests(two_scenes(), LEVELS, 1.0, torch.Generator())
    left, right = torch.full((3, 2, 2), 0.25), torch.full((3, 2, 2), 0.75)
    both = torch.cat([left, right], 2)
    assert torch.equal(found["picture"], torch.stack([both, both])), "each has its own and the other's object"
    assert found["object_ids"].tolist() == [[[1, 1, 2, 2]] * 2, [[2, 2, 1, 1]] * 2]
    assert found["part_ids"].tolist() == [[[1, 2, 3, 3], [1, 1, 3, 3]], [[3, 4, 1, 1], [3, 3, 1, 1]]]
    assert found["part_outer"].tolist() == [[[1, 1, 3, 3]] * 2, [[3, 3, 1, 1]] * 2]
    assert found["part_whole"].tolist() == [[0, 0, 1, -1], [0, -1, 1, 1]]
    assert found["part_within"].tolist() == [[-1, 0, -1, -1], [-1, -1, -1, 2]]
    assert found["part_present"].tolist() == [[True, True, True, False], [True, False, True, True]]
    assert found["part_boxes"][1, 2].tolist() == [0, 0, 2, 2], "with what lies within it"
    assert found["object_words_category"].tolist() == [[0, 1], [1, 0]]
    assert found["object_words_stability"].tolist() == [[0, -1], [0, -1]], "nobody knows how it stands here"
    assert found["part_words_part"].tolist() == [[0, 1, 0, -1], [0, -1, 0, 1]]
    assert found["part_numbers_axis"][0, :2].tolist() == [[1.0], [2.0]]
    assert found["part_numbers_axis"][:, 2:].isnan().all()
    assert (found["object_entity"][:, 1:] == -1).all()


def test_who_invites_nobody_sees_what_there_is() -> None:
    given = two_scenes()
    found = with_guests(given, LEVELS, 0.0, torch.Generator())
    for name in ("picture", "object_ids", "part_ids", "part_outer"):
        assert torch.equal(found[name], given[name])
    assert found["object_present"].tolist() == [[True, False], [True, False]]
    assert torch.equal(found["part_words_part"][:, :2], given["part_words_part"])


def test_a_guest_hides_what_it_stands_before() -> None:
    given = two_scenes()
    for name in ("object_ids", "object_outer", "part_ids", "part_outer"):
        given[name][1] = given[name][0]
    found = with_guests(given, LEVELS, 1.0, torch.Generator())
    assert found["object_present"].tolist() == [[False, True], [False, True]]
    assert found["part_present"][0].tolist() == [False, False, True, True]
