"""The profiles that shades, bodies, feet and bulbs are turned from; `profiles.toml` holds them."""

from __future__ import annotations

from pathlib import Path

from mereo.shapes.profiles import Corners, Profiles, curve, line

__all__ = ["Corners", "curve", "drawn_profile", "line", "profiles"]

_FILE = Profiles(Path(__file__).with_suffix(".toml"))
profiles, drawn_profile = _FILE.group, _FILE.drawn
