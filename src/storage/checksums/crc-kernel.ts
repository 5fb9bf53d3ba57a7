import { laneKernel } from './crc-lanes.ts'
import { sliceKernel } from './crc-slices.ts'
import { byteTable, type UpdateCrc } from './crc-tables.ts'

export type { UpdateCrc } from './crc-tables.ts'

/** Large blocks need fewer CRCs to be joined, small ones leave less to be done byte by byte. */
const blockSizes = [16 * 1024, 2 * 1024]

/** Computes reflected CRCs of 32 or 64 bits. The coefficient of the highest power of `polynomial` is its lowest bit. */
export const crcKernel = (polynomial: bigint, bits: 32 | 64): UpdateCrc => {
  const bytes = byteTable(polynomial)
  const rest = sliceKernel(bytes)
  const kernels = blockSizes.map((size) => ({
    size,
    update: laneKernel(bytes, { width: bits === 32 ? 4 : 8, blockBytes: size, update: rest }),
  }))
  return (crc, some) => {
    let [value, left] = [crc, some]
    for (const { size, update } of kernels) {
      const length = left.length - (left.length % size)
      if (length > 0) value = update(value, left.subarray(0, length))
      left = left.subarray(length)
    }
    return left.length > 0 ? rest(value, left) : value
  }
}
