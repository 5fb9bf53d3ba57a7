/** Does something with each of many, a few at a time, in order. The first failure ends it. */
export const inParallel = async <Item>(
  items: readonly Item[],
  work: (item: Item) => Promise<unknown>,
  {
    atOnce = 4,
    signal,
    onDone,
  }: { atOnce?: number; signal?: AbortSignal; onDone?: (done: number) => void } = {},
) => {
  let next = 0
  let done = 0
  let failed = false
  const worker = async () => {
    while (next < items.length && !failed) {
      signal?.throwIfAborted()
      const item = items[next++] as Item
      try {
        await work(item)
      } catch (error) {
        failed = true
        throw error
      }
      onDone?.(++done)
    }
  }
  await Promise.all(Array.from({ length: Math.min(atOnce, items.length) }, worker))
}
