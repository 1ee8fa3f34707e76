"""Light that goes through glass. Import this once Mitsuba's variant is chosen (`mitsuba_with`), not before.

Glass refracts and mirrors what is behind and around it. On the way from a surface to a lamp, though, it is taken for a
gray pane: light that glass gathers is found by chance alone, and at 64 rays per pixel it is sparks, not a pattern.
"""

from __future__ import annotations

from typing import Any

import drjit as dr
import mitsuba as mi

__all__ = ["ThroughGlass"]

_BOUNCES = 12
"""Through a hollow glass there are four surfaces before what is behind it is reached."""
_SURE = 5
"""Bounces before a path that carries little light may be ended by chance."""
_PANES = 12
"""Surfaces of glass that a shadow ray passes at most."""
_SHADE = 0.55
"""How much of a lamp's light is left behind glass."""


class ThroughGlass(mi.SamplingIntegrator):
    """A path tracer with lamps sampled at every rough surface, and shadow rays that pass through glass."""

    def __init__(self) -> None:
        super().__init__(mi.Properties())

    @dr.syntax
    def sample(self, scene: Any, sampler: Any, ray: Any, medium: Any = None, active: Any = True) -> Any:
        """The light that comes in along rays."""
        context = mi.BSDFContext()
        ray = mi.Ray3f(ray)
        light, eta = mi.Spectrum(0.0), mi.Float(1.0)
        share: Any = mi.Spectrum(1.0)
        before = dr.zeros(mi.SurfaceInteraction3f)
        density, sharp = mi.Float(1.0), mi.Bool(True)  # of the last bounce; sharp: mirrored or refracted
        rough = mi.Bool(False)  # whether any bounce was not sharp
        depth, active = mi.UInt32(0), mi.Bool(active)
        while active:
            here = scene.ray_intersect(ray, mi.RayFlags.All, coherent=depth == 0, active=active)
            met = mi.DirectionSample3f(scene, here, before)
            chance = scene.pdf_emitter_direction(before, met, ~sharp)
            # A lamp that a rough surface sees through glass has been counted by its shadow ray.
            weight = dr.select(sharp, dr.select(rough, 0.0, 1.0), density**2 / (density**2 + chance**2))
            light += share * weight * here.emitter(scene).eval(here, active)

            going = active & (depth + 1 < _BOUNCES) & here.is_valid()
            surface = here.bsdf(ray)
            lit = going & mi.has_flag(surface.flags(), mi.BSDFFlags.Smooth)
            lamp, radiance = scene.sample_emitter_direction(here, sampler.next_2d(lit), False, lit)
            lit &= lamp.pdf != 0.0
            clear = ~scene.ray_test(here.spawn_ray_to(lamp.p), lit)
            lit &= clear | _only_glass(scene, here, lamp.p, lit & ~clear)
            value, chance = surface.eval_pdf(context, here, here.to_local(lamp.d), lit)
            weight = dr.select(clear, lamp.pdf**2 / (lamp.pdf**2 + chance**2), _SHADE)
            light += dr.select(lit, share * value * radiance * weight, 0.0)

            bounce, kept = surface.sample(context, here, sampler.next_1d(going), sampler.next_2d(going), going)
            ray = here.spawn_ray(here.to_world(bounce.wo))
            share *= kept
            eta *= bounce.eta
            before, density = here, bounce.pdf
            sharp = mi.has_flag(bounce.sampled_type, mi.BSDFFlags.Delta)
            rough |= ~sharp
            depth += 1
            odds = dr.minimum(dr.max(share) * eta**2, 0.95)
            tested = depth >= _SURE
            share = dr.select(tested & (odds > 0.0), share / odds, share)
            active = going & (~tested | (sampler.next_1d(going) < odds)) & (dr.max(share) != 0.0)
        return light, True, []


@dr.syntax
def _only_glass(scene: Any, start: Any, lamp: Any, active: Any) -> Any:
    """Whether nothing but glass is on the way to a lamp."""
    here, reached, panes = mi.SurfaceInteraction3f(start), mi.Bool(False), mi.UInt32(0)
    active = mi.Bool(active)
    while active:
        here = scene.ray_intersect(here.spawn_ray_to(lamp), active)
        reached |= active & ~here.is_valid()
        active &= here.is_valid() & (here.shape.eval_attribute_1("face_transmission", here, active) > 0.5)
        active &= panes < _PANES
        panes += 1
    return reached
