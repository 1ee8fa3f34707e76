"""Somebody who acts in a loop until killed: tells of each action before it is sent, and when it is answered."""

from __future__ import annotations

import sys
from pathlib import Path
from uuid import uuid4

from mereo.annotation.accounts import people
from mereo.annotation.actions import Group, Release
from mereo.annotation.project import Project
from mereo.annotation.store import Store


def tell(word: str, key: str, number: int) -> None:
    """One line for whoever kills us."""
    sys.stdout.write(f"{word} {key} {number}\n")
    sys.stdout.flush()


def main(folder: str, work: int) -> None:
    """Act as the only account of a project."""
    project = Project.open(Path(folder))
    store, (who,) = Store(project), people(project.database)
    number = store.open_work(work, who).row.number
    while True:
        key = str(uuid4())
        tell("sent", key, number)
        number = store.act(work, who, key, number, Release((0,)) if number % 2 else Group(0, (0,))).number
        tell("answered", key, number)


main(sys.argv[1], int(sys.argv[2]))
