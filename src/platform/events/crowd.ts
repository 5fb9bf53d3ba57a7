/** Things that somebody holds, oldest first, counted by who holds them. */
export const createCrowd = <Thing>() => {
  const groups = new Map<string, Set<Thing>>()
  const oldestOf = (group: Set<Thing> | undefined) => group?.values().next().value
  return {
    add(holder: string, thing: Thing) {
      groups.getOrInsertComputed(holder, () => new Set()).add(thing)
    },
    remove(holder: string, thing: Thing) {
      const group = groups.get(holder)
      group?.delete(thing)
      if (group?.size === 0) groups.delete(holder)
    },
    of: (holder: string): ReadonlySet<Thing> => groups.get(holder) ?? new Set(),
    oldestOf: (holder: string) => oldestOf(groups.get(holder)),
    /** The oldest of whoever holds the most. */
    oldestOfGreediest() {
      let most: Set<Thing> | undefined
      for (const group of groups.values()) if (group.size > (most?.size ?? 0)) most = group
      return oldestOf(most)
    },
  }
}
