"""What SHOP-VRB has of its own for learning: how its tables are seen, and the rows of its tables that know them."""

from __future__ import annotations

from mereo.benchmarks.shop.learning.parsing import look_and_judge
from mereo.benchmarks.shop.learning.rows import ROWS
from mereo.benchmarks.shop.learning.seeing import ShopSeeing
from mereo.benchmarks.shop.learning.studies import shop_studies
from mereo.training.learning import Learning

__all__ = ["LEARNING"]

LEARNING = Learning(seeing=lambda manifest: ShopSeeing(), rows=ROWS, studies=shop_studies(), look=look_and_judge)
