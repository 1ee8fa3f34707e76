/** Room on the graphics card for the pixels of one frame. */

/**
 * colors, numbers, sum : what a frame is drawn into, and what several frames add up to; stage : colors and numbers;
 * swift : colors alone; still : the sum
 * @typedef {{colors: WebGLTexture, numbers: WebGLTexture, sum: WebGLTexture, depth: WebGLRenderbuffer,
 *   stage: WebGLFramebuffer, swift: WebGLFramebuffer, still: WebGLFramebuffer}} Room
 */

/** A texture that is read pixel by pixel, or between them. @param {WebGL2RenderingContext} gl @param {number} filter */
export function newTexture(gl, filter) {
  const made = gl.createTexture();
  gl.bindTexture(gl.TEXTURE_2D, made);
  for (const name of [gl.TEXTURE_MIN_FILTER, gl.TEXTURE_MAG_FILTER]) gl.texParameteri(gl.TEXTURE_2D, name, filter);
  for (const name of [gl.TEXTURE_WRAP_S, gl.TEXTURE_WRAP_T]) gl.texParameteri(gl.TEXTURE_2D, name, gl.CLAMP_TO_EDGE);
  return made;
}

/** Have room for so many pixels. @param {WebGL2RenderingContext} gl @param {Room} room @param {number} width @param {number} height */
export function makeRoom(gl, room, width, height) {
  gl.bindTexture(gl.TEXTURE_2D, room.colors);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.bindTexture(gl.TEXTURE_2D, room.numbers);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RG32UI, width, height, 0, gl.RG_INTEGER, gl.UNSIGNED_INT, null);
  gl.bindTexture(gl.TEXTURE_2D, room.sum);
  gl.texImage2D(gl.TEXTURE_2D, 0, gl.RGBA8, width, height, 0, gl.RGBA, gl.UNSIGNED_BYTE, null);
  gl.bindRenderbuffer(gl.RENDERBUFFER, room.depth);
  gl.renderbufferStorage(gl.RENDERBUFFER, gl.DEPTH_COMPONENT24, width, height);
  for (const [frame, textures] of [[room.stage, [room.colors, room.numbers]], [room.swift, [room.colors]]]) {
    gl.bindFramebuffer(gl.FRAMEBUFFER, frame);
    const places = textures.map((texture, at) => {
      gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0 + at, gl.TEXTURE_2D, texture, 0);
      return gl.COLOR_ATTACHMENT0 + at;
    });
    gl.framebufferRenderbuffer(gl.FRAMEBUFFER, gl.DEPTH_ATTACHMENT, gl.RENDERBUFFER, room.depth);
    gl.drawBuffers(places);
  }
  gl.bindFramebuffer(gl.FRAMEBUFFER, room.still);
  gl.framebufferTexture2D(gl.FRAMEBUFFER, gl.COLOR_ATTACHMENT0, gl.TEXTURE_2D, room.sum, 0);
}
