"""The dataset card: what a folder holds, for a person who opens it."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

from mereo.datasets.front_matter import front_matter
from mereo.datasets.shards import read_shard
from mereo.datasets.store import Manifest
from mereo.errors import flat
from mereo.files import write_bytes

__all__ = ["told_left_out", "write_card"]

_SAMPLES = 8
_ANSWERS = 12


def write_card(folder: Path, manifest: Manifest) -> None:
    """Write `README.md` into a dataset folder and, where there are pictures, the sheet that it shows."""
    if _pictured(manifest):
        from mereo.datasets.sheet import write_sheet

        write_sheet(folder, manifest, folder / "sheet.png")
    write_bytes(folder / "README.md", card(folder, manifest).encode())


def _pictured(manifest: Manifest) -> bool:
    return bool(manifest.settings.get("pictures")) and any(manifest.scenes.values())


def card(folder: Path, manifest: Manifest) -> str:
    """The card's Markdown."""
    types: Counter[tuple[str, str]] = Counter()
    answers: dict[str, Counter[str]] = {}
    samples: list[tuple[str, str]] = []
    for name in manifest.files:
        if not name.startswith("questions/"):
            continue
        table = read_shard(folder / name, ["type", "subtype", "question", "answer"])
        columns = [table.column(column).to_pylist() for column in table.column_names]
        for type, subtype, question, answer in zip(*columns, strict=True):
            types[type, subtype] += 1
            answers.setdefault(subtype, Counter())[answer] += 1
            if len(samples) < _SAMPLES and types[type, subtype] == 1:
                samples.append((question, answer))
    lines = [*front_matter(folder, manifest), f"# {manifest.benchmark}, seed {manifest.seed}", ""]
    lines += ["| split | scenes | questions |", "|---|---:|---:|"]
    lines += [f"| {split} | {scenes:,} | {manifest.questions[split]:,} |" for split, scenes in manifest.scenes.items()]
    lines += _left_out(manifest)
    if _pictured(manifest):
        lines += ["", "![Some of the scenes, with a question each](sheet.png)"]
    lines += ["", "## For example", ""]
    lines += [f"- {question} **{answer}**" for question, answer in samples]
    lines += ["", "## Answers by type", "", "| type | subtype | questions | answers |", "|---|---|---:|---|"]
    for (type, subtype), count in sorted(types.items()):
        common = answers[subtype].most_common(_ANSWERS)
        shares = ", ".join(f"{answer} {share / count:.0%}" for answer, share in common)
        lines.append(f"| {type} | {subtype} | {count:,} | {shares} |")
    settings = ", ".join(f"{name} = {value}" for name, value in flat(manifest.settings))
    versions = ", ".join(f"{name} {version}" for name, version in manifest.versions.items())
    lines += ["", f"Made with {settings}; {versions}.", ""]
    return "\n".join(lines)


def _left_out(manifest: Manifest) -> list[str]:
    """Which scenes were asked for and could not be made, by reason."""
    if not manifest.left_out:
        return []
    reasons: dict[str, list[str]] = {}
    for one in manifest.left_out:
        reasons.setdefault(one.reason, []).append(one.scene)
    lines = ["", f"{told_left_out(manifest)}:", ""]
    return lines + [f"- {', '.join(scenes)}: {reason}" for reason, scenes in reasons.items()]


def told_left_out(manifest: Manifest) -> str:
    """How many scenes are left out, as a sentence."""
    count = len(manifest.left_out)
    was, are = ("scene that was", "is") if count == 1 else ("scenes that were", "are")
    return f"{count:,} {was} asked for could not be made and {are} left out"
