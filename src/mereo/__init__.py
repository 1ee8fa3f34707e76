"""mereo: worlds made of parts, and questions about them whose every reasoning step is known.

Everything that the commands do can be called from here; what is heavy is imported when it is first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from mereo.errors import MereoError
    from mereo.workbench.calls import (
        audit,
        baseline,
        build,
        evaluate,
        export,
        import_files,
        language,
        list_benchmarks,
        list_models,
        oracle,
        predict,
        render,
        report,
        reproduce,
        shape,
        subset,
        train,
        verify,
    )
    from mereo.workbench.dataset import Dataset, load

__version__ = "0.1.0"

__all__ = [
    "Dataset",
    "MereoError",
    "audit",
    "baseline",
    "build",
    "evaluate",
    "export",
    "import_files",
    "language",
    "list_benchmarks",
    "list_models",
    "load",
    "oracle",
    "predict",
    "render",
    "report",
    "reproduce",
    "shape",
    "subset",
    "train",
    "verify",
]

_ELSEWHERE = {"MereoError": "errors", **dict.fromkeys(("Dataset", "load"), "workbench.dataset")}
"""Where a name stands, if not among the calls."""


def __getattr__(name: str) -> Any:
    if name not in __all__:
        raise AttributeError(f"module 'mereo' has no attribute '{name}'")
    value = globals()[name] = getattr(import_module(f"mereo.{_ELSEWHERE.get(name, 'workbench.calls')}"), name)
    return value


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
