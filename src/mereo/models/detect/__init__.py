"""Detectors of the field: masks of things in pictures, whatever the things are. All learn from nothing."""

from mereo.models.detect.detector import Detector
from mereo.models.detect.named import make_detector

__all__ = ["Detector", "make_detector"]
