"""The knowledge that can be searched: what comes with mereo, what datasets know, and files that were given."""

from __future__ import annotations

import threading
from collections.abc import Callable, Sequence
from pathlib import Path

from mereo.errors import MereoError, UnknownName
from mereo.explorer.opened import Opened
from mereo.knowledge import Knowledge, MemoryKnowledge, embedded_knowledge, read_knowledge

__all__ = ["EMBEDDED", "Bases"]

EMBEDDED = "mereo"


class Bases:
    """Knowledge by the key that an address has for it; what datasets know is made when it is first asked for."""

    def __init__(self, datasets: Sequence[Opened], files: Sequence[Path]):
        self._titles = {f"file{number}": path.name for number, path in enumerate(files)}
        self._made: dict[str, Knowledge | None] = {
            f"file{number}": read_knowledge(path).knowledge for number, path in enumerate(files)
        }
        self._make: dict[str, Callable[[], Knowledge | None]] = {}
        for opened in datasets:
            if opened.fault is None and opened.inspector is not None:
                self._titles[str(opened.number)] = opened.name
                self._make[str(opened.number)] = opened.inspector.knowledge
        self._titles[EMBEDDED] = "comes with mereo"
        self._make[EMBEDDED] = lambda: MemoryKnowledge(embedded_knowledge())
        self._making = threading.Lock()

    def titles(self) -> dict[str, str]:
        """What each is called; datasets that know nothing are left out."""
        return {key: title for key, title in self._titles.items() if self._is_there(key)}

    def knowledge(self, key: str) -> Knowledge:
        """The knowledge of a key."""
        found = self._get(key) if key in self._titles else None
        if found is None:
            raise UnknownName("knowledge", key, self.titles())
        return found

    def key_of(self, dataset: int) -> str:
        """The key of what a dataset knows; of what comes with mereo where it has no knowledge of its own."""
        own = str(dataset)
        return own if own in self._titles and self._is_there(own) else EMBEDDED

    def _is_there(self, key: str) -> bool:
        """Whether there is something; what is damaged is, and says why where it is looked into."""
        try:
            return self._get(key) is not None
        except MereoError:
            return True

    def _get(self, key: str) -> Knowledge | None:
        with self._making:
            if key not in self._made:
                self._made[key] = self._make[key]()
            return self._made[key]
