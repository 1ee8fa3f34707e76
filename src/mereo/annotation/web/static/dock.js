/** The tools over the shape, and all keys of the page. */

import { byId, make } from "./elements.js";
import { icon } from "./icons.js";
import { called } from "./keys.js";

const TURN = 0.12;
const STEP = 12;

/** @param {any} work @returns {import("./keys.js").Binding[]} */
export function bindingsOf(work) {
  const { viewer, hand, gestures } = work;
  const { camera } = viewer;
  const arrow = (/** @type {KeyboardEvent} */ event) => ({ ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] })[event.key] ?? [0, 0];
  const hold = (/** @type {string} */ name) => () => {
    hand.hold(name, gestures);
    viewer.canvas.focus();
  };
  const close = (/** @type {KeyboardEvent} */ event) => {
    if (hand.holds && !hand.knife) hand.close(gestures.tool, { add: event.shiftKey, alt: event.altKey });
  };
  const enter = (/** @type {KeyboardEvent} */ event) => {
    if (hand.knife) work.cut();
    else if (hand.drawing) close(event);
    else work.give();
  };
  const escape = () => {
    if (hand.holds) hand.hold(null, gestures);
    else if (viewer.chosen.size) hand.clear();
    else viewer.canvas.blur();
  };
  const space = () => {
    if (hand.knife) hand.knife.add(hand.cross, 0) || work.say("The cross is not on the piece.");
    else if (hand.holds) hand.mark(gestures.tool) && hand.close(gestures.tool, { add: false, alt: false });
    else if (viewer.hovered !== null) hand.toggle(viewer.hovered);
  };
  const move = (/** @type {KeyboardEvent} */ event) => {
    const [x, y] = arrow(event);
    const fine = called(event).startsWith("Shift");
    if (hand.holds) hand.steer(x * (fine ? 2 : STEP), y * (fine ? 2 : STEP), gestures.tool);
    else if (fine) camera.pan(-x * 40, -y * 40);
    else camera.turn(x * TURN, -y * TURN);
  };
  const walk = (/** @type {KeyboardEvent} */ event) => {
    if (event.target === viewer.canvas && hand.walk(event.shiftKey ? -1 : 1)) event.preventDefault();
  };
  const answer = (/** @type {KeyboardEvent} */ event) => {
    const button = document.querySelector(`#question [data-answer="${event.key.toLowerCase()}"]`);
    if (button instanceof HTMLButtonElement) button.click();
  };
  return [
    { group: "Answer", keys: "1 2 3 4 5 6 7 8 9 0", does: "choose that answer", run: answer, needs: "act" },
    { group: "Answer", keys: "Y N", does: "yes, no", run: answer, needs: "act" },
    { group: "Answer", keys: "Enter", does: "give the selected pieces to the part; cut along the line", run: enter, needs: "act" },
    { group: "Answer", keys: "Q", does: "back to the next question", run: () => work.choose(null) },
    { group: "Answer", keys: "[ ]", does: "the part before, the next part", run: (event) => work.step(event.key === "[" ? -1 : 1) },
    { group: "Answer", keys: "P", does: "open or close the list of proposed parts", run: () => work.proposals.toggle(), label: "Proposals", icon: "propose", needs: "act" },
    { group: "Answer", keys: "O", does: "add a part that the template does not know", run: () => work.custom(work.active ?? work.view.question.part), needs: "act" },
    { group: "Answer", keys: "Shift+N", does: "write a note", run: () => work.note(), needs: "act" },
    { group: "Answer", keys: "Shift+U", does: "this shape cannot be annotated", run: () => work.unfit(), needs: "act" },
    { group: "Answer", keys: "Ctrl+Enter", does: "finish", run: () => work.act({ type: "finish" }), needs: "act" },
    { group: "Select", keys: "Tab Shift+Tab", does: "the next piece, the one before", run: walk },
    { group: "Select", keys: "Space", does: "select the piece, or not", run: space },
    { group: "Select", keys: "Escape", does: "lay the tool away, select nothing, leave the shape", run: escape },
    { group: "Select", keys: "B", does: "select by a box: arrows move the cross, Space sets a corner", run: hold("box"), label: "Box", icon: "box" },
    { group: "Select", keys: "L", does: "select by a lasso: Space sets points, Enter closes it", run: hold("lasso"), label: "Lasso", icon: "lasso" },
    { group: "Select", keys: "Shift+Enter Alt+Enter", does: "close the box or lasso, and add to what is selected; also what is hidden behind", run: close },
    { group: "Change", keys: "C", does: "cut a piece: arrows move the cross, Space sets a point", run: hold("cut"), label: "Cut", icon: "cut", needs: "act" },
    { group: "Change", keys: "Backspace", does: "take the last point of the line back", run: () => hand.knife?.back(), needs: "act" },
    { group: "Change", keys: "R Delete", does: "take the selected pieces out of their part", run: () => work.release(), label: "Release", icon: "release", needs: "act" },
    { group: "Change", keys: "Ctrl+Z Z", does: "undo", run: () => work.act({ type: "undo" }), label: "Undo", icon: "undo", needs: "act" },
    { group: "Change", keys: "Ctrl+Y Ctrl+Shift+Z Shift+Z", does: "redo", run: () => work.act({ type: "redo" }), label: "Redo", icon: "redo", needs: "act" },
    { group: "See", keys: "H", does: "hide the selected pieces", run: () => hand.hide(), label: "Hide", icon: "hide" },
    { group: "See", keys: "I", does: "show nothing but the selected pieces", run: () => hand.isolate(), label: "Isolate", icon: "isolate" },
    { group: "See", keys: "A", does: "show all", run: () => hand.showAll(), label: "Show all", icon: "all" },
    { group: "See", keys: "X", does: "look through all but the part and what is selected", run: () => hand.lookThrough(), label: "See through", icon: "through" },
    { group: "See", keys: "E Shift+E", does: "take the shape apart, put it together", run: (event) => hand.explode(viewer.explosion + (event.shiftKey ? -0.15 : 0.15)) },
    { group: "See", keys: "S", does: "cross-section: the next axis", run: () => hand.turnSection() },
    { group: "See", keys: ", .", does: "move the cross-section", run: (event) => hand.moveSection(event.key === "," ? -0.03 : 0.03) },
    { group: "Look", keys: "ArrowLeft ArrowRight ArrowUp ArrowDown", does: "turn", run: move },
    { group: "Look", keys: "Shift+ArrowLeft Shift+ArrowRight Shift+ArrowUp Shift+ArrowDown", does: "move", run: move },
    { group: "Look", keys: "+ = -", does: "nearer, farther", run: (event) => camera.zoom(event.key === "-" ? 1.15 : 1 / 1.15) },
    { group: "Look", keys: "F", does: "look at what is selected, or at all", run: () => viewer.frame(viewer.chosen.size ? viewer.pieces.filter((/** @type {any} */ one) => viewer.chosen.has(one.id)) : undefined), label: "Frame", icon: "frame" },
    { group: "Look", keys: "V Shift+V", does: "from the front, from above", run: (event) => (event.shiftKey ? camera.look(0, 1.56) : camera.look(0, 0)) },
    { group: "Look", keys: "?", does: "this sheet", run: () => byId("help").showModal(), label: "Keys", icon: "help" },
  ];
}

/** @param {HTMLElement} dock @param {import("./keys.js").Binding[]} bindings @param {boolean} may */
export function drawDock(dock, bindings, may) {
  let group = "";
  for (const one of bindings.filter((binding) => binding.icon && (may || binding.needs !== "act"))) {
    if (group && group !== one.group) dock.append(make("hr"));
    group = one.group;
    const toggles = ["box", "lasso", "cut", "through", "propose"].includes(one.icon ?? "");
    const key = one.keys.split(" ")[0];
    dock.append(
      make(
        "button",
        { "data-tool": one.icon, class: `tool ${one.icon}`, title: `${one.label} (${key})`, "aria-label": one.label, "aria-keyshortcuts": key.replace("Ctrl", "Control"),
          "aria-pressed": toggles ? "false" : null, onclick: () => one.run(new KeyboardEvent("keydown", { key: "" })) },
        icon(one.icon ?? ""), make("kbd", {}, key.replace("Ctrl+", "")),
      ),
    );
  }
}
