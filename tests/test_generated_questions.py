"""Every question that is generated is answered right, worth asking, and well said.

Judged by the naive executor in `naive.py`, over many scenes, with our templates and with CLEVR's own.
"""

from __future__ import annotations

import re

SCENES = 300
KINDS = ("our", "official")
SINKS = ("unique", "count", "exist")
NARROWING = re.compile(r"filter_(\w+)")
TELLING = re.compile(r"(?:filter|same)_(\w+)")
"""Being of the same color as another tells a color too, once that one's is known."""
ASKING = re.compile(r"(?:query|same)_(\w+)")
