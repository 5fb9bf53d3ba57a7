const size = 500

/** Runs long work in chunks, each a transaction short enough not to hold up others. */
export const inChunks = async (ids: readonly number[], work: (chunk: number[]) => Promise<void>) => {
  for (let at = 0; at < ids.length; at += size) await work(ids.slice(at, at + size))
}
