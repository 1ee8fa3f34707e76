/** The page on which a shape is annotated, or looked at by who judges it. */

import { mixed, partColor, theme } from "./colors.js";
import { bindingsOf, drawDock } from "./dock.js";
import { byId, counted, make, words } from "./elements.js";
import { Gestures } from "./gestures.js";
import { drawHelp, listen } from "./keys.js";
import { Outbox, post } from "./outbox.js";
import { piecesOf } from "./pieces.js";
import { Proposals } from "./proposals.js";
import { drawQuestions } from "./question.js";
import { Hand } from "./hand.js";
import { byParent, drawTree, titled, walkable, walked } from "./tree.js";
import { Viewer } from "./viewer.js";

class Work {
  /** @param {HTMLElement} bench */
  constructor(bench) {
    this.id = Number(bench.dataset.work);
    this.may = bench.dataset.may === "act";
    this.at = bench.dataset.at === undefined ? "" : `?at=${bench.dataset.at}`;
    this.answer = fetch(`/api/work/${this.id}${this.at}`); // while the graphics card gets ready
    this.viewer = new Viewer(byId("canvas"));
    this.hand = new Hand(this.viewer, (said) => this.say(said), () => this.selected());
    this.gestures = new Gestures(byId("canvas"), this.viewer.camera, {
      click: (spot) => this.hand.click(spot),
      hover: (spot) => this.hand.hover(spot),
    });
    this.outbox = new Outbox(this.id, {
      answered: (answer) => this.take(answer),
      refused: (sentence) => this.say(sentence, true),
      overtaken: (view, lost) => this.overtaken(view, lost),
      waiting: (count, offline) => this.tellSaved(count, offline),
      strange: () => this.say("You are logged out. Log in in another window and load this page again: nothing is lost.", true),
    });
    this.proposals = new Proposals(byId("proposals"), this);
    /** @type {any} */ this.view = null;
    /** @type {number | null} */ this.asked = null;
    /** @type {any[]} */ this.questions = [];
    this.told = 0;
  }

  async begin() {
    const answer = await this.answer;
    if (!answer.ok) throw new Error((await answer.json()).error);
    this.view = await answer.json();
    this.may = this.may && this.view.mine;
    await this.show();
    byId("bench").dataset.ready = "yes";
    if (this.may) await this.outbox.begin(this.view.number);
  }

  get state() {
    return this.view.state;
  }

  /** The part that gets what is selected: the one that was clicked, else the one that is asked for. */
  get active() {
    if (this.asked !== null) return this.asked;
    return this.view.question.kind === "group" ? this.view.question.part : null;
  }

  /** @param {any} answer */
  async take(answer) {
    Object.assign(this.view, { number: answer.number, state: answer.state, question: answer.question });
    if (this.asked !== null && !this.state.parts.some((/** @type {any} */ part) => part.number === this.asked)) this.asked = null;
    await this.show();
  }

  /** @param {any} view @param {number} lost */
  async overtaken(view, lost) {
    this.view = view;
    this.asked = null;
    this.viewer.chosen.clear();
    await this.show();
    this.say(`Another window went on with this shape, so it is shown as it stands there; ${counted(lost, "step")} of this window ${lost === 1 ? "was" : "were"} left out.`, true);
  }

  /** Show all as it stands now. */
  async show() {
    const alive = Object.fromEntries(this.state.pieces.map((/** @type {any} */ piece) => [piece.id, piece.digits]));
    const pieces = await piecesOf(`/mesh/${this.view.project}`, alive);
    const same = pieces.length === this.viewer.pieces.length && pieces.every((one, at) => one.digits === this.viewer.pieces[at].digits && one.id === this.viewer.pieces[at].id);
    if (!same) this.viewer.load(pieces);
    if (this.asked === null) this.questions = [this.view.question];
    else await this.ask(this.asked, false);
    this.paint();
    this.draw();
    await this.proposals.renew();
  }

  paint() {
    const dark = this.viewer.dark.matches;
    const { active } = this;
    const parts = walked(this.state.parts);
    const below = new Set(active === null ? [] : [active]);
    for (const part of parts) if (part.parent !== null && below.has(part.parent) && part.parent !== 0) below.add(part.number);
    this.viewer.colors.clear();
    this.viewer.lit.clear();
    const some = this.state.pieces.some((/** @type {any} */ piece) => below.has(piece.owner));
    for (const { id, owner } of this.state.pieces) {
      if (owner === null) continue;
      const lit = below.has(owner);
      if (lit) this.viewer.lit.add(id);
      const color = partColor(owner);
      this.viewer.colors.set(id, lit || !some ? color : mixed(color, theme(dark).neutral, 0.5));
    }
    this.viewer.dress();
  }

  draw() {
    drawTree(byId("tree"), this.state, this.active, (part) => this.choose(part));
    this.drawQuestion();
    const given = this.state.pieces.filter((/** @type {any} */ piece) => piece.owner !== null).length;
    byId("count").textContent = `${given} of ${counted(this.state.pieces.length, "piece")} given`;
    for (const name of ["undo", "redo"]) {
      const button = document.querySelector(`[data-tool="${name}"]`);
      if (button) /** @type {HTMLButtonElement} */ (button).disabled = !this.state[`can_${name}`];
    }
    byId("notes").replaceChildren(
      ...(this.state.unfit ? [make("p", { class: "unfit" }, `Cannot be annotated: ${this.state.unfit}`)] : []),
      ...this.state.notes.map((/** @type {any} */ note) => make("p", {}, make("b", {}, note.part === null ? "Note" : this.title(note.part)), ` ${note.text}`)),
    );
    if (byId("finish")) for (const name of ["finish", "note", "unfit"]) byId(name).disabled = this.state.finished;
    document.body.dataset.number = String(this.view.number);
  }

