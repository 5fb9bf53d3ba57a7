import type { Sql } from '#platform/db/database.ts'
import { value } from '#platform/db/rows.ts'
import type { StoredEvent } from '../events.ts'
import type { HeldWebhook } from './store.ts'

export type DeliveryRow = {
  id: string
  event_id: string
  type: string
  attempts: number
  status: 'pending' | 'succeeded' | 'dead'
  response_status: number | null
  response_time_ms: number | null
  response_body: string | null
  error: string | null
  next_attempt_at: string | null
  created_at: string
}

type Filter = { webhookId: string; status: string | undefined }

const matching = (q: Sql, { webhookId, status }: Filter) => q`
  d.webhook_id = ${webhookId} ${status === undefined ? q`` : q`and d.status = ${status}`}`

/** Newest first. */
export const listDeliveries = (q: Sql, filter: Filter, page: { limit: number; offset: number }) => q<
  DeliveryRow[]
>`
  select d.id, d.event_id, d.type, d.attempts, d.status, d.response_status, d.response_time_ms, d.response_body, d.error,
    case when d.status = 'pending' then d.due_at end as next_attempt_at, d.created_at
  from platform.deliveries d where ${matching(q, filter)}
  order by d.position desc limit ${page.limit} offset ${page.offset}`

export const countDeliveries = (q: Sql, filter: Filter) =>
  value<number>(q`select count(*) as n from platform.deliveries d where ${matching(q, filter)}`)

/** A time at which a delivery is due before all others of its webhook. */
const beforeOthers = (q: Sql, webhookId: string, now: Date) => q`
  least(${now}::timestamptz, (select min(o.due_at) - interval '1 ms' from platform.deliveries o
    where o.webhook_id = ${webhookId} and o.status = 'pending' and o.due_at is not null))`

/** Makes a delivery again: next, or as the last of its subject if others of that are pending. The caller holds the queue. */
export const requeue = async (q: Sql, webhookId: string, id: string, now: Date) =>
  (
    await q`
      update platform.deliveries d set status = 'pending', attempts = 0, error = null, position = default,
        due_at = case when not exists (select from platform.deliveries o where o.webhook_id = d.webhook_id
          and o.subject = d.subject and o.status = 'pending' and o.id <> d.id) then ${beforeOthers(q, webhookId, now)} end
      where d.webhook_id = ${webhookId} and d.id = ${id} and d.status <> 'pending' returning 1`
  ).length > 0

/** Makes a pending delivery next, unless it waits for an earlier one of its subject. */
export const hasten = async (q: Sql, webhookId: string, id: string, now: Date) =>
  (
    await q`
      update platform.deliveries set due_at = case when due_at is not null then ${beforeOthers(q, webhookId, now)} end
      where webhook_id = ${webhookId} and id = ${id} and status = 'pending' returning 1`
  ).length > 0

/** Takes the webhooks to which something is due and nobody delivers, and keeps those that this process has. */
export const holdWebhooks = (
  q: Sql,
  { service, holder, seconds, now }: { service: string; holder: string; seconds: number; now: Date },
) => q<HeldWebhook[]>`
  update platform.webhooks w set held_by = ${holder}, held_until = clock_timestamp() + make_interval(secs => ${seconds}::int)
  from (select id from platform.webhooks w where w.service = ${service} and w.is_active
      and (w.held_by = ${holder} or w.held_until is null or w.held_until < clock_timestamp())
      and exists (select from platform.deliveries d
        where d.webhook_id = w.id and d.status = 'pending' and d.due_at <= ${now})
    order by id for no key update skip locked) due
  where w.id = due.id
  returning w.id, w.owner, w.url, w.patterns, w.description, w.is_active, w.switched_off, w.created_at, w.secret,
    case when w.previous_secret_until > ${now} then w.previous_secret end as previous_secret, w.failing_since`

