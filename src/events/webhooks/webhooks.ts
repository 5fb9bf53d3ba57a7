import type { Sql } from '#platform/db/database.ts'
import { AppError, conflict, invalid, notFound } from '#platform/errors.ts'
import { uuidv7 } from '#platform/ids.ts'
import type { Platform } from '#platform/platform.ts'
import type { Events, Reader } from '../events.ts'
import { typesOf } from '../filter.ts'
import { fromWire, toWire } from '../ids.ts'
import type { createEventLog } from '../log.ts'
import * as deliveries from './deliveries-store.ts'
import type { NewWebhook, Replay, WebhookChange } from './schema.ts'
import type { Sender } from './sender.ts'
import { newSecret } from './signature.ts'
import * as store from './store.ts'
import { RefusedTarget, type Targets } from './target.ts'

export const webhookTopic = 'webhooks'
/** Tells the process that delivers to a webhook which delivery is to be made at once. */
export const hurryTopic = 'webhook-hurry'
const maxWebhooks = 20
const bothSecretsMs = 24 * 3_600_000
const sealedFor = 'webhooks'
const replayedAtOnce = 2_000

/** The secrets with which messages to a webhook are signed. */
export const secretsOf = ({ secrets }: Platform, { secret, previous_secret }: store.Secrets) =>
  [secret, ...(previous_secret === null ? [] : [previous_secret])].map((sealed) =>
    secrets.unseal(sealedFor, sealed),
  )

const shown = ({ patterns, created_by, created_by_name, ...webhook }: store.WebhookRow) => {
  const { id, url, description, is_active, switched_off, created_at } = webhook
  const by = created_by === null ? null : { id: created_by, name: created_by_name ?? '' }
  return { id, url, types: patterns, description, is_active, switched_off, created_by: by, created_at }
}

type Deed = 'created' | 'updated' | 'secret_rotated' | 'tested' | 'redelivered' | 'replayed' | 'deleted'

