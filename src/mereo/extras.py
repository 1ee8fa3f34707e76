"""The optional sets of packages, and whether they are there."""

from __future__ import annotations

from importlib.util import find_spec

from mereo.errors import MissingExtra

__all__ = ["EXTRAS", "need"]

EXTRAS = {
    "scenes": ("h5py", "manifold3d", "mitsuba", "mujoco", "PIL", "pycocotools", "trimesh"),
    "explore": ("duckdb", "nicegui", "PIL"),
    "knowledge": ("duckdb", "textblob"),
    "train": ("PIL", "safetensors", "scipy", "torch", "transformers"),
    "ray": ("ray",),
    "ask": ("httpx2",),
    "annotate": (
        *("alembic", "argon2", "h5py", "jinja2", "manifold3d", "PIL", "python_multipart", "scipy", "sqlalchemy"),
        *("starlette", "trimesh", "uvicorn"),
    ),
    "postgres": ("psycopg",),
}
"""What the extras of `pyproject.toml` bring, by the names that are imported. All that is symbolic works without them.

Not named are fpsample, which only makes something faster and has no wheels for some Pythons, and mitsuba-oidn, without
which pictures keep their grain. spaCy is no extra, because its models are not packages that pip finds by name.
"""


def need(what: str, extra: str) -> None:
    """See that an extra is installed before anything begins that would fail halfway without it."""
    if any(find_spec(module) is None for module in EXTRAS[extra]):
        raise MissingExtra(what, extra)
