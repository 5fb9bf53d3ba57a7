import { createHash, type Hash } from 'node:crypto'
import { createReadStream, createWriteStream } from 'node:fs'
import { lstat, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type Duplex, PassThrough } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { damagedBackup, type Sum } from './manifest.ts'

type OnBytes = (bytes: number) => void

const readBytes = 256 * 1024

/** Feeds all bytes of a file to several hashes at once. */
export const hashFile = async (path: string, hashes: Hash[], onBytes: OnBytes = () => {}) => {
  const file = await open(path, 'r')
  try {
    const buffer = Buffer.allocUnsafe(readBytes)
    for (let bytes = 0; ; ) {
      const { bytesRead } = await file.read(buffer, 0, buffer.length)
      if (bytesRead === 0) return bytes
      for (const hash of hashes) hash.update(buffer.subarray(0, bytesRead))
      bytes += bytesRead
      onBytes(bytesRead)
    }
  } finally {
    await file.close()
  }
}

/** Writes a new file and returns its size and checksum. It is on disk once this returns. */
export const writeSummed = async (
  path: string,
  source: AsyncIterable<Buffer>,
  through: Duplex = new PassThrough(),
): Promise<Sum> => {
  const hash = createHash('sha256')
  let bytes = 0
  const sum = async function* (chunks: AsyncIterable<Buffer>) {
    for await (const chunk of chunks) {
      hash.update(chunk)
      bytes += chunk.length
      yield chunk
    }
  }
  const file = createWriteStream(path, { mode: 0o600, flags: 'wx', flush: true })
  await pipeline(source, through, sum, file)
  return { bytes, sha256: hash.digest('hex') }
}

/** Throws if a file of a backup is missing or differs from its checksum. */
export const checkFile = async (folder: string, name: string, expected: Sum, onBytes?: OnBytes) => {
  const path = join(folder, name)
  const facts = await lstat(path).catch(() => null)
  if (!facts) throw damagedBackup(folder, `${name} is missing`)
  if (!facts.isFile()) throw damagedBackup(folder, `${name} is not a file`)
  if (facts.size !== expected.bytes)
    throw damagedBackup(folder, `${name} has ${facts.size} bytes instead of ${expected.bytes}`)
  const hash = createHash('sha256')
  await hashFile(path, [hash], onBytes)
  if (hash.digest('hex') !== expected.sha256)
    throw damagedBackup(folder, `${name} is not what was backed up (its checksum differs)`)
}

/** Reads the lines of a file that may be larger than memory. */
export const linesOf = async function* (path: string) {
  let rest = ''
  for await (const chunk of createReadStream(path, 'utf8')) {
    const lines = (rest + chunk).split('\n')
    rest = lines.pop() as string
    yield* lines
  }
  if (rest) yield rest
}
