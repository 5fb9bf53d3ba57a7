import type { Fragment, Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import type { Person } from '../events.ts'

export type WebhookRow = {
  id: string
  owner: string
  url: string
  patterns: string[]
  description: string | null
  is_active: boolean
  switched_off: string | null
  created_by: string | null
  created_by_name: string | null
  created_at: string
}
export type Secrets = { secret: string; previous_secret: string | null }
export type HeldWebhook = WebhookRow & Secrets & { failing_since: string | null }

const columns = (q: Sql) => q`
  w.id, w.owner, w.url, w.patterns, w.description, w.is_active, w.switched_off, w.created_by,
  w.created_by_name, w.created_at`

const secrets = (q: Sql, now: Date) => q`
  w.secret, case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret`

export type Place = { service: string; owner: string }

const ofOwner = (q: Sql, { service, owner }: Place) => q`
  w.service = ${service} and w.owner = ${owner} and w.deleted_at is null`

export const listWebhooks = (q: Sql, place: Place) => q<WebhookRow[]>`
  select ${columns(q)} from platform.webhooks w where ${ofOwner(q, place)} order by w.created_at, w.id`

export const findWebhook = (q: Sql, place: Place, id: string, now: Date) =>
  maybeOne(q<(WebhookRow & Secrets)[]>`
    select ${columns(q)}, ${secrets(q, now)} from platform.webhooks w where ${ofOwner(q, place)} and w.id = ${id}`)

export const countWebhooks = (q: Sql, place: Place) =>
  value<number>(q`select count(*) as n from platform.webhooks w where ${ofOwner(q, place)}`)

export type NewWebhook = {
  id: string
  url: string
  patterns: readonly string[]
  types: readonly string[]
  description: string | null
  secret: string
  by: Person | null
}

/** The `seq` of the last event that somebody has begun to write. */
const lastSeq = (q: Sql) =>
  q`(select case when is_called then last_value else 0 end from platform.events_seq_seq)`

/** Nobody else adds webhooks of this owner until the transaction ends. */
export const lockOwner = (q: Sql, { service, owner }: Place) => q`
  select pg_advisory_xact_lock(7482005, hashtext(${`${service} ${owner}`}))`

export const insertWebhook = (q: Sql, { service, owner }: Place, w: NewWebhook, now: Date) =>
  one(q<WebhookRow[]>`
    insert into platform.webhooks as w (id, service, owner, url, patterns, types, description, is_active,
      since_seq, secret, created_by, created_by_name, created_at)
    values (${w.id}, ${service}, ${owner}, ${w.url}, ${w.patterns as string[]}::text[], ${w.types as string[]}::text[],
      ${w.description}, true, ${lastSeq(q)}, ${w.secret}, ${w.by?.id ?? null},
      ${w.by?.name ?? null}, ${now})
    returning ${columns(q)}`)

export type WebhookChange = {
  url?: string
  patterns?: string[]
  types?: string[]
  description?: string | null
  is_active?: boolean
  switched_off?: null
  failing_since?: null
  created_by?: string
  created_by_name?: string
}

export const updateWebhook = (q: Sql, place: Place, id: string, change: WebhookChange) =>
  maybeOne(q<WebhookRow[]>`
    update platform.webhooks w set ${q.set(change)},
      since_seq = ${change.is_active ? q`case when w.is_active then w.since_seq else ${lastSeq(q)} end` : q`w.since_seq`}
    where ${ofOwner(q, place)} and w.id = ${id} returning ${columns(q)}`)

type Found = { id: string; url: string }

export const rotateSecret = (
  q: Sql,
  place: Place,
  id: string,
  { secret, until }: { secret: string; until: Date },
) =>
  maybeOne(q<Found[]>`
    update platform.webhooks w
    set previous_secret = secret, previous_secret_until = ${until}, secret = ${secret}
    where ${ofOwner(q, place)} and w.id = ${id} returning w.id, w.url`)

export const markDeleted = (q: Sql, place: Place, id: string, now: Date) =>
  maybeOne(q<Found[]>`
    update platform.webhooks w set deleted_at = ${now}, is_active = false
    where ${ofOwner(q, place)} and w.id = ${id} returning w.id, w.url`)

/** Switches off what belongs to a person. */
export const stopWebhooksOf = (q: Sql, place: Place, person: string, reason: string) => q<Found[]>`
  update platform.webhooks w set is_active = false, switched_off = ${reason}
  where ${ofOwner(q, place)} and w.is_active and w.created_by = ${person} returning w.id, w.url`

export const hasActive = async (q: Sql, service: string) =>
  (await q`select 1 from platform.webhooks where service = ${service} and is_active limit 1`).length > 0

/** The condition on `w` and `e` under which a webhook receives an event. */
export const ofSameOwner = (q: Sql) => q`w.owner = e.owner`

/** Keeps those who queue deliveries and those who finish them apart: either decides which one of a subject is next. */
export const lockQueue = (q: Sql, service: string) => q`
  select pg_advisory_xact_lock(7482004, hashtext(${service}))`

const queue = (q: Sql, matches: Fragment, now: Date) => q`
  insert into platform.deliveries (webhook_id, service, event_id, type, subject, due_at, created_at)
  select m.webhook_id, m.service, m.event_id, m.type, m.subject,
    case when row_number() over (partition by m.webhook_id, m.subject order by m.event_id) = 1
      and not exists (select from platform.deliveries d
        where d.webhook_id = m.webhook_id and d.subject = m.subject and d.status = 'pending') then ${now}::timestamptz end,
    ${now}
  from (${matches}) m order by m.event_id, m.webhook_id`

/** Queues new events for every webhook that receives them. The caller holds the queue and has just given them their ids. */
export const queueEvents = (q: Sql, service: string, ids: readonly string[], receives: Fragment, now: Date) =>
  queue(
    q,
    q`select w.id as webhook_id, e.service, e.id as event_id, e.type, e.subject
      from platform.events e join platform.webhooks w
        on w.service = e.service and w.is_active and e.seq > w.since_seq and e.type = any(w.types) and ${receives}
      where e.service = ${service} and e.id = any(${ids as string[]}::uuid[])`,
    now,
  )

export type Replay = { after: string; until: string | null; types: readonly string[] | null }

/** Queues past events for one webhook once more, up to `limit`, and returns their ids. The caller holds the queue. */
export const queueAgain = async (
  q: Sql,
  service: string,
  { id, after, until, types, limit }: Replay & { id: string; limit: number },
  receives: Fragment,
  now: Date,
) =>
  (
    await q<{ event_id: string }[]>`
      with queued as (${queue(
        q,
        q`select w.id as webhook_id, e.service, e.id as event_id, e.type, e.subject
          from platform.webhooks w join platform.events e
            on e.service = ${service} and e.id > ${after}::uuid and e.type = any(w.types) and ${receives}
              ${until === null ? q`` : q`and e.id <= ${until}::uuid`}
              ${types === null ? q`` : q`and e.type = any(${types as string[]}::text[])`}
          where w.id = ${id} order by e.id limit ${limit}`,
        now,
      )} returning event_id)
      select event_id from queued order by event_id`
  ).map(({ event_id }) => event_id)
