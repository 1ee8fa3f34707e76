"""Whether parts look in the picture as the record tells their colors."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from mereo.datasets.gates import Gate, Row, Tell, Watch

__all__ = ["Looks"]


class Looks(Watch):
    """Counts kinds of parts that look like another color than the record tells."""

    def __init__(self) -> None:
        self._tell = Tell("parts that look like another color than is told")

    def look(self, scene: Row, questions: Sequence[Row]) -> None:
        """Name the color that each kind of part has in the picture."""
        if not scene.get("instances"):
            return
        from mereo.benchmarks.ptr.pictured import seen_colors

        for color in seen_colors(scene):
            self._tell.add(color.seen != color.said, f"{color.part} of object {color.object} of {scene['scene_id']}")

    def gates(self) -> Iterator[Gate]:
        """The one figure, where there are pictures."""
        if self._tell.of:
            yield self._tell.gate()
