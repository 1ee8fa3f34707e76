"""Steps of every model of the zoo on a dataset: how long one takes, how busy the device is, how much memory it needs.

    python bench/training.py [--dataset FOLDER] [--rows mac,lcgn] [--steps 50] [--device cuda]

Each stage of each row learns for some steps with its own pace, one after the other, as `mereo train` has it learn. Rows
whose needs the dataset does not meet are left out and told. Without a dataset a few small pictures of CLEVR are made.
Of a GPU, busy is what its kernels take back to back over the time that steps take; of a processor, the share of the
time that is not spent in making batches. A step is measured against that of a row that only reads the question.
"""

from __future__ import annotations

import argparse
import subprocess
import tempfile
from collections.abc import Iterator
from pathlib import Path

import msgspec
import torch

from measure import mereo, options, save
from mereo.benchmarks.benchmark import inspector_of
from mereo.datasets.store import open_dataset
from mereo.models.learner import parameters
from mereo.training.corpus import Corpus
from mereo.training.device import choose_device
from mereo.training.loop import fit
from mereo.training.row import NEEDS, Desk
from mereo.training.row import Row as Model
from mereo.training.run import learned_split
from tables import Row

REFERENCE = "blind"
"""The row that others are measured against, where it is among them."""
TABLE = "a step"


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--dataset", type=Path, help="a folder with a split train (default: a small one of CLEVR)")
    parser.add_argument("--rows", help="names with commas between them (default: all)")
    parser.add_argument("--steps", type=int, default=50)
    parser.add_argument("--device", default="auto")
    given = options(parser)
    device = choose_device(given.device)
    if device.type == "cuda":
        given.machine = msgspec.structs.replace(given.machine, gpu=torch.cuda.get_device_name(device))
    steps = 2 if given.quick else given.steps
    with tempfile.TemporaryDirectory() as name:
        corpus = _corpus(given.dataset or _pictures(Path(name) / "set"), device)
        chosen, notes = _chosen(given.rows, corpus)
        rows = [row for model in chosen for row in _measured(model, corpus, steps)]
    names = [row.what for row in rows]
    reference = next((one for one in names if one.startswith(f"{REFERENCE}: ")), "no other row")
    save("training", given, [msgspec.structs.replace(row, against=reference) for row in rows], notes=notes)


def _pictures(folder: Path) -> Path:
    build = mereo("build", "clevr", folder, "--split", "train=8", "--size", "96x64", "--samples", "8", "--seed", "0")
    subprocess.run(build, check=True, stdout=subprocess.DEVNULL)
    return folder


def _corpus(folder: Path, device: torch.device) -> Corpus:
    return Corpus(folder, inspector_of(open_dataset(folder)), device)


def _chosen(names: str | None, corpus: Corpus) -> tuple[list[Model], list[str]]:
    """The rows that can learn from a dataset, and sentences about the others."""
    from mereo.training.zoo import all_rows

    models, found, notes = all_rows(), [], []
    for name in names.split(",") if names else models:
        lacking = corpus.lacking(models[name].needs)
        if lacking:
            notes.append(f"{name} is left out: the dataset has no {' and no '.join(NEEDS[one] for one in lacking)}.")
        elif models[name].stages:
            found.append(models[name])
    return found, notes


def _measured(model: Model, corpus: Corpus, steps: int) -> Iterator[Row]:
    """A row of the table for each stage."""
    desk = Desk(corpus, corpus.lexicon(), corpus.device)
    for stage in model.stages:
        torch.manual_seed(0)
        network = stage.network(desk).to(desk.device)
        source = stage.source(desk, learned_split(corpus.splits))
        fitted = fit(network, source, pace=stage.pace, steps=steps, seed=0, device=desk.device)
        desk.networks[stage.name] = network
        batch = min(stage.pace.batch, len(source))
        yield Row(
            what=f"{model.name}: {stage.name}",
            value=1000 * batch / fitted.examples_per_second,
            unit="ms",
            against="",
            table=TABLE,
            more={
                "examples in a batch": batch,
                "examples per s": fitted.examples_per_second,
                "busy, %": 100 * fitted.busy,
                "peak MiB": fitted.memory,
                "million weights": parameters(network) / 1e6,
            },
        )


if __name__ == "__main__":
    main()
