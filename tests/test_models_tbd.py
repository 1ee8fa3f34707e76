"""TbD learns from answers alone where to look, and shows it; programs run together as they run one by one."""

from __future__ import annotations

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from mereo.models.kinds import Batch  # noqa: E402
from mereo.models.modular.tbd import TbD  # noqa: E402
from mereo.models.trunk import Trunk  # noqa: E402
from mereo.training.loop import fit  # noqa: E402
from mereo.training.row import Pace  # noqa: E402
from toy_referring import COLORS, ToyExpressions  # noqa: E402

CPU = torch.device("cpu")
THINGS = 3
BANK = ("scene", *("filter" for _ in COLORS), "relate", "count", "query", "intersect", "equal", "same", "unique")
LEFTMOST, COUNT, QUERY, BOTH, EQUAL, SAME, UNIQUE = range(1 + len(COLORS), len(BANK))
ANSWERS = len(COLORS) + THINGS + 1
"""Colors, and numbers."""


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


class ToyAnswers(ToyExpressions):
    """How many things there are of a color, and which color the leftmost has."""

    def __init__(self, count: int, *, seed: int):
        super().__init__(count, seed=seed, kinds=4, things=THINGS)

    def batch(self, places: Tensor, *, chance: torch.Generator | None = None) -> Batch:
        batch, asked = super().batch(places, chance=chance), self.asked[places].flatten()
        leftmost, meant = asked == len(COLORS), batch["target"].byte().argmax(1)
        steps = torch.full((len(asked), 4, 3), -1)
        steps[:, 0, 0], steps[:, 1, 0], steps[:, 1, 1] = 0, 1 + asked, 0
        steps[:, 2, 0], steps[:, 2, 1] = torch.where(leftmost, QUERY, COUNT), 1
        color = self.color[places[batch["scene_of"]], meant]
        return {**batch, "steps": steps, "answer": torch.where(leftmost, color, len(COLORS) + batch["target"].sum(1))}


def network() -> TbD:
    torch.manual_seed(0)
    return TbD(Trunk(stem=8, stages=((16, 1),)), BANK, answers=ANSWERS, width=16)


def test_tbd_learns_where_to_look_from_answers_alone() -> None:
    learner, others = network(), ToyAnswers(100, seed=2)
    fit(learner, ToyAnswers(4000, seed=1), pace=Pace(8, 5e-3), steps=STEPS, seed=0, device=CPU)
    batch = others.batch(torch.arange(len(others)))
    with torch.inference_mode():
        right, looked = learner.eval().lesson(batch).marks["right"], learner.attend(batch)[:, 1]
    cells = torch.nn.functional.adaptive_avg_pool2d(batch["meant"][:, None], looked.shape[-2:])[:, 0] > 0.5
    assert right > 0.8
    assert looked[cells].mean() > looked[~cells].mean() + 0.2, "nobody told it where the thing is that is meant"