export const releaseWebhook = (q: Sql, id: string, holder: string) => q`
  update platform.webhooks set held_by = null, held_until = null where id = ${id} and held_by = ${holder}`

export type DueDelivery = { delivery_id: string; attempts: number } & (
  | ({ is_removed: false } & StoredEvent)
  | { is_removed: true }
)

/** Which deliveries to look for; any of the webhook, if `only` does not name some. */
export type Which = { only?: readonly string[]; except: readonly string[]; limit: number }

export const dueDeliveries = (
  q: Sql,
  webhookId: string,
  { only, except, limit, now }: Which & { now: Date },
) => q<DueDelivery[]>`
  select d.id as delivery_id, d.attempts, e.id is null as is_removed, e.id, e.owner, e.type, e.subject, e.created_at,
    e.data::text as data
  from (select * from platform.deliveries d
    where d.webhook_id = ${webhookId} and d.status = 'pending' and d.due_at <= ${now}
      and d.id <> all(${except as string[]}::uuid[])
      ${only ? q`and d.id = any(${only as string[]}::uuid[])` : q``}
    order by d.due_at, d.position limit ${limit}) d
  left join platform.events e on e.service = d.service and e.id = d.event_id
  order by d.due_at, d.position`

export type Finished = {
  id: string
  webhook_id: string
  status: 'pending' | 'succeeded' | 'dead'
  due_at: string | null
  response_status: number | null
  response_time_ms: number | null
  response_body: string | null
  error: string | null
}

/** Records attempts; see `platform.finish_deliveries`. */
export const finishDeliveries = (q: Sql, service: string, finished: readonly Finished[], now: Date) => q`
  select platform.finish_deliveries(${service}, ${now}, ${JSON.stringify(finished)}::json)`

/** Switches a webhook off that is still on, and returns whether it was. */
export const switchOff = async (q: Sql, id: string, reason: string) =>
  (
    await q`
      update platform.webhooks set is_active = false, switched_off = ${reason}
      where id = ${id} and is_active returning 1`
  ).length > 0

/** The oldest event that some active webhook has not got yet. */
export const oldestPending = (q: Sql, service: string) =>
  value<string | null>(q`
      select min(d.created_at) as oldest from platform.webhooks w cross join lateral (
        select created_at from platform.deliveries d
        where d.webhook_id = w.id and d.status = 'pending' order by d.position limit 1) d
      where w.service = ${service} and w.is_active`)

/**
 * Removes deliveries from before a moment, at most `limit`. Those of a webhook are in the order in which they were queued, so
 * only its first ones are looked at, however many it has. One that was made again may stay as long as those behind which it
 * was queued.
 */
export const removeOld = async (q: Sql, service: string, before: Date, limit: number) =>
  (
    await q`
      with old as (select d.id from platform.webhooks w cross join lateral (
          select id, created_at from platform.deliveries where webhook_id = w.id order by position limit ${limit}) d
        where w.service = ${service} and d.created_at < ${before}
          and (select created_at from platform.deliveries where webhook_id = w.id order by position limit 1) < ${before}
        limit ${limit})
      delete from platform.deliveries d using old where d.id = old.id returning 1`
  ).length

/** Removes deliveries of webhooks that were deleted, at most `limit`, and those webhooks that have none left. */
export const removeDeleted = (q: Sql, service: string, limit: number) =>
  value<number>(q`
      with old as (select d.id from platform.webhooks w join platform.deliveries d on d.webhook_id = w.id
        where w.service = ${service} and w.deleted_at is not null limit ${limit}),
      removed as (delete from platform.deliveries d using old where d.id = old.id returning 1),
      gone as (delete from platform.webhooks w where w.service = ${service} and w.deleted_at is not null
        and not exists (select from platform.deliveries d where d.webhook_id = w.id))
      select count(*) as removed from removed`)

export const releaseAll = (q: Sql, service: string, holder: string) => q`
  update platform.webhooks set held_by = null, held_until = null where service = ${service} and held_by = ${holder}`
