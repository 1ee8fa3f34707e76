"""What the shell offers when somebody presses Tab, asked for as bash does."""

from __future__ import annotations

from pathlib import Path

import pytest

from kit import CommandLine


@pytest.fixture
def offered(mereo: CommandLine, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Offered:
    return Offered(mereo, monkeypatch, tmp_path)


class Offered:
    """The words that are offered at the end of a line."""

    def __init__(self, mereo: CommandLine, monkeypatch: pytest.MonkeyPatch, folder: Path):
        self.mereo, self.monkeypatch = mereo, monkeypatch
        monkeypatch.chdir(folder)

    def __call__(self, line: str) -> list[str]:
        with self.monkeypatch.context() as patch:
            patch.setenv("_MEREO_COMPLETE", "complete_bash")
            patch.setenv("COMP_WORDS", f"mereo {line}")
            patch.setenv("COMP_CWORD", str(len(f"mereo {line}|".split()) - 1))
            done = self.mereo()
        assert done.err == ""
        return done.out.split()


def test_commands_and_benchmarks_are_offered(offered: Offered) -> None:
    assert {"build", "point", "shapes"} <= set(offered(""))
    assert offered("bu") == ["build"]
    assert offered("build ") == ["clevr", "cric", "partnet", "ptr", "refer", "shop"]
    assert offered("build r") == ["refer"]


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("build clevr out --preset ", ["clevr", "cogent"]),
        ("build ptr out --preset c", ["cross-category"]),
        ("build clevr out --image-format ", ["jpeg", "png", "webp"]),
        ("build clevr out --renderer s", ["scalar"]),
        ("point refer out --as ", ["oracle", "shifted", "empty"]),
        ("parse shop out --as ", ["oracle", "noise", "blind"]),
        ("functions p", ["ptr", "ptr_official"]),
        ("run --language cl", ["clevr", "clevr_ref"]),
        ("import ", ["clevr", "clevr_ref", "ptr", "ptr_official", "refer"]),
        ("verify --language ptr", ["ptr", "ptr_official"]),
        ("questions --language clevr_", ["clevr_ref"]),
        ("export there out --to ", ["clevr", "clevr_ref", "coco", "inspect", "lmms-eval", "ptr", "webdataset"]),
        ("export there out --to w", ["webdataset"]),
        ("ask there --prompt r", ["reasoned", "refer"]),
        ("evaluate nowhere --split ", []),
    ],
)
def test_names_are_offered_where_they_are_taken(offered: Offered, line: str, words: list[str]) -> None:
    found = offered(line)
    assert set(words) <= set(found)
    assert all(word.startswith(line.rpartition(" ")[2]) for word in found)
    assert bool(words) == bool(found)


def test_a_dataset_says_which_splits_and_formats_there_are(offered: Offered) -> None:
    offered.mereo("build", "clevr", "small", "--split", "train=2,val=1", "--symbolic")
    assert offered("subset small out --split ") == ["train", "val"]
    assert offered("evaluate small answers.jsonl --split t") == ["train"]
    assert offered("oracle small --split train,") == ["train,val"]
    assert {"clevr", "coco"} <= set(offered("export small out --to "))
    assert not {"ptr", "clevr_ref"} & set(offered("export small out --to "))
