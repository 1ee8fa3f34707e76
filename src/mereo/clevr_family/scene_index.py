"""Which scene a question is about."""

from __future__ import annotations

from collections.abc import Iterable

from mereo.clevr_family.records import OfficialQuestion, SceneRecord
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
            if "image_index" in scene.data:
                self._named.setdefault(str(scene.data["image_index"]), scene)
            self._named[scene.image] = scene

    def find(self, question: OfficialQuestion) -> SceneRecord:
        """The scene of a question, or a complaint that there is none."""
        asked = question.image_index if question.image_filename is None else question.image_filename
        scene = self._named.get(str(asked))
        if scene is None:
            raise BadInput(f"asks about {asked}, of which there is no scene", field="image_filename")
        return scene
