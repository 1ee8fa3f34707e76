"""Answers by programs, run on how likely a network takes all that could be said of a picture."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import torch
from torch import Tensor

from mereo.benchmarks.cric.graph import SceneGraph, Stated, Thing, graph_world, kinds_of_words
from mereo.benchmarks.cric.language import LANGUAGE
from mereo.benchmarks.cric.learning.graphs import Graphs, bits, graphs_of, inspector_of_cric
from mereo.benchmarks.cric.learning.likely import NOTHING, Found, LikelyScene, Names, run_likely
from mereo.benchmarks.cric.learning.recipes import EYES
from mereo.benchmarks.cric.learning.showing import looks_at
from mereo.benchmarks.cric.learning.vocabulary import vocabulary_of
from mereo.datasets.predictions import Prediction
from mereo.datasets.sights import Looks, SeenScene
from mereo.models.kinds import Batch
from mereo.models.residual import DEPTH_34
from mereo.models.scene_graphs import LikelyGraphs, SceneGraphs
from mereo.programs import parse_program
from mereo.training.augment import MIRRORED
from mereo.training.device import mixed
from mereo.training.row import Desk
from mereo.training.showing import scenes_of
from mereo.training.sources import SceneSource
from mereo.training.understanding import parsed

__all__ = ["GraphSource", "answer_by_likelihood", "likely_scenes", "perception", "show_graphs", "told_graphs"]

_AT_ONCE = 16
_OTHER_WAY = {"left of": "right of", "right of": "left of"}
"""What a predicate becomes in the mirror; all others stay."""
_SAID = 0.5
"""From which likelihood on a thing is said to be so, where a graph is shown."""


class GraphSource:
    """Scenes with their boxes and what is true of them: the fields of `SceneGraphs`."""

    def __init__(self, desk: Desk, split: str):
        self._scenes = SceneSource(desk.corpus, split, levels=(), change=MIRRORED)
        self._graphs = graphs_of(desk.corpus, split)
        self._predicates = vocabulary_of(desk.corpus.inspector).predicates

    def __len__(self) -> int:
        return len(self._scenes)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The scenes at some places; with chance in another light, and every other one in the mirror."""
        batch = self._scenes.batch(places, chance=chance)
        own: Graphs = Graphs(*(table[batch["scene"]] for table in self._graphs))
        batch |= {
            "boxes": own.boxes,
            "boxes_present": own.present,
            "names": own.names,
            "words": own.words,
            "related": bits(own.related, len(self._predicates)),
            "unclear": bits(own.unclear, len(self._predicates)),
        }
        return _in_mirror(batch, self._predicates) if "mirrored" in batch else batch

    def name(self, place: int) -> str:
        """The id of a scene."""
        return self._scenes.name(place)


def _in_mirror(batch: Batch, predicates: Sequence[str]) -> Batch:
    """What is told of scenes whose pictures are mirrored, where they are."""
    turned, width, (left, top, wide, high) = batch["mirrored"], batch["picture"].shape[-1], batch["boxes"].unbind(-1)
    boxes = torch.stack([torch.where(turned[:, None], width - left - wide, left), top, wide, high], -1)
    other = [predicates.index(_OTHER_WAY.get(one, one)) for one in predicates]
    stood = {
        name: torch.where(turned[:, None, None, None], batch[name][..., other], batch[name])
        for name in ("related", "unclear")
    }
    return {**batch, **stood, "boxes": boxes}


def perception(desk: Desk) -> SceneGraphs:
    """The network that sees graphs, not yet trained."""
    vocabulary = vocabulary_of(desk.corpus.inspector)
    shallow = desk.choices.get("depth") == "small"
    return SceneGraphs(
        names=len(vocabulary.names),
        words=len(vocabulary.words),
        predicates=len(vocabulary.predicates),
        width=int(desk.choices.get("width", 256)),
        crop_width=int(desk.choices.get("crop_width", EYES["crop_width"])),
        blocks=(1, 1, 1, 1) if shallow else DEPTH_34,
    )


def answer_by_likelihood(desk: Desk, split: str) -> Iterator[Prediction]:
    """An answer to every question of a split, in its order, with what it points at."""
    questions = desk.corpus.questions(split, desk.lexicon)
    programs = parsed(desk, split, LANGUAGE)
    about = questions.by_scene()
    true = bool(desk.choices.get("programs"))
    given: dict[int, Prediction] = {}
    for scene, (places, seen) in likely_scenes(desk, split, sorted(about)):
        for place in about[scene]:
            found = _run(programs[place], seen)
            answer = found.answer or desk.lexicon.guess(questions.types[place])
            given[place] = Prediction(
                questions.ids[place],
                answer,
                target=None if found.target is None or answer == NOTHING else places[found.target],
                program=programs[place],
                # What steps refer to is judged step by step, which only the steps of the true program can be.
                referred=[[places[k] for k in own] for own in found.referred] if true else None,
            )
    yield from (given[place] for place in range(len(questions.ids)))


