"""`mereo annotate` and its kin: people who annotate the parts of shapes, in teams."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from mereo.cli.app import app

if TYPE_CHECKING:
    from mereo.annotation.bringing import Brought
    from mereo.annotation.home import Home

Place = Annotated[
    str,
    typer.Argument(metavar="PROJECT", help="A folder, or the address of a database.", show_default=False),
]
Shapes = Annotated[
    list[Path] | None,
    typer.Option("--shapes", help="A mesh file, a PartNet folder, a folder of both, or a zip archive; again for more."),
]
Up = Annotated[str, typer.Option(help="Which axis of mesh files points up.")]
Front = Annotated[str, typer.Option(help="Where the front of mesh files looks.")]


@app.command()
def annotate(
    project: Place,
    host: Annotated[str, typer.Option(help="Where to listen; behind a proxy for TLS, leave it.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535, help="Which port.")] = 8090,
) -> None:
    """Serve a project, so that people can annotate its shapes in the browser, review and compare."""
    need_annotate()
    from mereo.annotation.accounts import people
    from mereo.annotation.project import Project
    from mereo.annotation.web.app import make_app
    from mereo.cli.serving import listen, serve, shown_host

    address = f"http://{shown_host(host)}:{port}/"
    with listen(host, port) as listening:
        opened = Project.open(project)
        if not any(person.owns and person.active for person in people(opened.database)):
            typer.echo(f"There is no owner yet: mereo annotate-account {opened.home} NAME --role owner")
        try:
            made = make_app(opened, started=lambda: typer.echo(f"Annotating at {address}"))
            serve(made, listening, patience=30)
        finally:
            opened.close()


@app.command("annotate-new")
def annotate_new(
    project: Place,
    category: Annotated[str, typer.Option(help="Which of our templates: a category such as chair.")] = "",
    template: Annotated[Path | None, typer.Option(help="A template of your own, TOML in the same format.")] = None,
    shapes: Shapes = None,
    made: Annotated[int, typer.Option(min=0, max=1000, help="Also so many shapes that our grammar makes.")] = 0,
    seed: Annotated[int, typer.Option(min=0, help="Which ones.")] = 0,
    annotators: Annotated[int, typer.Option(min=1, max=100, help="How many people annotate each shape.")] = 2,
    database: Annotated[str, typer.Option(help="The address of PostgreSQL for a folder, if not SQLite.")] = "",
    name: Annotated[str, typer.Option(help="What it is called; as the folder or database, if nothing is said.")] = "",
    up: Up = "+y",
    front: Front = "+z",
) -> None:
    """Begin a project: a template, and shapes to annotate by it."""
    need_annotate()
    from mereo.annotation.bringing import bring_in, bring_made
    from mereo.annotation.project import Project
    from mereo.errors import BadInput

    for path in shapes or []:
        if not path.exists():
            raise BadInput("there is no such file or folder", file=path)
    opened = Project.create(
        project, category=category, template=template, name=name, annotators=annotators, database=database
    )
    try:
        brought = bring_in(opened, shapes or [], up=up, front=front)
        brought.shapes.extend(bring_made(opened, opened.tree.template.category, made, seed=seed))
    finally:
        opened.close()
    _tell(brought, opened.home)
    typer.echo(f"Next: mereo annotate-account {opened.home} NAME --role owner, then mereo annotate {opened.home}")


@app.command("annotate-add")
def annotate_add(project: Place, shapes: Shapes = None, up: Up = "+y", front: Front = "+z") -> None:
    """Bring more shapes into a project, also while it is served."""
    need_annotate()
    from mereo.annotation.bringing import bring_in
    from mereo.annotation.project import Project

    opened = Project.open(project)
    try:
        brought = bring_in(opened, shapes or [], up=up, front=front)
    finally:
        opened.close()
    _tell(brought, opened.home)


@app.command("annotate-account")
def annotate_account(
    project: Place,
    name: Annotated[str, typer.Argument(help="Who logs in by it.", show_default=False)],
    role: Annotated[str, typer.Option(help="annotator, reviewer or owner.")] = "annotator",
    password_file: Annotated[
        Path | None, typer.Option(help="A file whose first line is the password; else it is asked for.")
    ] = None,
) -> None:
    """Make an account, or give one another role and password."""
    need_annotate()
    from mereo.annotation.accounts import keep_account
    from mereo.annotation.project import Project

    opened = Project.open(project)
    try:
        new = keep_account(opened.database, name, role, _password(password_file))
    finally:
        opened.close()
    typer.echo(f"{name.lower()} is {'now' if new else 'from now on'} {'an' if role[0] in 'ao' else 'a'} {role}")


@app.command("annotate-backup")
def annotate_backup(
    project: Place,
    file: Annotated[Path, typer.Argument(help="The file to write.", show_default=False)],
) -> None:
    """Write a whole project as one file, also while it is served."""
    need_annotate()
    from mereo.annotation.backup import back_up
    from mereo.annotation.project import Project

    opened = Project.open(project)
    try:
        extent = back_up(opened, file)
    finally:
        opened.close()
    typer.echo(f"{file}: {extent.files:,} files, {extent.size / 1e6:.1f} MB")


@app.command("annotate-restore")
def annotate_restore(
    file: Annotated[Path, typer.Argument(help="What annotate-backup wrote.", show_default=False)],
    project: Place,
    database: Annotated[str, typer.Option(help="The address of an empty PostgreSQL, if it shall not be SQLite.")] = "",
) -> None:
    """Make a project of a backup, in a new folder or database; it may go into another kind of database."""
    need_annotate()
    from mereo.annotation.backup import restore
    from mereo.annotation.queue import progress

    opened = restore(file, project, database=database)
    try:
        told = progress(opened)
    finally:
        opened.close()
    typer.echo(f"{opened.home}: {told.shapes} shapes, {told.open + told.finished + told.accepted} works")


@app.command("annotate-refine")
def annotate_refine(
    project: Place,
    out: Annotated[Path, typer.Argument(metavar="OUT.toml", help="The template to write.", show_default=False)],
    carry: Annotated[
        str, typer.Option(help="Also a new project with it, into which all that was annotated is carried.")
    ] = "",
    database: Annotated[str, typer.Option(help="The address of PostgreSQL for that, if not SQLite.")] = "",
    merge: Annotated[
        list[str] | None, typer.Option(help="Parts that become the first of them, as PATH,PATH; again for more.")
    ] = None,
    remove: Annotated[list[str] | None, typer.Option(help="The path of a part to leave out; again for more.")] = None,
) -> None:
    """Write the template with parts that annotators confuse merged or left out, for a new project.

    With --merge and --remove those that you choose, else those that are confused most.
    """
    need_annotate()
    from mereo.annotation.agreement import chosen, confusion, refined_by
    from mereo.annotation.project import Project
    from mereo.annotation.refining import refined_template, write_template
    from mereo.annotation.store import Store
    from mereo.errors import BadInput

    opened = Project.open(project)
    try:
        found = confusion(Store(opened))
        if not found.shapes:
            raise BadInput("has no shape yet that two annotators have finished", file=opened.home)
        given = [group.split(",") for group in merge or []]
        change = chosen(found, given, remove or []) if given or remove else refined_by(found)
        write_template(refined_template(opened.tree.template, found, change), out)
    finally:
        opened.close()
    carried = _carried(project, out, carry, database) if carry else None
    for group in change.merged:
        typer.echo(f"merged into {group[0]}: {', '.join(group[1:])}")
    for path in change.removed:
        typer.echo(f"left out: {path}")
    before, after = change.before, change.after
    kinds = f"{before.labels} kinds of parts become {after.labels}"
    typer.echo(f"{out}: {kinds}, and agreement {before.mean:.1%} becomes {after.mean:.1%}")
    if carried is not None:
        typer.echo(carried)


@app.command("annotate-export")
def annotate_export(
    project: Place,
    out: Annotated[Path, typer.Argument(help="The file (coco) or folder to write.", show_default=False)],
    form: Annotated[
        str, typer.Option("--format", help="partnet, hdf5, coco, gltf, or library for mereo build.")
    ] = "partnet",
    finished: Annotated[bool, typer.Option("--finished", help="Also what nobody has verified yet.")] = False,
) -> None:
    """Write the accepted annotations in a format of others."""
    need_annotate()
    from mereo.annotation.exporting import export
    from mereo.annotation.project import Project
    from mereo.annotation.store import Store

    opened = Project.open(project)
    try:
        written = export(Store(opened), out, form, finished=finished)
    finally:
        opened.close()
    typer.echo(f"{out}: {written} annotated shapes")


def _carried(project: str, template: Path, place: str, database: str) -> str:
    """Carry all into a new project, and tell what came over; without one, its template is not left behind either."""
    from mereo.annotation.agreement import confusion
    from mereo.annotation.carrying import carry
    from mereo.annotation.project import Project
    from mereo.annotation.store import Store
    from mereo.benchmarks.partnet.confusion import agreement
    from mereo.errors import MereoError

    old = Project.open(project)
    try:
        new = Project.create(place, template=template, annotators=old.settings.annotators, database=database)
        try:
            carried = carry(old, new)
            found = agreement(confusion(Store(new)).counts)
        finally:
            new.close()
    except MereoError:
        template.unlink()
        raise
    finally:
        old.close()
    told = f"{carried.shapes} shapes, {carried.works} works and {carried.people} accounts carried over"
    return f"{new.home}: {told}; annotators agree there on {found.mean:.1%} of {found.labels} kinds of parts"


def need_annotate() -> None:
    """Raise where the packages are missing."""
    from mereo.extras import need

    need("annotating", "annotate")


def _password(file: Path | None) -> str:
    from mereo.errors import BadInput
    from mereo.files import read_bytes

    if file is None:
        given: str = typer.prompt("Password", hide_input=True, confirmation_prompt=True)
        return given
    try:
        return read_bytes(file).decode().split("\n", 1)[0].rstrip("\r")
    except UnicodeDecodeError:
        raise BadInput("is not UTF-8", file=file) from None


def _tell(brought: Brought, project: Home) -> None:
    from mereo.errors import BadInput

    for sentence in brought.refusals.shown:
        typer.echo(f"left out: {sentence}", err=True)
    more = brought.refusals.refused - len(brought.refusals.shown)
    if more:
        typer.echo(f"left out: {more} more", err=True)
    if brought.refusals.refused and not brought.shapes:
        raise BadInput("none of the shapes could be brought in", file=project)
    typer.echo(f"{project}: {len(brought.shapes)} shapes brought in")
