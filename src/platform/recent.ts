export type RecentMap<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  clear(): void
  deleteIf(unwanted: (value: Value) => boolean): void
}

/** A long key takes the room of several entries: clients choose many of them, and could fill the memory with keys. */
const weightOf = (key: string) => 1 + (key.length >> 8)

/**
 * A map that keeps at least the `max / 2` entries used last and never more than `max`, with keys of up to 255
 * characters; fewer with longer ones. Two generations make that cheap: finding the oldest entry of one large Map again
 * and again would cost more than a cache saves.
 */
export const recentMap = <Value>(max: number): RecentMap<Value> => {
  let fresh = new Map<string, Value>()
  let stale = new Map<string, Value>()
  let weight = 0

  const set = (key: string, value: Value) => {
    const size = fresh.size
    fresh.set(key, value)
    if (fresh.size > size) weight += weightOf(key)
    if (weight < max / 2) return
    stale = fresh
    fresh = new Map()
    weight = 0
  }
  const remove = (key: string) => {
    if (fresh.delete(key)) weight -= weightOf(key)
    stale.delete(key)
  }
  return {
    set,
    delete: remove,
    get(key: string): Value | undefined {
      const value = fresh.get(key)
      if (value !== undefined) return value
      const older = stale.get(key)
      if (older !== undefined) set(key, older)
      return older
    },
    clear() {
      fresh.clear()
      stale.clear()
      weight = 0
    },
    deleteIf(unwanted: (value: Value) => boolean) {
      for (const [key, value] of stale) if (unwanted(value)) stale.delete(key)
      for (const [key, value] of fresh) if (unwanted(value) && fresh.delete(key)) weight -= weightOf(key)
    },
  }
}
