"""Networks of many modules in one stack: each is what layers of its own would be, and learns as they would."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402
from torch.func import functional_call  # noqa: E402
from torch.nn import functional  # noqa: E402

from mereo.models.modular.bank import Bank, Convolutions  # noqa: E402
from mereo.models.modular.iep_ref import Unary  # noqa: E402
from mereo.training.descent import Descent  # noqa: E402
from mereo.training.row import Pace  # noqa: E402

WIDTH = 32
"""Of two groups of channels."""
TAKEN = (0, 2, 1, 2, 1, 3)
"""How many maps each module takes."""
ASKED = ([0, 2, 2, 0], [4], [3, 1, 3], [1], [5, 5])
"""Modules of steps that run together."""


@pytest.fixture
def bank() -> Bank:
    """With numbers that tell apart all that maps are scaled and shifted by."""
    torch.manual_seed(0)
    made = Bank(TAKEN, WIDTH)
    for one in made.parameters():
        nn.init.uniform_(one, -0.2, 0.2)
    return made


def maps(modules: list[int]) -> list[Tensor]:
    return [torch.rand(len(modules), WIDTH, 4, 5, requires_grad=True) for _ in range(max(1, TAKEN[modules[0]]))]


def alone(bank: Bank, module: int, inputs: list[Tensor]) -> Tensor:
    """What a module makes of maps by layers of its own, which have the bank's weights."""
    stack: Any = bank.stacks[str(len(inputs))]
    place, features, unary = int(bank.places[module]), inputs[0], stack
    if len(inputs) > 1:
        weight, unary = stack.join.weight[place, :, :, None, None], stack.unary
        features = functional.conv2d(torch.cat(inputs, 1), weight, stack.join.bias[place]).relu()
    own: dict[str, Tensor] = {}
    for number, (convolution, norm) in enumerate((("beside.0", "beside.1"), ("beside.3", "norm"))):
        part, scaled = unary.convolutions[number], unary.norms[number].scale_and_bias[:, place]
        own |= {f"{convolution}.weight": part.weight[place].view(WIDTH, WIDTH, 3, 3)}
        own |= {f"{convolution}.bias": part.bias[place], f"{norm}.weight": scaled[0], f"{norm}.bias": scaled[1]}
    made: Tensor = functional_call(Unary(WIDTH), own, features, strict=True)
    return made


@pytest.mark.parametrize("modules", ASKED, ids=str)
def test_steps_together_come_to_what_each_does_alone_and_teach_as_much(bank: Bank, modules: list[int]) -> None:
    inputs = maps(modules)
    together = bank(torch.tensor(modules), *inputs)
    each = [alone(bank, module, [one[[n]] for one in inputs]) for n, module in enumerate(modules)]
    assert torch.allclose(together, torch.cat(each), atol=1e-5)
    taught = [*bank.stacks[str(len(inputs))].parameters(), *inputs]
    weighed = torch.rand_like(together)
    for one, other in zip(
        torch.autograd.grad((together * weighed).sum(), taught),
        torch.autograd.grad((torch.cat(each) * weighed).sum(), taught),
        strict=True,
    ):
        assert torch.allclose(one, other, rtol=1e-4, atol=1e-4)


def test_only_modules_that_ran_are_taught(bank: Bank) -> None:
    bank(torch.tensor([0, 4, 0]), *maps([0, 4, 0])).sum().backward()
    assert all(one.grad is None for count in "23" for one in bank.stacks[count].parameters())
    stack: Any = bank.stacks["1"]
    for part, norm in zip(stack.convolutions, stack.norms, strict=True):
        assert part.weight.grad.abs().amax((1, 2)).gt(0).tolist() == [True, False, True]
        assert norm.scale_and_bias.grad.abs().amax((0, 2)).gt(0).tolist() == [True, False, True]


def test_half_of_the_digits_come_to_almost_the_same(bank: Bank) -> None:
    for modules in ASKED:
        inputs = maps(modules)
        exact = bank(torch.tensor(modules), *inputs)
        with torch.autocast("cpu", torch.bfloat16):
            near = bank(torch.tensor(modules), *inputs)
        assert torch.allclose(near.float(), exact, atol=0.1)
        near.float().sum().backward()
        assert all(one.grad is not None and one.grad.dtype == torch.float32 for one in inputs)


@pytest.mark.parametrize("far", [1, 2, 4])
def test_convolutions_reach_as_far_as_layers_of_their_own(far: int) -> None:
    stack, places = Convolutions(3, 4, 5, far=far), torch.tensor([2, 0])
    features = torch.rand(2, 4, 7, 6, requires_grad=True)
    together = stack(features, places)
    weight = stack.weight.view(3, 5, 4, 3, 3)
    each = [
        functional.conv2d(features[[n]], weight[place], stack.bias[place], padding=far, dilation=far)
        for n, place in enumerate(places.tolist())
    ]
    assert torch.allclose(together, torch.cat(each), atol=1e-5)
    weighed = torch.rand_like(together)
    ways = (torch.autograd.grad((one * weighed).sum(), features)[0] for one in (together, torch.cat(each)))
    assert torch.allclose(*ways, atol=1e-5)


def test_networks_begin_as_layers_of_their_own_would() -> None:
    torch.manual_seed(0)
    stack: Any = Bank([2] * 40, WIDTH).stacks["2"]
    lively, alike = Convolutions(40, WIDTH, WIDTH, lively=True), nn.Conv2d(WIDTH, WIDTH, 3)
    nn.init.kaiming_normal_(alike.weight)
    for part, layer in (
        (stack.join, nn.Conv2d(2 * WIDTH, WIDTH, 1)),
        (stack.unary.convolutions[0], nn.Conv2d(WIDTH, WIDTH, 3)),
        (lively, alike),
    ):
        assert layer.bias is not None
        bound = layer.weight[0].numel() ** -0.5
        assert part.weight.std().item() == pytest.approx(layer.weight.std().item(), rel=0.05)
        assert max(part.bias.abs().max(), layer.bias.abs().max()) <= bound
        assert part.bias.std().item() == pytest.approx(bound / 3**0.5, rel=0.03)
        if part is not lively:
            assert max(part.weight.abs().max(), layer.weight.abs().max()) <= bound
    assert torch.equal(stack.unary.norms[1].scale_and_bias.mean((1, 2)), torch.tensor([1.0, 0.0]))


def test_what_scales_and_shifts_does_not_decay(bank: Bank) -> None:
    before = {name: one.detach().clone() for name, one in bank.named_parameters()}
    for one in bank.parameters():
        one.grad = torch.zeros_like(one)
    Descent(bank, Pace(decay=0.5)).go(0.1)
    decayed = {name for name, one in bank.named_parameters() if not torch.equal(one, before[name])}
    assert decayed == {name for name in before if name.endswith(".weight")}