  drawQuestion() {
    const deeds = { act: (/** @type {any} */ action) => this.act(action), give: () => this.give(), custom: (/** @type {number} */ part) => this.custom(part), next: () => this.choose(null) };
    const how = { may: this.may && !this.state.finished, selected: this.viewer.chosen.size, again: this.asked !== null };
    drawQuestions(byId("question"), this.questions, deeds, how);
  }

  /** What is selected has changed. */
  selected() {
    this.viewer.dress();
    if (this.view) this.drawQuestion();
  }

  /** @param {number} number */
  title(number) {
    const part = this.state.parts.find((/** @type {any} */ one) => one.number === number);
    return part ? titled(part, byParent(this.state.parts).get(part.parent) ?? []) : "";
  }

  /** Ask about one part, or go back to the next question. @param {number | null} part */
  async choose(part) {
    this.asked = part;
    await this.show();
  }

  /** @param {number} part @param {boolean} draw */
  async ask(part, draw) {
    const answer = await fetch(`/api/work/${this.id}/questions/${part}${this.at}`);
    if (answer.ok && this.asked === part) this.questions = await answer.json();
    if (draw) this.draw();
  }

  /** @param {any} action */
  act(action) {
    if (!this.may) return;
    this.say("");
    this.outbox.put(action);
  }

  /** Give what is selected to the part. */
  give() {
    const part = this.active;
    const pieces = [...this.viewer.chosen].sort((a, b) => a - b);
    if (part === null) return this.say("Click a part first, to which the pieces are given.");
    if (!pieces.length) return this.say("Select pieces first.");
    if (byParent(this.state.parts).has(part)) return this.say(`The ${words(this.title(part))} is made of parts: give pieces to those.`);
    this.viewer.chosen.clear();
    this.asked = null;
    return this.act({ type: "group", part, pieces });
  }

  release() {
    const pieces = [...this.viewer.chosen].sort((a, b) => a - b);
    if (!pieces.length) return this.say("Select pieces first.");
    this.viewer.chosen.clear();
    return this.act({ type: "release", pieces });
  }

  cut() {
    const cut = this.hand.knife?.cut();
    if (!cut) return this.say("Draw a line over a piece first.");
    this.hand.hold(null, this.gestures);
    return this.act({ type: "cut", ...cut });
  }

  /** @param {number} part */
  async custom(part) {
    const name = await this.prompt(`A part of the ${this.title(part)} that the template does not know`, "Its name");
    if (name) this.act({ type: "custom", part, name: name.trim() });
  }

  async note() {
    const text = await this.prompt(`Note about ${this.asked === null ? "the shape" : `the ${this.title(this.asked)}`}`, "Note");
    if (text) this.act({ type: "note", part: this.asked, text });
  }

  async unfit() {
    const reason = await this.prompt("This shape cannot be annotated", "Why?");
    if (reason) this.act({ type: "unfit", reason });
  }

  /** Ask for a text. @param {string} title @param {string} label @returns {Promise<string>} */
  prompt(title, label) {
    const sheet = byId("ask");
    byId("asked").textContent = title;
    byId("told").firstElementChild.textContent = label;
    byId("answer").value = "";
    sheet.returnValue = "";
    sheet.showModal();
    byId("answer").focus();
    return new Promise((done) => sheet.addEventListener("close", () => done(sheet.returnValue === "yes" ? byId("answer").value : ""), { once: true }));
  }

  /** Another part, in the order of the tree. @param {number} step */
  step(step) {
    const parts = walked(this.state.parts);
    const at = parts.findIndex((part) => part.number === this.active);
    this.choose(parts[(at + step + parts.length) % parts.length].number);
  }

  /** @param {string} said @param {boolean} loud */
  say(said, loud = false) {
    byId("hint").textContent = said;
    byId("hint").classList.toggle("loud", loud);
  }

  /** @param {number} count @param {boolean} offline */
  tellSaved(count, offline) {
    byId("saved").textContent = !count ? "All is saved" : offline ? `${counted(count, "step")} not saved yet; trying again` : "Saving…";
    byId("saved").classList.toggle("loud", offline);
  }
}

/** What a reviewer says. @param {HTMLFormElement} form @param {number} work */
function judge(form, work) {
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const accept = /** @type {HTMLButtonElement} */ (event.submitter).value === "accept";
    const answer = await post(`/api/work/${work}/verdict`, { accept, remark: byId("remark").value });
    if (answer.ok) return location.assign("/review");
    byId("judged").textContent = (await answer.json()).error;
    byId("judged").hidden = false;
  });
}

const work = new Work(byId("bench"));
const bindings = bindingsOf(work);
drawDock(byId("tools"), bindings, work.may);
drawHelp(byId("help"), bindings, work.may);
listen(bindings, work.may);
walkable(byId("tree"));
for (const name of ["note", "unfit"]) byId(name)?.addEventListener("click", () => work[name]());
byId("finish")?.addEventListener("click", () => work.act({ type: "finish" }));
byId("answer").addEventListener("keydown", (/** @type {KeyboardEvent} */ event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) byId("ask").close("yes");
});
if (byId("verdict")) judge(byId("verdict"), work.id);
Object.assign(globalThis, { bench: work });
work.begin().catch((error) => work.say(error.message, true));
