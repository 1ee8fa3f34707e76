"""Runs an exported Inspect task with Inspect's own mock model: python inspect_smoke.py FOLDER ONE_IN.

The mock answers rightly but for every ONE_IN-th sample. Prints the accuracy that Inspect reports, as JSON.
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
    answers = [json.loads(line)["answer"] for line in lines]

    def outputs() -> Iterator[Any]:
        for number in count():
            right = answers[number % len(answers)]
            said = "chartreuse" if number % one_in == 0 else f"The answer is {right}."
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
    metrics = {name: metric.value for score in log.results.scores for name, metric in score.metrics.items()}
    print(json.dumps({"samples": log.results.completed_samples, **metrics}))  # noqa: T201


if __name__ == "__main__":
    main()
