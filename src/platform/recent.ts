export type RecentMap<Value> = {
  get(key: string): Value | undefined
  set(key: string, value: Value): void
  delete(key: string): void
  clear(): void
  deleteIf(unwanted: (value: Value) => boolean): void
}

/**
 * A map that keeps at least the `max / 2` entries used last and never more than `max`. Two generations make that
 * cheap: finding the oldest entry of one large Map again and again would cost more than a cache saves.
 */
export const recentMap = <Value>(max: number): RecentMap<Value> => {
  let fresh = new Map<string, Value>()
  let stale = new Map<string, Value>()

  const set = (key: string, value: Value) => {
    fresh.set(key, value)
    if (fresh.size < max / 2) return
    stale = fresh
    fresh = new Map()
  }
  const remove = (key: string) => {
    fresh.delete(key)
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
    },
    deleteIf(unwanted: (value: Value) => boolean) {
      for (const generation of [fresh, stale])
        for (const [key, value] of generation) if (unwanted(value)) generation.delete(key)
    },
  }
}
