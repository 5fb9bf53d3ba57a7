import type pg from 'pg'

/** Posts are one statement with their events, and a rule cannot leave a part of a statement out: the function is replaced. */
export const postsWithoutEvents = async (database: pg.Client) => {
  const { rows } = await database.query<{ text: string }>(
    `select pg_get_functiondef('publishing.create_post'::regproc) as text`,
  )
  const { text } = rows[0]!
  const silent = text.replace(/ {2}insert into platform\.events .*?;\n/s, '')
  if (silent === text) throw new Error('create_post has no statement that writes events')
  return { on: () => database.query(text), off: () => database.query(silent) }
}
