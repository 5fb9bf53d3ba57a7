import type { Tx } from '#platform/db/database.ts'
import type { Job } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'
import type { Events, Reader } from '../events.ts'
import { switchOff } from './deliveries-store.ts'
import type { Attempt } from './sender.ts'
import * as store from './store.ts'
import { webhookTopic } from './webhooks.ts'

const patienceMs = 5 * 86_400_000

type Stop = { person: string; reason: string; silently?: boolean }

const jobName = (service: string) => `${service}.tell-webhook-off`
/** `reason`, where it was not that nothing could be delivered. */
type Notice = { owner: string; url: string; reason?: string }

/**
 * Switches a webhook off whose receiver wants nothing more (410), or has accepted nothing for five days; whoever manages it
 * is told of the latter. Returns whether it did.
 */
export const switchOffIfHopeless = async (
  { db, clock, jobs }: Platform,
  service: string,
  { id, owner, url, failing_since: since }: store.HeldWebhook,
  { response_status: status }: Attempt,
): Promise<boolean> => {
  if (status === 410) return db.write((q) => switchOff(q, id, 'The receiver responded with 410'))
  if (since === null || clock.now().getTime() - Date.parse(since) < patienceMs) return false
  return db.transaction(async (tx) => {
    const isDone = await switchOff(tx, id, 'No delivery has succeeded for five days')
    if (isDone) await jobs.send(tx, jobName(service), { owner, url } satisfies Notice)
    return isDone
  })
}

/**
 * Switches off the webhooks of a person who may no longer manage them, for the others to take over, and tells these by mail,
 * unless it is done `silently`: a command of the operator has no jobs.
 */
export const stopWebhooksOf = async (
  { jobs, signals }: Platform,
  tx: Tx,
  { person, reason, silently = false, ...place }: store.Place & Stop,
) => {
  const stopped = await store.stopWebhooksOf(tx, place, person, reason)
  for (const { url } of silently ? [] : stopped)
    await jobs.send(tx, jobName(place.service), { owner: place.owner, url, reason } satisfies Notice)
  if (stopped.length > 0) await signals.publish(tx, webhookTopic, place.service)
  return stopped.map(({ id, url }) => ({ id, host: new URL(url).host }))
}

/** Tells those who manage a webhook that it was switched off. */
export const switchedOffJob = <Context extends Platform, Who extends Reader>(
  service: string,
  ctx: Context,
  events: Events<Context, Who>,
): Job<Notice> => ({
  name: jobName(service),
  async run({ owner, url, reason }) {
    const { emails } = await events.managers(ctx, owner)
    for (const to of emails)
      await ctx.mailer.send({
        to,
        subject: 'A webhook was switched off',
        text:
          reason === undefined
            ? `Nothing could be delivered to ${url} for five days, so this webhook of ${service} was switched off.\n\n` +
              'When the receiver works again, switch it on (PATCH with is_active: true) and send what it has missed ' +
              'with its replay operation.\n'
            : `The webhook of ${service} to ${url} was switched off: ${reason}.\n\n` +
              'If it is still wanted, switch it on (PATCH with is_active: true), which makes it yours, and send what it ' +
              'has missed with its replay operation.\n',
      })
  },
})
