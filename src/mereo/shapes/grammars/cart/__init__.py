"""Carts: pushed or pulled on two to four wheels, to serve, to shop, to garden, to work, to sell from."""

from __future__ import annotations

from mereo.shapes.grammar import grammar, part
from mereo.shapes.grammars.cart.indoors import book, laundry, luggage, round_tea, tea, utility
from mereo.shapes.grammars.cart.shopping import shopper, stall, supermarket
from mereo.shapes.grammars.cart.working import barrow, hand_truck, handcart, platform, tool, wagon
from mereo.shapes.part import Part
from mereo.shapes.style import Style


@grammar("cart")
def cart(style: Style) -> Part:
    """What carries, and what it rolls on. It moves towards -y; whoever pushes it stands at +y."""
    kinds = {
        "utility": (2.4, utility),
        "tea": (1.6, tea),
        "round tea": (0.7, round_tea),
        "platform": (1.8, platform),
        "supermarket": (2.2, supermarket),
        "hand truck": (1.8, hand_truck),
        "wagon": (2.2, wagon),
        "barrow": (1.3, barrow),
        "handcart": (1.2, handcart),
        "tool": (1.3, tool),
        "shopper": (1.0, shopper),
        "luggage": (0.9, luggage),
        "book": (0.9, book),
        "laundry": (0.9, laundry),
        "stall": (0.9, stall),
    }
    kind = style.pick("kind", {name: weight for name, (weight, _) in kinds.items()})
    body, wheels = kinds[kind][1](style)
    return part("cart", part("body", body), part("wheel_base", wheels))
