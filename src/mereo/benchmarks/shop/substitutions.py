"""What our templates are repeated for: attributes with the ways to ask for them, and the words that can be read.

A template names a list by `each`, or several, of which every row of one goes with every row of the next:

    "seen B"         what is seen of the hole B: Q, with ask1, end1 … ask3, end3 around it, and `it` after it is named;
                     ask_heard and end_heard are understood and never said
    "read B"         the same of what is read
    "like"           what things may have in common by sight: S, with `alike` and `like`
    "read like"      what they may have in common by what is read
    "values"         what is seen, but for the name: T, of which a word is chosen; "read values", what is read
    "pairs"          two attributes by sight: P and S; "read pairs", two of what is read
    "whether A"      every word that can be read of the hole A: T and `value`, with `whether` and `said`
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations, product

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.speech import NAMES
from mereo.errors import BadInput

__all__ = ["substitutions"]

Row = Mapping[str, str]
_AGREEING = {"is": "is|are", "does": "does|do", "it": "it|they", "them": "it|them"}
_FOLLOWING = {("movability", "picking"), *((attribute, "name") for attribute in (*TEXTUAL, "movability"))}
"""What all but follows, as things of one kind are moved alike, from what is said."""
_MARK = re.compile(r"\{(is|does|it|them)\}")


def substitutions(lists: str) -> Sequence[Row]:
    """The rows of the lists that a template names; none asks for what follows from what things have in common."""
    rows = []
    for parts in product(*[_listed(name.strip()) for name in lists.split(",")]):
        row = {key: value for part in parts for key, value in part.items()}
        attributes = [row[key] for key in ("Q", "S", "T") if key in row]
        if len(set(attributes)) == len(attributes) and (row.get("Q"), attributes[-1]) not in _FOLLOWING:
            rows.append(row)
    return rows


def _listed(name: str) -> list[Row]:
    match name.split():
        case ["seen", hole]:
            return [_asked(attribute, hole) for attribute in VISUAL]
        case ["read", hole] if hole.isupper():
            return [_asked(attribute, hole) for attribute in TEXTUAL]
        case ["like"]:
            return [_alike(attribute) for attribute in VISUAL]
        case ["read", "like"]:
            return [_alike(attribute) for attribute in TEXTUAL]
        case ["values"]:
            return [{"T": attribute} for attribute in VISUAL if attribute != "name"]
        case ["read", "values"]:
            return [{"T": attribute} for attribute in TEXTUAL]
        case ["pairs"]:
            plain = [attribute for attribute in VISUAL if attribute != "name"]
            return [{"P": one, "S": other} for one, other in combinations(plain, 2)]
        case ["read", "pairs"]:
            return [{"P": one, "S": other} for one, other in combinations(TEXTUAL, 2)]
        case ["whether", hole]:
            return list(_whether(hole))
    raise BadInput(f"there is no list '{name}'", field="each")


def _about(text: str, hole: str) -> str:
    """A text whose verbs agree with what is in a hole."""
    return _MARK.sub(lambda mark: f"{{{hole}:{_AGREEING[mark[1]]}}}", text)


def _asked(attribute: str, hole: str) -> Row:
    ask = NAMES["ask"][attribute]
    row = {"Q": attribute, "it": _about(ask["short"], hole)}
    ways = {f"{number}": whole for number, whole in enumerate(ask["whole"], 1)}
    for way, whole in (*ways.items(), ("_heard", ask.get("heard", ask["whole"][0]))):
        before, _, row[f"end{way}"] = _about(whole, hole).partition("{thing}")
        row[f"ask{way}"] = before.rstrip()
    return row


def _alike(attribute: str) -> Row:
    alike, like = NAMES["alike"][attribute]
    return {"S": attribute, "alike": alike, "like": like}


def _whether(hole: str) -> Iterator[Row]:
    for attribute in TEXTUAL:
        for value in VOCABULARY.words(attribute):
            whether = _about(NAMES["whether"][value], hole).replace("{thing}", f"the {{{hole}}}")
            said = NAMES["is"][attribute][value]
            yield {"T": attribute, "value": value, "whether": whether, "said": said[0], "also_said": said[-1]}
