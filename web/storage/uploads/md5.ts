const shifts = [7, 12, 17, 22, 5, 9, 14, 20, 4, 11, 16, 23, 6, 10, 15, 21]
const sines = Int32Array.from({ length: 64 }, (_, n) => Math.floor(Math.abs(Math.sin(n + 1)) * 2 ** 32) | 0)

/** One block of 64 bytes, as RFC 1321 describes it. */
const mix = (state: Int32Array, block: DataView, at: number) => {
  let [a = 0, b = 0, c = 0, d = 0] = state
  for (let n = 0; n < 64; n++) {
    const round = n >> 4
    let f: number
    let word: number
    if (round === 0) {
      f = (b & c) | (~b & d)
      word = n
    } else if (round === 1) {
      f = (d & b) | (~d & c)
      word = (5 * n + 1) & 15
    } else if (round === 2) {
      f = b ^ c ^ d
      word = (3 * n + 5) & 15
    } else {
      f = c ^ (b | ~d)
      word = (7 * n) & 15
    }
    const sum = (a + f + (sines[n] as number) + block.getInt32(at + word * 4, true)) | 0
    const shift = shifts[round * 4 + (n & 3)] as number
    a = d
    d = c
    c = b
    b = (b + ((sum << shift) | (sum >>> (32 - shift)))) | 0
  }
  state[0] = (state[0] as number) + a
  state[1] = (state[1] as number) + b
  state[2] = (state[2] as number) + c
  state[3] = (state[3] as number) + d
}

/** In hexadecimal digits. Browsers have none, but it is what the server tells of a part that has arrived. */
export const md5 = (bytes: Uint8Array<ArrayBuffer>) => {
  const state = Int32Array.of(0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476)
  const whole = bytes.byteLength & ~63
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  for (let at = 0; at < whole; at += 64) mix(state, view, at)
  const rest = bytes.byteLength - whole
  const end = new DataView(new ArrayBuffer(rest < 56 ? 64 : 128))
  new Uint8Array(end.buffer).set(bytes.subarray(whole))
  end.setUint8(rest, 0x80)
  end.setUint32(end.byteLength - 8, (bytes.byteLength % 2 ** 29) * 8, true)
  end.setUint32(end.byteLength - 4, Math.floor(bytes.byteLength / 2 ** 29), true)
  for (let at = 0; at < end.byteLength; at += 64) mix(state, end, at)
  return Array.from(new Uint8Array(state.buffer), (byte) => byte.toString(16).padStart(2, '0')).join('')
}
