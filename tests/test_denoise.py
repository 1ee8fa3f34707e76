"""Pictures without grain, on machines that can; on others one sentence says why not, and more rays make up for it."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from kit import THOROUGH, CommandLine
from mereo.datasets.picture_settings import FEW, MANY, PictureSettings
from mereo.errors import BadInput, UnknownName
from mereo.scenes import denoise
from mereo.scenes.denoise import choose_denoising, denoiser_obstacle
from mereo.scenes.render import Set
from mereo.scenes.scene import Camera, Light, Paint, Scene, Stage
from scenery import GRAY, RED, thing

LAMPS = (Light((-3.0, -4.0, 6.0), (0.0, 0.0, 0.0), 3.0, (9.0, 9.0, 9.0)),)
CAMERA = Camera((0.0, -8.0, 1.5), (0.0, 0.0, 0.8), 30.0, 96, 64)
GLASS = Paint("glass", (1.0, 1.0, 1.0))
TRUTH = 8 if THOROUGH else 2
"""Pictures of 512 rays whose mean stands for the truth. What grain it has is added to both errors alike, so that with
fewer it is no easier to be twice as near."""


def shot(*paints: Paint) -> Set:
    solids = [thing("cube", 2.4 * place - 1.6, 0.0, scale=0.7, paint=paint) for place, paint in enumerate(paints)]
    return Set(Scene(Stage(), tuple(solids), LAMPS, CAMERA))


def test_guides_are_colors_and_directions_without_light() -> None:
    stage = shot(RED, GRAY)
    frame, guides = stage.frame(), stage.guides()
    for number in range(2):
        inside = whole(frame.object == number)
        faces = stage.triangles.object == number
        assert np.allclose(guides.albedo[inside], stage.triangles.color[faces][0], atol=1e-3)
    along = (guides.normal * frame.normal).sum(2)
    assert np.median(along) == pytest.approx(1, abs=1e-4)
    assert (np.linalg.norm(guides.normal, axis=2) < 1.0001).all()
    # Between two surfaces the guide lies between their colors, as the picture does.
    border = (frame.object == 0) & ~whole(frame.object == 0)
    assert np.ptp(guides.albedo[border], axis=0).max() > 0.1


def whole(mask: Any) -> Any:
    """The pixels whose neighbors are all of the same."""
    kept = mask.copy()
    for axis in (0, 1):
        for step in (-1, 1):
            kept &= np.roll(mask, step, axis)
    return kept


def test_guides_know_glass_from_what_is_not() -> None:
    stage = shot(GLASS, RED)
    frame, guides = stage.frame(), stage.guides()
    assert (guides.albedo[whole(frame.object == 0)] == 0).all()
    assert guides.albedo[whole(frame.object == 1)][:, 0].min() > 0.1


@pytest.mark.parametrize("paints", [(RED, GRAY), (GLASS, RED)])
def test_what_is_denoised_is_nearer_to_the_truth_and_keeps_its_colors(paints: tuple[Paint, ...]) -> None:
    stage = shot(*paints)
    if (reason := denoiser_obstacle()) is not None:
        with pytest.raises(BadInput, match="cannot be denoised here") as told:
            choose_denoising("on", renderer="llvm")
        assert reason in str(told.value)
        return
    truth = np.mean([stage.picture(samples=512, seed=seed) for seed in range(1, 1 + TRUTH)], 0)
    plain, clean = (stage.picture(samples=FEW, seed=0, denoise=chosen).astype(float) for chosen in (False, True))
    assert np.mean((clean - truth) ** 2) < 0.5 * np.mean((plain - truth) ** 2)
    frame = stage.frame()
    for number in range(len(paints)):
        own = frame.object == number
        assert np.abs(clean[own].mean(0) - truth[own].mean(0)).max() < 0.02 * 255
    assert (stage.picture(samples=FEW, seed=0, denoise=True) == clean).all()


def test_the_fewest_rays_that_will_do_are_the_default(monkeypatch: pytest.MonkeyPatch) -> None:
    for reason, clean, rays in ((None, True, FEW), ("it is broken", False, MANY)):
        monkeypatch.setattr(denoise, "denoiser_obstacle", lambda reason=reason: reason)
        chosen = PictureSettings.chosen(renderer="llvm")
        assert (chosen.denoise, chosen.samples) == (clean, rays)
        assert PictureSettings.chosen(renderer="llvm", denoise="off").samples == MANY
        assert PictureSettings.chosen(renderer="scalar").denoise is False
        assert PictureSettings.chosen(renderer="llvm", samples=8).samples == 8


def test_a_machine_is_tried_once_and_remembered(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tries: list[int] = []

    def tried() -> str:
        tries.append(1)
        return "it died"

    monkeypatch.setattr(denoise, "cache_folder", lambda kind: tmp_path)
    monkeypatch.setattr(denoise, "_tried", tried)
    for _ in range(3):
        denoiser_obstacle.cache_clear()
        assert denoiser_obstacle() in ("it died", f"{denoise.PACKAGE} is not installed")
    assert len(tries) <= 1
    denoiser_obstacle.cache_clear()


def test_a_choice_that_is_none_is_told(mereo: CommandLine, tmp_path: Path) -> None:
    with pytest.raises(UnknownName, match="there is no choice of denoising 'perhaps'"):
        choose_denoising("perhaps", renderer="llvm")
    mereo("build", "clevr", tmp_path / "set", "--scenes", "1", "--denoise", "perhaps", code=2)
    assert not (tmp_path / "set").exists()
