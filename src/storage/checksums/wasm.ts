/**
 * A small assembler of WebAssembly: CRCs of 64 bits need integers of 64 bits, which are slow in JavaScript.
 */

/** The instructions that are used, by their names in the specification. */
export const op = {
  block: 0x02, loop: 0x03, end: 0x0b, br: 0x0c, brIf: 0x0d,
  i32Add: 0x6a, i32Sub: 0x6b, i32GeU: 0x4f, i32LtU: 0x49, i32WrapI64: 0xa7,
  i64Load: 0x29, i64Load8U: 0x31, i64Xor: 0x85, i64And: 0x83, i64Shl: 0x86, i64ShrU: 0x88,
} // biome-ignore format: as a table

export const type = { i32: 0x7f, i64: 0x7e, none: 0x40 }

/** A number as LEB128, signed as constants are or unsigned as sizes are. */
const signed = (value: number): number[] => {
  const low = value & 0x7f
  const rest = value >> 7
  const isLast = (rest === 0 && (low & 0x40) === 0) || (rest === -1 && (low & 0x40) !== 0)
  return isLast ? [low] : [low | 0x80, ...signed(rest)]
}
const unsigned = (value: number): number[] =>
  value < 0x80 ? [value] : [(value & 0x7f) | 0x80, ...unsigned(value >>> 7)]

export const get = (local: number) => [0x20, ...unsigned(local)]
export const set = (local: number) => [0x21, ...unsigned(local)]
export const i32Const = (value: number) => [0x41, ...signed(value)]
export const i64Const = (value: number) => [0x42, ...signed(value)]
export const load = (code: number, align: number, offset: number) => [code, align, ...unsigned(offset)]

const sized = (bytes: number[]) => [...unsigned(bytes.length), ...bytes]
const list = (items: number[][]) => [...unsigned(items.length), ...items.flat()]
const section = (id: number, items: number[][]) => [id, ...sized(list(items))]
const name = (text: string) => sized([...Buffer.from(text)])

export const pageBytes = 64 * 1024

// The types of Node come without those of WebAssembly.
declare const WebAssembly: {
  Module: new (binary: Uint8Array) => object
  Instance: new (module: object) => { exports: object }
}

/** Continues a CRC with the bytes from one place in memory to another. */
type Exports = { memory: { buffer: ArrayBuffer }; update(crc: bigint, at: number, end: number): bigint }

/** Assembles `update`, whose parameters are the locals 0 to 2. The others follow, as many of each type as `locals` says. */
export const assemble = ({
  pages,
  locals,
  body,
}: {
  pages: number
  locals: [type: number, count: number][]
  body: number[]
}): Exports => {
  const binary = new Uint8Array([
    ...[0x00, 0x61, 0x73, 0x6d, 0x01, 0x00, 0x00, 0x00],
    ...section(1, [[0x60, ...list([[type.i64], [type.i32], [type.i32]]), ...list([[type.i64]])]]),
    ...section(3, [[0]]),
    ...section(5, [[0x00, ...unsigned(pages)]]),
    ...section(7, [
      [...name('memory'), 0x02, 0],
      [...name('update'), 0x00, 0],
    ]),
    ...section(10, [sized([...list(locals.map(([each, count]) => [...unsigned(count), each])), ...body])]),
  ])
  return new WebAssembly.Instance(new WebAssembly.Module(binary)).exports as Exports
}
