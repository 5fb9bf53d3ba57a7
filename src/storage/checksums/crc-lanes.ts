import { lookUp } from './crc-slices.ts'
import { shiftTables, throughMemory, type UpdateCrc } from './crc-tables.ts'
import { assemble, get, i32Const, i64Const, load, op, pageBytes, set, tee, type, v128 } from './wasm.ts'

/**
 * A kernel that computes sixteen CRCs at once, one in each lane of vectors of sixteen bytes, and joins them. A block of
 * input is divided into sixteen runs. Vector j of the state holds byte j of the CRC of each run. To go on by one byte in
 * all runs, that byte and the lowest one of the state select from a table; a vector instruction looks up sixteen entries
 * of one byte, so that there is a table for each half of the selecting byte and each byte of the result.
 *
 * This has no tables that are too large for registers and the nearest cache, and needs no carry-less multiplication, which
 * WebAssembly does not have.
 */
const lanes = 16
/** Where the tables of half bytes are, the mask of a half byte, the CRCs of the runs, and the tables that join them. */
const [halvesAt, maskAt, runsAt, shiftsAt] = [0, 256, 512, 1024]
const tableBytes = 256 * 8
const inputAt = pageBytes
/** What is copied at a time stays in the nearest cache. */
const inputBytes = 16 * 1024

const [crc, at, end] = [0, 1, 2]
const numbered = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index)
const state = numbered(3, 8)
const rows = numbered(11, lanes)
const others = numbered(27, lanes)
const [low, high, mask, place, stop, joined] = [43, 44, 45, 46, 47, 48]
const vectors = 43
const locals: [number, number][] = [
  [type.v128, vectors],
  [type.i32, 2],
  [type.i64, 1],
]

const firstHalves = [0, 16, 1, 17, 2, 18, 3, 19, 4, 20, 5, 21, 6, 22, 7, 23]
const secondHalves = firstHalves.map((lane) => lane + 8)

/**
 * Interleaves each of the first half of some vectors with its counterpart in the second half. In the number of a byte,
 * made of the bits of its vector and those of its lane, the first bit becomes the last. So many times as a vector has bits in its
 * number exchange vectors and lanes.
 */
const interleave = (from: number[][], to: readonly number[]) => {
  const half = from.length / 2
  return numbered(0, half).flatMap((index) => {
    const pair = [...(from[index] as number[]), ...(from[index + half] as number[])]
    const [first, second] = [to[2 * index] as number, to[2 * index + 1] as number]
    return [
      ...pair,
      ...v128.shuffle(firstHalves),
      ...set(first),
      ...pair,
      ...v128.shuffle(secondHalves),
      ...set(second),
    ]
  })
}

const half = (which: 'low' | 'high', byte: number) => [
  ...i32Const(0),
  ...v128.load(halvesAt + 16 * (byte + (which === 'low' ? 0 : 8))),
]

/** Goes on by one byte of each run. */
const step = (row: number, width: number) => [
  ...get(state[0] as number), ...get(row), ...v128.xor, ...tee(high), ...get(mask), ...v128.and, ...set(low),
  ...get(high), ...i32Const(4), ...v128.shiftBytesRight, ...set(high),
  ...numbered(0, width).flatMap((byte) => [
    ...half('low', byte), ...get(low), ...v128.swizzle, ...half('high', byte), ...get(high), ...v128.swizzle, ...v128.xor,
    ...(byte + 1 < width ? [...get(state[byte + 1] as number), ...v128.xor] : []), ...set(state[byte] as number),
  ]),
] // biome-ignore format: as a listing

const block = (width: number, runBytes: number) => [
  // The first run continues the CRC, the others begin with nothing.
  ...state.flatMap((local) => [...v128.zero, ...set(local)]),
  ...numbered(0, width).flatMap((byte) => [
    ...get(state[byte] as number), ...get(crc), ...i64Const(8 * byte), op.i64ShrU, op.i32WrapI64,
    ...v128.replaceByte(0), ...set(state[byte] as number),
  ]),
  // for (place = at; place < at + runBytes; place += 16)
  ...get(at), ...tee(place), ...i32Const(runBytes), op.i32Add, ...set(stop),
  op.loop, type.none,
  ...interleave(numbered(0, lanes).map((run) => [...get(place), ...v128.load(run * runBytes)]), rows),
  ...interleave(rows.map(get), others), ...interleave(others.map(get), rows), ...interleave(rows.map(get), others),
  ...others.flatMap((row) => step(row, width)),
  ...get(place), ...i32Const(16), op.i32Add, ...tee(place), ...get(stop), op.i32LtU, op.brIf, 0, op.end,
  // The CRC of each run as a number, and of all of them.
  ...interleave(state.map(get), rows), ...interleave(rows.slice(0, 8).map(get), others),
  ...interleave(others.slice(0, 8).map(get), rows),
  ...rows.slice(0, 8).flatMap((local, index) => [...i32Const(0), ...get(local), ...v128.store(runsAt + 16 * index)]),
  ...i32Const(0), ...load(op.i64Load, 3, runsAt), ...set(joined),
  ...numbered(1, lanes - 1).flatMap((run) => [
    ...i32Const(0), ...load(op.i64Load, 3, runsAt + 8 * run),
    ...numbered(0, width).flatMap((byte) => [...lookUp(shiftsAt + byte * tableBytes, joined, byte), op.i64Xor]),
    ...set(joined),
  ]),
  ...get(joined), ...set(crc),
] // biome-ignore format: as a listing

/**
 * For a number of bytes that is a multiple of `blockBytes`; at most 16 KiB. `width`: of the CRC, in bytes. `update`: another
 * kernel for the same CRC.
 */
export const laneKernel = (
  bytes: readonly bigint[],
  { width, blockBytes, update }: { width: 4 | 8; blockBytes: number; update: UpdateCrc },
): UpdateCrc => {
  const body = [
    ...i32Const(0), ...v128.load(maskAt), ...set(mask),
    // while (at < end)
    op.block, type.none, op.loop, type.none,
    ...get(at), ...get(end), op.i32GeU, op.brIf, 1,
    ...block(width, blockBytes / lanes),
    ...get(at), ...i32Const(blockBytes), op.i32Add, ...set(at),
    op.br, 0, op.end, op.end,
    ...get(crc), op.end,
  ] // biome-ignore format: as a listing
  const kernel = assemble({ pages: 2, locals, body })
  const memory = Buffer.from(kernel.memory.buffer)
  for (let value = 0; value < 16; value++)
    for (let byte = 0; byte < width; byte++) {
      const of = (entry: number) => Number(((bytes[entry] as bigint) >> BigInt(8 * byte)) & 0xffn)
      memory[halvesAt + 16 * byte + value] = of(value)
      memory[halvesAt + 16 * (byte + 8) + value] = of(value << 4)
    }
  memory.fill(0x0f, maskAt, maskAt + 16)
  const zeros = new Uint8Array(blockBytes / lanes)
  shiftTables(width, (value) => update(value, zeros)).forEach((table, byte) => {
    new BigUint64Array(kernel.memory.buffer, shiftsAt + byte * tableBytes, 256).set(table)
  })
  return throughMemory(kernel, { at: inputAt, length: inputBytes })
}
