import type { Job } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'
import type { Events, Reader } from '../events.ts'
import { switchOff } from './deliveries-store.ts'
import type { Attempt } from './sender.ts'
import type { HeldWebhook } from './store.ts'

const patienceMs = 5 * 86_400_000

const jobName = (service: string) => `${service}.tell-webhook-off`
type Notice = { owner: string; url: string }

/**
 * Switches a webhook off whose receiver wants nothing more (410), or has accepted nothing for five days; whoever manages it
 * is told of the latter. Returns whether it did.
 */
export const switchOffIfHopeless = async (
  { db, clock, jobs }: Platform,
  service: string,
  { id, owner, url, failing_since: since }: HeldWebhook,
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

/** Tells those who manage a webhook that it was switched off. */
export const switchedOffJob = <Context extends Platform, Who extends Reader>(
  service: string,
  ctx: Context,
  events: Events<Context, Who>,
): Job<Notice> => ({
  name: jobName(service),
  async run({ owner, url }) {
    const { emails } = await events.managers(ctx, owner)
    for (const to of emails)
      await ctx.mailer.send({
        to,
        subject: 'A webhook was switched off',
        text:
          `Nothing could be delivered to ${url} for five days, so this webhook of ${service} was switched off.\n\n` +
          'When the receiver works again, switch it on (PATCH with is_active: true) and send what it has missed with ' +
          'its replay operation.\n',
      })
  },
})
