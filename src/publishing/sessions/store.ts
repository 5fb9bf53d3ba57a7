import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne, value } from '#platform/db/rows.ts'
import type { Session } from './schema.ts'

/** A session as every request needs it. */
export type Known = { id: number; userId: number; epoch: number; lastUsedAt: string; expiresAt: string }

const known = (q: Sql) => q`
  id, user_id as "userId", epoch, last_used_at as "lastUsedAt", expires_at as "expiresAt"`

export const findById = (q: Sql, id: number) =>
  maybeOne(q<Known[]>`select ${known(q)} from publishing.sessions where id = ${id}`)

export const findByCookie = (q: Sql, hash: Buffer) =>
  maybeOne(q<Known[]>`select ${known(q)} from publishing.sessions where cookie = ${hash}`)

/** Which of some cookies there are. */
export const existingCookies = (q: Sql, hashes: Buffer[]) => q<{ hash: Buffer }[]>`
  select cookie as hash from publishing.sessions where cookie = any (${hashes})`

export type NewSession = { userId: number; epoch: number; device: string | null; now: Date; expiresAt: Date }

/** `cookie` is the hash of that of a browser. */
export const insert = (
  q: Sql,
  { userId, epoch, device, now, expiresAt }: NewSession,
  cookie: Buffer | null,
) => q`
  insert into publishing.sessions (user_id, epoch, cookie, device, created_at, last_used_at, expires_at)
  values (${userId}, ${epoch}, ${cookie}, ${device}, ${now}, ${now}, ${expiresAt})`

/** With its first refresh token; returns its id. */
export const insertForProgram = (q: Sql, session: NewSession, token: Buffer) =>
  value<number>(q`
      with begun as (${insert(q, session, null)} returning id)
      insert into publishing.refresh_tokens (hash, session_id, expires_at)
      select ${token}, id, ${session.expiresAt} from begun returning session_id as id`)

/** Unless another process has noted it since `before`. */
export const noteUse = (q: Sql, id: number, now: Date, before: Date) => q`
  update publishing.sessions set last_used_at = ${now} where id = ${id} and last_used_at <= ${before}`

/** Those of an epoch, the one last used first. */
export const listSessions = (q: Sql, userId: number, max: number) => q<Omit<Session, 'is_current'>[]>`
  select s.id, case when s.cookie is null then 'program' else 'browser' end as kind, s.device, s.created_at,
    s.last_used_at, s.expires_at
  from publishing.sessions s join publishing.users u on u.id = s.user_id and u.token_epoch = s.epoch
  where s.user_id = ${userId} order by s.last_used_at desc, s.id desc limit ${max}`

/** Signals that they have ended, and returns the names by which each of them is cached. */
const deleteWhere = (q: Sql, condition: Fragment) => q<{ names: string[] }[]>`
  with ended as (
    delete from publishing.sessions where ${condition}
    returning array_remove(array[id::text, encode(cookie, 'base64')], null) as names
  )
  select array_to_json(names) as names,
    (select count(platform.signal('publishing.session', name)) from unnest(names) name) as signals
  from ended`

export const deleteOne = (q: Sql, userId: number, id: number) =>
  deleteWhere(q, q`user_id = ${userId} and id = ${id}`)

export const deleteOthers = (q: Sql, userId: number, id: number) =>
  deleteWhere(q, q`user_id = ${userId} and id <> ${id}`)

export const deleteByCookies = (q: Sql, hashes: Buffer[]) => deleteWhere(q, q`cookie = any (${hashes})`)

/** Those of earlier epochs, which are no longer valid. */
export const deleteAll = (q: Sql, userId: number) => q`
  delete from publishing.sessions where user_id = ${userId}`

type Refreshing = {
  id: number
  userId: number
  epoch: number
  usedAt: string | null
  expiresAt: string
}

/**
 * Finds a refresh token and locks its session: one that is being issued waits, and is found with its session, by whoever
 * ends that.
 */
export const lockSessionOf = async (q: Sql, hash: Buffer): Promise<Refreshing | undefined> => {
  await q`
    select from publishing.sessions
    where id = (select session_id from publishing.refresh_tokens where hash = ${hash}) for update`
  return maybeOne(q<Refreshing[]>`
    select s.id, s.user_id as "userId", s.epoch, t.used_at as "usedAt", t.expires_at as "expiresAt"
    from publishing.refresh_tokens t join publishing.sessions s on s.id = t.session_id where t.hash = ${hash}`)
}

type Turn = { id: number; used: Buffer; next: Buffer; now: Date; expiresAt: Date }

/** Puts a new refresh token in the place of one that is used now. */
export const turn = (q: Sql, { id, used, next, now, expiresAt }: Turn) => q`
  with used as (update publishing.refresh_tokens set used_at = ${now} where hash = ${used}),
    next as (
      insert into publishing.refresh_tokens (hash, session_id, expires_at) values (${next}, ${id}, ${expiresAt}))
  update publishing.sessions set last_used_at = ${now}, expires_at = ${expiresAt} where id = ${id}`

export const deleteLocked = (q: Sql, id: number) => q`delete from publishing.sessions where id = ${id}`

export const deleteExpired = async (q: Sql, now: Date) => {
  await q`delete from publishing.sessions where expires_at < ${now}`
  await q`delete from publishing.refresh_tokens where expires_at < ${now}`
}
