"""How well a trained row of PTR sees and reads: precision of objects and parts, what is said of them, programs.

    python bench/sight.py RUN DATASET [--split test] [--scenes 200] [--device auto] [--json FILE]

RUN is the folder of `ns_vqa`, `dense_symbolic` or `rebuilt`. Nothing is timed here, so the figures go to the terminal
and to a file of one's own, not into the tables of bench/README.md.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import msgspec

from mereo.benchmarks.ptr.language import LANGUAGE
from mereo.benchmarks.ptr.learning.looking import look_at_crops, look_at_pixels, look_at_truth
from mereo.benchmarks.ptr.learning.meanings import meanings
from mereo.benchmarks.ptr.learning.rows import parsed
from mereo.benchmarks.ptr.learning.sharpness import sharpness
from mereo.training.device import choose_device
from mereo.training.lexicon import prefix_tokens
from mereo.training.parsing import judge_parses
from mereo.workbench.learning import reopened, unread


def main() -> None:
    """Look, compare and tell."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--scenes", type=int, default=200)
    parser.add_argument("--device", default="auto")
    parser.add_argument("--json", type=Path)
    given = parser.parse_args()
    found = measured(given.run, given.dataset, split=given.split, scenes=given.scenes, device=given.device)
    for name, share in found.items():
        print(f"{name:<24}{100 * share:6.1f}")
    if given.json:
        given.json.write_bytes(msgspec.json.format(msgspec.json.encode(found)) + b"\n")


def measured(folder: Path, dataset: Path, *, split: str, scenes: int, device: str) -> dict[str, float]:
    """By name shares between 0 and 1."""
    desk = reopened(folder, None).desk(dataset, choose_device(device), unread)
    corpus = desk.corpus
    some = range(min(scenes, len(corpus.rows(split))))
    look = look_at_pixels if "perception" in desk.networks else look_at_crops
    found = sharpness(zip(look(desk, split, some), look_at_truth(desk, split, some), strict=True))
    if "parser" in desk.networks:
        said = [prefix_tokens(line or "") for line in parsed(desk, split)]
        true = corpus.questions(split, desk.lexicon).programs
        parses = judge_parses(said, true, LANGUAGE, meanings=meanings)["all"]
        found |= {"programs": parses.exact, "programs, as meant": parses.meant}
    return found


if __name__ == "__main__":
    main()
