"""Networks of many modules in one stack: each is what layers of its own would be, and learns as they would."""

from __future__ import annotations

from typing import Any

import pytest

torch = pytest.importorskip("torch")

from torch import Tensor, nn  # noqa: E402
from torch.func import functional_call  # noqa: E402
from torch.nn import functional  # noqa: E402

from mereo.models.modular.bank import Bank  # noqa: E402
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
        weight, unary = stack.weight[place, :, :, None, None], stack.unary
        features = functional.conv2d(torch.cat(inputs, 1), weight, stack.bias[place]).relu()
    own: dict[str, Tensor] = {}
    for part, convolution, norm in ((unary.first, "beside.0", "beside.1"), (unary.second, "beside.3", "norm")):
        own[f"{convolution}.weight"] = part.weight[place].view(WIDTH, WIDTH, 3, 3)
        names = (f"{convolution}.bias", f"{norm}.weight", f"{norm}.bias")
        own |= zip(names, part.scale_and_bias[:, place], strict=True)
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
    for part in (stack.first, stack.second):
        assert part.weight.grad.abs().amax((1, 2)).gt(0).tolist() == [True, False, True]
        assert part.scale_and_bias.grad.abs().amax((0, 2)).gt(0).tolist() == [True, False, True]


def test_half_of_the_digits_come_to_almost_the_same(bank: Bank) -> None:
    for modules in ASKED:
        inputs = maps(modules)
        exact = bank(torch.tensor(modules), *inputs)
        with torch.autocast("cpu", torch.bfloat16):
            near = bank(torch.tensor(modules), *inputs)
        assert torch.allclose(near.float(), exact, atol=0.1)
        near.float().sum().backward()
        assert all(one.grad is not None and one.grad.dtype == torch.float32 for one in inputs)


def test_networks_begin_as_layers_of_their_own_would() -> None:
    torch.manual_seed(0)
    stack: Any = Bank([2] * 40, WIDTH).stacks["2"]
    for weight, bias, layer in (
        (stack.weight, stack.bias, nn.Conv2d(2 * WIDTH, WIDTH, 1)),
        (stack.unary.first.weight, stack.unary.first.scale_and_bias[0], nn.Conv2d(WIDTH, WIDTH, 3)),
    ):
        assert layer.bias is not None
        for own, other in ((weight, layer.weight), (bias, layer.bias)):
            bound = layer.weight[0].numel() ** -0.5
            assert max(own.abs().max(), other.abs().max()) <= bound
            assert own.std().item() == pytest.approx(bound / 3**0.5, rel=0.03)
    assert torch.equal(stack.unary.second.scale_and_bias[1:].mean((1, 2)), torch.tensor([1.0, 0.0]))


def test_what_scales_and_shifts_does_not_decay(bank: Bank) -> None:
    before = {name: one.detach().clone() for name, one in bank.named_parameters()}
    for one in bank.parameters():
        one.grad = torch.zeros_like(one)
    Descent(bank, Pace(decay=0.5)).go(0.1)
    decayed = {name for name, one in bank.named_parameters() if not torch.equal(one, before[name])}
    assert decayed == {name for name in before if name.endswith(".weight")}
