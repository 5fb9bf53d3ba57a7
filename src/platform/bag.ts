/**
 * Things that are here for a short time, in no order. A `Set` would keep them alive: every few changes V8 replaces its table,
 * and the previous table refers to the next. Once one of them is in the old generation, so is everything that is added
 * later, until the whole heap is collected; see main.ts.
 */
export const createBag = <T extends { place: number }>() => {
  const items: T[] = []
  return {
    items: items as readonly T[],
    add(item: T) {
      item.place = items.length
      items.push(item)
    },
    remove(item: T) {
      const { place } = item
      if (items[place] !== item) return
      const last = items.pop() as T
      if (last === item) return
      items[place] = last
      last.place = place
    },
  }
}
