"""The names of the grammar's rules, and the functions that say what they mean.

A function takes what the children of a rule mean, and gives a meaning, a pair of one and its cost, or a list of these;
None where the words make no sense together.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

__all__ = ["RULES", "agreeing", "rule"]

Action = TypeVar("Action", bound=Callable[..., Any])
RULES: dict[str, Callable[..., Any]] = {}
"""The functions by the names of the grammar, but for those that hang on a lexicon."""


def agreeing(function: Action) -> Action:
    """A function that is told the forms of words, too."""
    function.agrees = True  # type: ignore[attr-defined]
    return function


def rule(*names: str, agrees: bool = False) -> Callable[[Action], Action]:
    """A function that says what rules of these names mean. agrees : whether it is told the forms of words, too"""

    def known(function: Action) -> Action:
        function.agrees = agrees  # type: ignore[attr-defined]
        RULES.update(dict.fromkeys(names, function))
        return function

    return known
