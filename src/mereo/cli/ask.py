"""`mereo ask`: questions to any model behind an OpenAI-compatible endpoint."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from mereo.cli.app import app
from mereo.cli.complete import prompts, splits

INCOMPLETE = 1


@app.command()
def ask(
    dataset: Annotated[Path, typer.Argument(help="A dataset folder, with pictures.")],
    endpoint: Annotated[str, typer.Option(help="Address of the model, as `http://localhost:8000/v1`.")],
    model: Annotated[str, typer.Option(help="Its name there.")],
    limit: Annotated[int | None, typer.Option(min=1, help="At most so many questions, drawn by chance.")] = None,
    split: Annotated[
        str | None,
        typer.Option(autocompletion=splits, help="Only these splits; by default all but those for training."),
    ] = None,
    prompt: Annotated[
        str | None,
        typer.Option(
            autocompletion=prompts, help="`short`, `closed`, `reasoned` or `boxes`; else as the benchmark has it."
        ),
    ] = None,
    boxes: Annotated[bool, typer.Option("--boxes", help="Ask for bounding boxes, too: the prompt `boxes`.")] = False,
    concurrency: Annotated[int, typer.Option(min=1, max=512, help="Questions under way at a time.")] = 8,
    retries: Annotated[int, typer.Option(min=0, help="New tries for a question that failed.")] = 6,
    timeout: Annotated[float, typer.Option(min=0.1, help="Seconds for one try.")] = 120.0,
    wait: Annotated[float, typer.Option(min=0, help="Seconds before the first new try, then twice as many, …")] = 1.0,
    temperature: Annotated[float, typer.Option(min=0, help="0 for the likeliest answer.")] = 0.0,
    max_tokens: Annotated[int, typer.Option(min=1, help="Most tokens of an answer.")] = 256,
    key_env: Annotated[
        str | None, typer.Option(help="Environment variable that holds the key; OPENAI_API_KEY where it is set.")
    ] = None,
    price: Annotated[
        str | None, typer.Option(help="Dollars per million tokens read and written, as `0.15,0.60`.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="What to call the run; by default as the model.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="For the drawing of questions and the waiting times.")] = 0,
) -> None:
    """Ask a model a dataset's questions, keep every answer as it comes, and judge them; the same command goes on."""
    import re

    import msgspec

    from mereo.benchmarks.benchmark import benchmark
    from mereo.cli.scores import command_line, show_details, show_scores
    from mereo.cli.screen import console, progress_bar
    from mereo.datasets.asked import load_questions
    from mereo.datasets.predictions import Header, read_predictions
    from mereo.evaluation.asking import Patience, ask_model, need_pictures
    from mereo.evaluation.endpoint import Endpoint
    from mereo.evaluation.journal import Journal
    from mereo.evaluation.prompt import find_prompt
    from mereo.evaluation.result import judge_run
    from mereo.evaluation.runs import run_folder, save_result, selected
    from mereo.files import write_bytes
    from mereo.workbench.judging import selection_of

    rates = _rates(price)
    at = Endpoint.at(
        endpoint, model=model, key=_key(key_env), temperature=temperature, max_tokens=max_tokens, timeout=timeout
    )
    asked = load_questions(dataset)
    need_pictures(asked)
    chosen = benchmark(asked.manifest.benchmark)
    words = find_prompt("boxes" if boxes else prompt or chosen.judging.prompt)
    selection = selection_of(asked, split, limit, seed)
    own = asked.take(asked.chosen(selection), selection)
    run = name or re.sub(r"[^\w.+=,@-]+", "-", model).strip("-")
    folder = run_folder(dataset, run)
    settings = {"endpoint": at.shown, "prompt": msgspec.to_builtins(words), "temperature": temperature}
    settings |= {"max_tokens": max_tokens, "seed": seed} | ({"price": rates} if rates else {})
    header = Header(dataset=asked.checksum, benchmark=chosen.name, model=model, selection=selection, settings=settings)
    with Journal(folder / "predictions.jsonl", header) as journal:
        with progress_bar(f"asking {model}", len(own), unit="questions") as advance:
            advance(sum(question in journal.given for question in own.ids))
            failures = ask_model(
                own,
                at,
                words,
                journal,
                answers=sorted(set(asked.coded("answer").names)),
                words=chosen.judging.worded,
                concurrency=concurrency,
                patience=Patience(retries, wait, seed=seed),
                progress=advance,
                complain=lambda sentence: typer.echo(f"mereo: {sentence}", err=True),
            )
        write_bytes(folder / "failures.json", msgspec.json.format(msgspec.json.encode(failures)))
        if not journal.given:
            typer.echo("mereo: nothing was answered", err=True)
            raise typer.Exit(INCOMPLETE)
        some, theirs = selected(asked, read_predictions(journal.path, asked))
        command = command_line(secret=endpoint, shown=at.shown)
        judged = judge_run(some, theirs, run=run, judging=chosen.judging, command=command)
        save_result(dataset, judged.result)
    show_scores([judged], tables=1)
    show_details(judged.result)
    if rates and judged.result.tokens is not None:
        read, written = judged.result.tokens
        console().print(f"cost: ${(read * rates[0] + written * rates[1]) / 1e6:,.4f}")
    if failures:
        typer.echo(
            f"mereo: {len(failures):,} questions could not be asked; the same command tries them again", err=True
        )
        raise typer.Exit(INCOMPLETE)


def _key(variable: str | None) -> str | None:
    """The key, which is never shown nor stored; local servers mostly want none."""
    import os

    from mereo.errors import BadInput

    if variable is None:
        return os.environ.get("OPENAI_API_KEY") or None
    key = os.environ.get(variable)
    if not key:
        raise BadInput(f"the environment has no {variable}", field="--key-env")
    return key


def _rates(price: str | None) -> list[float]:
    from mereo.errors import BadInput

    if price is None:
        return []
    try:
        read, written = (float(number) for number in price.split(","))
    except ValueError:
        raise BadInput(f"'{price}' must be two numbers, as 0.15,0.60", field="--price") from None
    return [read, written]
