"""Asking a model all questions: so many at a time, with patience, and every answer on disk as soon as it arrives."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import NamedTuple

from mereo.chance import generator
from mereo.datasets.asked import Asked
from mereo.datasets.predictions import Prediction
from mereo.datasets.reading import scene_rows
from mereo.datasets.shards import open_shard
from mereo.errors import BadInput, MereoError
from mereo.evaluation.chat import Chat, Declined, Hopeless, Reply, TryAgain, open_chat
from mereo.evaluation.endpoint import Endpoint
from mereo.evaluation.extract import extract
from mereo.evaluation.journal import Journal
from mereo.evaluation.normalize import normalize
from mereo.evaluation.prompt import Prompt, messages

__all__ = ["Failure", "Patience", "ask_model", "need_pictures", "pending"]

_IN_VAIN = 20
"""Questions given up one after the other, after which the rest is not tried."""


class Patience(NamedTuple):
    """How often and how long to wait."""

    retries: int = 6
    first: float = 1.0
    """Seconds before the first new try; doubled for every further one, and a random half added or taken."""
    longest: float = 60.0
    seed: int = 0
    longest_asked: float = 600.0
    """Seconds that a server can make us wait, whatever it asks for."""

    def seconds(self, question: str, attempt: int, after: float | None) -> float:
        """How long to wait before a new try; not less than the server asks for, within bounds."""
        jitter = float(generator(self.seed, "patience", question, attempt).uniform(0.5, 1.5))
        return max(min(self.first * 2.0**attempt, self.longest) * jitter, min(after or 0.0, self.longest_asked))


class Failure(NamedTuple):
    """A question that could not be asked."""

    question_id: str
    reason: str


class _Question(NamedTuple):
    id: str
    text: str
    image: bytes


class _Arrived(NamedTuple):
    prediction: Prediction
    written: asyncio.Future[None]
    """Done when it is on disk."""


def pending(asked: Asked, given: set[str]) -> Iterator[_Question]:
    """The questions that have no answer yet, with their pictures, scene by scene."""
    asked = asked.with_columns("question")
    by_scene: dict[str, list[tuple[str, str]]] = {}
    for name, scene, text in zip(asked.ids, asked.words("scene_id"), asked.words("question"), strict=True):
        if name not in given:
            by_scene.setdefault(scene, []).append((name, text))
    for row in scene_rows(asked, set(by_scene), pictures=True):
        for name, text in by_scene[row["scene_id"]]:
            yield _Question(name, text, row["image"]["bytes"])


def need_pictures(asked: Asked) -> None:
    """Complain if a dataset has no pictures to show."""
    shards = [asked.folder / name for name in asked.manifest.files if name.startswith("scenes/")]
    if shards:
        with open_shard(shards[0]) as shard:
            if "image" in shard.names:
                return
    raise BadInput("has no pictures to show to a model", file=asked.folder)


def ask_model(
    asked: Asked,
    endpoint: Endpoint,
    prompt: Prompt,
    journal: Journal,
    *,
    answers: Sequence[str],
    words: bool = True,
    concurrency: int,
    patience: Patience,
    progress: Callable[[int], None] = lambda questions: None,
    complain: Callable[[str], None] = lambda sentence: None,
) -> list[Failure]:
    """Ask whatever has no answer yet; gives back what could not be asked.

    answers : all that occur in the dataset · words : whether answers in words are wanted; else only boxes are kept
    """
    run = _Run(endpoint, prompt, journal, answers, words, patience, progress, complain)
    asyncio.run(run.ask(pending(asked, set(journal.given)), concurrency))
    return run.failures


@dataclass
class _Run:
    endpoint: Endpoint
    prompt: Prompt
    journal: Journal
    answers: Sequence[str]
    words: bool
    patience: Patience
    progress: Callable[[int], None]
    complain: Callable[[str], None]
    failures: list[Failure] = field(default_factory=list)
    in_vain: int = 0

    async def ask(self, questions: Iterator[_Question], concurrency: int) -> None:
        arrived: asyncio.Queue[_Arrived | None] = asyncio.Queue()
        try:
            async with open_chat(self.endpoint, concurrency=concurrency) as chat, asyncio.TaskGroup() as group:
                # Beside the workers, so that nothing more is asked when nothing can be written.
                writer = group.create_task(self._write(arrived))
                try:
                    await self._ask(questions, arrived, chat, concurrency)
                finally:
                    arrived.put_nowait(None)
                    await writer
        except BaseExceptionGroup as several:
            raise _complaint(several) from None

    async def _ask(
        self, questions: Iterator[_Question], arrived: asyncio.Queue[_Arrived | None], chat: Chat, concurrency: int
    ) -> None:
        waiting: asyncio.Queue[_Question | None] = asyncio.Queue(concurrency)
        known = frozenset(map(normalize, self.answers))
        async with asyncio.TaskGroup() as workers:
            for _ in range(concurrency):
                workers.create_task(self._work(waiting, arrived, chat, known))
            for question in questions:
                await waiting.put(question)
            for _ in range(concurrency):
                await waiting.put(None)

    async def _work(
        self,
        waiting: asyncio.Queue[_Question | None],
        arrived: asyncio.Queue[_Arrived | None],
        chat: Chat,
        known: frozenset[str],
    ) -> None:
        while (question := await waiting.get()) is not None:
            asked = messages(self.prompt, question.text, question.image, self.answers)
            reply = await self._patiently(question, partial(chat.complete, asked))
            if reply is not None:
                found = extract(reply.text, known)
                prediction = Prediction(
                    question.id,
                    found.answer if self.words else None,
                    boxes=found.boxes,
                    raw=reply.text,
                    rule=found.rule,
                    tokens=reply.tokens,
                )
                # Only then the next one: what a kill loses is never more than what is under way.
                written = asyncio.get_running_loop().create_future()
                arrived.put_nowait(_Arrived(prediction, written))
                await written

    async def _patiently(self, question: _Question, attempt: Callable[[], Awaitable[Reply]]) -> Reply | None:
        """Ask until there is an answer, or patience is at its end."""
        reason = ""
        for tried in range(self.patience.retries + 1):
            try:
                reply = await attempt()
            except Declined as refused:
                reason = str(refused)
                break
            except TryAgain as again:
                reason = str(again)
                if tried < self.patience.retries:
                    await asyncio.sleep(self.patience.seconds(question.id, tried, again.after))
            else:
                self.in_vain = 0
                return reply
        self.failures.append(Failure(question.id, reason))
        self.complain(f"{question.id} is left out: {reason}")
        self.in_vain += 1
        if self.in_vain >= _IN_VAIN:
            raise Hopeless(
                f"{self.in_vain} questions one after the other could not be asked; the last because {reason}"
            )
        return None

    async def _write(self, arrived: asyncio.Queue[_Arrived | None]) -> None:
        """Whatever has arrived goes to disk together, so that waiting for the disk does not hold up the questions."""
        async for batch in _batches(arrived):
            await asyncio.to_thread(self.journal.append, [one.prediction for one in batch])
            for one in batch:
                if not one.written.done():  # whoever waited may have been stopped
                    one.written.set_result(None)
            self.progress(len(batch))


def _complaint(several: BaseExceptionGroup[BaseException]) -> BaseException:
    """The first thing in it that a person can do something about; tasks end together when one fails."""
    found: BaseException | None = several.subgroup((MereoError, OSError))
    while isinstance(found, BaseExceptionGroup):
        found = found.exceptions[0]
    return found or several


async def _batches(arrived: asyncio.Queue[_Arrived | None]) -> AsyncIterator[list[_Arrived]]:
    over = False
    while not over:
        batch = [await arrived.get()]
        while not arrived.empty():
            batch.append(arrived.get_nowait())
        over = None in batch
        whole = [one for one in batch if one is not None]
        if whole:
            yield whole
