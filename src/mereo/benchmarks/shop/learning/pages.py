"""Pages as a network reads them: what it learns from, and what it tells of things that were seen.

Which page came with which thing is no secret: a thing that was found has the page of the one that is there, where the
two share half of their pixels. One that has no page is known by its looks alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from typing import Any
from zlib import crc32

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor

from mereo.benchmarks.shop.learning.agreeing import NAMED, called_together, known_lists, with_known_list
from mereo.benchmarks.shop.learning.levels import READ, SEEN
from mereo.benchmarks.shop.learning.truth import owners
from mereo.errors import BadInput, UnknownName
from mereo.models.describing import PageReader, Reading
from mereo.models.kinds import Batch
from mereo.models.sentences import Sentences
from mereo.training.corpus import Corpus
from mereo.training.lexicon import filled_up, split_words
from mereo.training.row import Desk
from mereo.training.seeing import Seen, SeenThing

__all__ = ["PageSource", "make_reader", "read_about", "read_in_agreement"]

_READINGS: Mapping[str, Reading] = {"bilstm": "bilstm", "votes": "votes", "minilm": "given"}
_BUCKETS = 1 << 14
"""Words are known by their digits alone, so that a reader needs no list of them. Fewer would make some share theirs."""


def make_reader(desk: Desk, usual: str) -> PageReader:
    """A reader by the choices `reader`, `weights` and `page_width`, not yet trained. usual : where none is chosen"""
    name = str(desk.choices.get("reader", usual))
    if name not in _READINGS:
        raise UnknownName("reader of pages", name, _READINGS)
    reading = _READINGS[name]
    return PageReader(
        {name: len(values) for name, values in READ.words.items()},
        {name: len(values) for name, values in READ.several.items()},
        alone={NAMED: len(SEEN.words["name"])},
        looks=sum(map(len, SEEN.words.values())),
        pages=_frozen(desk).width if reading == "given" else 1 + _BUCKETS,
        width=int(desk.choices.get("page_width", 128)),
        reading=reading,
    )


def _frozen(desk: Desk) -> Sentences:
    """The language model that was given."""
    weights = str(desk.choices.get("weights", ""))
    if not weights:
        raise BadInput("needs the folder of its files: --set weights=FOLDER", field="reader=minilm")
    return Sentences(weights)


class _Texts:
    """Texts as what a reader takes, each worked out once."""

    def __init__(self, desk: Desk, texts: Sequence[str], frozen: Sentences | None):
        known = {text: number for number, text in enumerate(dict.fromkeys(texts))}
        self.which = torch.tensor([known[text] for text in texts], dtype=torch.int64, device=desk.device)
        if frozen is not None:
            self.table = frozen.vectors([*known], desk.device)
            self.table[[number for text, number in known.items() if not text]] = 0.0
        else:
            rows = [[1 + crc32(word.encode()) % _BUCKETS for word in split_words(text)] for text in known]
            self.table = torch.from_numpy(filled_up(rows)).to(desk.device)

    def at(self, places: Tensor) -> Tensor:
        return self.table[self.which[places]]


class PageSource:
    """The objects of a split with their pages, looks, and what is true of them: one example each."""

    def __init__(self, desk: Desk, split: str, usual: str):
        corpus, texts = desk.corpus, list[str]()
        self.names: list[str] = []
        self._true: dict[str, list[Any]] = {name: [] for name in (*SEEN.words, *READ.words, *READ.several)}
        for row in corpus.rows(split):
            world, pages = corpus.inspector.world(row), corpus.inspector.written(row)
            for k, page in sorted(pages.items()):
                texts.append(page)
                self.names.append(f"{row['scene_id']}, object {k}")
                for name, own in self._true.items():
                    own.append(world.entities[k].attributes.get(name))
        if not texts:
            raise BadInput(f"has no pages in {split} to read", file=corpus.folder)
        frozen = _frozen(desk) if _READINGS[str(desk.choices.get("reader", usual))] == "given" else None
        self._texts, self._device = _Texts(desk, texts, frozen), desk.device

    def __len__(self) -> int:
        return len(self.names)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The objects at some places, whatever the chance."""
        places = places.to(self._device)
        return {"page": self._texts.at(places), **{name: table[places] for name, table in self._tables.items()}}

    def name(self, place: int) -> str:
        """The id of the scene, and which of its objects."""
        return self.names[place]

    @cached_property
    def _tables(self) -> Batch:
        named = {**SEEN.words, **READ.words}
        words = {name: _numbers(self._true[name], values) for name, values in named.items()}
        looks = [np.eye(len(values) + 1, dtype=np.float32)[words[name]][:, :-1] for name, values in SEEN.words.items()]
        several = {
            name: np.array([[value in (own or ()) for value in values] for own in self._true[name]], bool)
            for name, values in READ.several.items()
        }
        tables = {
            "looks": np.concatenate(looks, 1),
            f"words_{NAMED}": words["name"],
            **{f"words_{name}": words[name] for name in READ.words},
            **{f"several_{name}": table for name, table in several.items()},
        }
        return {name: torch.from_numpy(table).to(self._device) for name, table in tables.items()}


