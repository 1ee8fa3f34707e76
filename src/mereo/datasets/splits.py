"""Sharing scenes out among splits."""

from __future__ import annotations

from collections.abc import Mapping

from mereo.errors import BadInput, UnknownName

__all__ = ["parse_size", "parse_splits", "share_out"]


def share_out(scenes: int, shares: Mapping[str, float]) -> dict[str, int]:
    """Scenes by split, in proportion; what does not come out even goes to the largest remainders."""
    total = sum(shares.values())
    exact = {split: scenes * share / total for split, share in shares.items()}
    counts = {split: int(number) for split, number in exact.items()}
    by_remainder = sorted(exact, key=lambda split: exact[split] - counts[split], reverse=True)
    for split in by_remainder[: scenes - sum(counts.values())]:
        counts[split] += 1
    return {split: count for split, count in counts.items() if count}


def parse_splits(text: str, *, known: Mapping[str, object]) -> dict[str, int]:
    """Read `train=80,val=20`."""
    splits: dict[str, int] = {}
    for part in text.split(","):
        name, equals, number = part.strip().partition("=")
        if not equals or not number.strip().isdecimal() or not int(number):
            raise BadInput(f"'{part.strip()}' is not of the form train=80", field="--split")
        if name not in known:
            raise UnknownName("split", name, known)
        if name in splits:
            raise BadInput(f"names {name} twice", field="--split")
        splits[name] = int(number)
    return splits


def parse_size(text: str) -> tuple[int, int]:
    """Read `480x320`."""
    width, cross, height = text.partition("x")
    if (
        not cross
        or not width.isdecimal()
        or not height.isdecimal()
        or not all(16 <= int(side) <= 4096 for side in (width, height))
    ):
        raise BadInput(f"'{text}' is not a size such as 480x320", field="--size")
    return int(width), int(height)
