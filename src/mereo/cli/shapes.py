"""`mereo shapes`: make shapes, look at them, and bring them in and out of other people's formats."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mereo.cli.app import app
from mereo.cli.screen import console, growing_bar, plain_table, progress_bar

if TYPE_CHECKING:
    from rich.table import Table
    from rich.tree import Tree

    from mereo.errors import MereoError
    from mereo.shapes.inspection import Inspection
    from mereo.shapes.part import Part, Shape

shapes = typer.Typer(no_args_is_help=True, help="Make, show, count, import and export shapes.")
app.add_typer(shapes, name="shapes")


class SegmentationTask(StrEnum):
    """What the HDF5 files are for."""

    semantic = "semantic"
    instance = "instance"
    hierarchical = "hierarchical"
    detection = "detection"
    truth = "truth"


class MobilityFormat(StrEnum):
    """What shapes that move are written as."""

    urdf = "urdf"
    mjcf = "mjcf"


Category = Annotated[str, typer.Option(help="A category, several with commas, or `all`.")]
Seed = Annotated[int, typer.Option(min=0, help="Same seed, same shapes.")]
Split = Annotated[str, typer.Option(help="Whose families: train, val, test or benchmark.")]


@shapes.command()
def make(
    out: Annotated[Path, typer.Argument(help="The folder to make.")],
    category: Category = "all",
    count: Annotated[int, typer.Option(min=1, help="Families of each category, one shape each.")] = 20,
    seed: Seed = 0,
    split: Split = "train",
    points: Annotated[int, typer.Option(min=0, help="Points to sample on each shape, as 10000.")] = 0,
    resume: Annotated[bool, typer.Option("--resume", help="Go on with an unfinished library.")] = False,
) -> None:
    """Make a library: a folder of shapes in PartNet's layout."""
    import time

    from mereo.shapes.grammar import all_grammars
    from mereo.shapes.library import LibraryOrder, chosen_categories, make_library

    started = time.perf_counter()
    order = LibraryOrder(chosen_categories(category, list(all_grammars())), count, seed, split, points)
    with progress_bar("making shapes", count * len(order.categories), unit="shapes") as advance:
        library = make_library(out, order, resume=resume, progress=advance)
    seconds = time.perf_counter() - started
    console().print(f"{out}: {len(library):,} shapes ({', '.join(order.categories)}) in {seconds:.1f} s")


@shapes.command()
def gallery(
    out: Annotated[Path, typer.Argument(help="The picture to write.")],
    category: Category = "chair",
    count: Annotated[int, typer.Option(min=1, help="Shapes of each category.")] = 24,
    seed: Seed = 0,
    split: Split = "train",
    columns: Annotated[int, typer.Option(min=1, help="Shapes in a row.")] = 6,
    size: Annotated[int, typer.Option(min=16, help="Pixels for each shape.")] = 240,
) -> None:
    """Draw a contact sheet of shapes colored by part."""
    from mereo.shapes.draw import gallery as sheet
    from mereo.shapes.draw import save_png

    save_png(sheet(_made(category, count, seed=seed, split=split), columns=columns, size=size), out)
    console().print(str(out))


@shapes.command()
def tree(
    folder: Annotated[Path | None, typer.Argument(help="A shape's folder; without one a shape is made.")] = None,
    category: Annotated[str, typer.Option(help="The category to make.")] = "chair",
    family: Annotated[int, typer.Option(min=0, help="Which family of the split.")] = 0,
    instance: Annotated[int, typer.Option(min=0, help="Which instance of the family.")] = 0,
    seed: Seed = 0,
    split: Split = "train",
    raw: Annotated[bool, typer.Option("--raw", help="Of a folder: the annotator's tree, before merging.")] = False,
) -> None:
    """Print the part tree of a shape."""
    from rich.tree import Tree

    if folder is None:
        from mereo.shapes.grammar import make_shape

        shape = make_shape(category, seed=seed, split=split, family=family, instance=instance)
    else:
        from mereo.shapes.partnet import read_partnet

        shape = read_partnet(folder, raw=raw)
    printed = Tree(f"{_described(shape.root)}  [dim]{shape.name}, {_size(shape)}[/dim]")
    _grow(printed, shape.root)
    console().print(printed)


