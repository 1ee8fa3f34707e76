"""The annotation service with many annotators at once, and with a server that is killed again and again.

    python bench/annotate_load.py [--clients 100] [--actions 30] [--kills 20]

Makes a project of small chairs with an account for every annotator, starts `mereo annotate` on it, and has simulated
annotators log in and answer what they are asked over HTTP, on the same machine, with sessions, tokens and keys as
browsers have them:

- an action, from sending it to having its answer, by annotators who think for a second or so between two; the reference
  is one annotator alone;
- the server is killed (SIGKILL) at random moments and started again, while annotators go on and send what was not
  answered again, with the same keys. In the end the database is looked into: whatever was answered must be there, once.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import random
import signal
import socket
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple
from uuid import uuid4

import httpx2

from measure import mereo, options, save, spread
from mereo.annotation.accounts import keep_account
from mereo.annotation.geometry.blobs import keep_mesh
from mereo.annotation.geometry.intake import grammar_intake
from mereo.annotation.library import add_shape
from mereo.annotation.project import Project
from mereo.annotation.tables import Act
from mereo.shapes.grammar import make_shape
from tables import Row

PASSWORD = "a password for all"
PAUSE = 0.2
"""Seconds until something that was not answered is sent again."""


class Person:
    """An annotator with a session, who remembers what was answered."""

    def __init__(self, address: str, name: str, rng: random.Random):
        self.client = httpx2.AsyncClient(base_url=address, timeout=60)
        self.name, self.rng = name, rng
        self.csrf, self.work = "", 0
        self.view: dict[str, Any] = {}
        self.answered: list[tuple[str, int]] = []
        """Keys, with the number that each action was given."""
        self.taken: list[float] = []
        """Milliseconds."""
        self.troubles: list[str] = []
        self.again = 0
        """How often something was sent again."""

    async def begin(self) -> None:
        """Log in and open the next shape."""
        await self.client.post("/login", data={"name": self.name, "password": PASSWORD})
        page = (await self.client.get("/progress")).text
        self.csrf = page.partition('name="csrf" content="')[2].partition('"')[0]
        answer = await self.client.post("/next", data={"csrf": self.csrf})
        self.work = int(answer.headers["location"].rpartition("/")[2])
        self.view = (await self.client.get(f"/api/work/{self.work}")).json()

    async def go_on(self, actions: int, *, think: float) -> None:
        """Answer so many questions."""
        for _ in range(actions):
            await asyncio.sleep(think * self.rng.uniform(0.5, 1.5))
            await self.act(self.next_action())

    async def act(self, action: dict[str, Any]) -> None:
        """Do one thing, and send it until it is answered."""
        letter = {"key": str(uuid4()), "after": self.view["number"], "action": action}
        while True:
            began = time.perf_counter()
            try:
                path, headers = f"/api/work/{self.work}/actions", {"X-CSRF-Token": self.csrf}
                answer = await self.client.post(path, json=letter, headers=headers)
            except httpx2.TransportError:
                self.again += 1
                await asyncio.sleep(PAUSE)
                continue
            break
        self.taken.append(1000 * (time.perf_counter() - began))
        if answer.status_code == 200:
            self.view.update(answer.json())
            self.answered.append((letter["key"], self.view["number"]))
        else:
            self.troubles.append(f"{answer.status_code} {answer.text[:200]}")

    def next_action(self) -> dict[str, Any]:
        """What a person would do next; who is done takes things back."""
        asked, state = self.view["question"], self.view["state"]
        part = asked["part"]
        if asked["kind"] == "choose":
            return {"type": "choose", "part": part, "child": self.rng.choice(asked["choices"])["name"]}
        if asked["kind"] == "have":
            count = self.rng.randint(0, 2) if asked["many"] else self.rng.randint(0, 1)
            return {"type": "have", "part": part, "child": asked["child"], "count": count}
        if asked["kind"] == "group":
            return {"type": "group", "part": part, "pieces": [self.rng.choice(state["pieces"])["id"]]}
        return {"type": "undo"}


class Server:
    """`mereo annotate` in a process of its own."""

    def __init__(self, project: Path):
        self.project = project
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.address = f"http://127.0.0.1:{self.port}"
        self.process = self.start()

    def start(self) -> subprocess.Popen[str]:
        """Start, and wait until it answers."""
        command = mereo("annotate", self.project, "--port", str(self.port))
        environment = {**os.environ, "PYTHONUNBUFFERED": "1"}
        self.process = subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        if not self.process.stdout.readline().startswith(("Annotating", "There is no owner")):
            raise SystemExit("the server does not start")
        return self.process

    def stop(self, how: int = signal.SIGTERM) -> None:
        """End it."""
        self.process.send_signal(how)
        self.process.wait(60)
        if self.process.stdout is not None:
            self.process.stdout.close()


class Loaded(NamedTuple):
    """What was measured."""

    alone: list[float]
    together: list[float]
    seconds: float
    kills: int
    killed_actions: int
    again: int
    lost: int
    doubled: int
    troubles: list[str]


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--clients", type=int, default=100)
    parser.add_argument("--actions", type=int, default=30, help="of each client")
    parser.add_argument("--think", type=float, default=2.0, help="seconds between two actions of a client, on average")
    parser.add_argument("--kills", type=int, default=20)
    given = options(parser)
    if given.quick:
        given.clients, given.actions, given.kills, given.think = 3, 4, 1, 0.05
    with tempfile.TemporaryDirectory() as scratch:
        seen = asyncio.run(_measure(Path(scratch) / "project", given))
    for trouble in seen.troubles[:10]:
        print(trouble, file=sys.stderr)
    notes = [
        f"{given.clients} clients, one action in {given.think:g} s each: "
        f"{len(seen.together) / seen.seconds:.0f} actions a second, {len(seen.troubles) or 'no'} errors.",
        f"{seen.kills} times kill -9: {seen.killed_actions} actions answered, {seen.again} sent again, "
        f"{seen.lost} lost, {seen.doubled} doubled.",
    ]
    save("annotate-load", given, rows(seen, given.clients), notes=notes)
    if seen.troubles or seen.lost or seen.doubled:
        sys.exit("there were errors")


def rows(seen: Loaded, clients: int) -> list[Row]:
    """One annotator alone beside many, and what the kills came to."""
    alone, table = "one annotator alone", "an action, from sending it to its answer"
    found = [(alone, seen.alone), (f"{clients} annotators at once", seen.together)]
    timed = [
        spread(what, taken, unit="ms", against=alone, table=table, more={"95th percentile": _percentile(taken, 95)})
        for what, taken in found
    ]
    counted = [("lost", seen.lost), ("doubled", seen.doubled)]
    killed = f"server killed {seen.kills} times"
    return timed + [
        Row(what=what, value=count, unit="actions", against=f"{seen.killed_actions} answered", table=killed)
        for what, count in counted
    ]


def _percentile(values: Sequence[float], percent: int) -> float:
    return statistics.quantiles(values, n=100)[percent - 1] if len(values) > 1 else values[0]


async def _measure(folder: Path, given: argparse.Namespace) -> Loaded:
    _new_project(folder, given.clients + 1)
    server = Server(folder)
    people = [Person(server.address, f"annotator-{place}", random.Random(place)) for place in range(given.clients + 1)]
    *everybody, single = people
    try:
        await single.begin()
        await single.go_on(max(10, given.actions), think=0.05)
        for first in range(0, len(everybody), 4):
            await asyncio.gather(*(one.begin() for one in everybody[first : first + 4]))
        began = time.perf_counter()
        await asyncio.gather(*(one.go_on(given.actions, think=given.think) for one in everybody))
        seconds = time.perf_counter() - began
        together = [taken for one in everybody for taken in one.taken]
        killed_before = sum(len(one.answered) for one in everybody)
        await _killed(server, everybody[: max(2, given.clients // 5)], given.kills, random.Random(0))
    finally:
        server.stop()
        await asyncio.gather(*(one.client.aclose() for one in people))
    lost, doubled = _checked(folder, everybody)
    answered = sum(len(one.answered) for one in everybody)
    again = sum(one.again for one in everybody)
    troubles = [told for one in people for told in one.troubles]
    return Loaded(
        single.taken, together, seconds, given.kills, answered - killed_before, again, lost, doubled, troubles
    )


async def _killed(server: Server, some: Sequence[Person], kills: int, rng: random.Random) -> None:
    """Kill the server again and again, while some go on without a pause."""
    stop = asyncio.Event()

    async def busy(one: Person) -> None:
        while not stop.is_set():
            await one.go_on(1, think=0.02)

    working = [asyncio.create_task(busy(one)) for one in some]
    for _ in range(kills):
        await asyncio.sleep(rng.uniform(0.3, 1.5))
        await asyncio.to_thread(server.stop, signal.SIGKILL)
        await asyncio.to_thread(server.start)
    await asyncio.sleep(0.5)
    stop.set()
    await asyncio.gather(*working)


def _new_project(folder: Path, people: int) -> None:
    project = Project.create(folder, category="chair", annotators=2)
    shape = grammar_intake(make_shape("chair", seed=1, family=22))
    pieces = [(piece.name, keep_mesh(piece.mesh, project.home)) for piece in shape.pieces]
    for number in range(people // 2 + 1):
        add_shape(project, f"chair-{number}", pieces, frame=shape.frame.text())
    for number in range(people):
        keep_account(project.database, f"annotator-{number}", "annotator", PASSWORD)
    project.close()


def _checked(folder: Path, everybody: Sequence[Person]) -> tuple[int, int]:
    """How many answered actions are not in the database, and how many are there that were answered under another."""
    project = Project.open(folder)
    lost = doubled = 0
    with project.database.reading() as session:
        for one in everybody:
            acts = {act.key: act.number for act in session.query(Act).where(Act.work_id == one.work)}
            lost += sum(acts.get(key) != number for key, number in one.answered)
            doubled += len(acts) - len(one.answered)
    project.close()
    return lost, doubled


if __name__ == "__main__":
    main()
