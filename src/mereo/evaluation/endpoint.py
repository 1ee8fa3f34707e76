"""Where a model is, and how it is asked."""

from __future__ import annotations

from typing import NamedTuple
from urllib.parse import SplitResult, urlsplit

from mereo.errors import BadInput

__all__ = ["Endpoint"]

_PATH = "/chat/completions"
_AS = "must be an address as https://host/v1"


class Endpoint(NamedTuple):
    """An address that speaks OpenAI's chat completions, and the settings of every request to it."""

    url: SplitResult
    model: str
    key: str | None
    """Goes into a header of every request, and nowhere else."""
    temperature: float
    max_tokens: int
    timeout: float
    """Seconds for a whole request."""

    @staticmethod
    def at(
        url: str, *, model: str, key: str | None, temperature: float = 0.0, max_tokens: int = 256, timeout: float = 120
    ) -> Endpoint:
        """An endpoint by its address, as `http://localhost:8000/v1`."""
        try:
            parts = urlsplit(url)
            shown = _bare(parts)
        except ValueError:
            raise BadInput(_AS, field="--endpoint") from None
        if parts.scheme not in ("http", "https") or not parts.hostname:
            raise BadInput(f"'{shown}' {_AS}", field="--endpoint")
        if parts.username or parts.password:
            raise BadInput("the address must not hold a password: keys come from the environment", field="--endpoint")
        if key is not None and not (key.isascii() and key.isprintable() and " " not in key):
            # Such a key cannot stand in a header, and whoever complained of the header would show it.
            raise BadInput("the key must be one word of plain characters, without white space or a line break")
        if not parts.path.endswith(_PATH):
            parts = parts._replace(path=parts.path.rstrip("/") + _PATH)
        return Endpoint(parts, model, key, temperature, max_tokens, timeout)

    @property
    def shown(self) -> str:
        """The address without what might be secret in it."""
        return _bare(self.url)

    def without_key(self, text: str) -> str:
        """A text that is to be shown or stored, in which some servers repeat the key."""
        return text.replace(self.key, "…") if self.key else text


def _bare(parts: SplitResult) -> str:
    host = f"[{parts.hostname}]" if parts.hostname and ":" in parts.hostname else parts.hostname or ""
    return f"{parts.scheme}://{host}{f':{parts.port}' if parts.port else ''}{parts.path}"