@shapes.command()
def inspect(
    mesh: Annotated[Path, typer.Argument(help="An OBJ, GLB, PLY or STL file.")],
    category: Annotated[str, typer.Option(help="What it is; any word.")] = "thing",
    map: Annotated[Path | None, typer.Option(help="A first map to write, for you to edit.")] = None,
    picture: Annotated[Path | None, typer.Option(help="A PNG to write, a color for each group.")] = None,
) -> None:
    """List the groups of anybody's mesh, draw them, and write a first map for `import`."""
    from mereo.errors import BadInput
    from mereo.files import write_bytes
    from mereo.shapes import inspection

    if map is not None and map.exists():
        raise BadInput("is there already, and you may have edited it", file=map)
    found = inspection.inspect_mesh(mesh, category=category)
    console().print(_groups_table(found))
    size = " x ".join(f"{length:.2f}" for length in found.size())
    console().print(f"{size} m if its unit is {found.units}, {found.up} is up and {found.front} its front")
    if picture is not None:
        from mereo.shapes.draw import save_png

        save_png(inspection.picture(found), picture)
        console().print(str(picture))
    if map is not None:
        write_bytes(map, inspection.first_map(found).encode())
        console().print(str(map))


def _groups_table(found: Inspection) -> Table:
    from rich.markup import escape

    table = plain_table()
    for name in ("", "group", "size, m", "triangles", "pieces", "holes", "closed", "material"):
        table.add_column(name, justify="left" if name in ("group", "size, m", "material") else "right")
    for number, group in enumerate(found.groups, start=1):
        size = " x ".join(f"{length:.2f}" for length in group.size())
        pieces = f"{group.pieces} equal" if group.equal else f"{group.pieces}"
        counts = (f"{len(group.mesh.faces):,}", pieces, f"{group.holes:,}", "yes" if group.closed else "no")
        table.add_row(str(number), escape(group.name), size, *counts, escape(", ".join(group.materials)))
    return table


@shapes.command(name="import")
def import_(
    mesh: Annotated[Path, typer.Argument(help="An OBJ, GLB, PLY or STL file, or a folder of such files.")],
    out: Annotated[Path, typer.Argument(help="The shape's folder to make; of a folder, the library.")],
    map: Annotated[
        Path | None, typer.Option(help="A TOML file: category, units, up, front, and what the groups are.")
    ] = None,
    resume: Annotated[bool, typer.Option("--resume", help="Of a folder: go on with what is there.")] = False,
) -> None:
    """Bring in anybody's mesh, its groups or nodes as parts. A map beside it, NAME.toml, comes before --map."""
    if mesh.is_dir():
        _import_folder(mesh, out, shared=map, resume=resume)
        return
    from mereo.shapes.importer import import_shape, read_part_map
    from mereo.shapes.intake import map_of
    from mereo.shapes.partnet import write_partnet

    shape = import_shape(mesh, read_part_map(map) if map else map_of(mesh, None))
    write_partnet(shape, out)
    console().print(f"{out}: {_summed_up(shape)}, {_size(shape)}")
    _tell_findings(shape)


def _import_folder(folder: Path, out: Path, *, shared: Path | None, resume: bool) -> None:
    from mereo.errors import MereoError
    from mereo.shapes.intake import import_folder

    failed: list[MereoError] = []

    def told(mesh: Path, outcome: Shape | MereoError) -> None:
        if isinstance(outcome, MereoError):
            failed.append(outcome)
            typer.echo(f"mereo: {outcome}", err=True)
        else:
            console().print(f"{mesh}: {_summed_up(outcome)}")
            _tell_findings(outcome)

    with growing_bar("bringing in", unit="meshes") as begin:
        library = import_folder(folder, out, shared=shared, resume=resume, begin=begin, told=told)
    console().print(f"{out}: {len(library):,} of {len(library) + len(failed):,} meshes came in")


