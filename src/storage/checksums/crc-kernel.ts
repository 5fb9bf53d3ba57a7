import { assemble, get, i32Const, i64Const, load, op, pageBytes, set, type } from './wasm.ts'

/** Continues a CRC, as it is without the final inversion, with more bytes. */
export type UpdateCrc = (crc: bigint, bytes: Uint8Array) => bigint

/**
 * Memory: 16 tables of 256 entries of 8 bytes, then the input. Entry b of table k is the CRC of the byte b followed by k
 * zero bytes.
 */
const tableBytes = 256 * 8
const slices = 16
const inputAt = pageBytes

const [crc, at, end, first, second] = [0, 1, 2, 3, 4]

/** The entry of a table for a byte of a local: its position in the table is the byte times eight. */
const lookUp = (table: number, local: number, byte: number) => [
  ...get(local),
  ...(byte === 0 ? [...i64Const(3), op.i64Shl] : [...i64Const(8 * byte - 3), op.i64ShrU]),
  ...i64Const(0xff << 3),
  op.i64And,
  op.i32WrapI64,
  ...load(op.i64Load, 3, table),
]

const bytesOf = (local: number, tables: number) =>
  Array.from({ length: 8 }, (_, byte) => lookUp((tables - byte) * tableBytes, local, byte))

/** Pairs first, then pairs of pairs: as few operations as possible wait for one another. */
const xorOf = (terms: number[][]): number[] => {
  const [only] = terms
  if (terms.length === 1 && only) return only
  const half = terms.length / 2
  return [...xorOf(terms.slice(0, half)), ...xorOf(terms.slice(half)), op.i64Xor]
}

/** `crc` of everything before, and where the input begins and ends. */
const body = [
  // while (end - at >= 16)
  op.block, type.none, op.loop, type.none,
  ...get(end), ...get(at), op.i32Sub, ...i32Const(slices), op.i32LtU, op.brIf, 1,
  ...get(crc), ...get(at), ...load(op.i64Load, 0, 0), op.i64Xor, ...set(first),
  ...get(at), ...load(op.i64Load, 0, 8), ...set(second),
  ...xorOf([...bytesOf(first, 15), ...bytesOf(second, 7)]), ...set(crc),
  ...get(at), ...i32Const(slices), op.i32Add, ...set(at),
  op.br, 0, op.end, op.end,
  // while (at < end)
  op.block, type.none, op.loop, type.none,
  ...get(at), ...get(end), op.i32GeU, op.brIf, 1,
  ...get(crc), ...get(at), ...load(op.i64Load8U, 0, 0), op.i64Xor, ...set(first),
  ...lookUp(0, first, 0), ...get(crc), ...i64Const(8), op.i64ShrU, op.i64Xor, ...set(crc),
  ...get(at), ...i32Const(1), op.i32Add, ...set(at),
  op.br, 0, op.end, op.end,
  ...get(crc), op.end,
] // biome-ignore format: as a listing

/** Entry b is the CRC of the byte b, in the reflected notation of `polynomial`. */
const byteTable = (polynomial: bigint): bigint[] =>
  Array.from({ length: 256 }, (_, byte) => {
    let entry = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) entry = (entry & 1n ? polynomial : 0n) ^ (entry >> 1n)
    return entry
  })

/**
 * Computes reflected CRCs of up to 64 bits, sixteen bytes at a time ("slicing by 16"). The coefficient of the highest power
 * of `polynomial` is its lowest bit.
 */
export const crcKernel = (polynomial: bigint): UpdateCrc => {
  const { memory, update } = assemble({ pages: 2, locals: [[type.i64, 2]], body })
  const tables = new BigUint64Array(memory.buffer, 0, slices * 256)
  tables.set(byteTable(polynomial))
  for (let index = 256; index < tables.length; index++) {
    const shorter = tables[index - 256] as bigint
    tables[index] = (tables[Number(shorter & 0xffn)] as bigint) ^ (shorter >> 8n)
  }
  const input = new Uint8Array(memory.buffer, inputAt, pageBytes)
  return (crc, bytes) => {
    let value = crc
    for (let from = 0; from < bytes.length; from += pageBytes) {
      const some = bytes.subarray(from, from + pageBytes)
      input.set(some)
      value = update(value, inputAt, inputAt + some.length)
    }
    return BigInt.asUintN(64, value)
  }
}
