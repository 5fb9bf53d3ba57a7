/** Works on items as they come, on several at once. After a failure nothing new is begun; what is under way may end. */
export const inParallel = async <T>(
  items: AsyncIterable<T> | Iterable<T>,
  lanes: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const iterator = (async function* () {
    yield* items
  })()
  let failure: { error: unknown } | null = null
  const lane = async () => {
    while (!failure) {
      const { value, done } = await iterator.next()
      if (done || failure) return
      await work(value)
    }
  }
  const guarded = () =>
    lane().catch((error) => {
      failure ??= { error }
    })
  await Promise.all(Array.from({ length: lanes }, guarded))
  await iterator.return()
  if (failure) throw (failure as { error: unknown }).error
}
