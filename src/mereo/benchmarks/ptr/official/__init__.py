"""PTR's official files: a language that answers as its generator does, and its template files."""

from mereo.benchmarks.ptr.official.format import FORMAT

__all__ = ["FORMAT"]
