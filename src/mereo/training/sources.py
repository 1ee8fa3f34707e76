"""What batches are made of: questions with their pictures, scenes with their things, questions with their programs.

Batches are made by indexing on the device; what their fields mean stands in `training/fields.py`. Pictures are numbers
from 0 to 1: what a network makes of these is its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise

import torch
from torch import Tensor

from mereo.chance import generator
from mereo.errors import BadInput
from mereo.models.kinds import Batch
from mereo.training.augment import Change, View, draw_view, looked_at, recolored, repainted
from mereo.training.corpus import Corpus
from mereo.training.guests import with_guests
from mereo.training.lexicon import Lexicon, filled_up, split_words
from mereo.training.mirror import in_mirror
from mereo.training.things import Things, around, boxes_of

__all__ = ["ProgramSource", "QuestionSource", "SceneSource", "thing_fields"]

_USUAL = Change()
_COMPARED = 50
"""Questions of a template among which the one is looked for that says most that is new."""


class _Scenes:
    """Scenes of a split as fields: their pictures, and their things of some levels."""

    def __init__(self, corpus: Corpus, split: str, levels: Sequence[str], *, pictures: bool, change: Change):
        self.names, self.device, self.change = corpus.scene_ids(split), corpus.device, change
        self.pictures = corpus.pictures(split) if pictures else None
        self.things = {level: corpus.things(split, level) for level in levels}
        self.size = corpus.size if pictures or levels else None
        self.levels = {level: corpus.levels[level] for level in levels}
        if change.mirror and (blind := [name for name, own in self.levels.items() if own.mirror is None]):
            raise TypeError(f"nobody says what becomes of the level {blind[0]} in the mirror")
        if change.guests and (strange := [name for name, own in self.levels.items() if own.looks is None]):
            raise TypeError(f"nobody says what things of the level {strange[0]} look like elsewhere")

    def fields(self, scenes: Tensor, chance: torch.Generator | None) -> Batch:
        """What there is of some scenes, (g,) int64."""
        scenes = scenes.to(self.device)
        found, view = {"scene": scenes}, None
        if chance is not None and self.size is not None and self.change.moves:
            view = draw_view(len(scenes), self.size, self.change, chance, scenes.device)
        if self.pictures is not None:
            picture = looked_at(self.pictures, scenes, view).float().div_(255)
            found["picture"] = picture if chance is None else recolored(picture, self.change, chance)
        if view is not None and view.mirrored is not None:
            found["mirrored"] = view.mirrored
        for level, things in self.things.items():
            found |= thing_fields(things, level, scenes, view)
            if view is not None and view.mirrored is not None:
                found |= in_mirror(found, level, self.levels[level], view.mirrored)
        if chance is not None and self.change.ground:
            behind = torch.stack([found[f"{level}_ids"] == 0 for level in self.levels]).all(0)
            found["picture"] = repainted(found["picture"], behind, self.change, chance)
        if chance is not None and self.change.guests:
            found = with_guests(found, self.levels, self.change.guests, chance)
        return found


class SceneSource:
    """Scenes: `picture`, and the fields of the things of each level, as `object_ids` and `part_words_color`.

    levels : all that the corpus tells of, where none are named
    """

    def __init__(self, corpus: Corpus, split: str, *, levels: Sequence[str] | None = None, change: Change = _USUAL):
        own = tuple(corpus.levels) if levels is None else levels
        self._scenes = _Scenes(corpus, split, own, pictures=True, change=change)

    def __len__(self) -> int:
        return len(self._scenes.names)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The scenes at some places; with chance moved a little and in another light."""
        return self._scenes.fields(places, chance)

    def name(self, place: int) -> str:
        """The id of a scene."""
        return self._scenes.names[place]


