"""What is asked of a shape: each of the three tasks, at each level that the category has."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from mereo.benchmarks.partnet.clouds import Cloud
from mereo.benchmarks.partnet.language import LANGUAGE, shape_world
from mereo.benchmarks.partnet.names import HIERARCHICAL, INSTANCE, LEVELS, SEMANTIC, AskedSet
from mereo.datasets.answers import stored_answer
from mereo.programs import compile_program

__all__ = ["asked_rows"]

_SAID = {
    SEMANTIC: "Which part of the {category} does each point belong to, at the {level} level?",
    INSTANCE: "Which points of the {category} belong to one part together, at the {level} level?",
    HIERARCHICAL: "Which parts of the {category} does each point belong to, from the whole down?",
}


class _Order(NamedTuple):
    """One question: a task, and its level where it has one."""

    task: str
    level: str | None

    @property
    def program(self) -> str:
        return f"{self.task}[{self.level}](scene())" if self.level else f"{self.task}(scene())"


def asked_rows(scene_id: str, split: str, cloud: Cloud) -> Iterator[dict[str, Any]]:
    """The question rows of a shape; where no point has a label there is nothing to ask."""
    levels = [name for name, number in LEVELS.items() if number in cloud.labels.levels]
    told = [name for name in levels if cloud.semantic(LEVELS[name]).any()]
    orders = [_Order(task, level) for task in (SEMANTIC, INSTANCE) for level in told]
    orders += [_Order(HIERARCHICAL, None)] if cloud.labels.nodes and cloud.hierarchy().any() else []
    world = shape_world(cloud.record, cloud.labels)
    category = cloud.record.category
    for number, order in enumerate(orders):
        trace = compile_program(order.program, LANGUAGE)(world)
        text = _SAID[order.task].format(category=category.replace("_", " "), level=order.level or "")
        yield {
            "question_id": f"{scene_id}-{number:02d}",
            "scene_id": scene_id,
            "split": split,
            "type": order.task,
            "subtype": AskedSet(order.task, category, LEVELS[order.level] if order.level else None).name,
            "family": category,
            "template": f"{order.task} {order.level}" if order.level else order.task,
            "question": text,
            "program": order.program,
            "answer": stored_answer(trace.values[-1], trace.executable.types[-1]),
            "referred": trace.referred(),
        }
