import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { crc32 } from 'node:zlib'
import fc from 'fast-check'
import { algorithmNames, algorithmOf } from './algorithms.ts'
import { crcKernel } from './crc-kernel.ts'

const checksum = (name: (typeof algorithmNames)[number], ...chunks: Uint8Array[]) => {
  const running = algorithmOf(name).start()
  for (const chunk of chunks) running.update(chunk)
  return running.digest()
}

test('each algorithm gives the published check value of "123456789"', () => {
  const check = Buffer.from('123456789')
  const expected = {
    MD5: '25f9e794323b453885f5181f1b624d0b',
    CRC32: 'cbf43926',
    CRC32C: 'e3069283',
    CRC64NVME: 'ae8b14860a799888',
    SHA1: 'f7c3bc1d808e04732adf679965ccc34ca7ae3441',
    SHA256: '15e2b0d3c33891ebb0f1ef609ec419420c20e320ce94c65fbc8c3312448eb225',
    SHA512:
      'd9e6762dd1c8eaf6d61b3c6192fc408d4d6d5f1176d0c29169bc24e71c3f274a' +
      'd27fcd5811b313d681f7e55ec02d73d499c95455b6b5bb503acf574fba8ffe85',
  }
  for (const name of algorithmNames) assert.equal(checksum(name, check).toString('hex'), expected[name])
})

test('the kernel computes the same CRC-32 as zlib, whatever the lengths of the chunks', () => {
  const update = crcKernel(0xedb88320n)
  fc.assert(
    fc.property(fc.array(fc.uint8Array({ maxLength: 100 }), { maxLength: 8 }), (chunks) => {
      let value = 0xffffffffn
      for (const chunk of chunks) value = update(value, chunk)
      assert.equal(value ^ 0xffffffffn, BigInt(crc32(Buffer.concat(chunks))))
    }),
  )
  const large = randomBytes(300_001)
  assert.equal(update(0xffffffffn, large) ^ 0xffffffffn, BigInt(crc32(large)))
})

const bitByBit = (polynomial: bigint, bits: number, bytes: Uint8Array) => {
  let crc = (1n << BigInt(bits)) - 1n
  for (const byte of bytes) {
    crc ^= BigInt(byte)
    for (let bit = 0; bit < 8; bit++) crc = (crc & 1n ? polynomial : 0n) ^ (crc >> 1n)
  }
  return crc
}

for (const [bits, polynomial] of [
  [32, 0x82f63b78n],
  [64, 0x9a6c9329ac4bc9b5n],
] as const)
  test(`the kernel computes a CRC of ${bits} bits as by hand, however large bodies are divided`, () => {
    const update = crcKernel(polynomial)
    const body = randomBytes(41_237)
    const expected = bitByBit(polynomial, bits, body)
    const cuts = fc.array(fc.integer({ min: 0, max: body.length }), { maxLength: 5 })
    fc.assert(
      fc.property(cuts, (places) => {
        const ends = [...places.sort((a, b) => a - b), body.length]
        let value = (1n << BigInt(bits)) - 1n
        for (const [index, end] of ends.entries())
          value = update(value, body.subarray(index === 0 ? 0 : ends[index - 1], end))
        assert.equal(value, expected)
      }),
      { examples: [[[]], [[16]], [[15, 31]], [[1, 16_385]]] },
    )
  })

for (const name of ['CRC32', 'CRC32C', 'CRC64NVME'] as const)
  test(`${name} of an object follows from that of its parts`, () => {
    fc.assert(
      fc.property(fc.array(fc.uint8Array({ maxLength: 3000 }), { minLength: 1, maxLength: 6 }), (parts) => {
        const each = parts.map((part) => ({ value: checksum(name, part), size: part.length }))
        assert.deepEqual(algorithmOf(name).combine?.(each), checksum(name, Buffer.concat(parts)))
      }),
      { numRuns: 50 },
    )
  })
