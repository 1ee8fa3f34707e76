"""From the programs of PTR's official files to ours and back, for what both languages can say.

Officially, one function does what is several steps here: `query_part-color[leg](x)` is asking the legs among x's own
parts for their color. A relation is a value there and stays unspoken here. What only one of them can say is `Unsaid`.
"""

from mereo.benchmarks.ptr.translation.to_official import to_official
from mereo.benchmarks.ptr.translation.to_ours import to_ours
from mereo.benchmarks.ptr.translation.tree import Unsaid

__all__ = ["Unsaid", "to_official", "to_ours"]
