"""Which scene a question is about."""

from __future__ import annotations

from collections.abc import Iterable

from mereo.datasets.format import QuestionRecord, SceneRecord
from mereo.errors import BadInput

__all__ = ["SceneIndex"]


class SceneIndex:
    """Scenes by the names that questions use for them.

    A question that names a picture is about that picture's scene and no other, whatever number it gives besides: where
    a question file and a scene file belong to different splits, the numbers agree and the answers do not.
    """

    def __init__(self, scenes: Iterable[SceneRecord]):
        self._named: dict[str, SceneRecord] = {}
        for scene in scenes:
            first, *others = scene.called
            for name in others:
                self._named.setdefault(name, scene)
            self._named[first] = scene

    def find(self, question: QuestionRecord) -> SceneRecord:
        """The scene of a question, or a complaint that there is none."""
        scene = self._named.get(question.about)
        if scene is None:
            raise BadInput(f"asks about {question.about}, of which there is no scene", field="image_filename")
        return scene