def _summed_up(shape: Shape) -> str:
    leaves = sum(not part.children for part in shape.parts())
    return f"a {shape.category} with {leaves:,} {'leaf' if leaves == 1 else 'leaves'}"


def _tell_findings(shape: Shape) -> None:
    from rich.markup import escape

    from mereo.shapes.findings import sentences

    for sentence in sentences(shape):
        console().print(f"  {escape(sentence)}")


@shapes.command()
def export(
    shape: Annotated[list[str], typer.Argument(help="Folders of shapes, or categories to make one of.")],
    out: Annotated[Path, typer.Argument(help="The folder to make, with one for each shape.")],
    to: Annotated[MobilityFormat, typer.Option(help="What simulators read: urdf or mjcf.")] = MobilityFormat.urdf,
    family: Annotated[int, typer.Option(min=0, help="Of a category: which family of the split.")] = 0,
    instance: Annotated[int, typer.Option(min=0, help="Of a category: which instance of the family.")] = 0,
    seed: Seed = 0,
    split: Split = "train",
) -> None:
    """Write shapes with joints as models that simulators move: links, joints, masses, convex pieces."""
    from mereo.errors import UnknownName
    from mereo.shapes.grammar import all_grammars, make_shape
    from mereo.shapes.mobility import write_mobility
    from mereo.shapes.partnet import read_partnet

    found = []
    for name in shape:
        if name in all_grammars():
            found.append(make_shape(name, seed=seed, split=split, family=family, instance=instance))
        elif Path(name).is_dir():
            found.append(read_partnet(Path(name)))
        else:
            raise UnknownName("category or folder of a shape", name, all_grammars())
    for path in write_mobility(found, out, to=to):
        console().print(str(path))


@shapes.command()
def h5(
    library: Annotated[Path, typer.Argument(help="A library, or any folder of PartNet folders.")],
    out: Annotated[Path, typer.Argument(help="The folder to write into.")],
    task: Annotated[SegmentationTask, typer.Option(help="What the files are for.")] = SegmentationTask.semantic,
    level: Annotated[int, typer.Option(min=1, max=3, help="How fine: 1 coarse, 2 middle, 3 fine.")] = 3,
    points: Annotated[int, typer.Option(min=1, help="Points of each shape.")] = 10_000,
    seed: Annotated[int, typer.Option(min=0, help="For shapes without a point sample.")] = 0,
) -> None:
    """Write the HDF5 files of PartNet's segmentation tasks, by category and split."""
    from mereo.shapes.library import open_library
    from mereo.shapes.tasks import write_task

    opened = open_library(library)
    with progress_bar(f"writing {task}", len(opened), unit="shapes") as advance:
        written = write_task(opened, out, kind=task, level=level, points=points, seed=seed, progress=advance)
    for file in written.files:
        console().print(str(file))
    if written.left_out:
        console().print(f"left out, as there are no such labels: {', '.join(sorted(set(written.left_out)))}")


def _made(category: str, count: int, *, seed: int, split: str) -> list[Shape]:
    """So many shapes of each category."""
    from mereo.shapes.grammar import all_grammars, make_shape
    from mereo.shapes.library import chosen_categories

    wanted = chosen_categories(category, list(all_grammars()))
    found = []
    with progress_bar("making shapes", count * len(wanted), unit="shapes") as advance:
        for name in wanted:
            for family in range(count):
                found.append(make_shape(name, seed=seed, split=split, family=family))
                advance(1)
    return found


def _grow(tree: Tree, part: Part) -> None:
    for child in part.children:
        _grow(tree.add(_described(child)), child)


def _described(part: Part) -> str:
    from rich.markup import escape

    triangles = f"  [dim]{len(part.mesh.faces):,} triangles[/dim]" if part.mesh else ""
    return f"{escape(part.name)} [dim]{part.id}[/dim]{triangles}"


def _size(shape: Shape) -> str:
    if not shape.leaves():
        return "without meshes"
    low, high = shape.bounds()
    return " x ".join(f"{length:.2f}" for length in high - low) + " m"
