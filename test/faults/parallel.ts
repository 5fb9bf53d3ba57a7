/** Maps a list with a few calls at a time, keeping the order of results. Stops at the first failure. */
export const inParallel = async <T, R>(
  list: readonly T[],
  work: (item: T) => Promise<R>,
  concurrency = 6,
) => {
  const results: R[] = []
  let next = 0
  const worker = async () => {
    try {
      for (let at = next++; at < list.length; at = next++) results[at] = await work(list[at] as T)
    } catch (error) {
      next = list.length
      throw error
    }
  }
  await Promise.all(Array.from({ length: concurrency }, worker))
  return results
}
