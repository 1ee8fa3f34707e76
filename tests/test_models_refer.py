"""Models that point: each learns on a toy what is meant, and programs run together as they run one by one."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor  # noqa: E402

from mereo.benchmarks.refer.language import LANGUAGE  # noqa: E402
from mereo.models.learner import Learner  # noqa: E402
from mereo.models.modular.iep_ref import IepRef  # noqa: E402
from mereo.models.modular.layout import Group, Steps, execute, execute_together, lay_out  # noqa: E402
from mereo.models.modular.modules import modules_of, steps_of  # noqa: E402
from mereo.models.pyramid import Pyramid  # noqa: E402
from mereo.models.referring.choosing import Candidates  # noqa: E402
from mereo.models.referring.masks import mask_loss, mask_overlap  # noqa: E402
from mereo.models.referring.mattnet import MAttNet  # noqa: E402
from mereo.models.referring.queries import ReferQueries  # noqa: E402
from mereo.models.referring.rmi import RMI  # noqa: E402
from mereo.models.referring.slr import SLR, Listener  # noqa: E402
from mereo.models.sight import Grid  # noqa: E402
from mereo.models.trunk import Trunk  # noqa: E402
from mereo.models.words import Words  # noqa: E402
from mereo.programs import parse_program  # noqa: E402
from mereo.training.loop import fit  # noqa: E402
from mereo.training.row import Pace  # noqa: E402
from toy_referring import DETAIL, MODULES, WORDS, ToyExpressions  # noqa: E402

CPU = torch.device("cpu")
WIDTH = 16


@pytest.fixture(scope="module", autouse=True)
def _one_thread() -> None:
    torch.set_num_threads(1)


def trunk() -> Trunk:
    return Trunk(stem=8, stages=((16, 1),))


def words() -> Words:
    return Words(len(WORDS), WIDTH)


def taught(
    make: Callable[[], Learner], *, steps: int, rate: float = 1e-2, seed: int = 0, **kind: Any
) -> dict[str, float]:
    """The marks on pictures that were not learned from. kind : of expressions"""
    torch.manual_seed(seed)
    network = make()
    fit(network, ToyExpressions(4000, seed=1, **kind), pace=Pace(16, rate), steps=steps, seed=seed, device=CPU)
    others = ToyExpressions(100, seed=2, **kind)
    with torch.inference_mode():
        marks = network.eval().lesson(others.batch(torch.arange(len(others)))).marks
    return {name: float(mark) for name, mark in marks.items()}


# Learning


def test_iep_ref_learns_what_its_functions_mean_from_what_programs_come_to() -> None:
    assert taught(lambda: IepRef(trunk(), MODULES, width=WIDTH, finer=1), steps=180)["iou"] > 0.7


def test_rmi_learns_to_mark_what_it_reads() -> None:
    network = lambda: RMI(words(), Grid(trunk(), WIDTH), width=WIDTH, finer=1)  # noqa: E731
    assert taught(network, steps=220, kinds=4)["iou"] > 0.7


def test_queries_find_all_things_and_learn_which_of_them_are_meant() -> None:
    def make() -> Learner:
        own = Words(len(WORDS), 2 * WIDTH, reader="transformer")
        return ReferQueries(own, Pyramid(4, depth=3), width=2 * WIDTH, detail=DETAIL, queries=6, layers=2)

    marks = taught(make, steps=200, rate=1e-3, kinds=4)
    assert marks["right"] > 0.7
    assert marks["iou"] > 0.5


def test_mattnet_learns_to_choose_the_box_that_is_meant() -> None:
    network = lambda: MAttNet(words(), Candidates(trunk(), WIDTH), width=WIDTH)  # noqa: E731
    assert taught(network, steps=60, meaning="one")["right"] > 0.8


def listener() -> Listener:
    return Listener(words(), Candidates(trunk(), WIDTH), width=WIDTH)


def test_slr_learns_to_listen_and_to_speak_and_rewards_what_is_understood() -> None:
    assert taught(listener, steps=50, meaning="one")["right"] > 0.7
    network = lambda: SLR(listener(), listener(), words=len(WORDS), width=WIDTH)  # noqa: E731
    assert taught(network, steps=50, meaning="one")["right"] > 0.7


def test_who_rewards_is_no_part_of_what_is_learned() -> None:
    rewarding = listener()
    network = SLR(listener(), rewarding, words=len(WORDS), width=WIDTH)
    assert not {id(one) for one in rewarding.parameters()} & {id(one) for one in network.parameters()}
    batch = ToyExpressions(2, seed=0, meaning="one").batch(torch.arange(2))
    lesson = network.train().lesson(batch)
    assert set(lesson.losses) == {"choice", "said", "reward"}
    sum(lesson.losses.values()).backward()  # type: ignore[union-attr]
    assert all(one.grad is None for one in rewarding.parameters())
    assert set(network.eval().lesson(batch).losses) == {"choice", "said"}


# Reading


def test_rmi_reads_every_expression_to_its_end_and_no_further() -> None:
    torch.manual_seed(0)
    network = RMI(words(), Grid(trunk(), WIDTH), width=WIDTH, finer=1).eval()
    batch = ToyExpressions(80, seed=5).batch(torch.arange(80))
    chance = torch.Generator().manual_seed(1)
    lengths = torch.randint(0, batch["question"].shape[1] + 1, (len(batch["question"]),), generator=chance)
    some = torch.randint(1, len(WORDS), batch["question"].shape, generator=chance)
    batch["question"] = torch.where(torch.arange(some.shape[1]) < lengths[:, None], some, 0)
    with torch.inference_mode():
        together = network.mark(batch)
        for place in range(0, len(lengths), 7):
            one = {**batch, "question": batch["question"][place : place + 1, : max(1, int(lengths[place]))]}
            one["scene_of"] = batch["scene_of"][place : place + 1]
            assert torch.allclose(network.mark(one)[0], together[place], atol=1e-5)


# What is not there


def test_no_box_is_chosen_that_is_not_there() -> None:
    batch = ToyExpressions(3, seed=0).batch(torch.arange(3))
    batch["boxes_present"][:, 2] = False
    for network in (MAttNet(words(), Candidates(trunk(), WIDTH), width=WIDTH), listener()):
        with torch.inference_mode():
            scores = network.eval().scores(batch)
        assert (scores.argmax(1) != 2).all()
        changed = {**batch, "boxes": batch["boxes"].clone()}
        changed["boxes"][:, 2] = torch.tensor([0.0, 0.0, 32.0, 32.0])
        with torch.inference_mode():
            again = network.scores(changed)
        assert torch.allclose(scores[:, [0, 1, 3]], again[:, [0, 1, 3]], atol=1e-4)


def test_queries_that_no_expression_means_mark_nothing() -> None:
    batch = ToyExpressions(2, seed=0).batch(torch.arange(2))
    network = ReferQueries(words(), Pyramid(4, depth=3), width=WIDTH, detail=DETAIL, queries=6, layers=1).eval()
    with torch.inference_mode():
        pointed = network.point(batch)
        none = pointed._replace(target=torch.full_like(pointed.target, -5.0))
        assert (network.marked(none, batch["scene_of"]) < 0).all()
        found = pointed.found._replace(thing=torch.full_like(pointed.found.thing, 5.0))
        every = pointed._replace(found=found, target=torch.full_like(pointed.target, 5.0))
        masks = found.masks.amax(1)[batch["scene_of"]]
        assert torch.equal(network.marked(every, batch["scene_of"]) > 0, masks > 0)


# Programs


def numbers(group: Group | Steps, inputs: Sequence[Tensor]) -> Tensor:
    """Modules as sums that no other order of steps would give, nor any other scene or word."""
    module = group.modules if isinstance(group, Steps) else group.module
    told = module + 100 * group.scene + 1000 * group.words.sum(-1)
    found: Tensor = torch.stack([one * (place + 2) for place, one in enumerate(inputs)]).sum(0) * 3 + told.unsqueeze(1)
    return found


def one_by_one(program: Sequence[Sequence[int]], words: Tensor, scene: int, start: Tensor) -> list[Tensor]:
    found: list[Tensor] = []
    for (module, *taken), own in zip(program, words, strict=True):
        if module < 0:
            break
        inputs = [found[one] for one in taken if one >= 0] or [start[scene, None]]
        found.append(numbers(Group(module, torch.tensor([scene]), own[None]), inputs))
    return found


def test_a_batch_of_programs_runs_as_each_does_alone() -> None:
    chance = torch.Generator().manual_seed(0)
    programs = torch.full((30, 9, 3), -1)
    for own in programs:
        for step in range(int(torch.randint(1, 10, (1,), generator=chance))):
            takes = 0 if step == 0 else int(torch.randint(3, (1,), generator=chance))
            own[step, 0] = 3 * takes + int(torch.randint(3, (1,), generator=chance))
            own[step, 1 : 1 + takes] = torch.randint(max(step, 1), (takes,), generator=chance)
    scene_of, words = torch.arange(30) // 10, torch.randint(3, (30, 9, 2), generator=chance)
    start = torch.rand(3, 2, generator=chance, dtype=torch.float64)
    for told in (words[..., :0], words):
        layout = lay_out(programs, scene_of, told)
        values = torch.cat(execute(numbers, layout, start))
        assert torch.equal(torch.cat(execute_together(numbers, layout, start)), values)
        for place, own in enumerate(programs.tolist()):
            alone, steps = one_by_one(own, told[place], int(scene_of[place]), start), layout.steps[place]
            assert (steps >= 0).sum() == len(alone)
            assert all(torch.equal(values[step], one[0]) for step, one in zip(steps, alone, strict=False))
            assert torch.equal(values[layout.ends[place]], alone[-1][0])


def test_equal_steps_of_a_scene_run_once() -> None:
    same = torch.tensor([[[0, -1], [1, 0], [2, 1]], [[0, -1], [1, 0], [-1, -1]]])
    ran: list[tuple[int, int]] = []

    def run(group: Group, inputs: Sequence[Tensor]) -> Tensor:
        ran.append((group.module, len(inputs[0])))
        return inputs[0]

    execute(run, lay_out(same, torch.tensor([0, 0])), torch.zeros(1, 1))
    assert ran == [(0, 1), (1, 1), (2, 1)]
    ran.clear()
    execute(run, lay_out(same), torch.zeros(2, 1))
    assert ran == [(0, 2), (1, 2), (2, 1)]
    ran.clear()
    words = torch.tensor([[[5], [6], [7]], [[5], [8], [0]]])
    execute(run, lay_out(same, torch.tensor([0, 0]), words), torch.zeros(1, 1))
    assert ran == [(0, 1), (1, 2), (2, 1)]


def test_steps_of_different_modules_run_together_where_they_take_as_many_inputs() -> None:
    others = torch.tensor([[[0, -1, -1], [1, 0, -1], [5, 1, 0]], [[0, -1, -1], [2, 0, -1], [3, 1, -1]]])
    ran: list[tuple[list[int], int]] = []

    def run(steps: Steps, inputs: Sequence[Tensor]) -> Tensor:
        ran.append((steps.modules.tolist(), len(inputs)))
        return inputs[0]

    execute_together(run, lay_out(others), torch.zeros(2, 1))
    assert ran == [([0, 0], 1), ([1, 2], 1), ([3], 1), ([5], 2)]


def test_modules_are_what_the_function_table_and_the_tokens_allow() -> None:
    tokens = (
        "",
        "<begin>",
        "<end>",
        "scene",
        "filter_color",
        "relate",
        "union",
        "[red]",
        "[blue]",
        "[left]",
        "[first]",
    )
    modules = modules_of(LANGUAGE, tokens)
    assert {one.name: one.inputs for one in modules} == {
        "scene": 0,
        "relate[left]": 1,
        "union": 2,
        "filter_color[red]": 1,
        "filter_color[blue]": 1,
    }
    program = parse_program("union(filter_color[red](scene()), scene())")
    strange = parse_program("filter_size[large](scene())")
    told = steps_of([program, strange, None], modules)
    assert [modules[step].name for step in told[0, :, 0]] == ["scene", "filter_color[red]", "scene", "union"]
    assert told[0, 3].tolist()[1:] == [1, 2]
    assert (told[1:] == -1).all()


def test_who_has_no_program_marks_nothing() -> None:
    batch = ToyExpressions(2, seed=0).batch(torch.arange(2))
    network = IepRef(trunk(), MODULES, width=WIDTH, finer=2).eval()
    batch["steps"][3] = -1
    with torch.inference_mode():
        marked, each = network.mark(batch), network.mark_steps(batch)
    assert (marked[3] < 0).all()
    assert (each[3] < 0).all()
    ends = (batch["steps"][..., 0] >= 0).sum(1) - 1
    for place in (0, 1, 2):
        assert torch.allclose(each[place, ends[place]], marked[place], atol=1e-5)
    batch["steps"][:] = -1
    with torch.inference_mode():
        assert (network.mark(batch) < 0).all()


# Masks


def test_a_mask_of_nothing_is_right_where_nothing_is_meant() -> None:
    nothing, some = torch.zeros(1, 4, 4), torch.zeros(1, 4, 4)
    some[:, :2] = 1
    assert mask_overlap(nothing - 9, nothing).item() == 1
    assert mask_overlap(18 * some - 9, nothing).item() == 0
    assert mask_overlap(18 * some - 9, some).item() == 1
    assert mask_loss(nothing - 9, nothing) < 0.01 < mask_loss(18 * some - 9, nothing)
