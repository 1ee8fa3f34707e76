"""A build on a Ray cluster, here a real one of two workers on this machine, gives what a local build gives."""

from __future__ import annotations

import logging
import os
import signal
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from mereo.benchmarks.clevr.recipe import ClevrRecipe
from mereo.datasets.build import build_dataset
from mereo.datasets.workers import LocalCrew, RayCrew
from mereo.errors import BadInput

SPLITS = {"train": 12, "val": 4}


@dataclass(frozen=True)
class Deadly(ClevrRecipe):
    """CLEVR, kept scene by scene, whose scene 5 takes the first worker that tries it down."""

    grave: str = ""

    @property
    def piecemeal(self) -> bool:
        return True

    def scene(self, split: str, index: int) -> dict[str, Any]:
        if self.grave and index == 5 and not Path(self.grave).exists():
            Path(self.grave).touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return super().scene(split, index)

    def settings(self) -> dict[str, Any]:
        return ClevrRecipe(self.seed).settings()


@pytest.fixture(scope="module")
def cluster() -> Iterator[None]:
    ray = pytest.importorskip("ray")
    # Tests are found by their place; the workers of the cluster have to be told where that is.
    environment = {"env_vars": {"PYTHONPATH": str(Path(__file__).parent)}}
    ray.init(
        num_cpus=2, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR, runtime_env=environment
    )
    yield
    ray.shutdown()


def content(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.filterwarnings("ignore")
@pytest.mark.usefixtures("cluster")
def test_a_cluster_that_loses_a_worker_gives_the_bytes_of_an_undisturbed_local_build(tmp_path: Path) -> None:
    grave = tmp_path / "grave"
    build_dataset(Deadly(3), tmp_path / "local", splits=SPLITS, shard_size=1000, crew=LocalCrew())
    complaints: list[str] = []
    build_dataset(
        Deadly(3, grave=str(grave)),
        tmp_path / "cluster",
        splits=SPLITS,
        shard_size=1000,
        crew=RayCrew("local"),
        complain=complaints.append,
    )
    assert grave.exists()
    assert complaints == []
    assert content(tmp_path / "cluster") == content(tmp_path / "local")


@pytest.mark.parametrize("address", ["127.0.0.1:1", "ray://127.0.0.1:1", "127.0.0.1:99999999", "nonsense"])
def test_a_cluster_that_is_not_there_is_told_at_once(address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    import ray

    monkeypatch.setattr(ray, "is_initialized", lambda: False)
    with pytest.raises(BadInput, match=r"^field '--ray': (nobody listens at|'nonsense' is no Ray cluster)"):
        RayCrew(address)
