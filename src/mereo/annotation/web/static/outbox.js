/**
 * Actions on their way to the server. Each is kept in the browser, with a key of its own, until the server has answered:
 * a browser, a line or a server that dies loses nothing, and what is sent twice counts once.
 */

/**
 * @typedef {{type: string, [field: string]: unknown}} Action
 * @typedef {{key: string, after: number, action: Action}} Letter
 * @typedef {{number: number, state: any, question: any, pieces: any[]}} Answer
 * @typedef {{answered(answer: Answer): void, refused(sentence: string): void, overtaken(view: any, lost: number): void,
 *   waiting(count: number, offline: boolean): void, strange(): void}} Ears
 */

const AGAIN = [500, 1000, 2000, 4000, 8000];

export const token = () => document.querySelector('meta[name="csrf"]')?.getAttribute("content") ?? "";

/** Send something that changes something. @param {string} address @param {unknown} body */
export const post = (address, body) =>
  fetch(address, {
    method: "POST",
    headers: { "Content-Type": "application/json", "X-CSRF-Token": token() },
    body: JSON.stringify(body),
  });

export class Outbox {
  /** @param {number} work @param {Ears} ears */
  constructor(work, ears) {
    this.address = `/api/work/${work}/actions`;
    this.shelf = `mereo-unsent:${work}:`;
    this.ears = ears;
    this.number = 0;
    /** @type {Letter[]} */ this.letters = [];
    this.busy = false;
    addEventListener("online", () => this.send());
  }

  /** Begin with how many actions the server has, and with what an earlier window could not send. */
  begin(/** @type {number} */ number) {
    this.number = number;
    this.letters = Object.keys(localStorage)
      .filter((name) => name.startsWith(this.shelf))
      .map((name) => JSON.parse(localStorage.getItem(name) ?? "null"))
      .filter(Boolean)
      .sort((one, other) => one.after - other.after);
    return this.send();
  }

  /** @param {Action} action */
  put(action) {
    const last = this.letters[this.letters.length - 1];
    const letter = { key: crypto.randomUUID?.() ?? drawnKey(), after: last ? last.after + 1 : this.number, action };
    this.keep(letter);
    this.letters.push(letter);
    return this.send();
  }

  async send() {
    if (this.busy) return;
    this.busy = true;
    for (let tries = 0; this.letters.length; ) {
      this.ears.waiting(this.letters.length, tries > 0);
      const done = await this.deliver(this.letters[0]);
      if (done) tries = 0;
      else await new Promise((later) => setTimeout(later, AGAIN[Math.min(tries++, AGAIN.length - 1)]));
    }
    this.busy = false;
    this.ears.waiting(0, false);
  }

  /** Whether the server has said what became of a letter. @param {Letter} letter */
  async deliver(letter) {
    let answer;
    try {
      answer = await post(this.address, letter);
    } catch {
      return false;
    }
    if (answer.status >= 500 || answer.status === 429) return false;
    const told = await answer.json().catch(() => null);
    if (!told) return false;
    if (answer.status === 401 || answer.status === 403) {
      this.ears.strange();
      return false;
    }
    if (answer.status === 409) this.overtake(told.view);
    else {
      this.forget(letter);
      if (answer.ok) {
        this.number = Math.max(this.number, told.number);
        this.ears.answered(told);
      } else {
        for (const later of this.letters) this.keep(Object.assign(later, { after: later.after - 1 }));
        this.ears.refused(told.error);
      }
    }
    return true;
  }

  /** Another window went on: what was thought of before it does not count. @param {any} view */
  overtake(view) {
    const lost = this.letters.length;
    for (const letter of [...this.letters]) this.forget(letter);
    this.number = view.number;
    this.ears.overtaken(view, lost);
  }

  /** @param {Letter} letter */
  keep(letter) {
    localStorage.setItem(this.shelf + letter.key, JSON.stringify(letter));
  }

  /** @param {Letter} letter */
  forget(letter) {
    localStorage.removeItem(this.shelf + letter.key);
    this.letters = this.letters.filter((other) => other !== letter);
  }
}

/** A key by chance where the page is not served safely, and so has no better way. */
function drawnKey() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 15) | 64;
  bytes[8] = (bytes[8] & 63) | 128;
  const digits = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return digits.replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, "$1-$2-$3-$4-$5");
}
