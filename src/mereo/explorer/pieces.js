// The bodies of a space, each made of pieces that can be picked, lit, taken apart and moved. Motion runs here, between
// the samples that the server sent once, so that it is smooth whatever the connection.
import { THREE } from "nicegui-scene";

const LIT = new THREE.Color("#f59e0b");

export default class Pieces {
  async create_mesh(url) {
    const answer = await fetch(url);
    if (!answer.ok) throw new Error(`${url}: ${answer.status}`);
    const data = await answer.arrayBuffer();
    const length = new DataView(data).getUint32(0, true);
    const header = JSON.parse(new TextDecoder().decode(new Uint8Array(data, 4, length)));
    const corners = new Float32Array(data, 4 + length, 3 * header.corners);
    const faces = new Uint32Array(data, 4 + length + corners.byteLength);
    this.mesh = new THREE.Group();
    this.bodies = header.bodies.map((body) => this.add_body(body));
    this.pieces = new Map();
    this.movable = header.movable.map((joint) => ({ ...joint, value: joint.at }));
    this.apart = 0;
    for (const piece of header.pieces) {
      const geometry = new THREE.BufferGeometry();
      const [from, count] = piece.corners;
      geometry.setAttribute("position", new THREE.BufferAttribute(corners.slice(3 * from, 3 * (from + count)), 3));
      const [first, many] = piece.faces;
      geometry.setIndex(new THREE.BufferAttribute(faces.slice(3 * first, 3 * (first + many)), 1));
      const clear = piece.opacity < 1;
      const material = new THREE.MeshPhongMaterial({
        color: new THREE.Color(piece.color).multiplyScalar(0.85), flatShading: true, shininess: 12, side: THREE.DoubleSide,
        transparent: clear, opacity: piece.opacity, depthWrite: !clear,
      });
      const mesh = new THREE.Mesh(geometry, material);
      mesh.name = piece.key;
      mesh.userData = { away: new THREE.Vector3(...piece.away), color: material.color.clone(), joint: piece.joint };
      this.bodies[piece.body].group.add(mesh);
      this.pieces.set(piece.key, mesh);
    }
    if (header.room) this.add_room(...header.room);
    else this.add_grid(header.ground);
    this.add_lamp();
    this.length = Math.max(0, ...this.bodies.map((body) => (body.motion.length ? body.motion.at(-1)[0] : 0)));
    this.time = 0;
    return this.mesh;
  }
  created() {
    // Picks name the piece that was hit, not the whole.
    for (const mesh of this.pieces.values()) mesh.object_id = this.mesh.object_id;
  }
  add_body({ position, rotation: [w, x, y, z], motion }) {
    const group = new THREE.Group();
    group.position.set(...position);
    group.quaternion.set(x, y, z, w);
    this.mesh.add(group);
    return { group, motion };
  }
  add_room(width, depth, height) {
    const wall = (wide, tall, color, place) => {
      const material = new THREE.MeshLambertMaterial({ color: color, side: THREE.FrontSide });
      const plane = new THREE.Mesh(new THREE.PlaneGeometry(wide, tall), material);
      plane.raycast = () => {};
      place(plane);
      this.mesh.add(plane);
    };
    const more = 0.01; // so that no light comes through the seams
    wall(width + more, depth + more, "#b9b4a9", (plane) => plane.position.set(0, 0, -0.002));
    wall(width + more, height, "#cfccc5", (plane) => {
      plane.rotation.x = Math.PI / 2;
      plane.position.set(0, depth / 2, height / 2 - more);
    });
    for (const side of [-1, 1]) {
      wall(depth + more, height, "#c4c1b9", (plane) => {
        plane.rotation.set(Math.PI / 2, (-side * Math.PI) / 2, 0, "XYZ");
        plane.position.set((side * width) / 2, 0, height / 2 - more);
      });
    }
  }
  add_grid(size) {
    const grid = new THREE.GridHelper(size, 16, "#80868c", "#80868c");
    grid.rotation.x = Math.PI / 2;
    Object.assign(grid.material, { transparent: true, opacity: 0.35, depthWrite: false });
    grid.raycast = () => {};
    this.mesh.add(grid);
  }
  add_lamp() {
    const lamp = new THREE.DirectionalLight("#ffffff", 0.9);
    lamp.position.set(-3, -6, 8);
    this.mesh.add(lamp);
  }
  light(keys) {
    const chosen = new Set(keys);
    for (const [key, mesh] of this.pieces) {
      const on = chosen.has(key);
      mesh.userData.lit = on;
      mesh.material.color.copy(mesh.userData.color).lerp(LIT, on ? 0.85 : 0);
      mesh.material.emissive.set(on ? "#4a2c00" : "#000000");
    }
  }
  explode(amount) {
    this.apart = amount;
    this.place();
    this.mesh.scale.setScalar(1 / (1 + 0.75 * amount)); // so that all of it stays in sight
  }
  move(part, value) {
    const joint = this.movable.find((each) => each.part === part);
    if (joint) joint.value = value;
    this.place();
  }
  place() {
    // Joints come after those that move them along, so each finds the motion of the one above it.
    const motions = [];
    for (const joint of this.movable) {
      const motion = this.motion(joint);
      motions.push(joint.above < 0 ? motion : motion.premultiply(motions[joint.above]));
    }
    const still = new THREE.Matrix4(), size = new THREE.Vector3();
    for (const mesh of this.pieces.values()) {
      const { away, joint } = mesh.userData;
      (motions[joint] ?? still).decompose(mesh.position, mesh.quaternion, size);
      mesh.position.addScaledVector(away, this.apart);
    }
  }
  motion({ kind, axis, origin, at, value }) {
    // From where the part stands in its mesh to where it is wanted.
    const along = new THREE.Vector3(...axis), there = new THREE.Vector3(...origin);
    if (kind === "slide") return new THREE.Matrix4().setPosition(along.multiplyScalar(value - at));
    const turn = new THREE.Matrix4().makeRotationAxis(along, THREE.MathUtils.degToRad(value - at));
    return turn.setPosition(there.clone().sub(there.applyMatrix4(turn)));
  }
  seek(time) {
    this.time = Math.min(Math.max(time, 0), this.length);
    for (const { group, motion } of this.bodies) if (motion.length) this.pose(group, motion);
    if (this.slider) this.slider.value = this.time;
  }
  pose(group, motion) {
    let after = motion.findIndex((sample) => sample[0] >= this.time);
    if (after < 0) after = motion.length - 1;
    const [one, other] = [motion[Math.max(after - 1, 0)], motion[after]];
    const share = other[0] > one[0] ? (this.time - one[0]) / (other[0] - one[0]) : 1;
    const place = (sample) => new THREE.Vector3(sample[1], sample[2], sample[3]);
    const turn = (sample) => new THREE.Quaternion(sample[5], sample[6], sample[7], sample[4]);
    group.position.copy(place(one)).lerp(place(other), share);
    group.quaternion.copy(turn(one)).slerp(turn(other), share);
  }
  attach(controls) {
    const slider = (this.slider = controls.querySelector("input"));
    const button = (this.button = controls.querySelector("button"));
    slider.max = this.length;
    slider.oninput = () => { this.stop(); this.seek(Number(slider.value)); };
    button.onclick = () => (this.playing ? this.stop() : this.play());
  }
  play() {
    if (this.time >= this.length) this.seek(0);
    this.playing = true;
    if (this.button) this.button.textContent = "Pause";
    let before = performance.now();
    const step = (now) => {
      if (!this.playing) return;
      this.seek(this.time + (now - before) / 1000);
      before = now;
      if (this.time >= this.length) this.stop();
      else requestAnimationFrame(step);
    };
    requestAnimationFrame(step);
  }
  stop() {
    this.playing = false;
    if (this.button) this.button.textContent = "Play";
  }
}
