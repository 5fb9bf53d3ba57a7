const size = 500

/** Does long work in stretches, each short enough not to be in anybody's way. */
export const inBatches = async (ids: readonly number[], work: (batch: number[]) => Promise<void>) => {
  for (let at = 0; at < ids.length; at += size) await work(ids.slice(at, at + size))
}
