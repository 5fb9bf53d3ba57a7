/** Bytes of small blobs that are read often. Blobs never change, so nothing has to be invalidated. */
export type ByteCache = { get(id: string): Buffer | undefined; put(id: string, bytes: Buffer): void }

/** Two generations: whatever was not read while one of them filled up is forgotten. */
export const createByteCache = (maxBytes: number): ByteCache => {
  let fresh = new Map<string, Buffer>()
  let stale = new Map<string, Buffer>()
  let size = 0

  const put = (id: string, bytes: Buffer) => {
    if (bytes.length > maxBytes / 8 || fresh.has(id)) return
    if (size + bytes.length > maxBytes / 2) {
      stale = fresh
      fresh = new Map()
      size = 0
    }
    fresh.set(id, bytes)
    size += bytes.length
  }
  return {
    put,
    get(id) {
      const bytes = fresh.get(id)
      if (bytes) return bytes
      const older = stale.get(id)
      if (older) put(id, older)
      return older
    },
  }
}
