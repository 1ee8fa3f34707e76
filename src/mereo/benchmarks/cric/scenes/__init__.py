"""CRIC's own scenes: rooms, laid tables and kitchen counters, and what a person would state of them."""

from mereo.benchmarks.cric.scenes.own import OwnScenes

__all__ = ["OwnScenes"]
