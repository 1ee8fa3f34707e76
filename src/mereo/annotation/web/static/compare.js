/** Two annotations of one shape, turned together, with what differs marked. */

import { mixed, partColor, theme } from "./colors.js";
import { byId, counted, make, words } from "./elements.js";
import { Gestures } from "./gestures.js";
import { post } from "./outbox.js";
import { piecesOf } from "./pieces.js";
import { Viewer } from "./viewer.js";

const MARK = /** @type {import("./linear.js").Vector} */ ([0.83, 0.29, 0.22]);
const QUIET = 0.7;

/** A color by what a part is called, so that both sides have the same for the same. @param {string[]} paths */
function colorsOf(paths) {
  const known = new Map(paths.map((path, at) => [path, partColor(at + 1)]));
  return (/** @type {string} */ path) => known.get(path) ?? partColor(0);
}

/** Let two cameras be one. @param {Viewer} one @param {Viewer} other */
function tied(one, other) {
  const changed = one.camera.changed;
  one.camera.changed = () => {
    changed();
    const { target, distance, azimuth, elevation } = one.camera;
    Object.assign(other.camera, { target, distance, azimuth, elevation });
    other.render(true);
  };
}

/** @param {Viewer} viewer @param {any} work @param {Record<string, number>} differing @param {any} colorOf @param {boolean} marked */
function paint(viewer, work, differing, colorOf, marked) {
  const paths = new Map(work.state.parts.map((/** @type {any} */ part) => [part.number, part.path]));
  const { neutral } = theme(viewer.dark.matches);
  viewer.colors.clear();
  for (const { id, owner } of work.state.pieces) {
    const own = owner === null ? neutral : colorOf(paths.get(owner));
    const share = differing[id] ?? 0;
    viewer.colors.set(id, marked ? mixed(mixed(own, neutral, QUIET), MARK, Math.min(1, 1.2 * share)) : own);
  }
  viewer.dress();
}

/** A button that takes a part, as a work has it, into the reviewer's own. @param {any} work @param {string} path */
function taker(work, path) {
  const take = async () => {
    const answer = await post(`/api/work/${work.work}/merge`, { path });
    const told = await answer.json();
    if (!answer.ok) return byId("told").replaceChildren(told.error);
    const given = told.state.pieces.filter((/** @type {any} */ piece) => piece.owner !== null).length;
    return byId("told").replaceChildren(
      `Taken as ${work.annotator} has it: ${given} of ${counted(told.state.pieces.length, "piece")} given. `,
      make("a", { href: `/work/${told.work}` }, "Go on in your work"),
    );
  };
  return make("button", { disabled: work.mine, onclick: take, title: `Take it as ${work.annotator} has it` }, work.annotator);
}

/** @param {any} found */
function tell(found) {
  const percent = (/** @type {number} */ share) => `${(100 * share).toFixed(1)} %`;
  byId("told").textContent = `Both call ${percent(found.same)} of the surface the same.`;
  byId("differences").tBodies[0].replaceChildren(
    ...found.parts
      .sort((/** @type {any} */ a, /** @type {any} */ b) => a.shared - b.shared)
      .map(({ path, one, other, shared }) =>
        make("tr", { class: shared < 0.9 ? "differs" : "" }, make("th", { scope: "row" }, words(path.split("/").slice(1).join(" / ") || path)),
          ...[one, other, shared].map((share) => make("td", { class: "number" }, percent(share))),
          make("td", {}, ...found.works.map((/** @type {any} */ work, /** @type {number} */ at) => [one, other][at] > 0 && taker(work, path)))),
      ),
  );
  byId("differences").hidden = false;
}

async function begin() {
  const stages = [...byId("pair").querySelectorAll("[data-work]")];
  const [one, other] = stages.map((stage) => stage.dataset.work);
  const answer = await fetch(`/api/compare/${one}/${other}`);
  const found = await answer.json();
  if (!answer.ok) throw new Error(found.error);
  const viewers = stages.map((stage) => new Viewer(stage.querySelector("canvas")));
  await Promise.all(
    viewers.map(async (viewer, at) => {
      const work = found.works[at];
      const alive = Object.fromEntries(work.state.pieces.map((/** @type {any} */ piece) => [piece.id, piece.digits]));
      viewer.load(await piecesOf(`/mesh/${work.project}`, alive));
      new Gestures(viewer.canvas, viewer.camera, { click() {}, hover() {} });
    }),
  );
  tied(viewers[0], viewers[1]);
  tied(viewers[1], viewers[0]);
  const colorOf = colorsOf(found.parts.map((/** @type {any} */ part) => part.path));
  const show = () => viewers.forEach((viewer, at) => paint(viewer, found.works[at], found.differing[at], colorOf, byId("marked").checked));
  byId("marked").addEventListener("change", show);
  addEventListener("keydown", (event) => {
    const turn = { ArrowLeft: [-0.12, 0], ArrowRight: [0.12, 0], ArrowUp: [0, 0.12], ArrowDown: [0, -0.12] }[event.key];
    if (turn && event.target instanceof HTMLCanvasElement) viewers[0].camera.turn(turn[0], turn[1]);
  });
  show();
  tell(found);
  byId("pair").dataset.ready = "yes";
}

begin().catch((error) => {
  byId("told").textContent = error.message;
});
