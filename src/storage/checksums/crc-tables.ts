/** Entry b is the CRC of the byte b, in the reflected notation of `polynomial`. */
export const byteTable = (polynomial: bigint): bigint[] =>
  Array.from({ length: 256 }, (_, byte) => {
    let entry = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) entry = (entry & 1n ? polynomial : 0n) ^ (entry >> 1n)
    return entry
  })

/** A table for each byte of a CRC: what becomes of it when other bytes follow, which `shift` computes. */
export const shiftTables = (width: number, shift: (crc: bigint) => bigint): bigint[][] =>
  Array.from({ length: width }, (_, position) => {
    const ofBits = Array.from({ length: 8 }, (_, bit) => shift(1n << BigInt(8 * position + bit)))
    return Array.from({ length: 256 }, (_, byte) =>
      ofBits.reduce((sum, ofBit, bit) => ((byte >> bit) & 1 ? sum ^ ofBit : sum), 0n),
    )
  })

/** Continues a CRC, as it is without the final inversion, with more bytes. */
export type UpdateCrc = (crc: bigint, bytes: Uint8Array) => bigint

/** Copies bytes to where a kernel reads them, and runs it, as often as necessary. */
export const throughMemory =
  (
    {
      memory,
      update,
    }: { memory: { buffer: ArrayBuffer }; update(crc: bigint, at: number, end: number): bigint },
    { at, length }: { at: number; length: number },
  ): UpdateCrc =>
  (crc, bytes) => {
    const input = new Uint8Array(memory.buffer, at, length)
    let value = crc
    for (let from = 0; from < bytes.length; from += length) {
      const some = bytes.subarray(from, from + length)
      input.set(some)
      value = update(value, at, at + some.length)
    }
    return BigInt.asUintN(64, value)
  }
