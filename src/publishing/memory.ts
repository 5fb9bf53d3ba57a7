import { loader } from '#platform/cache/loader.ts'
import { signalledCache } from '#platform/cache/signalled.ts'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'
import type { Memory } from './context.ts'
import { readCircle } from './graph/store.ts'
import { findLiveKey } from './keys/store.ts'
import { findPosts } from './posts/store.ts'
import { findIdByHandle, findPeople, findTallies } from './profiles/store.ts'
import { findSession } from './sessions/browser-store.ts'

export const topics = {
  person: 'publishing.person',
  tallies: 'publishing.tallies',
  handle: 'publishing.handle',
  circle: 'publishing.circle',
  post: 'publishing.post',
  key: 'publishing.key',
  session: 'publishing.session',
} as const

// Counters are kept current by announcements, which the crash of another node may swallow.
const maxAgeMs = 60_000

export const createMemory = ({ db, signals }: Platform): Memory => ({
  people: signalledCache(signals, {
    topic: topics.person,
    max: 100_000,
    load: loader((ids) => findPeople(db.sql, ids)),
  }),
  tallies: signalledCache(signals, {
    topic: topics.tallies,
    max: 100_000,
    maxAgeMs,
    load: loader((ids) => findTallies(db.sql, ids)),
  }),
  handles: signalledCache(signals, {
    topic: topics.handle,
    max: 100_000,
    load: (handle) => findIdByHandle(db.sql, handle),
  }),
  circles: signalledCache(signals, {
    topic: topics.circle,
    max: 5_000,
    load: (id) => readCircle(db.sql, Number(id)),
  }),
  posts: signalledCache(signals, {
    topic: topics.post,
    max: 100_000,
    maxAgeMs,
    load: loader((ids) => findPosts(db.sql, ids)),
  }),
  keys: signalledCache(signals, {
    topic: topics.key,
    max: 50_000,
    load: (encoded) => findLiveKey(db.sql, Buffer.from(encoded, 'base64')),
  }),
  sessions: signalledCache(signals, {
    topic: topics.session,
    max: 50_000,
    load: (encoded) => findSession(db.sql, Buffer.from(encoded, 'base64')),
  }),
})

type Changes = Partial<Record<keyof typeof topics, readonly (number | string)[]>>

const eachOf = (changes: Changes, tell: (topic: string, key: string) => void) => {
  for (const [name, keys] of Object.entries(changes))
    for (const key of new Set(keys)) tell(topics[name as keyof typeof topics], String(key))
}

/** Everybody forgets these things with the commit that changes them. */
export const forget = async ({ signals }: Platform, tx: Tx, changes: Changes) => {
  const told: Promise<void>[] = []
  eachOf(changes, (topic, key) => told.push(signals.publish(tx, topic, key)))
  await Promise.all(told)
}

/** The same for counters that change all the time: cheaper, and other nodes hear of it a little later. */
export const forgetSoon = ({ db, signals }: Platform, changes: Changes) =>
  db.afterCommit(() => eachOf(changes, (topic, key) => signals.announce(topic, key)))
