"""Which items of others can be asked about: those whose phrases read as their relation says.

Much of what people have typed in is no phrase of the kind that its relation wants: "sometimes" for a category, a whole
sentence for a place. Phrases are judged by the graph that they are parsed into.
"""

from __future__ import annotations

from mereo.benchmarks.cric.words import words
from mereo.knowledge import parsed, relations

__all__ = ["readable", "readable_category"]

_LONGEST, _LONGEST_NOUN = 6, 2
"""Words of a phrase, and of one that only names something."""
_NAMES = ("AtLocation", "HasA", "MadeFrom")
_DOINGS = ("UsedFor", "CapableOf", "HasPrerequisite", "HasSubevent")


def readable(relation: str, phrase: str, *, head: bool = False) -> bool:
    """Whether a phrase at the tail of a relation, or at its head, is what one would say there."""
    if not _plain(phrase) or phrase.count(" ") >= _LONGEST:
        return False
    if relation in _NAMES:
        return readable_category(phrase)
    about = relations()[relation]
    graph = parsed(phrase, opening=about.head if head else about.tail)
    if graph is None:
        return False
    roles = tuple(node.role for node in graph.nodes)
    if relation in _DOINGS:
        return roles[:1] == ("agent",)
    if relation == "HasProperty":
        return roles in (("quality",), ("agent", "quality", "thing")) or (
            roles[:1] == ("agent",) and _participle(phrase)
        )
    if relation == "ReceivesAction":
        return roles[:1] == ("agent",) and _participle(phrase)
    return roles[:1] == ("thing",)


def readable_category(phrase: str) -> bool:
    """Whether a phrase only names something, and shortly."""
    if not _plain(phrase) or phrase.count(" ") >= _LONGEST_NOUN or phrase.partition(" ")[0] in words().unnamed:
        return False
    graph = parsed(phrase, opening="noun")
    return graph is not None and [node.role for node in graph.nodes] == ["thing"] and not graph.edges


def _plain(phrase: str) -> bool:
    return phrase.replace(" ", "").replace("-", "").isalpha()


def _participle(phrase: str) -> bool:
    verb = phrase.partition(" ")[0]
    return verb.endswith(("ed", "en")) or verb in words().participles
