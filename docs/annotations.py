"""Takes the pictures of docs/annotate.md: `python docs/annotations.py`.

Two people annotate chairs of the grammar, whose parts are known; the second takes some for others.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any
from uuid import uuid4

TESTS = Path(__file__).parents[1] / "tests"
sys.path.insert(0, str(TESTS))

from annotating import log_in, new_project, serving  # noqa: E402
from browsing import chromium  # noqa: E402
from mereo.annotation.accounts import Person, people  # noqa: E402
from mereo.annotation.actions import Finish  # noqa: E402
from mereo.annotation.geometry.places import child_places  # noqa: E402
from mereo.annotation.geometry.proposals import Proposed  # noqa: E402
from mereo.annotation.geometry.taking import taken  # noqa: E402
from mereo.annotation.project import Project  # noqa: E402
from mereo.annotation.queue import next_work  # noqa: E402
from mereo.annotation.store import Store  # noqa: E402
from mereo.shapes.grammar import make_shape  # noqa: E402
from mereo.shapes.part import Shape  # noqa: E402

PICTURES = Path(__file__).with_name("pictures")
SIZE: Any = {"width": 1280, "height": 800}
FAMILIES = (0, 5, 8, 3)
BEGUN = 6
"""So many parts of the last chair are done when its picture is taken."""
SEAT = "chair/chair_seat/seat_surface/seat_single_surface"
TAKEN_FOR = {
    "chair/chair_base/regular_leg_base/leg": "chair/chair_base/regular_leg_base/foot",
    "chair/chair_back/back_frame/back_frame_vertical_bar": "chair/chair_back/back_surface/back_surface_vertical_bar",
    "chair/chair_seat/seat_frame/seat_frame_bar": "chair/chair_seat/seat_surface/seat_surface_bar",
}
"""What the second of both takes for what else."""
STROKE = """(id) => {
  const { low, high } = bench.viewer.pieces.find((one) => one.id === id).mesh;
  const canvas = bench.viewer.canvas.getBoundingClientRect();
  return Array.from({ length: 12 }, (_, at) => {
    const across = 0.05 + 0.075 * at;
    const deep = 0.3 + 0.08 * Math.sin(5 * across);
    const [x, y] = [across, deep].map((share, axis) => low[axis] + share * (high[axis] - low[axis]));
    const spot = bench.viewer.camera.project([x, y, high[2]]);
    return [spot.x + canvas.left, spot.y + canvas.top];
  });
}"""
"""Where a line over the top of a piece is seen."""


def main() -> None:
    """Annotate, serve, and take the pictures."""
    shapes = [make_chair(family) for family in FAMILIES]
    with TemporaryDirectory() as scratch:
        folder = new_project(Path(scratch) / "chairs", shapes=shapes, name="Chairs")
        project = Project.open(folder)
        who = {person.name: person for person in people(project.database)}
        for name, confused in (("annotator1", {}), ("annotator2", TAKEN_FOR)):
            for shape in shapes[:-1]:
                annotate(Store(project), who[name], shape, confused)
        annotate(Store(project), who["annotator1"], shapes[-1], {}, most=BEGUN)
        project.close()
        with serving(folder) as address, chromium() as browser:
            for name, picture in (("annotator1", take_annotating), ("reviewer1", take_reviewing)):
                page = browser.new_page(viewport=SIZE, color_scheme="light")
                log_in(page, address, name)
                picture(page, address)
                page.close()


def make_chair(family: int) -> Shape:
    """One of the chairs."""
    return make_shape("chair", seed=3, family=family)


def annotate(store: Store, who: Person, shape: Shape, confused: dict[str, str], most: int | None = None) -> None:
    """Annotate the next shape as it is, but for what is taken for something else, and finish it if all is done."""
    work = next_work(store.project, who)
    assert work is not None
    for proposed in list(truth(shape, confused))[:most]:
        view = store.open_work(work, who)
        for place, action in enumerate(taken(view.state, proposed)):
            store.act(work, who, str(uuid4()), view.row.number + place, action)
    if most is None:
        store.act(work, who, str(uuid4()), store.open_work(work, who).row.number, Finish())


def truth(shape: Shape, confused: dict[str, str]) -> Iterator[Proposed]:
    """The leaves of a shape as parts to be taken over, every other one confused."""
    leaves = [(part, place) for part, place in child_places(shape.root) if part.mesh is not None]
    for piece, (part, place) in enumerate(leaves):
        other = confused.get(part.label) if piece % 2 else None
        where = (*place[: len((other or part.label).split("/")) - 1], place[-1])
        yield Proposed(other or part.label, (piece,), 1.0, where)


def take_annotating(page: Any, address: str) -> None:
    """A shape in the middle, and a cut."""
    page.get_by_role("button", name="Annotate the next").click()
    page.wait_for_selector("#bench[data-ready]")
    page.keyboard.press("p")
    page.wait_for_selector("#proposals li")
    keep(page, "annotate-work")
    page.keyboard.press("p")
    page.keyboard.press("c")
    labels = [leaf.label for leaf in make_chair(FAMILIES[-1]).leaves()]
    spots = page.evaluate(STROKE, labels.index(SEAT))
    page.mouse.move(*spots[0])
    page.mouse.down()
    for spot in spots[1:]:
        page.mouse.move(*spot, steps=3)
    page.mouse.up()
    keep(page, "annotate-cut")


def take_reviewing(page: Any, address: str) -> None:
    """Two annotations beside each other, and how far all agree."""
    page.goto(f"{address}/compare/1/4")
    page.wait_for_selector("#pair[data-ready]")
    keep(page, "annotate-compare")
    page.goto(f"{address}/agreement")
    keep(page, "annotate-agreement")


def keep(page: Any, name: str) -> None:
    """One picture."""
    page.wait_for_load_state("networkidle")
    page.wait_for_function("() => [...document.images].every((one) => one.complete && one.naturalWidth)")
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / f"{name}.jpg", type="jpeg", quality=80)


if __name__ == "__main__":
    main()
