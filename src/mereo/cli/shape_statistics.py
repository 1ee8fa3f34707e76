"""`mereo shapes statistics`: what shapes have, beside what PartNet's have, and how much they differ."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mereo.cli.screen import console, plain_table, progress_bar
from mereo.cli.shapes import Category, Seed, Split, shapes

if TYPE_CHECKING:
    from rich.table import Table

    from mereo.shapes.coverage import Coverage
    from mereo.shapes.part import Shape
    from mereo.shapes.statistics import ShapeStatistics
    from mereo.shapes.variety import Variety

_PARTNET = "  PartNet"


@shapes.command()
def statistics(
    folder: Annotated[
        Path | None, typer.Argument(help="A library, or a dataset of PartNet's tasks; without one shapes are made.")
    ] = None,
    category: Category = "all",
    count: Annotated[int, typer.Option(min=1, help="Families of each category to make.")] = 50,
    seed: Seed = 0,
    split: Split = "train",
    labels: Annotated[
        bool,
        typer.Option("--labels", help="How many labels of PartNet's occur instead, in COUNT shapes of each split."),
    ] = False,
    json: Annotated[bool, typer.Option("--json", help="Print one JSON object instead.")] = False,
) -> None:
    """Count parts as PartNet's Tables 1 and 2 do, beside PartNet's figures, and tell how far shapes are apart."""
    if labels:
        _labels(category, count, seed=seed, json=json)
        return
    varieties: dict[str, Variety] = {}
    found = _counted(folder) if folder else _of_made(category, count, varieties, seed=seed, split=split)
    if json:
        _print_json(found, varieties)
        return
    for table in (_table_1(found), _table_2(found), *([_variety_table(varieties)] if varieties else [])):
        console().print(table)
        console().print()


def _counted(folder: Path) -> dict[str, ShapeStatistics]:
    """The statistics of what is there: a dataset, or a library."""
    from mereo.benchmarks.partnet.counting import dataset_statistics
    from mereo.datasets.store import MANIFEST
    from mereo.shapes.library import open_library
    from mereo.shapes.statistics import shape_statistics

    return (
        dataset_statistics(folder) if (folder / MANIFEST).exists() else shape_statistics(open_library(folder).trees())
    )


def _of_made(
    category: str, count: int, varieties: dict[str, Variety], *, seed: int, split: str
) -> dict[str, ShapeStatistics]:
    from mereo.shapes.statistics import shape_statistics

    return shape_statistics(_made(category, count, varieties, seed=seed, split=split))


def _made(category: str, count: int, varieties: dict[str, Variety], *, seed: int, split: str) -> Iterator[Shape]:
    """A shape of each family, one after the other; with the last of a category its variety is known."""
    from mereo.shapes.grammar import all_grammars, make_shape
    from mereo.shapes.library import chosen_categories
    from mereo.shapes.variety import unit_cloud, variety_of

    wanted = chosen_categories(category, list(all_grammars()))
    with progress_bar("making shapes", count * len(wanted), unit="families") as advance:
        for name in wanted:
            clouds = []
            for family in range(count):
                pair = [make_shape(name, seed=seed, split=split, family=family, instance=k) for k in (0, 1)]
                clouds.append([unit_cloud(shape, seed=seed) for shape in pair])
                advance(1)
                yield pair[0]
            if count > 1:
                varieties[name] = variety_of(clouds)


def _print_json(found: Mapping[str, ShapeStatistics], varieties: Mapping[str, Variety]) -> None:
    import msgspec

    from mereo.shapes.statistics import partnet_statistics

    theirs = partnet_statistics()
    told = {
        name: {
            "counted": row,
            "partnet": theirs[name]._asdict() if name in theirs else None,
            "variety": varieties[name]._asdict() if name in varieties else None,
        }
        for name, row in found.items()
    }
    typer.echo(msgspec.json.encode(told).decode())


def _table_1(found: Mapping[str, ShapeStatistics]) -> Table:
    """Datasets of shapes with parts, ours last."""
    from mereo.shapes.statistics import ALL, published_datasets

    table = _table("", "shapes", "parts", "categories")
    for name, row in published_datasets().items():
        table.add_row(name, *(f"{number:,}" for number in row))
    if found:
        ours = found[ALL]
        table.add_row("these shapes", f"{ours.shapes:,}", f"{ours.part_instances:,}", f"{len(found) - 1:,}")
    return table


def _table_2(found: Mapping[str, ShapeStatistics]) -> Table:
    """Each category, and below it what PartNet has of it."""
    from mereo.shapes.statistics import partnet_statistics

    names = ("", "annotations", "shapes", "repeated", "semantics", "leaf kinds", "instances")
    table = _table(*names, "P med", "P max", "D med", "D max")
    theirs = partnet_statistics()
    for name, row in found.items():
        numbers = (row.annotations, row.shapes, row.repeated, row.part_semantics, row.leaf_kinds, row.part_instances)
        spread = (row.median_parts, row.most_parts, row.median_depth, row.greatest_depth)
        table.add_row(name, *(f"{number:,}" for number in numbers), *(f"{number:g}" for number in spread))
        if name in theirs:
            annotations, shapes, semantics, instances, *rest = theirs[name]
            cells = (annotations, shapes, "", semantics, _leaf_kinds(name), instances, *rest)
            table.add_row(_PARTNET, *(f"{cell:,}" if cell else "" for cell in cells), style="dim")
    return table


def _leaf_kinds(category: str) -> int:
    """How many labels of leaves PartNet has of a category, or of all, after merging."""
    from mereo.shapes.statistics import ALL
    from mereo.shapes.template import all_templates

    asked = (each for name, each in all_templates().items() if each.partnet and category in (name, ALL))
    return sum(label.kind == "leaf" for template in asked for label in template.labels.values())


def _variety_table(varieties: Mapping[str, Variety]) -> Table:
    """How far shapes of a category are apart, first those whose families differ least beyond what instances do."""
    table = _table("apart, % of the diagonal", "instances", "families", "ratio", "nearest family")
    for name, row in sorted(varieties.items(), key=lambda item: item[1].ratio):
        shares = [f"{100 * share:.2f}" for share in (row.within, row.between, row.nearest)]
        table.add_row(name, *shares[:2], f"{row.ratio:.1f}", shares[2])
    return table


def _labels(category: str, count: int, *, seed: int, json: bool) -> None:
    """How many labels of PartNet's occur, level by level."""
    from mereo.shapes.coverage import coverage_of, covered_categories
    from mereo.shapes.grammar import SPLITS
    from mereo.shapes.library import chosen_categories

    wanted = chosen_categories(category, covered_categories())
    with progress_bar("making shapes", count * len(SPLITS) * len(wanted), unit="shapes") as advance:
        found = {name: coverage_of(name, count, seed=seed, progress=advance) for name in wanted}
    if json:
        import msgspec

        typer.echo(msgspec.json.encode({name: coverage.shares for name, coverage in found.items()}).decode())
        return
    console().print(_labels_table(found))
    for name, coverage in found.items():
        for label, share in coverage.rare().items():
            console().print(f"{name}: {label} in {100 * share:.1f}%")


def _labels_table(found: Mapping[str, Coverage]) -> Table:
    from mereo.shapes.coverage import choices

    table = _table("labels that occur", "level 1", "level 2", "level 3", "choices", "all")
    for name, coverage in found.items():
        template = coverage.template
        counts = [coverage.level(level) for level in (1, 2, 3)]
        counts += [coverage.among(choices(template)), coverage.among(template.labels)]
        table.add_row(name, *(f"{met}/{known}" if known else "" for met, known in counts))
    return table


def _table(first: str, *others: str) -> Table:
    table = plain_table()
    table.add_column(first)
    for name in others:
        table.add_column(name, justify="right")
    return table
