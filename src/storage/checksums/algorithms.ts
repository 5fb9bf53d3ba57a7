import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { crcCombiner } from './combine.ts'
import { crcKernel, type UpdateCrc } from './crc-kernel.ts'

/** A checksum that is being computed. `digest` may be called once; a CRC is returned with its highest byte first. */
type Running = { update(bytes: Uint8Array): void; digest(): Buffer }

type Algorithm = {
  bytes: number
  start(): Running
  /** Only CRCs of whole objects follow from those of their parts. */
  combine?(parts: readonly { value: Buffer; size: number }[]): Buffer
}

const reflected = { CRC32: 0xedb88320n, CRC32C: 0x82f63b78n, CRC64NVME: 0x9a6c9329ac4bc9b5n }

const bigEndian = (value: bigint, bytes: number) =>
  Buffer.from(value.toString(16).padStart(2 * bytes, '0'), 'hex')

const numberOf = (value: Buffer) => BigInt(`0x${value.toString('hex')}`)

const combined = (polynomial: bigint, bits: 32 | 64) => {
  const combine = crcCombiner(polynomial, bits)
  return (parts: readonly { value: Buffer; size: number }[]) => {
    let whole = 0n
    for (const { value, size } of parts) whole = combine(whole, numberOf(value), size)
    return bigEndian(whole, bits / 8)
  }
}

/** Begins and ends with all bits inverted. */
const crc = (polynomial: bigint, bits: 32 | 64): Algorithm => {
  const ones = (1n << BigInt(bits)) - 1n
  let kernel: UpdateCrc | undefined
  return {
    bytes: bits / 8,
    combine: combined(polynomial, bits),
    start() {
      kernel ??= crcKernel(polynomial)
      const continued = kernel
      let value = ones
      return {
        update(bytes) {
          value = continued(value, bytes)
        },
        digest: () => bigEndian(value ^ ones, bits / 8),
      }
    },
  }
}

const digest = (name: string, bytes: number): Algorithm => ({
  bytes,
  start() {
    const hash = createHash(name)
    return { update: (some) => void hash.update(some), digest: () => hash.digest() }
  },
})

const byZlib: Algorithm = {
  bytes: 4,
  combine: combined(reflected.CRC32, 32),
  start() {
    let value = 0
    return {
      update(bytes) {
        value = crc32(bytes, value)
      },
      digest: () => bigEndian(BigInt(value), 4),
    }
  },
}

const algorithms = {
  MD5: digest('md5', 16),
  SHA1: digest('sha1', 20),
  SHA256: digest('sha256', 32),
  SHA512: digest('sha512', 64),
  CRC32: byZlib,
  CRC32C: crc(reflected.CRC32C, 32),
  CRC64NVME: crc(reflected.CRC64NVME, 64),
} satisfies Record<string, Algorithm>

export type AlgorithmName = keyof typeof algorithms
export const algorithmNames = Object.keys(algorithms) as AlgorithmName[]
export const algorithmOf = (name: AlgorithmName): Algorithm => algorithms[name]
