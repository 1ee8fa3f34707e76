"""A model in one file: it reads the words of a question, no picture, and learns which answers go with them."""

from collections.abc import Iterator

import torch
from torch import Tensor, nn

from mereo.datasets.predictions import Prediction
from mereo.models.kinds import Batch, Lesson
from mereo.models.learner import Learner
from mereo.training.row import Desk, Pace, Row, Stage
from mereo.training.sources import QuestionSource


class Habit(Learner):
    """The mean of the words' vectors, and a line to the answers."""

    reads = ("question", "answer")

    def __init__(self, words: int, answers: int, *, width: int):
        super().__init__()
        self.words = nn.EmbeddingBag(words, width, padding_idx=0)
        self.answers = nn.Linear(width, answers)

    def forward(self, question: Tensor) -> Tensor:
        """(b, answers) from (b, n) numbers of words."""
        scores: Tensor = self.answers(self.words(question))
        return scores

    def lesson(self, batch: Batch) -> Lesson:
        scores, answer = self(batch["question"]), batch["answer"]
        loss = nn.functional.cross_entropy(scores.float(), answer, ignore_index=-1)
        return Lesson({"answer": loss}, {"right": (scores.argmax(1) == answer).float().mean()})


def network(desk: Desk) -> Habit:
    return Habit(len(desk.lexicon.words), len(desk.lexicon.answers), width=int(desk.choices.get("width", 32)))


def answer(desk: Desk, split: str) -> Iterator[Prediction]:
    questions, habit = desk.corpus.questions(split, desk.lexicon), desk.networks["habit"]
    with torch.no_grad():
        best = habit(questions.words).argmax(1).tolist()
    for name, number in zip(questions.ids, best, strict=True):
        yield Prediction(name, desk.lexicon.answers[number])


ROW = Row(
    name="habit",
    about="answers by the words of the question alone",
    needs=("answers",),
    gives=("answers",),
    supervision="A",
    stages=(
        Stage(
            "habit",
            "words to answers",
            network,
            lambda desk, split: QuestionSource(desk.corpus, split, desk.lexicon, pictures=False),
            pace=Pace(batch=64, rate=0.03, passes=20),
        ),
    ),
    answer=answer,
    choices={"width": 32},
)
