"""Texts as vectors, by a language model that is frozen and given as a folder of its files, such as MiniLM."""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from mereo.errors import BadInput

__all__ = ["Sentences"]

_AT_ONCE = 64
_LONGEST = 256
"""Tokens of a text that are read."""


class Sentences:
    """A frozen language model. folder : as `save_pretrained` of transformers writes it, with its tokenizer"""

    def __init__(self, folder: str | Path):
        models: Any = import_module("transformers")  # so that two thousand modules are not checked for two names
        if not (Path(folder) / "config.json").exists():
            raise BadInput("holds no language model: there is no config.json", file=folder)
        try:
            self.tokens: Any = models.AutoTokenizer.from_pretrained(folder, local_files_only=True)
            self.model: Any = (
                models.AutoModel.from_pretrained(folder, local_files_only=True).eval().requires_grad_(False)
            )
        except (OSError, ValueError, KeyError) as error:
            first = (str(error).splitlines() or [type(error).__name__])[0]
            raise BadInput(f"holds no language model that can be read: {first}", file=folder) from None
        self.width = int(self.model.config.hidden_size)

    @torch.inference_mode()
    def vectors(self, texts: Sequence[str], device: torch.device) -> Tensor:
        """(texts, width) float, each of length 1: the mean of what the model makes of a text's tokens."""
        self.model.to(device)
        found = [torch.zeros(0, self.width, device=device)]
        for start in range(0, len(texts), _AT_ONCE):
            some = [*texts[start : start + _AT_ONCE]]
            read = self.tokens(some, padding=True, truncation=True, max_length=_LONGEST, return_tensors="pt").to(device)
            states = self.model(**read).last_hidden_state
            there = read["attention_mask"][..., None]
            found.append(torch.nn.functional.normalize((states * there).sum(1) / there.sum(1).clamp(min=1), dim=1))
        return torch.cat(found)
