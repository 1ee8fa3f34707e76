"""Clouds changed a little."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from mereo.training.shaking import shaken  # noqa: E402


def test_shapes_are_stretched_turned_and_mirrored_each_by_its_own_chance() -> None:
    clouds = torch.tensor([[[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]]]).repeat(400, 1, 1)
    across, up, ahead = shaken(clouds, torch.Generator().manual_seed(0)).unbind(1)
    assert ((across[:, 0] < 0).float().mean() - 0.5).abs() < 0.1, "every other one is mirrored left to right"
    assert (up[:, 1] > 0.78).all()
    assert (up[:, 1] < 1.25).all()
    assert up[:, [0, 2]].abs().max() < 0.03, "what is up stays up"
    assert (ahead[:, 2] > 0.75).all(), "what is in front stays there"
    angles = torch.atan2(ahead[:, 0], ahead[:, 2]).rad2deg()
    assert angles.abs().max() < 10
    assert angles.std() > 3
    assert torch.unique(up[:, 1]).numel() == 400


def test_chance_alone_decides() -> None:
    clouds = torch.rand(3, 50, 3)
    first, again, other = (shaken(clouds, torch.Generator().manual_seed(seed)) for seed in (1, 1, 2))
    assert torch.equal(first, again)
    assert not torch.equal(first, other)
