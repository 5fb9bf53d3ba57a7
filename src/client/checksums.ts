import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { partSizeFor } from '#sdk/upload-source.ts'

/** An entity tag is the MD5 of the content, or of the MD5s of its parts, followed by how many there are. */
const partsOf = (etag: string) => {
  const [, count] = /^[0-9a-f]{32}-(\d+)$/.exec(etag) ?? []
  return count === undefined ? 0 : Number(count)
}

const unquoted = (etag: string) => etag.replace(/^(W\/)?"|"$/g, '')

/**
 * Verifies bytes against an entity tag as they pass. Whether parts of another size were used than ours cannot be known;
 * `isKnown` is false then.
 */
export const etagOf = (expected: string, size: number) => {
  const etag = unquoted(expected)
  const count = partsOf(etag)
  const partSize = partSizeFor(size)
  const isKnown = count === 0 ? /^[0-9a-f]{32}$/.test(etag) : Math.ceil(size / partSize) === count
  const whole = createHash('md5')
  let part: Hash = createHash('md5')
  let filled = 0
  const add = (bytes: Uint8Array) => {
    if (count === 0) return void whole.update(bytes)
    for (let at = 0; at < bytes.byteLength; ) {
      const taken = bytes.subarray(at, at + partSize - filled)
      part.update(taken)
      at += taken.byteLength
      filled += taken.byteLength
      if (filled === partSize) endPart()
    }
  }
  const endPart = () => {
    whole.update(part.digest())
    part = createHash('md5')
    filled = 0
  }
  return {
    isKnown,
    add,
    matches() {
      if (!isKnown) return true
      if (count > 0 && filled > 0) endPart()
      const digest = whole.digest('hex')
      return etag === (count > 0 ? `${digest}-${count}` : digest)
    },
  }
}

/** Whether a file has the content with this entity tag. One whose parts are not known counts as another. */
export const hasContent = async (path: string, size: number, etag: string) => {
  const sum = etagOf(etag, size)
  if (!sum.isKnown) return false
  for await (const chunk of createReadStream(path, { highWaterMark: 1024 * 1024 })) sum.add(chunk)
  return sum.matches()
}
