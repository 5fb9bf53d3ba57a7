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
  /** Whom an account follows, mutes and blocks, by account id. */
  relations: 'publishing.relations',
  post: 'publishing.post',
  /** API keys by the Base64 of their hash. */
  key: 'publishing.key',
  /** Sessions by their id, and those of browsers also by the Base64 of the hash of their cookie. */
  session: 'publishing.session',
} as const

type Changes = Partial<Record<keyof typeof topics, readonly (number | string)[]>>

/** The keys of each topic that has changed. */
const byTopic = (changes: Changes): [topic: string, keys: string[]][] =>
  Object.entries(changes)
    .filter(([, keys]) => keys.length > 0)
    .map(([name, keys]) => [topics[name as keyof typeof topics], [...new Set(keys)].map(String)])

const forEachChange = (changes: Changes, signal: (topic: string, key: string) => void) => {
  for (const [topic, keys] of byTopic(changes)) for (const key of keys) signal(topic, key)
}

/** Every node drops these entries from its caches when the transaction commits. */
export const invalidate = async ({ signals }: Platform, tx: Tx, changes: Changes) => {
  const published: Promise<void>[] = []
  forEachChange(changes, (topic, key) => published.push(signals.publish(tx, topic, key)))
  await Promise.all(published)
}

/** For what SQL has signalled (`platform.signal`): this process drops it, too, before it responds. */
export const changed = ({ signals }: Platform, changes: Changes) =>
  forEachChange(changes, (topic, key) => signals.changed(topic, key))

/** For counters that change all the time: cheaper, and other nodes learn of it a little later. */
export const changedSoon = ({ db, signals }: Platform, changes: Changes) =>
  db.afterCommit(() => {
    for (const [topic, keys] of byTopic(changes)) signals.announce(topic, keys)
  })

/**
 * How long counters are cached. Their changes are announced without a transaction, so the crash of a node may lose an
 * announcement.
 */
export const maxCounterAgeMs = 60_000
