import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'

/** What modules cache, and signal to every node when it changes. Kept responses depend on several of them. */
export const topics = {
  /** Accounts by id, without their counters. */
  account: 'publishing.account',
  /** The counters of accounts, by account id. */
  counters: 'publishing.counters',
  /** Account ids by lower-case handle. */
  handle: 'publishing.handle',
  /** Whom an account follows and mutes, by account id. */
  relations: 'publishing.relations',
  post: 'publishing.post',
  /** API keys by the Base64 of their hash. */
  key: 'publishing.key',
  /** Sessions of browsers by the Base64 of their hash. */
  session: 'publishing.session',
} as const

type Changes = Partial<Record<keyof typeof topics, readonly (number | string)[]>>

const forEachChange = (changes: Changes, signal: (topic: string, key: string) => void) => {
  for (const [name, keys] of Object.entries(changes))
    for (const key of new Set(keys)) signal(topics[name as keyof typeof topics], String(key))
}

/** Every node drops these entries from its caches when the transaction commits. */
export const invalidate = async ({ signals }: Platform, tx: Tx, changes: Changes) => {
  const published: Promise<void>[] = []
  forEachChange(changes, (topic, key) => published.push(signals.publish(tx, topic, key)))
  await Promise.all(published)
}

/** The same for counters that change all the time: cheaper, and other nodes learn of it a little later. */
export const invalidateSoon = ({ db, signals }: Platform, changes: Changes) =>
  db.afterCommit(() => forEachChange(changes, (topic, key) => signals.announce(topic, key)))

/**
 * How long counters are cached. Their changes are announced without a transaction, so the crash of a node may lose an
 * announcement.
 */
export const maxCounterAgeMs = 60_000
