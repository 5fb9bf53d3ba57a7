/**
 * Calls `work` for each item, for at most `concurrency` of them at a time. After a failure no further item is started;
 * the promise rejects once those that are running have ended.
 */
export const inParallel = async <T>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const iterator = (async function* () {
    yield* items
  })()
  let failure: { error: unknown } | null = null
  const worker = async () => {
    while (!failure) {
      const { value, done } = await iterator.next()
      if (done || failure) return
      await work(value)
    }
  }
  const guardedWorker = () =>
    worker().catch((error) => {
      failure ??= { error }
    })
  await Promise.all(Array.from({ length: concurrency }, guardedWorker))
  await iterator.return()
  if (failure) throw (failure as { error: unknown }).error
}
