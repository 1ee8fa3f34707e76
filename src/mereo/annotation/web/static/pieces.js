/** The meshes of pieces: fetched once, laid end to end in one buffer of triangles. */

/**
 * @typedef {import("./linear.js").Vector} Vector
 * @typedef {{positions: Float32Array, triangles: Uint32Array, center: Vector, low: Vector, high: Vector}} Mesh
 * @typedef {{id: number, digits: string, mesh: Mesh, slot: number}} Piece
 */

/** @type {Map<string, Promise<Mesh>>} */
const fetched = new Map();

/** Two counts, positions, triangles. @param {ArrayBuffer} bytes @returns {Mesh} */
export function decoded(bytes) {
  const [points, faces] = new Uint32Array(bytes, 0, 2);
  const positions = new Float32Array(bytes, 8, 3 * points);
  const triangles = new Uint32Array(bytes, 8 + 12 * points, 3 * faces);
  /** @type {Vector} */ const low = [Infinity, Infinity, Infinity];
  /** @type {Vector} */ const high = [-Infinity, -Infinity, -Infinity];
  for (let at = 0; at < positions.length; at++) {
    const axis = at % 3;
    if (positions[at] < low[axis]) low[axis] = positions[at];
    if (positions[at] > high[axis]) high[axis] = positions[at];
  }
  const center = /** @type {Vector} */ (low.map((value, axis) => (value + high[axis]) / 2));
  return { positions, triangles, center, low, high };
}

/** @param {string} address @returns {Promise<Mesh>} */
async function fetchMesh(address) {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error("A mesh could not be fetched.");
  return decoded(await answer.arrayBuffer());
}

/**
 * All pieces with their meshes, of which only new ones are fetched.
 * @param {string} folder address of meshes @param {Record<string, string>} alive digits by number
 * @returns {Promise<Piece[]>}
 */
export async function piecesOf(folder, alive) {
  const numbers = Object.keys(alive).map(Number).sort((a, b) => a - b);
  return Promise.all(
    numbers.map(async (id, slot) => {
      const digits = alive[id];
      let mesh = fetched.get(digits);
      if (!mesh) {
        mesh = fetchMesh(`${folder}/${digits}.bin`);
        fetched.set(digits, mesh);
        mesh.catch(() => fetched.delete(digits));
      }
      return { id, digits, mesh: await mesh, slot };
    }),
  );
}

/** One buffer of vertices (x, y, z, slot) and one of triangles. @param {Piece[]} pieces */
export function laidOut(pieces) {
  const points = pieces.reduce((sum, { mesh }) => sum + mesh.positions.length / 3, 0);
  const corners = pieces.reduce((sum, { mesh }) => sum + mesh.triangles.length, 0);
  const vertices = new Float32Array(4 * points);
  const slots = new Uint32Array(vertices.buffer);
  const triangles = new Uint32Array(corners);
  let point = 0;
  let corner = 0;
  for (const { mesh, slot } of pieces) {
    const { positions } = mesh;
    for (let at = 0; at < mesh.triangles.length; at++) triangles[corner++] = mesh.triangles[at] + point;
    for (let at = 0; at < positions.length; at += 3) {
      vertices[4 * point] = positions[at];
      vertices[4 * point + 1] = positions[at + 1];
      vertices[4 * point + 2] = positions[at + 2];
      slots[4 * point + 3] = slot;
      point++;
    }
  }
  return { vertices, triangles };
}

/** The box around all pieces. @param {Piece[]} pieces */
export function bounds(pieces) {
  /** @type {Vector} */ const low = [Infinity, Infinity, Infinity];
  /** @type {Vector} */ const high = [-Infinity, -Infinity, -Infinity];
  for (const { mesh } of pieces) {
    for (let axis = 0; axis < 3; axis++) {
      low[axis] = Math.min(low[axis], mesh.low[axis]);
      high[axis] = Math.max(high[axis], mesh.high[axis]);
    }
  }
  if (!pieces.length) return { low: /** @type {Vector} */ ([0, 0, 0]), high: /** @type {Vector} */ ([1, 1, 1]) };
  return { low, high };
}
