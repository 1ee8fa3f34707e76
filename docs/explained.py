"""Shows how a run came to some of its answers, step by step, as one picture.

    python docs/explained.py RUN DATASET [QUESTION ...] [--split test] [--out docs/results/ptr/explained.jpg]

RUN is the folder of a trained row that answers by programs, as `rebuilt`; DATASET one of PTR with pictures. All that is
shown is what the run saw and did; what is not so in truth is told in red. Where no questions are named, they are chosen
by a rule: the rooms of the split are gone through in their order, and in each its questions. Of every kind in `KINDS`
the first is taken that was answered rightly, and by more than a no, for which often nothing need be found; and of all
these kinds together the first that was answered wrongly. Each is about another room, in which the run saw at least four
objects, and was answered by a program of at most twelve steps.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from mereo.benchmarks.ptr.learning.explaining import Explained, explain
from mereo.benchmarks.ptr.learning.telling import story_of
from mereo.datasets.store import open_dataset
from mereo.errors import BadInput, MereoError, UnknownName
from mereo.evaluation.panels import ENDINGS, sheet_bytes
from mereo.evaluation.stories import stories_sheet
from mereo.files import write_bytes
from mereo.training.device import choose_device
from mereo.training.row import Desk
from mereo.workbench.learning import reopened, unread

OUT = Path(__file__).with_name("results") / "ptr" / "explained.jpg"
KINDS = {
    "Parts that are counted": ("count-part", "compare-integer", "sum-minus"),
    "Lines and planes": ("geometric", "geometric-analogy"),
    "What would fall": ("stability", "possible-change"),
}
"""By what is said of them the subtypes of questions."""
MISTAKEN = "Answered wrongly"
OBJECTS, STEPS = 4, 12
"""The fewest objects in a room, and the most steps of a program, where questions are chosen."""
FOOT = (
    "Yellow lines go around what a step found; for a number, a word, yes or no, around what that was read from. Red "
    "lines go around what it missed, and around what is too many. The red frame is around the first step from which "
    "all is wrong up to the answer."
)


def main() -> None:
    """Choose, ask and draw."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("run", type=Path)
    parser.add_argument("dataset", type=Path)
    parser.add_argument("questions", nargs="*")
    parser.add_argument("--split", default="test")
    parser.add_argument("--out", type=Path, default=OUT)
    given = parser.parse_args()
    try:
        if given.out.suffix not in ENDINGS:
            raise BadInput(f"must end in {', '.join(ENDINGS)}", file=given.out)
        row, desk = opened(given.run, given.dataset, given.split)
        ids = given.questions
        found = named(row, desk, given.split, ids) if ids else chosen(row, desk, given.split)
        stories = [story_of(desk, given.split, title, one) for title, one in found]
        given.out.parent.mkdir(parents=True, exist_ok=True)
        write_bytes(given.out, sheet_bytes(stories_sheet(stories, foot=FOOT), given.out.suffix))
    except MereoError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
    known = desk.corpus.questions(given.split, desk.lexicon).ids
    print(f"{given.out}: {', '.join(known[one.place] for _, one in found)}")


def opened(folder: Path, dataset: Path, split: str) -> tuple[str, Desk]:
    """The name of a run's row, and a desk with its networks before a dataset that has a split."""
    past, manifest = reopened(folder, None), open_dataset(dataset)
    if split not in manifest.scenes:
        raise UnknownName("split", split, manifest.scenes)
    if manifest.benchmark != "ptr" or past.run.benchmark != "ptr":
        raise BadInput("only runs of PTR, and questions about its rooms, are explained", file=folder)
    return past.row.name, past.desk(dataset, choose_device(), unread)


def named(row: str, desk: Desk, split: str, ids: Sequence[str]) -> list[tuple[str, Explained]]:
    """Answers to the questions of some ids, each with the subtype of its question."""
    questions = desk.corpus.questions(split, desk.lexicon)
    places = {name: place for place, name in enumerate(questions.ids)}
    for name in ids:
        if name not in places:
            raise BadInput(f"has no question '{name}' in {split}", file=desk.corpus.folder)
    found = [*explain(row, desk, split, [places[name] for name in ids])]
    for one in found:
        if one.account.trace is None:
            raise BadInput(f"was guessed, since {one.account.wrong}", record=questions.ids[one.place])
    return [(questions.types[one.place][1], one) for one in found]


def chosen(row: str, desk: Desk, split: str) -> list[tuple[str, Explained]]:
    """Answers to questions that are chosen by the rule, each with what is said of it."""
    questions, answers = desk.corpus.questions(split, desk.lexicon), desk.corpus.answers(split)
    titles = {subtype: title for title, own in KINDS.items() for subtype in own}
    found: dict[str, Explained] = {}
    for places in questions.by_scene().values():
        wanted = [place for place in places if _open(titles.get(questions.types[place][1]), found)]
        for one in explain(row, desk, split, wanted) if wanted else ():
            right = one.answer == answers[one.place]
            title = titles[questions.types[one.place][1]] if right else MISTAKEN
            if title not in found and _fits(one) and not (right and one.answer == "no"):
                found[title] = one
                break
        if len(found) > len(KINDS):
            break
    return [(title, found[title]) for title in (*KINDS, MISTAKEN) if title in found]


def _open(title: str | None, found: Mapping[str, Explained]) -> bool:
    """Whether a question of such a kind, if it is one that is shown, may still be chosen."""
    return title is not None and (title not in found or MISTAKEN not in found)


def _fits(one: Explained) -> bool:
    trace = one.account.trace
    return trace is not None and len(trace.values) <= STEPS and len(one.seen.objects) >= OBJECTS


if __name__ == "__main__":
    main()
