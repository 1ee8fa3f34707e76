"""Shows what slots made of some rooms: PTR's Figure 8.

    python docs/slots.py RUN DATASET [--split test] [--rooms 6] [--out docs/results/ptr/slots.jpg]

RUN is the folder of a trained `up_down`. For each room, the first ones of the split, there is a row: the picture, the
picture as it was painted again, and what every slot painted of it.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch

from mereo.errors import BadInput, MereoError
from mereo.evaluation.panels import ENDINGS, sheet_bytes
from mereo.files import write_bytes
from mereo.models.slot_sheet import slot_sheet
from mereo.models.slots import Slots
from mereo.training.device import choose_device
from mereo.workbench.learning import reopened, unread

OUT = Path(__file__).with_name("results") / "ptr" / "slots.jpg"


def main() -> None:
    """Look and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("--split", default="test")
    parser.add_argument("--rooms", type=int, default=6)
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    try:
        drawn(given.run, given.dataset, split=given.split, rooms=given.rooms, out=given.out)
    except MereoError as error:
        print(error, file=sys.stderr)
        sys.exit(2)


def drawn(run: Path, dataset: Path, *, split: str, rooms: int, out: Path) -> None:
    """Write the sheet."""
    if out.suffix not in ENDINGS:
        raise BadInput(f"must end in {', '.join(ENDINGS)}", file=out)
    if rooms < 1:
        raise BadInput(f"must be at least 1, not {rooms}", field="--rooms")
    desk = reopened(run, None).desk(dataset, choose_device(), unread)
    slots = desk.networks.get("slots")
    if not isinstance(slots, Slots):
        raise BadInput("has no slots: only a run of up_down has", file=run)
    pictures = slots.eval().shrunk(desk.corpus.pictures(split)[:rooms].float() / 255)
    with torch.inference_mode():
        sheet = slot_sheet(pictures, slots.painted(pictures))
    out.parent.mkdir(parents=True, exist_ok=True)
    write_bytes(out, sheet_bytes(sheet, out.suffix))


if __name__ == "__main__":
    main()