def _run(line: str | None, scene: LikelyScene) -> Found:
    return Found("", None, []) if line is None else run_likely(parse_program(line), scene)


def likely_scenes(desk: Desk, split: str, scenes: Sequence[int]) -> Iterator[tuple[int, tuple[list[int], LikelyScene]]]:
    """By scene the places of the things that have boxes, and how likely all is of these.

    By the choice `graphs` as is true, and then only what everybody would say.
    """
    source, inspector = GraphSource(desk, split), inspector_of_cric(desk.corpus)
    known = Names(vocabulary_of(inspector), inspector.known.lore)
    for some in torch.tensor(list(scenes), device=desk.device).split(_AT_ONCE):
        batch = source.batch(some)
        told = told_graphs(desk, batch, true=bool(desk.choices.get("graphs")))
        names, words, related = (one.float().cpu().numpy() for one in told)
        for row, scene in enumerate(some.tolist()):
            places = batch["boxes_present"][row].nonzero()[:, 0].tolist()
            own = np.ix_(places, places)
            yield (
                scene,
                (
                    places,
                    LikelyScene(names[row][places], words[row][places], related[row][own].transpose(2, 0, 1), known),
                ),
            )


def told_graphs(desk: Desk, batch: Batch, *, true: bool) -> LikelyGraphs:
    """How likely all is that could be said of some scenes: as the network sees it, or as is true."""
    if true:
        count = len(vocabulary_of(desk.corpus.inspector).names)
        called = torch.nn.functional.one_hot(batch["names"] + 1, count + 1)[..., 1:]
        return LikelyGraphs(called.float(), (batch["words"] > 0).float(), batch["related"].float())
    network = desk.networks["perception"]
    assert isinstance(network, SceneGraphs)
    with mixed(desk.device):
        return network.tell(batch)


def show_graphs(desk: Desk, split: str, places: Sequence[int]) -> Iterator[Looks | SeenScene]:
    """What is seen of the scenes of some questions, and what every step of their programs finds there."""
    questions = desk.corpus.questions(split, desk.lexicon)
    programs = dict(zip(places, parsed(desk, split, LANGUAGE, places), strict=True))
    boxes, ids = graphs_of(desk.corpus, split).boxes, desk.corpus.scene_ids(split)
    of = {place: int(questions.scene[place]) for place in places}
    for scene, (things, seen) in likely_scenes(desk, split, scenes_of(desk, split, places)):
        own = boxes[scene][things]
        yield _seen_scene(ids[scene], own, seen, desk.corpus.size)
        for place in (place for place in places if of[place] == scene):
            found = _run(programs[place], seen)
            if found.steps and things:
                at = torch.from_numpy(np.stack(found.steps))
                yield looks_at(questions.ids[place], own, at, desk.corpus.size)


def _seen_scene(scene_id: str, boxes: Tensor, seen: LikelyScene, size: tuple[int, int]) -> SeenScene:
    """The likeliest graph as a world, and its boxes as a picture of numbers, the small ones before the large."""
    vocabulary, kinds = seen.known.vocabulary, kinds_of_words()
    things = []
    for k in range(len(seen.names)):
        said: dict[str, tuple[str, ...]] = {}
        for number in np.flatnonzero(seen.words[k] > _SAID):
            word = vocabulary.words[int(number)]
            said[kinds[word]] = (*said.get(kinds[word], ()), word)
        things.append(Thing(str(k), vocabulary.names[int(seen.names[k].argmax())], attributes=said))
    stated = tuple(
        Stated(str(one), vocabulary.predicates[number], str(other))
        for number, one, other in np.argwhere(seen.related > _SAID).tolist()
    )
    ids = np.zeros(size, np.uint16)
    for k in boxes[:, 2:].prod(-1).argsort(descending=True).tolist():
        left, top, wide, high = boxes[k].round().int().tolist()
        ids[top : top + max(1, high), left : left + max(1, wide)] = k + 1
    graph = SceneGraph(scene_id, size[1], size[0], tuple(things), stated)
    shown = [[k + 1] if (ids == k + 1).any() else [] for k in range(len(things))]
    return SeenScene(scene_id, graph_world(graph, seen.known.lore), ids, shown)
