/**
 * The CRC of two runs of bytes from the CRCs of each: that of the first is multiplied by x to the power of the number of
 * bits that follow, modulo the polynomial. Polynomials are in the reflected notation, in which the highest bit is the
 * coefficient of 1.
 */
export type Combine = (first: bigint, second: bigint, bytes: number) => bigint

/** Most parts of an upload have the same size, so a few powers serve for all of them. */
const keptPowers = 64

export const crcCombiner = (polynomial: bigint, bits: 32 | 64): Combine => {
  const one = 1n << BigInt(bits - 1)

  const times = (a: bigint, b: bigint) => {
    let [product, shifted] = [0n, b]
    for (let bit = one; bit > 0n; bit >>= 1n) {
      if (a & bit) product ^= shifted
      shifted = shifted & 1n ? (shifted >> 1n) ^ polynomial : shifted >> 1n
    }
    return product
  }

  const powers = new Map<number, bigint>()
  /** x to the power of so many bytes. */
  const powerOf = (bytes: number) => {
    const known = powers.get(bytes)
    if (known !== undefined) return known
    let [power, square] = [one, one >> 8n]
    for (let left = bytes; left > 0; left = Math.floor(left / 2)) {
      if (left % 2 === 1) power = times(power, square)
      square = times(square, square)
    }
    if (powers.size >= keptPowers) powers.clear()
    powers.set(bytes, power)
    return power
  }

  return (first, second, bytes) => times(first, powerOf(bytes)) ^ second
}
