import { LRUCache } from 'lru-cache'
import type { Signals } from '#platform/db/signals.ts'
import { moduleState } from '#platform/module-state.ts'
import type { Platform } from '#platform/platform.ts'
import { singleFlightByKey } from '#platform/single-flight.ts'
import { topics } from '../invalidation.ts'
import type { CachedResponse } from './cached-response.ts'

/** Of all workers together. */
const maxSizeOfAll = 64 * 1024 * 1024
/** About what an entry takes besides its body: headers, keys and the index. */
const overhead = (key: string, shows: readonly string[]) => 2_048 + 4 * key.length + 128 * shows.length
/** Its compressed forms, which are made later, take about half as much as the body. */
const withCompressed = (size: number) => Math.ceil(1.5 * size)
/** Bounds how long another node can show what changed while a crash swallowed the announcement. */
const ttl = 60_000

/** What a response shows. It is dropped as soon as one of these changes, or anything at all. */
export type Shown =
  | { accounts?: readonly number[]; counters?: readonly number[]; posts?: readonly number[] }
  | 'anything'

/** Makes a response that is not in the cache. */
export type Render = () => Promise<{ value: CachedResponse; shown: Shown }>

const namesOf = (shown: Shown) =>
  shown === 'anything'
    ? [shown]
    : [
        ...(shown.accounts ?? []).map((id) => `${topics.account} ${id}`),
        ...(shown.counters ?? []).map((id) => `${topics.counters} ${id}`),
        ...(shown.posts ?? []).map((id) => `${topics.post} ${id}`),
      ]

/**
 * Keeps whole responses (posts, profiles, feeds, embedded pages) by URL until something that they show changes. What
 * changes while a response is being rendered is remembered meanwhile, so that nothing outdated is kept.
 */
export const createResponseCache = (
  signals: Signals,
  /** Calls back when something changes that every response shows. */
  onEverything: (forget: () => void) => void = () => {},
  maxSize = maxSizeOfAll,
) => {
  /** The keys of the responses that show something, by its name. */
  const keysByName = new Map<string, Set<string>>()
  const kept = new LRUCache<string, { value: CachedResponse; shows: readonly string[] }>({
    maxSize,
    sizeCalculation: ({ value, shows }, key) => withCompressed(value.size) + overhead(key, shows),
    ttl,
    // A look at the clock starts a timer, by default every millisecond.
    ttlResolution: 1_000,
    dispose({ shows }, key) {
      for (const name of shows) {
        const keys = keysByName.get(name)
        keys?.delete(key)
        if (keys?.size === 0) keysByName.delete(name)
      }
    },
  })
  /** What has changed since, for each rendering in progress. */
  const changesDuring = new Set<Set<string>>()
  /** Renderings in progress that callers can share, which they can until anything changes. */
  const rendering = singleFlightByKey<CachedResponse>()

  const changed = (name: string) => {
    rendering.forgetAll()
    for (const changes of changesDuring) changes.add(name).add('anything')
    for (const each of [name, 'anything'])
      for (const key of [...(keysByName.get(each) ?? [])]) kept.delete(key)
  }
  for (const topic of [topics.account, topics.counters, topics.post])
    signals.on(topic, (id) => changed(`${topic} ${id}`))
  const forgetEverything = () => {
    rendering.forgetAll()
    kept.clear()
    for (const changes of changesDuring) changes.add('everything')
  }
  signals.onGap(forgetEverything)
  onEverything(forgetEverything)

  const keep = (key: string, value: CachedResponse, shows: readonly string[]) => {
    kept.set(key, { value, shows })
    // One that is larger than the whole cache is not kept.
    if (!kept.has(key)) return
    for (const name of shows) keysByName.set(name, (keysByName.get(name) ?? new Set()).add(key))
  }

  const renderAndKeep = async (key: string, render: Render) => {
    const changes = new Set<string>()
    changesDuring.add(changes)
    try {
      const { value, shown } = await render()
      const shows = namesOf(shown)
      const isOutdated = changes.has('everything') || shows.some((name) => changes.has(name))
      if (signals.reliable && !isOutdated) keep(key, value, shows)
      return value
    } finally {
      changesDuring.delete(changes)
    }
  }

  const find = (key: string) => (signals.reliable ? kept.get(key)?.value : undefined)

  return {
    /** What is kept, without rendering anything. */
    find,
    /** What is kept, or else is rendered now. */
    get: (key: string, render: Render): CachedResponse | Promise<CachedResponse> =>
      find(key) ?? rendering.run(key, () => renderAndKeep(key, render)),
  }
}

export const responses = moduleState(({ signals, config, instance }: Platform) =>
  createResponseCache(signals, instance.onChange, Math.ceil(maxSizeOfAll / config.workers)),
)