class QuestionSource:
    """Questions with the pictures they are about. An example is as many questions about one scene as are `together`.

    Each scene has as many examples as it takes for all its questions; where the last has too few, it begins again with
    the first. With chance the questions of an example are drawn anew from all of the scene. A batch of g places has
    g pictures and g * together questions: `scene_of` tells which belongs to which, `place` which questions they are.

    pictures : whether they are wanted, which rows that only read can do without
    levels : those of which the things are wanted
    only : the places of the questions that are asked, where not all are, (n,) int64 from low to high
    """

    def __init__(
        self,
        corpus: Corpus,
        split: str,
        lexicon: Lexicon,
        *,
        together: int = 1,
        pictures: bool = True,
        levels: Sequence[str] = (),
        only: Tensor | None = None,
        change: Change = _USUAL,
    ):
        if together < 1:
            raise BadInput(f"at least one question is asked of a picture, not {together}")
        self.questions, self.together = corpus.questions(split, lexicon), together
        self._scenes = _Scenes(corpus, split, levels, pictures=pictures, change=change)
        asked = torch.arange(len(self.questions.ids), device=corpus.device) if only is None else only.to(corpus.device)
        scene = self.questions.scene[asked]
        self._order = asked[scene.argsort(stable=True)]
        self._count = torch.bincount(scene, minlength=len(self._scenes.names))
        self._start = self._count.cumsum(0) - self._count
        examples = (self._count + together - 1) // together
        self._scene = torch.arange(len(examples), device=scene.device).repeat_interleave(examples)
        before = examples.cumsum(0) - examples
        self._first = together * (torch.arange(len(self._scene), device=scene.device) - before[self._scene])
        self._most = int(self._count.max()) if len(self._count) else 0

    def __len__(self) -> int:
        return len(self._scene)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The examples at some places; with chance other questions of their scenes, and pictures changed a little."""
        places = places.to(self._scene.device)
        scenes = self._scene[places]
        own = self._order[self._start[scenes][:, None] + self._drawn(places, scenes, chance)].flatten()
        return {
            "question": self.questions.words[own],
            "answer": self.questions.answer[own],
            "place": own,
            "scene_of": torch.arange(len(places), device=own.device).repeat_interleave(self.together),
            **self._scenes.fields(scenes, chance),
        }

    def examples(self, questions: Tensor) -> Tensor:
        """The places of the examples of some questions of the split, where each is asked alone."""
        table = torch.full_like(self.questions.scene, -1)
        table[self._order] = torch.arange(len(self._order), device=table.device)
        return table[questions]

    def name(self, place: int) -> str:
        """The id of a question or, where several are together, of their scene."""
        if self.together > 1:
            return self._scenes.names[int(self._scene[place])]
        return self.questions.ids[int(self._order[place])]

    def _drawn(self, places: Tensor, scenes: Tensor, chance: torch.Generator | None) -> Tensor:
        """(g, together): which questions of each scene."""
        count = self._count[scenes][:, None]
        ahead = torch.arange(self.together, device=places.device)
        if chance is None or self.together == 1:
            return (self._first[places][:, None] + ahead) % count
        ranks = torch.rand(len(places), self._most, generator=chance, device=chance.device).to(places.device)
        strange = torch.arange(self._most, device=places.device) >= count
        return ranks.masked_fill_(strange, 2.0).argsort(1).gather(1, ahead % count)


class ProgramSource:
    """Questions with their programs: `question`, `program`, `place`.

    pairs : so many of them, drawn by a seed as evenly as can be from all templates and from what these say; a larger
        number holds all pairs of a smaller one. Programs with a token that the lexicon lacks are left out.
    """

    def __init__(self, corpus: Corpus, split: str, lexicon: Lexicon, *, pairs: int | None = None, seed: int = 0):
        questions = corpus.questions(split, lexicon)
        chosen = (
            range(len(questions.ids)) if pairs is None else _evenly(questions.templates, questions.texts, pairs, seed)
        )
        read = [(place, lexicon.program(questions.programs[place])) for place in chosen]
        known = [(place, tokens) for place, tokens in read if tokens is not None]
        device = questions.words.device
        self._names = [questions.ids[place] for place, _ in known]
        self._places = torch.tensor([place for place, _ in known], dtype=torch.int64, device=device)
        self._words = questions.words[self._places]
        self._programs = torch.from_numpy(filled_up([tokens for _, tokens in known])).to(device)

    def __len__(self) -> int:
        return len(self._names)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        """The pairs at some places, whatever the chance."""
        places = places.to(self._places.device)
        return {"question": self._words[places], "program": self._programs[places], "place": self._places[places]}

    def name(self, place: int) -> str:
        """The id of a question."""
        return self._names[place]


def thing_fields(things: Things, level: str, scenes: Tensor, view: View | None = None) -> Batch:
    """The things of some scenes by field; through a view only those are there of which it shows a pixel."""
    ids = looked_at(things.ids, scenes, view).long()
    within = things.within[scenes]
    boxes, present = things.boxes[scenes], things.present[scenes]
    surrounding = around(ids, within)
    if view is not None:
        boxes, present = boxes_of([ids, surrounding], things.present.shape[1])
    tables = {
        "ids": ids,
        "outer": torch.where(surrounding > 0, surrounding, ids),
        "present": present,
        "entity": things.entity[scenes],
        "whole": things.whole[scenes],
        "within": within,
        "boxes": boxes,
        **{f"words_{name}": table[scenes] for name, table in things.words.items()},
        **{f"several_{name}": table[scenes] for name, table in things.several.items()},
        **{f"numbers_{name}": table[scenes] for name, table in things.numbers.items()},
    }
    return {f"{level}_{name}": table for name, table in tables.items()}


def _evenly(templates: Sequence[str], texts: Sequence[str], count: int, seed: int) -> list[int]:
    """So many places: of every template one, then of every template another, each with as much new as can be.

    New is what stands side by side in a text and in none before it: so pairs tell of all ways to say something early.
    """
    waiting: dict[str, list[int]] = {}
    for place in map(int, generator(seed, "pairs").permutation(len(templates))):
        waiting.setdefault(templates[place], []).append(place)
    chosen: list[int] = []
    known: set[tuple[str, str]] = set()
    while len(chosen) < count and waiting:
        for template, places in [*waiting.items()]:
            beside = [{*pairwise(["", *split_words(texts[place]), ""])} for place in places[:_COMPARED]]
            best = max(range(len(beside)), key=lambda k: len(beside[k] - known))
            known |= beside[best]
            chosen.append(places.pop(best))
            if not places:
                del waiting[template]
    return chosen[:count]
