/** A seeded random generator (mulberry32), so that a seed repeats its choices. */
export const randomFrom = (seed: number) => {
  let state = seed >>> 0
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const between = (low: number, high: number) => Math.floor(low + next() * (high - low + 1))
  return {
    between,
    pick: <T>(list: readonly T[]) => list[Math.floor(next() * list.length)] as T,
    shuffled<T>(list: readonly T[]) {
      const rest = [...list]
      return list.map(() => rest.splice(between(0, rest.length - 1), 1)[0] as T)
    },
  }
}
export type Random = ReturnType<typeof randomFrom>
