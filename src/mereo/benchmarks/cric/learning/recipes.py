"""CRIC's models that answer from regions, a line or two each. Light: nothing here needs PyTorch."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal

from mereo.training.recipe import Recipe
from mereo.training.row import Pace

__all__ = ["ASKERS", "EYES", "Asker"]

Reader = Literal["lstm", "gru", "transformer"]
_BATCH = Pace(batch=96, rate=1e-3, decay=0.02, average=0.999)
"""An example is a picture with five questions, so a batch has some five hundred."""
_GENTLE = Pace(batch=96, rate=4e-4, decay=0.05, average=0.999)
"""Transformers break at rates that recurrent networks like."""
EYES: dict[str, str | int | float | bool] = {"crop_width": 64, "depth": "usual"}
"""What can be chosen about the network that sees scene graphs and regions, besides its width."""
_ITEMS, _READ = 32, 8
"""Items that a question finds where each is one cell, and where all their words are read."""
_GUIDED = 10.0
"""Weight of the loss on attention: a mean over all regions, of which few are meant, is small."""


@dataclass(frozen=True)
class Asker:
    """A recipe, and what CRIC adds to it."""

    recipe: Recipe
    items: int = 0
    """Items of knowledge that a question may find."""
    graph: Literal["", "true", "seen"] = ""
    """Whether it reads a scene graph, the true one or one that was seen, instead of looking at regions."""
    text: bool = False
    """Whether it reads that graph and the items it finds as one text."""
    pretrained: bool = False
    """Whether it learns from captions before it learns from questions."""
    masking: str = "words"
    """What is hidden at once in what it learns from before: single words, or whole entities of what is known."""
    well_read: bool = False
    """Whether a transformer reads the items, which learns from all of them before."""
    points: bool = True
    """Whether its attention is to regions, if it has any."""
    guided: float = 0.0
    """Weight of the loss that says where to look (l_att, eq. 1)."""

    @property
    def sees(self) -> bool:
        """Whether it knows of pictures by a network that sees scene graphs."""
        return self.recipe.sight == "given" and self.graph != "true"

    @property
    def choices(self) -> dict[str, str | int | float | bool]:
        """What a person may choose."""
        usual = {name: value for name, value in self.recipe.choices.items() if name != "trunk"}
        own = {name: value for name, value in (("items", self.items), ("guided", self.guided)) if value}
        seen = EYES if self.sees else {}
        before = {"masking": self.masking} if self.pretrained else {}
        return {**usual, **own, **seen, **before}


def _regions(reasoner: str, about: str, *, pace: Pace = _BATCH, reader: Reader = "gru", **settings: int) -> Recipe:
    return Recipe(reasoner, "given", about, reader=reader, together=5, settings=settings, pace=pace)


def _graph(about: str) -> Recipe:
    return _regions("one_stream", about, reader="transformer", pace=_GENTLE, layers=4)


def _blind(about: str, reader: Reader, pace: Pace) -> Recipe:
    return Recipe("blind", "nothing", about, reader=reader, together=5, pace=pace)


_UP_DOWN = _regions("up_down", "Bottom-Up: one look, led by the question, at regions")
_MEMORY = _regions("memory_vqa", "Memory-VQA: one look at items of knowledge, and with these one at regions", items=0)
_VILBERT = _regions(
    "co_attention",
    "ViLBERT without pretraining: words and regions that look at each other",
    reader="transformer",
    pace=_GENTLE,
    layers=3,
)
_CAPTIONED = replace(_VILBERT, about="ViLBERT, which first learns from captions of our own")
ASKERS = {
    "q_only_gru": Asker(_blind("Q-Only-GRU: a GRU that reads the question and sees nothing", "gru", _BATCH)),
    "q_only_bert": Asker(
        _blind("Q-Only-BERT: a small transformer, from scratch, that reads the question alone", "transformer", _GENTLE)
    ),
    "i_only": Asker(_regions("deaf", "I-Only: the mean of all regions, and no question")),
    "sf": Asker(
        _regions("straight", "SF: the item of knowledge that fits best, with the question", items=0),
        _ITEMS,
        points=False,
    ),
    "trig": Asker(
        _graph("TRIG: a transformer, from scratch, that reads what a network saw and the items it finds, all as text"),
        _READ,
        graph="seen",
        text=True,
        points=False,
    ),
    "san": Asker(_regions("stacked", "SAN: two looks at regions", steps=2)),
    "bottom_up": Asker(_UP_DOWN),
    "bottom_up_att": Asker(_UP_DOWN, guided=_GUIDED),
    "mac": Asker(_regions("mac", "MAC: steps that choose words, look at regions and note", steps=8)),
    "mac_cs": Asker(
        _regions("mac", "MAC-CS: MAC over regions and the items of knowledge that a question finds", steps=8), _ITEMS
    ),
    "memory_vqa": Asker(_MEMORY, _ITEMS),
    "memory_vqa_att": Asker(_MEMORY, _ITEMS, guided=_GUIDED),
    "true_graph": Asker(_graph("a transformer that reads the question and the true scene graph"), graph="true"),
    "seen_graph": Asker(
        _graph("a transformer that reads the question and the scene graph that a network saw"), graph="seen"
    ),
    "vilbert": Asker(_VILBERT),
    "vilbert_att": Asker(_VILBERT, guided=_GUIDED),
    "vilbert_pretrained": Asker(_CAPTIONED, pretrained=True),
    "vilbert_pretrained_att": Asker(_CAPTIONED, pretrained=True, guided=_GUIDED),
    "vilbert_ernie_att": Asker(
        replace(_VILBERT, about="ViLBERT+ERNIE: ViLBERT as before, led by a reader of items; both learn before"),
        _READ,
        pretrained=True,
        masking="entities",
        well_read=True,
        guided=_GUIDED,
    ),
}
"""By name; `_att` is the paper's +l_att: told where to look."""
