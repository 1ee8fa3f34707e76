"""Cutting a piece in two along a drawn path, as the annotation service does when somebody presses Enter.

    python bench/annotate_cut.py [--triangles 200000] [--rounds 5]

A ball with bumps, whole and with an opening, and a ring are cut along a wavy stroke and along a loop of 200 points.
Closed solids are cut by a boolean that closes both sides, open meshes triangle by triangle. The reference is trimesh's
cut of the same mesh by a plane, on both sides, which neither bends nor closes what it cuts. CPU seconds of all threads
of one process, which is what it takes on one core.
"""

from __future__ import annotations

import argparse
import gc
import tempfile
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import trimesh

from measure import options, save, spread
from mereo.annotation.geometry.blobs import blob_name, keep_mesh
from mereo.annotation.geometry.cutting import cut, cut_kept
from mereo.annotation.home import FolderHome
from mereo.cores import keep_to_one_core
from mereo.shapes.mesh import Floats, Mesh
from tables import Row

PLANE = "trimesh, by a plane"
POINTS = 200
WAY = (0.0, 1.0, 0.0)


def ball(triangles: int) -> Mesh:
    """A ball with bumps of about so many triangles."""
    count = round((triangles / 4) ** 0.5)
    made = trimesh.creation.uv_sphere(1.0, count=(count, count))
    bumps = 1 + 0.05 * np.sin(7 * made.vertices).prod(1)
    return Mesh.of((made.vertices * bumps[:, None]).astype(np.float32), made.faces)


def ring(triangles: int) -> Mesh:
    """A ring of about so many triangles."""
    count = round((triangles / 8) ** 0.5)
    made = trimesh.creation.torus(1.0, 0.3, major_sections=4 * count, minor_sections=count)
    return Mesh.of(made.vertices.astype(np.float32), made.faces)


def opened(mesh: Mesh) -> Mesh:
    """The mesh without its top."""
    return Mesh.of(mesh.vertices, mesh.faces[mesh.triangles[:, :, 2].mean(1) < 0.9])


def stroke() -> Floats:
    """From below to above, seen from the front."""
    up = np.linspace(-0.8, 0.8, POINTS)
    return np.stack([0.1 * np.sin(9 * up), np.full(POINTS, -1.0), up], 1)


def loop() -> Floats:
    """Around the middle, seen from the front."""
    turns = np.linspace(0, 2 * np.pi, POINTS)
    return np.stack([0.4 * np.cos(turns), np.full(POINTS, -1.0), 0.3 * np.sin(turns)], 1)


def by_plane(mesh: Mesh) -> None:
    """Both sides of a plane through the middle."""
    sliced: Any = trimesh.intersections.slice_faces_plane  # has no types
    for normal in ((1, 0, 0), (-1, 0, 0)):
        sliced(mesh.vertices, mesh.faces, normal, (0, 0, 0))


def from_file_to_files(home: FolderHome, digits: str) -> None:
    """A cut with both sides written, which are taken away again: what is kept already is not written twice."""
    for side in cut_kept(home, digits, stroke(), WAY):
        (home.folder / blob_name(side.digits)).unlink()


def seconds(act: Callable[[], object], rounds: int) -> list[float]:
    """CPU seconds of each round, after one that does not count."""
    found = []
    for _ in range(1 + rounds):
        gc.collect()
        started = time.process_time()
        act()
        found.append(time.process_time() - started)
    return found[1:]


def rows(meshes: dict[str, Mesh], home: FolderHome, rounds: int) -> list[Row]:
    """Every mesh cut in every way. home : where pieces are kept"""
    found = []
    for name, mesh in meshes.items():
        table = f"{name}, {len(mesh.faces):,} triangles"
        digits = keep_mesh(mesh, home).digits
        ways: dict[str, Callable[[], object]] = {
            PLANE: partial(by_plane, mesh),
            "along a stroke": partial(cut, mesh, stroke(), WAY),
            "along a loop": partial(cut, mesh, loop(), WAY),
            "along a stroke, from the file to both sides' files": partial(from_file_to_files, home, digits),
        }
        for what, act in ways.items():
            found.append(spread(what, seconds(act, rounds), unit="CPU s", against=PLANE, table=table))
    return found


def main() -> None:
    """Measure and keep."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--triangles", type=int, default=200_000)
    parser.add_argument("--rounds", type=int, default=5)
    given = options(parser)
    if given.quick:
        given.triangles, given.rounds = 2_000, 1
    keep_to_one_core()
    whole = ball(given.triangles)
    meshes = {"a closed ball": whole, "a closed ring": ring(given.triangles), "a ball with an opening": opened(whole)}
    with tempfile.TemporaryDirectory() as scratch:
        save("annotate-cut", given, rows(meshes, FolderHome(Path(scratch)), given.rounds))


if __name__ == "__main__":
    main()
