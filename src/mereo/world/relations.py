"""Relations between entities that follow from where they stand."""

from __future__ import annotations

from collections.abc import Sequence

__all__ = ["along"]


def along(positions: Sequence[Sequence[float]], direction: Sequence[float], *, margin: float) -> tuple[int, ...]:
    """For each entity the set of those that lie further along a direction than it does, by more than a margin.

    positions : (n, 3) float, world frame, one unit of length throughout
    direction : (3,) float, the same frame; not normalized here
    margin : the dead zone, in units of position times direction; CLEVR takes 0.2
    """
    x, y, z = direction
    reach = [px * x + py * y + pz * z for px, py, pz in positions]
    related = []
    for own in reach:
        bits = 0
        for index, other in enumerate(reach):
            if other - own > margin:
                bits |= 1 << index
        related.append(bits)
    return tuple(related)
