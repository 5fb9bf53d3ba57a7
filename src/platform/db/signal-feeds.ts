import type { Session } from './connection.ts'
import type { Database } from './database.ts'
import { demandWritable, showReadOnly } from './dial.ts'

/** How signals reach the other nodes. */
export type Feed = {
  /** Resolves once every signal that was published before the call has been delivered; fails if the server is read-only. */
  check(): Promise<void>
  /** Publishes signals outside of any transaction. */
  send(payloads: string[]): Promise<void>
}

type OpenFeed = (session: Session, deliver: (payload: string) => void, onGap: () => void) => Promise<Feed>

const channel = 'trivet_signals'

/** LISTEN/NOTIFY: PostgreSQL sends notifications in the order of commits, before the results of later statements. */
export const listen: OpenFeed = async (session) => {
  await session.query({ text: `listen ${channel}` })
  return {
    async check() {
      demandWritable(await session.query({ text: showReadOnly }))
    },
    async send(payloads) {
      const text = `select pg_notify('${channel}', payload) from unnest($1::text[]) payload`
      await session.query({ text, values: [payloads] })
    },
  }
}

type Poll = {
  horizon: string
  polled_at: number
  transaction_read_only: string
  added: [id: number, payload: string][]
}

// The rows of transactions that were running, or had not started, at the previous poll.
const addedSince = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
    extract(epoch from clock_timestamp())::float8 as polled_at,
    current_setting('transaction_read_only') as transaction_read_only,
    coalesce((select json_agg(json_build_array(id, payload) order by id) from platform.signals
      where transaction >= $1::text::xid8), '[]') as added`

/** After a longer pause, rows may have been deleted that this node has not read. */
const maxPauseSeconds = 300

/** Behind a pooler, where LISTEN does not work, signals are rows. Each is delivered once, however late it is committed. */
export const poll: OpenFeed = async (session, deliver, onGap) => {
  const read = async (since: string) => {
    const result = await session.query({ text: addedSince, values: [since] })
    demandWritable(result)
    return result.rows[0] as Poll
  }
  const { rows } = await session.query({
    text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
  })
  let last = await read((rows[0] as Poll).horizon)
  return {
    async check() {
      const next = await read(last.horizon)
      if (next.polled_at - last.polled_at > maxPauseSeconds) onGap()
      const seen = new Set(last.added.map(([id]) => id))
      last = next
      for (const [id, payload] of next.added) if (!seen.has(id)) deliver(payload)
    },
    async send(payloads) {
      const text = 'insert into platform.signals (payload) select unnest($1::text[])'
      await session.query({ text, values: [payloads] })
    },
  }
}

/** Deletes rows that every node has read long ago. */
export const deleteOldSignals = (db: Database) => db.sql`
  delete from platform.signals where created_at < now() - interval '10 minutes'`
