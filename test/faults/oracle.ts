import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer, Outcome } from './traffic.ts'

/** A difference between what is stored and what must be stored. */
export type Verdict = { lost: string[]; doubled: string[]; halfDone: string[]; miscounted: string[] }

/** A value that requests replace one at a time: its known content, what it may be, and everything ever sent. */
type State = { known: string; maybe: string | null; sent: Set<string> }
/** One effect of a request, which is found again by its own marker. */
export type Found = { marker: string; whole: boolean }

export const absent = 'absent'
/** How old the caches of other nodes may be. */
const staleMs = 3_000

/** Records what acknowledged requests must have stored, and what requests without a response may have stored. */
export const createOracle = () => {
  const states = new Map<string, State>()
  const effects = new Map<string, Outcome>()
  const verdict: Verdict = { lost: [], doubled: [], halfDone: [], miscounted: [] }
  const stateOf = (name: string) => {
    const state = states.get(name) ?? { known: absent, maybe: null, sent: new Set([absent]) }
    states.set(name, state)
    return state
  }
  const names = (prefix: string) => [...states.keys()].filter((name) => name.startsWith(prefix))
  const markers = (prefix: string) => [...effects.keys()].filter((marker) => marker.startsWith(prefix))

  return {
    verdict,
    names,
    known: (name: string) => stateOf(name).known,
    /** Whether its content is certain: a request without a response may still be running. */
    isSettled: (name: string) => stateOf(name).maybe === null,

    async change(name: string, to: string, act: () => Promise<Answer>) {
      const state = stateOf(name)
      state.maybe = to
      state.sent.add(to)
      const answer = await act()
      if (answer.outcome === 'done') state.known = to
      if (answer.outcome !== 'unknown') state.maybe = null
      return answer
    },

    async effect(marker: string, act: () => Promise<Answer>) {
      effects.set(marker, 'unknown')
      const answer = await act()
      effects.set(marker, answer.outcome)
      return answer
    },

    /** Checks a value against what it may be. From then on it must stay what was found. */
    async judgeState(name: string, read: () => Promise<string>) {
      const state = stateOf(name)
      const isAllowed = (value: string) => value === state.known || value === state.maybe
      const found = await eventually(read, isAllowed)
      if (!isAllowed(found)) {
        const kind = state.sent.has(found) ? verdict.lost : verdict.halfDone
        kind.push(`${name} is ${found}, must be ${state.known}${state.maybe ? ` or ${state.maybe}` : ''}`)
      }
      Object.assign(state, { known: found, maybe: null })
      state.sent.add(found)
    },

    /** Checks effects: acknowledged ones exist once, those without a response at most once, refused ones never; none is partial. */
    async judgeEffects(prefix: string, read: () => Promise<Found[]>) {
      const found = await eventually(read, (list) => wrongCounts(list).length === 0)
      for (const [marker, count, outcome] of wrongCounts(found)) {
        const kind = count === 0 ? verdict.lost : count > 1 ? verdict.doubled : verdict.halfDone
        kind.push(`${marker} (${outcome ?? 'never sent'}) is there ${count} times`)
      }
      for (const { marker, whole } of found) if (!whole) verdict.halfDone.push(`${marker} is not whole`)
      const counts = tally(found)
      for (const marker of markers(prefix)) effects.set(marker, counts.has(marker) ? 'done' : 'refused')

      function wrongCounts(list: Found[]) {
        const counts = tally(list)
        return [...new Set([...markers(prefix), ...counts.keys()])]
          .map((marker) => [marker, counts.get(marker) ?? 0, effects.get(marker)] as const)
          .filter(([, count, outcome]) => !allowedCounts(outcome).includes(count))
      }
    },

    /** Checks that two numbers are equal. */
    async judgeCount(what: string, read: () => Promise<{ counted: unknown; expected: unknown }>) {
      const same = (pair: { counted: unknown; expected: unknown }) =>
        JSON.stringify(pair.counted) === JSON.stringify(pair.expected)
      const pair = await eventually(read, same)
      if (same(pair)) return
      verdict.miscounted.push(
        `${what}: ${JSON.stringify(pair.counted)} instead of ${JSON.stringify(pair.expected)}`,
      )
    },
  }
}
export type Oracle = ReturnType<typeof createOracle>

const allowedCounts = (outcome: Outcome | undefined) =>
  outcome === 'done' ? [1] : outcome === 'unknown' ? [0, 1] : [0]

const tally = (list: Found[]) => {
  const counts = new Map<string, number>()
  for (const { marker } of list) counts.set(marker, (counts.get(marker) ?? 0) + 1)
  return counts
}

const eventually = async <T>(read: () => Promise<T>, isRight: (value: T) => boolean) => {
  for (const deadline = Date.now() + staleMs; ; await sleep(200)) {
    const value = await read()
    if (isRight(value) || Date.now() > deadline) return value
  }
}
