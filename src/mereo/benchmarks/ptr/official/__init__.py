"""PTR's official files: a language that answers as its generator does, and its template files."""

from mereo.benchmarks.benchmark import Official
from mereo.benchmarks.ptr.export import SPELLING
from mereo.benchmarks.ptr.official.dialect import DIALECT
from mereo.benchmarks.ptr.official.language import LANGUAGE
from mereo.benchmarks.ptr.official.scene import check_scene
from mereo.benchmarks.ptr.official.world import world_of

__all__ = ["OFFICIAL"]

OFFICIAL = Official(LANGUAGE, world_of, DIALECT, dataset="PartNet", spelling=SPELLING, check=check_scene)
