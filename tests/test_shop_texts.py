"""What is written about household objects, and which looks they can have: as published, by split, and checked."""

from __future__ import annotations

import json
import random
from collections import defaultdict
from collections.abc import Callable
from itertools import product
from pathlib import Path
from typing import Any

import pytest

from mereo.benchmarks.shop.language import TEXTUAL, VISUAL, VOCABULARY
from mereo.benchmarks.shop.models import Instances, all_looks, check_looks, drawn_looks, instances_of, models
from mereo.benchmarks.shop.texts import SPLITS, pages_of, properties_of, read_pages, read_properties
from mereo.errors import BadInput, UnknownName

CLASSES = VOCABULARY.words("name")
SOURCE = Path("templates") / "shop_vrb"
OWN = Path(read_pages.__code__.co_filename).parent
PAINTS = ("red", "blue", "green", "brown", "purple", "cyan", "yellow")


# As published


def told(value: Any, looks: dict[str, str]) -> Any:
    """A published property of an object: what is said of its material or color, else what is said of all."""
    if not isinstance(value, dict):
        return value
    for key, other in value.items():
        field, _, word = key.partition(":")
        if looks.get(field) == word:
            return other
    return value["default"]


def test_properties_are_those_that_were_published(official_data: Path) -> None:
    published = json.loads((official_data / SOURCE / "textual_properties_shop_vrb.json").read_text())
    assert set(published) == set(CLASSES)
    for name in CLASSES:
        for looks in all_looks(name):
            found = properties_of(name, looks)
            assert {**found, "attribute": list(found["attribute"])} == {
                field: told(published[name][field], looks) for field in TEXTUAL
            }


def published_looks(rows: dict[str, Any]) -> set[tuple[str, ...]]:
    """Every look of published models, in the order of what is seen; paints are listed as "all" in some words."""
    found = set()
    for row in rows.values():
        sizes = {row["size1"], row["size2"]} - {"-"}
        ways = [(row["material1"], row["color1"])]
        if row["change_material"]:
            ways.append((row["material2"], row["color2"]))
        for (material, said), size in product(ways, sizes):
            for color in PAINTS if "all" in said.replace("metallic", "") else (said,):
                looks = {**row, "material": material, "color": color, "size": size}
                found.add(tuple(looks[field] for field in VISUAL))
    return found


@pytest.mark.parametrize(("instances", "end"), [("known", ""), ("new", "_benchmark")])
def test_models_can_look_as_was_published(official_data: Path, instances: Instances, end: str) -> None:
    published = published_looks(json.loads((official_data / SOURCE / f"object_properties{end}.json").read_text()))
    chance = random.Random(3)
    drawn = {
        tuple(drawn_looks(model, chance).values())
        for own in models(instances).values()
        for model in own
        for _ in range(150)
    }
    assert drawn == published
    for looks in published:
        check_looks(dict(zip(VISUAL, looks, strict=True)), instances=instances)


def test_what_can_be_seen_is_what_models_of_either_kind_are_drawn_as() -> None:
    chance = random.Random(5)
    for name in CLASSES:
        drawn = {
            tuple(drawn_looks(model, chance).values())
            for instances in map(instances_of, ("train", "benchmark"))
            for model in models(instances)[name]
            for _ in range(150)
        }
        assert {tuple(looks.values()) for looks in all_looks(name)} == drawn


# Pages


def test_every_class_has_eleven_pages_and_each_belongs_to_one_split() -> None:
    texts = read_pages(OWN / "descriptions")
    assert set(texts) == set(CLASSES)
    for name, pages in texts.items():
        assert len({page.text for page in pages}) == 11
        owners = defaultdict(set)
        for looks in all_looks(name):
            about = [page.text for page in pages if page.about(looks)]
            owned = [pages_of(name, looks, split=split) for split in SPLITS]
            assert all(owned), "no split is without a page about anything"
            assert sorted(text for own in owned for text in own) == sorted(about)
            for split, own in zip(SPLITS, owned, strict=True):
                for text in own:
                    owners[text].add(split)
        assert set(owners) == {page.text for page in pages}, "no page is about nothing"
        assert all(len(splits) == 1 for splits in owners.values()), "what one look leaves to test, another to train"


