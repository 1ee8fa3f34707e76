"""Runs an exported Inspect task with Inspect's own mock model: python inspect_smoke.py FOLDER ONE_IN.

The mock answers rightly, in words or with boxes, but for every ONE_IN-th sample. Prints the scores that Inspect
reports, as JSON: `accuracy`, or for every measure its own, as `iou.mean`.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Iterator
from contextlib import chdir
from importlib import import_module
from itertools import count
from pathlib import Path
from typing import Any


def main() -> None:
    # By name, because type checkers do not know a package that is not among ours.
    run, models = import_module("inspect_ai").eval, import_module("inspect_ai.model")
    folder, one_in = Path(sys.argv[1]), int(sys.argv[2])
    lines = (folder / "samples-test.jsonl").read_text().splitlines()
    answers = [_answer(json.loads(line)) for line in lines]

    def outputs() -> Iterator[Any]:
        for number in count():
            right = answers[number % len(answers)]
            said = "chartreuse" if number % one_in == 0 else right
            output = models.ModelOutput.from_content("mockllm/model", said)
            output.usage = models.ModelUsage(input_tokens=1, output_tokens=1, total_tokens=2)
            yield output

    with tempfile.TemporaryDirectory() as logs, chdir(folder):
        (log,) = run(
            "task.py",
            model=models.get_model("mockllm/model", custom_outputs=outputs()),
            max_connections=1,
            max_samples=1,
            log_dir=logs,
            display="none",
        )
    assert log.status == "success", log.error
    metrics = {}
    for score in log.results.scores:
        for name, metric in score.metrics.items():
            metrics[name] = metrics[f"{score.name}.{name}"] = metric.value
    print(json.dumps({"samples": log.results.completed_samples, **metrics}))  # noqa: T201


def _answer(row: dict[str, Any]) -> str:
    if "boxes" in row:
        return json.dumps({"answer": len(row["boxes"]), "boxes": row["boxes"]})
    return f"The answer is {row['answer']}."


if __name__ == "__main__":
    main()
