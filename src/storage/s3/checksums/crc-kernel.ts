/**
 * A WebAssembly function that computes reflected CRCs of up to 64 bits, sixteen bytes at a time ("slicing by 16"). It is
 * assembled here, because JavaScript has no 64-bit integers that are fast: the same loop with BigInt, or with halves of 32
 * bits, reaches a tenth of the rate.
 *
 * Memory: 16 tables of 256 entries of 8 bytes, then the input. Entry b of table k is the CRC of the byte b followed by k
 * zero bytes.
 */
const tableBytes = 256 * 8
const slices = 16
/** Where the input is, and how much of it there can be at a time. */
const inputAt = 64 * 1024
const inputBytes = 64 * 1024

// The instructions that are used, by their names in the specification.
const op = {
  block: 0x02, loop: 0x03, end: 0x0b, br: 0x0c, brIf: 0x0d,
  localGet: 0x20, localSet: 0x21, localTee: 0x22,
  i32Const: 0x41, i64Const: 0x42, i32Add: 0x6a, i32Sub: 0x6b, i32GeU: 0x4f, i32LtU: 0x49,
  i64Load: 0x29, i64Load8U: 0x31, i64Xor: 0x85, i64And: 0x83, i64Shl: 0x86, i64ShrU: 0x88, i32WrapI64: 0xa7,
} // biome-ignore format: as a table
const i32 = 0x7f
const i64 = 0x7e
const noResult = 0x40

/** A number as LEB128, signed as constants are or unsigned as sizes are. */
const signed = (value: number): number[] => {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}
const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]

const sized = (bytes: number[]) => [...unsigned(bytes.length), ...bytes]
const list = (items: number[][]) => [...unsigned(items.length), ...items.flat()]
const section = (id: number, items: number[][]) => [id, ...sized(list(items))]
const name = (text: string) => sized([...Buffer.from(text)])

const [crc, at, end, first, second] = [0, 1, 2, 3, 4]
const get = (local: number) => [op.localGet, local]
const set = (local: number) => [op.localSet, local]
const load = (code: number, align: number, offset: number) => [code, align, ...unsigned(offset)]
const i64Const = (value: number) => [op.i64Const, ...signed(value)]
const i32Const = (value: number) => [op.i32Const, ...signed(value)]

/** The entry of a table for a byte of a local: its position in the table is the byte times eight. */
const lookUp = (table: number, local: number, byte: number) => [
  ...get(local),
  ...(byte === 0 ? [...i64Const(3), op.i64Shl] : [...i64Const(8 * byte - 3), op.i64ShrU]),
  ...i64Const(0xff << 3),
  op.i64And,
  op.i32WrapI64,
  ...load(op.i64Load, 3, table * tableBytes),
]

const bytesOf = (local: number, tables: number) =>
  Array.from({ length: 8 }, (_, byte) => lookUp(tables - byte, local, byte))

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
  op.block, noResult, op.loop, noResult,
  ...get(end), ...get(at), op.i32Sub, ...i32Const(slices), op.i32LtU, op.brIf, 1,
  ...get(crc), ...get(at), ...load(op.i64Load, 0, 0), op.i64Xor, ...set(first),
  ...get(at), ...load(op.i64Load, 0, 8), ...set(second),
  ...xorOf([...bytesOf(first, 15), ...bytesOf(second, 7)]), ...set(crc),
  ...get(at), ...i32Const(slices), op.i32Add, ...set(at),
  op.br, 0, op.end, op.end,
  // while (at < end)
  op.block, noResult, op.loop, noResult,
  ...get(at), ...get(end), op.i32GeU, op.brIf, 1,
  ...get(crc), ...get(at), ...load(op.i64Load8U, 0, 0), op.i64Xor, ...set(first),
  ...lookUp(0, first, 0), ...get(crc), ...i64Const(8), op.i64ShrU, op.i64Xor, ...set(crc),
  ...get(at), ...i32Const(1), op.i32Add, ...set(at),
  op.br, 0, op.end, op.end,
  ...get(crc), op.end,
] // biome-ignore format: as a listing

const pages = (inputAt + inputBytes) / (64 * 1024)
const binary = new Uint8Array([
  ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
  ...section(1, [[0x60, ...list([[i64], [i32], [i32]]), ...list([[i64]])]]),
  ...section(3, [[0]]),
  ...section(5, [[0x00, ...unsigned(pages)]]),
  ...section(7, [
    [...name('memory'), 0x02, 0],
    [...name('update'), 0x00, 0],
  ]),
  ...section(10, [sized([...list([[...unsigned(2), i64]]), ...body])]),
])

// The types of Node come without those of WebAssembly.
declare const WebAssembly: {
  Module: new (binary: Uint8Array) => object
  Instance: new (module: object) => { exports: object }
}
type Exports = { memory: { buffer: ArrayBuffer }; update(crc: bigint, at: number, end: number): bigint }

/** Continues a CRC, as it is without the final inversion, with more bytes. */
export type UpdateCrc = (crc: bigint, bytes: Uint8Array) => bigint

/** `polynomial` in the reflected notation: the coefficient of the highest power is the lowest bit. */
export const crcKernel = (polynomial: bigint): UpdateCrc => {
  const { exports } = new WebAssembly.Instance(new WebAssembly.Module(binary))
  const { memory, update } = exports as Exports
  const tables = new BigUint64Array(memory.buffer, 0, slices * 256)
  for (let byte = 0; byte < 256; byte++) {
    let entry = BigInt(byte)
    for (let bit = 0; bit < 8; bit++) entry = (entry & 1n ? polynomial : 0n) ^ (entry >> 1n)
    tables[byte] = entry
  }
  for (let index = 256; index < tables.length; index++) {
    const shorter = tables[index - 256] as bigint
    tables[index] = (tables[Number(shorter & 0xffn)] as bigint) ^ (shorter >> 8n)
  }
  const input = new Uint8Array(memory.buffer, inputAt, inputBytes)
  return (crc, bytes) => {
    let value = crc
    for (let from = 0; from < bytes.length; from += inputBytes) {
      const some = bytes.subarray(from, from + inputBytes)
      input.set(some)
      value = BigInt.asUintN(64, update(value, inputAt, inputAt + some.length))
    }
    return value
  }
}
