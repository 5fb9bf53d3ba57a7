import { throughMemory, type UpdateCrc } from './crc-tables.ts'
import { assemble, get, i32Const, i64Const, load, op, pageBytes, set, type } from './wasm.ts'

/**
 * A kernel that takes sixteen bytes at a time ("slicing by 16"), for any number of bytes.
 *
 * Memory: 16 tables of 256 entries of 8 bytes, then the input. Entry b of table k is the CRC of the byte b followed by k
 * zero bytes.
 */
const tableBytes = 256 * 8
const slices = 16
const inputAt = pageBytes

const [crc, at, end, first, second] = [0, 1, 2, 3, 4]

/** The entry of a table for a byte of a local: its position in the table is the byte times eight. */
export const lookUp = (table: number, local: number, byte: number) => [
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

export const sliceKernel = (bytes: readonly bigint[]): UpdateCrc => {
  const kernel = assemble({ pages: 2, locals: [[type.i64, 2]], body })
  const tables = new BigUint64Array(kernel.memory.buffer, 0, slices * 256)
  tables.set(bytes)
  for (let index = 256; index < tables.length; index++) {
    const shorter = tables[index - 256] as bigint
    tables[index] = (tables[Number(shorter & 0xffn)] as bigint) ^ (shorter >> 8n)
  }
  return throughMemory(kernel, { at: inputAt, length: pageBytes })
}
