import { createHash } from 'node:crypto'
import type { Signals } from '#platform/db/signals.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { topics } from './invalidation.ts'
import type { Whole } from './whole.ts'

const maxBytes = 64 * 1024 * 1024
/** About what an answer takes besides its body: its head and what is logged of it, which name its address too. */
const bytesAround = (key: string, shows: readonly string[]) => 2_048 + 4 * key.length + 128 * shows.length
const maxAgeMs = 60_000
const lookEveryMs = 1_000

/** What a drawing shows; it is forgotten as soon as one of these changes, or anything at all. */
export type Shown =
  | { people?: readonly number[]; tallies?: readonly number[]; posts?: readonly number[] }
  | 'anything'

/** The same for the same bytes on every node. */
export const etagOf = (body: Buffer | string) =>
  `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`

const thingsIn = (shown: Shown) =>
  shown === 'anything'
    ? [shown]
    : [
        ...(shown.people ?? []).map((id) => `${topics.account} ${id}`),
        ...(shown.tallies ?? []).map((id) => `${topics.counters} ${id}`),
        ...(shown.posts ?? []).map((id) => `${topics.post} ${id}`),
      ]

/**
 * Keeps whole answers (posts, profiles, feeds, embed pages) by their address until something that they show changes. What
 * changed while an answer was being drawn is remembered meanwhile, so that nothing outdated is kept.
 */
export const drawnCache = (signals: Signals) => {
  let bytes = 0
  const kept = new Map<string, { value: Whole; bytes: number; until: number; shows: readonly string[] }>()
  const shownIn = new Map<string, Set<string>>()
  const drawing = new Set<Set<string>>()
  // Shared by whoever asks for the same meanwhile, until anything changes.
  const running = new Map<string, Promise<Whole>>()

  const drop = (key: string) => {
    bytes -= kept.get(key)?.bytes ?? 0
    for (const thing of kept.get(key)?.shows ?? []) {
      const keys = shownIn.get(thing)
      keys?.delete(key)
      if (keys?.size === 0) shownIn.delete(thing)
    }
    kept.delete(key)
  }
  const changed = (thing: string) => {
    running.clear()
    for (const changes of drawing) changes.add(thing).add('anything')
    for (const name of [thing, 'anything']) for (const key of [...(shownIn.get(name) ?? [])]) drop(key)
  }
  for (const topic of [topics.account, topics.counters, topics.post])
    signals.on(topic, (id) => changed(`${topic} ${id}`))
  signals.onGap(() => {
    running.clear()
    for (const key of [...kept.keys()]) drop(key)
    for (const changes of drawing) changes.add('everything')
  })

  // Nobody who asks has to look at the clock. The oldest are first.
  let isLooking = false
  const dropOld = () => {
    isLooking = false
    const now = performance.now()
    for (const [key, { until }] of kept) {
      if (until > now) break
      drop(key)
    }
    if (kept.size > 0) look()
  }
  const look = () => {
    if (isLooking) return
    isLooking = true
    setTimeout(dropOld, lookEveryMs).unref()
  }

  const keep = (key: string, value: Whole, shows: readonly string[]) => {
    drop(key)
    const size = value.length + bytesAround(key, shows)
    kept.set(key, { value, bytes: size, shows, until: performance.now() + maxAgeMs })
    bytes += size
    while (bytes > maxBytes) drop(kept.keys().next().value as string)
    for (const thing of shows) shownIn.set(thing, (shownIn.get(thing) ?? new Set()).add(key))
    look()
  }

  const draw = async (key: string, load: () => Promise<{ value: Whole; shown: Shown }>): Promise<Whole> => {
    const changes = new Set<string>()
    drawing.add(changes)
    try {
      const { value, shown } = await load()
      const shows = thingsIn(shown)
      const outdated = changes.has('everything') || shows.some((thing) => changes.has(thing))
      if (signals.reliable && !outdated) keep(key, value, shows)
      return value
    } finally {
      drawing.delete(changes)
    }
  }

  return {
    find(key: string): Whole | undefined {
      return signals.reliable ? kept.get(key)?.value : undefined
    },
    draw(key: string, load: () => Promise<{ value: Whole; shown: Shown }>): Promise<Whole> {
      const started = running.get(key) ?? draw(key, load)
      running.set(key, started)
      const done = () => {
        if (running.get(key) === started) running.delete(key)
      }
      started.then(done, done)
      return started
    },
  }
}

export const drawn = moduleState(({ signals }: Platform) => drawnCache(signals))
