"""What an oracle says besides its answer: what this points at, and what every step refers to."""

from __future__ import annotations

from typing import Any

from mereo.programs import Trace
from mereo.world import members

__all__ = ["told_by"]


def told_by(trace: Trace) -> dict[str, Any]:
    """What a run of a program points at and refers to, by id: an eye that misses things counts them otherwise."""
    names = [entity.id for entity in trace.world.entities]
    referred = [[names[place] for place in places] for places in trace.referred()]
    sets = [value for value, type in zip(trace.values, trace.executable.types, strict=True) if type.form == "entities"]
    found = members(sets[-1])
    return {"target": names[found[0]] if found else None, "referred": referred}