def test_unknown_classes_and_splits_are_named() -> None:
    with pytest.raises(UnknownName, match=r"there is no class 'kettel'.*kettle"):
        properties_of("kettel", {})
    with pytest.raises(UnknownName, match="there is no split 'val'"):
        pages_of("kettle", {"material": "metal", "color": "red"}, split="val")


# What is refused


def changed(folder: Path, old: str, new: str) -> Path:
    """Our properties with one thing changed."""
    text, file = (OWN / "text_properties.toml").read_text(), folder / "properties.toml"
    assert old in text
    file.write_text(text.replace(old, new, 1))
    return file


@pytest.mark.parametrize(
    ("old", "new", "said"),
    [
        ('powering = "non-powered"', 'powering = "steam"', "baking_tray, field 'powering': 'steam' is no powering"),
        ('"oven safe"', '"oven save"', "baking_tray, field 'attribute': 'oven save' is no attribute"),
        ('more = ["suitable', 'more = ["soggy", "suitable', "baking_tray, field 'attribute': 'soggy' is no attribute"),
        ('material = "rubber"', 'material = "felt"', "baking_tray, field 'material': 'felt' is no material"),
        ('material = "rubber"', 'material = ["rubber"]', "baking_tray, field 'material': must be one word"),
        ("more = [", "powering = [", "baking_tray, field 'powering': must be one word"),
        ('more = ["suit', 'more = "flexible"\nattribute = ["suit', "field 'attribute': must be a list of words"),
        ('material = "rubber"', "material = 1", "baking_tray"),
        ("[baking_tray]", "[baking_tent]", "there is no class 'baking_tent'"),
        ('picking = "graspable"', "", "baking_tray"),
    ],
)
def test_a_label_outside_the_vocabulary_is_refused_with_class_and_field(
    tmp_path: Path, old: str, new: str, said: str
) -> None:
    file = changed(tmp_path, old, new)
    with pytest.raises(BadInput) as error:
        read_properties(file)
    assert said in str(error.value)
    assert str(error.value).startswith(str(file))


@pytest.mark.parametrize(
    ("name", "page", "said"),
    [
        ("kettle", 'text = "A kettle."\nfits = {color = "beige"}', "description 1, field 'color': 'beige' is no"),
        ("kettle", 'text = "A kettle."\nfits = {hue = "red"}', "description 1: there is no attribute 'hue'"),
        ("kettle", 'text = "A kettle."\nfits = {material = "wooden"}', "field 'fits': is about none that there can"),
        ("kettle", 'text = "A kettle."\nexcept = {material = "metal"}', "field 'fits': is about none that there can"),
        ("kettle", 'text = "  "', "description 1, field 'text': is empty"),
        ("kettle", 'test = "A kettle."', "description"),
        ("ladle", 'text = "A ladle."', "there is no class 'ladle'"),
    ],
)
def test_a_page_about_what_there_is_not_is_refused(tmp_path: Path, name: str, page: str, said: str) -> None:
    file = tmp_path / f"{name}.toml"
    file.write_text(f'[[description]]\ntext = "Any."\n[[description]]\n{page}\n')
    with pytest.raises(BadInput) as error:
        read_pages(tmp_path)
    assert said in str(error.value)
    assert str(error.value).startswith(str(file))


def heavier(looks: dict[str, str]) -> None:
    looks["weight"] = "heavy"


def wooden(looks: dict[str, str]) -> None:
    looks["material"] = "wooden"


def other_class(looks: dict[str, str]) -> None:
    looks["name"] = "ladle"


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (
            heavier,
            "field 'weight': no known model of a fork is small, heavy, ",
        ),
        (
            wooden,
            "field 'material': no known model of a fork is small, light, metallic, wooden, ",
        ),
        (other_class, "field 'name': there is no ladle among the known models"),
    ],
)
def test_looks_that_no_model_has_are_refused_with_class_and_looks(
    change: Callable[[dict[str, str]], None], said: str
) -> None:
    looks = next(all_looks("fork"))
    check_looks(looks, instances="known")
    change(looks)
    with pytest.raises(BadInput) as error:
        check_looks(looks, instances="known")
    assert str(error.value).startswith(said)
