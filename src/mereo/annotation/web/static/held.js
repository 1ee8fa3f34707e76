/** What the graphics card holds of pieces: vertices, triangles, fewer of these for haste, and what each looks like. */

import { coarsened } from "./coarse.js";
import { laidOut } from "./pieces.js";
import { newTexture } from "./room.js";

const WIDE = 1024;
const COARSE = 10_000;

/** @typedef {import("./linear.js").Vector} Vector */
/** @typedef {{color: Vector, alpha: number, shift: Vector, chosen: boolean, hovered: boolean}} Look */

export class Held {
  /** @param {WebGL2RenderingContext} gl */
  constructor(gl) {
    this.gl = gl;
    this.array = gl.createVertexArray();
    this.vertices = gl.createBuffer();
    this.triangles = gl.createBuffer();
    this.fewer = gl.createBuffer();
    this.looks = newTexture(gl, gl.NEAREST);
    /** @type {Uint32Array | null} */ this.coarse = null;
    /** @type {import("./pieces.js").Piece[]} */ this.pieces = [];
    this.count = 0;
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.vertices);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.triangles);
    gl.enableVertexAttribArray(0);
    gl.vertexAttribPointer(0, 3, gl.FLOAT, false, 16, 0);
    gl.enableVertexAttribArray(1);
    gl.vertexAttribIPointer(1, 1, gl.UNSIGNED_INT, 16, 12);
    gl.bindVertexArray(null);
  }

  /** Lay pieces into the buffers. @param {import("./pieces.js").Piece[]} pieces */
  load(pieces) {
    const { gl } = this;
    const { vertices, triangles } = laidOut(pieces);
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ARRAY_BUFFER, this.vertices);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.triangles);
    gl.bufferData(gl.ARRAY_BUFFER, vertices, gl.STATIC_DRAW);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, triangles, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
    this.count = triangles.length;
    this.coarse = null;
    this.pieces = pieces;
  }

  /** Work out fewer triangles for while it turns, unless there are few anyway. */
  thin() {
    const { gl } = this;
    if (this.coarse || this.count <= 3 * COARSE) return;
    this.coarse = coarsened(this.pieces, COARSE);
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, this.fewer);
    gl.bufferData(gl.ELEMENT_ARRAY_BUFFER, this.coarse, gl.STATIC_DRAW);
    gl.bindVertexArray(null);
  }

  /** How many corners are to be drawn, from the buffer that is bound. @param {boolean} few */
  bind(few) {
    const { gl } = this;
    if (few) this.thin();
    const coarse = few ? this.coarse : null;
    gl.bindVertexArray(this.array);
    gl.bindBuffer(gl.ELEMENT_ARRAY_BUFFER, coarse ? this.fewer : this.triangles);
    return coarse ? coarse.length : this.count;
  }

  /** Tell the card what each piece looks like now. @param {Look[]} looks by slot */
  dress(looks) {
    const { gl } = this;
    const rows = 2 * Math.max(1, Math.ceil(looks.length / WIDE));
    const table = new Float32Array(4 * WIDE * rows);
    looks.forEach(({ color, alpha, shift, chosen, hovered }, slot) => {
      const at = 4 * ((slot % WIDE) + 2 * WIDE * Math.floor(slot / WIDE));
      table.set([...color, alpha], at);
      table.set([...shift, (chosen ? 1 : 0) + (hovered ? 2 : 0)], at + 4 * WIDE);
    });
    gl.bindTexture(gl.TEXTURE_2D, this.looks);
    gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA32F, WIDE, rows, 0, gl.RGBA, gl.FLOAT, table);
  }
}