def _numbers(own: Sequence[Any], values: Sequence[str]) -> NDArray[np.int64]:
    """(n,): the number of each value, -1 for none."""
    known = {value: number for number, value in enumerate(values)}
    return np.array([known.get(one, -1) for one in own], np.int64)


def read_about(desk: Desk, split: str, scenes: Sequence[int], seen: Sequence[Seen]) -> Iterator[Seen]:
    """Things with what pages and looks tell of them, scene by scene. scenes : their places; seen : of each"""
    pages, things = _pages(desk.corpus, split, scenes, seen), [thing for one in seen for thing in one.objects]
    told = _told(desk, pages, things)
    for one in seen:
        yield replace(one, objects=[_with(thing, next(told)) for thing in one.objects])


def read_in_agreement(desk: Desk, split: str, scenes: Sequence[int], seen: Sequence[Seen]) -> Iterator[Seen]:
    """Things that are called what eyes and pages together say, with all that is read of things that look so.

    Who has read few pages knows from them what a thing is called, and all else from what such things are: what the
    other words of new pages seem to say is more often wrong. By the choice `named`, where it is false, a page tells
    only what cannot be seen, and a thing is still called what the eyes say.
    """
    pages, things = _pages(desk.corpus, split, scenes, seen), [thing for one in seen for thing in one.objects]
    agreed = [called_together(*one) for one in zip(things, _told(desk, pages, things), strict=True)]
    told, lists = _told(desk, [""] * len(pages), agreed), known_lists(desk.lexicon.answers)
    own = iter(agreed if desk.choices.get("named", True) else things)
    for one in seen:
        yield replace(one, objects=[with_known_list(_with(next(own), next(told)), lists) for _ in one.objects])


def _pages(corpus: Corpus, split: str, scenes: Sequence[int], seen: Sequence[Seen]) -> list[str]:
    """The pages of everything that was seen in some scenes, empty where a thing has none."""
    found = []
    for scene, one in zip(scenes, seen, strict=True):
        written = corpus.inspector.written(corpus.rows(split)[scene])
        found += ["" if k is None else written.get(k, "") for k in owners(corpus, split, scene, one)]
    return found


def _told(desk: Desk, pages: Sequence[str], things: Sequence[SeenThing]) -> Iterator[dict[str, NDArray[np.float32]]]:
    """By attribute how likely each value is, thing by thing; what a page calls its thing only where there is one."""
    if not things:
        return
    reader: Any = desk.networks["reader"]
    looks = torch.from_numpy(np.stack([_looks(thing) for thing in things])).to(desk.device)
    texts = _Texts(desk, pages, _frozen(desk) if reader.reading == "given" else None)
    said = reader.tell({"page": texts.at(torch.arange(len(pages), device=desk.device)), "looks": looks})
    tables = {name: one.float().cpu().numpy() for name, one in said.items()}
    for place, page in enumerate(pages):
        yield {name: table[place] for name, table in tables.items() if page or name != NAMED}


def _looks(thing: SeenThing) -> NDArray[np.float32]:
    """(l,): of every attribute how likely each value is; surely its own word where that is not told."""
    sure = [
        thing.odds.get(name, np.array([value == thing.words.get(name) for value in values], np.float32))
        for name, values in SEEN.words.items()
    ]
    return np.concatenate(sure).astype(np.float32)


def _with(thing: SeenThing, told: dict[str, NDArray[np.float32]]) -> SeenThing:
    """A thing with what was read about it: what is likeliest, and labels that are likelier than not."""
    words: dict[str, Any] = {name: values[int(told[name].argmax())] for name, values in READ.words.items()}
    for name, values in READ.several.items():
        words[name] = tuple(value for value, odds in zip(values, told[name], strict=True) if odds > 0.5)
    return replace(thing, words={**thing.words, **words}, odds={**thing.odds, **told})
