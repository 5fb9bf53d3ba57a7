import type { Logger } from 'pino'
import type { Config } from '#platform/config.ts'
import type { Database } from '#platform/db/database.ts'
import type { Signals } from '#platform/db/signals.ts'
import { singleFlight } from '#platform/single-flight.ts'
import { readSetting } from './files.ts'
import { defaults, type FileSetting, type Instance } from './settings.ts'
import { readStored, type Stored, saveStored } from './store.ts'

const topic = 'platform.instance'

/** The installation as people see it. What the environment sets stands above what a command has stored. */
export type InstanceSettings = {
  readonly current: Instance
  /** What is set by the environment, and so cannot be changed by a command. */
  readonly fixed: ReadonlySet<string>
  /** Called when something else is current: whatever shows it must be made anew. */
  onChange(listener: () => void): void
  /** Replaces what is stored, on every node. */
  save(change: (stored: Stored) => Stored): Promise<void>
  /** Waits until nothing is being read, and reads nothing more. */
  close(): Promise<void>
}

const fromEnvironment = async ({ instance: { texts, files } }: Config): Promise<Stored> => {
  const read = Object.entries(files).map(([name, path]) =>
    readSetting(name as FileSetting, path, `The file of INSTANCE_${name.toUpperCase()}`),
  )
  return Object.assign({}, texts, ...(await Promise.all(read)))
}

type Parts = { config: Config; db: Database; signals: Signals; log: Logger }

export const openInstance = async ({ config, db, signals, log }: Parts): Promise<InstanceSettings> => {
  const set = await fromEnvironment(config)
  const listeners: (() => void)[] = []
  let current = defaults
  let reading: Promise<void> = Promise.resolve()
  let isClosed = false
  const load = singleFlight(async () => {
    const stored = await readStored(db.sql)
    current = { ...defaults, ...stored, ...set }
    for (const listener of listeners) listener()
  })
  const loadAgain = () => {
    if (isClosed) return
    reading = load().catch((err) => log.warn({ err }, 'the name of this instance could not be read again'))
  }
  await load()
  signals.on(topic, loadAgain)
  signals.onGap(loadAgain)
  return {
    get current() {
      return current
    },
    fixed: new Set(Object.keys(set)),
    onChange: (listener) => void listeners.push(listener),
    async save(change) {
      await db.transaction(async (tx) => {
        await tx`select pg_advisory_xact_lock(hashtextextended(${topic}, 0))`
        await saveStored(tx, change(await readStored(tx)))
        await signals.publish(tx, topic, '')
      })
      await load()
    },
    async close() {
      isClosed = true
      await reading
    },
  }
}
