import { isSmall, type UploadItem } from './item.ts'

/** The bytes of a small file, or the file itself if they could not be read. */
export type SmallSource = Uint8Array<ArrayBuffer> | File

/** What is read at once, and kept until it is sent. */
const most = { files: 100, bytes: 1024 * 1024 }

/** Reads small files ahead, many of them as one `Blob`: for a browser, each read is expensive, whatever its size. */
export const createReadAhead = () => {
  const read = new WeakMap<UploadItem, Promise<SmallSource>>()

  const readTogether = (items: UploadItem[]) => {
    const bytes = new Blob(items.map(({ file }) => file)).arrayBuffer()
    let end = 0
    for (const item of items) {
      const start = end
      end += item.size
      // If one of them cannot be read, each is read by itself, and that one says why.
      const own = bytes.then((all) => new Uint8Array(all, start, item.size))
      read.set(
        item,
        own.catch(() => item.file),
      )
    }
  }

  /** The content of a small file, and of those that are sent after it. */
  return (item: UploadItem, following: Iterable<UploadItem>): Promise<SmallSource> => {
    if (!read.has(item)) {
      const together = [item]
      let bytes = item.size
      for (const next of following) {
        if (together.length === most.files || bytes + next.size > most.bytes) break
        if (next === item || !isSmall(next) || read.has(next)) continue
        together.push(next)
        bytes += next.size
      }
      readTogether(together)
    }
    const source = read.get(item) as Promise<SmallSource>
    read.delete(item)
    return source
  }
}
