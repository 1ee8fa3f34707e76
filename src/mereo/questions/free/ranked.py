"""The leftmost, the second from the right: places in an order that a world's own relations tell."""

from __future__ import annotations

from collections.abc import Sequence

from mereo.programs import OBJECT_SET, Function, Language, NothingReferred, NoValue, value_type
from mereo.questions.free.table import Table
from mereo.world import World, members

__all__ = ["with_ranks"]


def with_ranks(language: Language, numbers: Sequence[str], sides: Sequence[str]) -> Language:
    """A language that can say "the second from the left" by its relations, if it cannot say it in its own way.

    numbers : the words for places, from the first on; sides : of the picture, as relations are called
    """
    known = [side for side in sides if Table(language).relate("object", side) is not None]
    if Table(language).ordinal() is not None or not known:
        return language
    return language.extended(language.name, [_filter_rank(tuple(numbers), tuple(known))], about=language.about)


def _filter_rank(numbers: tuple[str, ...], sides: tuple[str, ...]) -> Function:
    def filter_rank(world: World, objects: int, number: str, side: str) -> int:
        place = numbers.index(number)
        if objects.bit_count() <= place:
            raise NothingReferred(f"there are only {objects.bit_count()}, so none is {number}")
        table = world.related[side]
        # Whoever stands on that side of a thing comes before it.
        found = [thing for thing in members(objects) if (table[thing] & objects).bit_count() == place]
        if len(found) != 1:
            raise NoValue(f"it cannot be told which is {number}")
        return 1 << found[0]

    values = value_type("OrdinalNumber", numbers), value_type("Side", sides)
    about = "the one at this place in the order, counted from a side"
    return Function("filter_rank", (OBJECT_SET,), values, OBJECT_SET, filter_rank, about)