/** Managing the webhooks of a service. */
export const createWebhooks = <Context extends Platform, Who extends Reader>(
  service: string,
  ctx: Context,
  events: Events<Context, Who>,
  log: ReturnType<typeof createEventLog<Context, Who>>,
  { targets, sender }: { targets: Targets; sender: Sender },
) => {
  const { db, clock, signals, secrets } = ctx
  const known = Object.keys(events.types)
  const place = ({ owner }: Reader) => ({ service, owner })
  const missing = () => notFound('Webhook not found')

  const personOf = async (tx: Sql, me: Who) => (await events.accountable?.person(tx, me)) ?? null
  const record = (q: Sql, me: Who, deed: Deed, { id, url }: { id: string; url: string }) =>
    events.accountable?.record(q, me, {
      action: `webhook.${deed}`,
      webhook: id,
      host: new URL(url).host,
      now: clock.now(),
    })

  const checkUrl = (url: string) => {
    try {
      targets.check(url)
    } catch (error) {
      if (error instanceof RefusedTarget) invalid('url', error.message)
      throw error
    }
  }

  const find = async (me: Reader, id: string) =>
    (await store.findWebhook(db.sql, place(me), id, clock.now())) ?? missing()

  return {
    list: async (me: Who) => (await store.listWebhooks(db.sql, place(me))).map(shown),
    read: async (me: Who, id: string) => shown(await find(me, id)),

    /** It receives what happens from now on. */
    async create(me: Who, { url, types: patterns = ['*'], description = null }: NewWebhook) {
      checkUrl(url)
      const types = typesOf(known, patterns, 'types')
      const secret = newSecret()
      const row = { id: uuidv7(), url, patterns, types, description, secret: secrets.seal(sealedFor, secret) }
      return db.transaction(async (tx) => {
        const by = await personOf(tx, me)
        await store.lockOwner(tx, place(me))
        if ((await store.countWebhooks(tx, place(me))) >= maxWebhooks)
          throw new AppError(events.webhooks.limitStatus, `There can be at most ${maxWebhooks} webhooks`, {
            code: 'too_many_webhooks',
          })
        const webhook = await store.insertWebhook(tx, place(me), { ...row, by }, clock.now())
        await record(tx, me, 'created', webhook)
        await signals.publish(tx, webhookTopic, service)
        return { ...shown(webhook), secret }
      })
    },

    async change(me: Who, id: string, { url, types: patterns, description, is_active }: WebhookChange) {
      if (url !== undefined) checkUrl(url)
      const change: store.WebhookChange = {
        ...(url === undefined ? {} : { url }),
        ...(patterns === undefined ? {} : { patterns, types: typesOf(known, patterns, 'types') }),
        ...(description === undefined ? {} : { description }),
        ...(is_active === undefined ? {} : { is_active }),
        ...(is_active ? { switched_off: null, failing_since: null } : {}),
      }
      if (Object.keys(change).length === 0) return shown(await find(me, id))
      return db.transaction(async (tx) => {
        const by = url === undefined && !is_active ? null : await personOf(tx, me)
        const taken = by && { created_by: by.id, created_by_name: by.name }
        const webhook = (await store.updateWebhook(tx, place(me), id, { ...change, ...taken })) ?? missing()
        await record(tx, me, 'updated', webhook)
        await signals.publish(tx, webhookTopic, service)
        return shown(webhook)
      })
    },

    remove: (me: Who, id: string) =>
      db.transaction(async (tx) => {
        const webhook = (await store.markDeleted(tx, place(me), id, clock.now())) ?? missing()
        await record(tx, me, 'deleted', webhook)
      }),

    async rotate(me: Who, id: string) {
      const secret = newSecret()
      const next = {
        secret: secrets.seal(sealedFor, secret),
        until: new Date(clock.now().getTime() + bothSecretsMs),
      }
      return db.transaction(async (tx) => {
        const webhook = (await store.rotateSecret(tx, place(me), id, next)) ?? missing()
        await record(tx, me, 'secret_rotated', webhook)
        return { secret }
      })
    },

    /** Sends an event that is not among those that are read. */
    async test(me: Who, id: string) {
      const webhook = await find(me, id)
      const now = clock.now()
      await db.transaction(async (tx) => void (await record(tx, me, 'tested', webhook)))
      const event = {
        id: toWire(uuidv7(now.getTime())),
        type: 'webhook.test',
        created_at: now.toISOString(),
        subject: `webhook/${id}`,
        data: shown(webhook),
      }
      const body = JSON.stringify(event)
      return sender.send({ url: webhook.url, secrets: secretsOf(ctx, webhook), id: event.id, body, now })
    },

    async listDeliveries(
      me: Who,
      id: string,
      status: string | undefined,
      page: { limit: number; offset: number },
    ) {
      await find(me, id)
      const filter = { webhookId: id, status }
      const [rows, total] = await Promise.all([
        deliveries.listDeliveries(db.sql, filter, page),
        deliveries.countDeliveries(db.sql, filter),
      ])
      return { deliveries: rows.map((row) => ({ ...row, event_id: toWire(row.event_id) })), total }
    },

    /** Delivers once more what was delivered or given up, and at once what waits for its next attempt. */
    async retry(me: Who, id: string, deliveryId: string) {
      const webhook = await find(me, id)
      if (!webhook.is_active) conflict('The webhook is switched off')
      await db.transaction(async (tx) => {
        await store.lockQueue(tx, service)
        const isThere =
          (await deliveries.requeue(tx, id, deliveryId, clock.now())) ||
          (await deliveries.hasten(tx, id, deliveryId, clock.now()))
        if (!isThere) notFound('Delivery not found')
        await record(tx, me, 'redelivered', webhook)
        await signals.publish(tx, hurryTopic, `${id} ${deliveryId}`)
      })
      return { id: deliveryId, status: 'pending' as const }
    },

    async replay(me: Who, id: string, { after, until, types }: Replay) {
      const webhook = await find(me, id)
      if (!webhook.is_active) conflict('The webhook is switched off')
      const wanted = {
        after: fromWire(after),
        until: until === undefined ? null : fromWire(until),
        types: types === undefined ? null : typesOf(known, types, 'types'),
      }
      await log.number()
      const queueSome = (last: string) =>
        db.transaction(async (tx) => {
          if (last === wanted.after) await record(tx, me, 'replayed', webhook)
          await store.lockQueue(tx, service)
          const receives = events.receives?.(tx) ?? store.ofSameOwner(tx)
          const next = { id, ...wanted, after: last, limit: replayedAtOnce }
          return store.queueAgain(tx, service, next, receives, clock.now())
        })
      let replayed = 0
      for (let last = wanted.after; ; ) {
        const ids = await queueSome(last)
        replayed += ids.length
        if (ids.length < replayedAtOnce) return { replayed }
        last = ids.at(-1) as string
      }
    },
  }
}
export type Webhooks<Who extends Reader> = ReturnType<typeof createWebhooks<Platform, Who>>
