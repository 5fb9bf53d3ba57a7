/** A few at a time, results in order; the first failure ends it. */
export const inParallel = async <T, R>(list: readonly T[], work: (item: T) => Promise<R>, width = 6) => {
  const results: R[] = []
  let next = 0
  const lane = async () => {
    try {
      for (let at = next++; at < list.length; at = next++) results[at] = await work(list[at] as T)
    } catch (error) {
      next = list.length
      throw error
    }
  }
  await Promise.all(Array.from({ length: width }, lane))
  return results
}
