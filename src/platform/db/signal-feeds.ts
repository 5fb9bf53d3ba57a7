import type { Session } from './connection.ts'
import type { Database, Tx } from './database.ts'

/** How signals travel between nodes. */
export type Feed = {
  /** Resolves once everything that was published before it was called has been delivered. */
  check(): Promise<void>
  /** Outside of any transaction. */
  send(payloads: string[]): Promise<void>
}

type OpenFeed = (session: Session, deliver: (payload: string) => void, onGap: () => void) => Promise<Feed>

const channel = 'trivet_signals'

/** Part of the transaction that makes it true. */
export const publishSignal = (tx: Tx, pooled: boolean, payload: string): PromiseLike<unknown> =>
  pooled
    ? tx`insert into platform.signals (payload) values (${payload})`
    : tx`select pg_notify(${channel}, ${payload})`

/** PostgreSQL pushes signals, in the order of their commits, before it answers what is asked after them. */
export const listen: OpenFeed = async (session) => {
  await session.query({ text: `listen ${channel}` })
  return {
    async check() {
      await session.query({ text: 'select 1' })
    },
    async send(payloads) {
      const text = `select pg_notify('${channel}', payload) from unnest($1::text[]) payload`
      await session.query({ text, values: [payloads] })
    },
  }
}

type Poll = { horizon: string; asked_at: number; news: [id: number, payload: string][] }

// Rows of every transaction that was still running, or had not begun, when the previous poll looked.
const newSince = `
  select pg_snapshot_xmin(pg_current_snapshot())::text as horizon,
    extract(epoch from clock_timestamp())::float8 as asked_at,
    coalesce((select json_agg(json_build_array(id, payload) order by id) from platform.signals
      where transaction >= $1::text::xid8), '[]') as news`

/** Longer than that, and rows may have been deleted that this node has not seen. */
const longestPauseSeconds = 300

/** Where a pooler forbids LISTEN, signals are rows, and each is delivered once, however long its transaction took. */
export const poll: OpenFeed = async (session, deliver, onGap) => {
  const look = async (since: string) => {
    const { rows } = await session.query({ text: newSince, values: [since] })
    return rows[0] as Poll
  }
  const { rows } = await session.query({
    text: 'select pg_snapshot_xmin(pg_current_snapshot())::text as horizon',
  })
  let last = await look((rows[0] as Poll).horizon)
  return {
    async check() {
      const next = await look(last.horizon)
      if (next.asked_at - last.asked_at > longestPauseSeconds) onGap()
      const seen = new Set(last.news.map(([id]) => id))
      last = next
      for (const [id, payload] of next.news) if (!seen.has(id)) deliver(payload)
    },
    async send(payloads) {
      const text = 'insert into platform.signals (payload) select unnest($1::text[])'
      await session.query({ text, values: [payloads] })
    },
  }
}

/** Rows that every node has long seen. */
export const forgetOldSignals = (db: Database) => db.sql`
  delete from platform.signals where created_at < now() - interval '10 minutes'`
