"""What a trained run sees in the scenes of a dataset, and reads about it, as parses; and what these are worth."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, get_args

import msgspec

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL
from mereo.benchmarks.shop.learning.rows import LOOKS, ROWS
from mereo.benchmarks.shop.learning.seeing import ShopSeeing
from mereo.benchmarks.shop.parsed import judge_parses, scored_by_measure
from mereo.benchmarks.shop.parses import Given, Parse, ParseHeader, Seen
from mereo.datasets.asked import Selection
from mereo.datasets.inspector import Inspector
from mereo.datasets.pictures import decode_png
from mereo.datasets.predictions import Header, Mask, write_predictions
from mereo.datasets.store import Manifest, fingerprint
from mereo.errors import BadInput, UnknownName
from mereo.evaluation.result import ScoredTable
from mereo.extras import need
from mereo.masks import box_of, encode, stretched
from mereo.training.row import Desk, Row
from mereo.training.seeing import SeenThing

__all__ = ["look_and_judge", "parse_by_run"]

_TRUE: Mapping[str, Mapping[str, bool]] = {"masks": {"masks": True}, "attributes": {"attributes": True}}
"""By what is given what is chosen about how a row looks."""


def parse_by_run(
    folder: Path, manifest: Manifest, eye: Inspector, run: Path, *, splits: Sequence[str], given: Given | None = None
) -> tuple[ParseHeader, Iterator[Parse]]:
    """Parses of all scenes of some splits by a trained run. given : what it is told and need not see"""
    need("learning", "train")
    from mereo.training.corpus import Corpus
    from mereo.training.device import choose_device, use_cores
    from mereo.training.run import Run, load_row

    past = Run.open(run)
    row = _row(past.row, run, given)
    for stage, fitted in past.stages.items():
        if fitted is None:
            raise BadInput(f"is not trained yet: stage '{stage}' is not done, and mereo train goes on", file=run)
    for split in splits:
        if split not in manifest.scenes:
            raise UnknownName("split", split, manifest.scenes)
    use_cores()
    device = choose_device("auto")
    corpus = Corpus(folder, eye, device, seeing=ShopSeeing())
    lacking = corpus.lacking(("pictures", "masks"))
    if lacking:
        raise BadInput(f"has no {' and no '.join(lacking)}, which row {row.name} needs", file=folder)
    desk = Desk(corpus, past.lexicon, device, past.seed, {**past.choices, **(_TRUE[given] if given else {})})
    load_row(past, desk, row)
    header = ParseHeader(
        dataset=fingerprint(manifest),
        benchmark=manifest.benchmark,
        model=row.name,
        selection=Selection(tuple(splits)),
        settings={"row": past.row, "learned_from": past.fingerprint, "minutes": past.minutes, "seed": past.seed},
        given=given,
    )
    return header, _parses(desk, row, splits)


def look_and_judge(
    row: Row, desk: Desk, header: Header, path: Path, progress: Callable[[int], None]
) -> list[ScoredTable]:
    """Write down what a trained row sees and reads in a split, and judge it: the paper's Tables III and IV.

    What it is told is what is chosen: `masks` or, before these, `attributes`.
    """
    if row.name not in LOOKS:
        raise BadInput(f"row {row.name} sees no things; {', '.join(LOOKS)} do")
    assert header.selection is not None
    splits, told = header.selection.splits, [name for name in get_args(Given) if desk.choices.get(name)]

    def seen() -> Iterator[Parse]:
        for parse in _parses(desk, row, splits):
            yield parse
            progress(1)

    own = ParseHeader(**msgspec.structs.asdict(header), given=told[-1] if told else None)
    write_predictions(path, own, seen())
    corpus, always = desk.corpus, (*VISUAL, *TEXTUAL, "place")  # whoever finds nothing has all of it wrong
    return scored_by_measure(
        judge_parses(path, corpus.folder, lambda manifest: corpus.inspector, splits=splits, always=always)
    )


def _row(name: str, run: Path, given: Given | None) -> Row:
    known = {row.name: row for row in ROWS}
    if name not in known:
        raise BadInput(f"has learned {name}, which sees no things; {', '.join(known)} do", file=run)
    if given is not None and given not in get_args(Given):
        raise UnknownName("thing to be given named", given, get_args(Given))
    if given is not None and given not in known[name].choices:
        raise BadInput(f"row {name} cannot be given {given}", field="--given")
    return known[name]


def _parses(desk: Desk, row: Row, splits: Sequence[str]) -> Iterator[Parse]:
    for split in splits:
        names = desk.corpus.scene_ids(split)
        if not names:
            continue
        height, width = decode_png(desk.corpus.whole_row(split, 0)["instances"]["bytes"]).shape[:2]
        for name, seen in zip(names, LOOKS[row.name](desk, split, None), strict=True):
            things = (_seen(thing, (height, width)) for thing in seen.objects)
            yield Parse(name, [thing for thing in things if thing is not None])


def _seen(thing: SeenThing, size: tuple[int, int]) -> Seen | None:
    """A thing as parses tell it, at the size of its picture; None where nothing of it is left there."""
    mask = stretched(thing.mask, size)
    box = box_of(mask)
    if box is None:
        return None
    words: dict[str, Any] = {name: thing.words[name] for name in (*VISUAL, *TEXTUAL) if thing.words.get(name)}
    place = tuple(round(float(one), 4) for one in thing.numbers["coords"])
    score = round(float(thing.score), 4)
    return Seen(box, Mask(size, encode(mask)["counts"]), score, (place[0], place[1]), **words)
