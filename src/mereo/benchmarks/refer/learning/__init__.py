"""What referring expressions have of their own for learning: rows that point, and the paper's table and figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mereo.benchmarks.refer.learning.rows import ROWS
from mereo.benchmarks.refer.learning.studies import refer_studies
from mereo.benchmarks.refer.stage import REFERRING
from mereo.training.learning import Learning

if TYPE_CHECKING:
    from mereo.datasets.store import Manifest
    from mereo.training.seeing import Seeing

__all__ = ["LEARNING"]


def _seeing(manifest: Manifest) -> Seeing | None:
    """Who knows CLEVR's stage, where the scenes are on it; nobody where they are rooms or tables."""
    from mereo.benchmarks.refer.inspect import ReferInspector
    from mereo.benchmarks.refer.learning.seeing import ReferSeeing

    inspector = ReferInspector(manifest)
    return ReferSeeing(inspector.language.vocabulary) if inspector.referring is REFERRING else None


LEARNING = Learning(seeing=_seeing, rows=ROWS, studies=refer_studies())
