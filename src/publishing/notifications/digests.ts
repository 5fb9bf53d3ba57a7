import { createHmac, timingSafeEqual } from 'node:crypto'
import { invalid } from '#platform/errors.ts'
import type { Job } from '#platform/jobs.ts'
import type { Publishing } from '../context.ts'
import { sendsMail } from '../sends-mail.ts'
import { digestMail, toldTypes } from './digest-mail.ts'
import * as store from './digests-store.ts'
import { readUnreadIn } from './notifications.ts'

const dayMs = 86_400_000
const retryMs = 3_600_000
const maxTold = 20
/** So many failures in a row are the fault of the mail server, and the rest waits for the next run. */
const maxFailures = 5

export type NotificationMails = 'none' | 'daily'

export const readNotificationMails = async (ctx: Publishing, userId: number): Promise<NotificationMails> =>
  (await store.isWanted(ctx.db.sql, userId)) ? 'daily' : 'none'

export const requireMailServer = (ctx: Publishing, mails?: NotificationMails) => {
  if (mails === 'daily' && !sendsMail(ctx))
    invalid('notification_mails', 'must be none, because this server sends no mail')
}

/** The first digest is due in a day. To choose again what is chosen changes nothing. */
export const setNotificationMails = (ctx: Publishing, userId: number, mails: NotificationMails) =>
  ctx.db.write((q) =>
    mails === 'daily'
      ? store.begin(q, userId, new Date(ctx.clock.now().getTime() + dayMs))
      : store.stop(q, userId),
  )

const signatureOf = ({ secrets }: Publishing, id: string) =>
  createHmac('sha256', secrets.key('publishing.unsubscribe')).update(id).digest()

/** Allows nothing but to end these mails, for as long as the account exists: mails are kept for years. */
const unsubscribeToken = (ctx: Publishing, userId: number) =>
  `${userId}.${signatureOf(ctx, String(userId)).toString('base64url')}`

export const unsubscribe = async (ctx: Publishing, token: string) => {
  const [, id = '', signature = ''] = /^(\d{1,15})\.([\w-]{43})$/.exec(token) ?? []
  const isOurs = id !== '' && timingSafeEqual(Buffer.from(signature, 'base64url'), signatureOf(ctx, id))
  if (!isOurs) invalid('token', 'is incomplete or not one of ours')
  await setNotificationMails(ctx, Number(id), 'none')
}

const send = async (ctx: Publishing, due: store.Due) => {
  const me = { userId: due.userId, handle: due.handle, isAdmin: false }
  const news = await readUnreadIn(ctx, me, due, { types: toldTypes, max: maxTold })
  if (due.isSuspended || news.counts.size === 0) return
  const base = ctx.config.urls.publishing
  const link = `${base}/unsubscribe?token=${unsubscribeToken(ctx, due.userId)}`
  const { name } = ctx.instance.current
  await ctx.mailer.send(digestMail({ name, base, to: due.email, unsubscribe: link }, news))
}

/**
 * Sends what is due. Each digest is marked as sent before it is, so that none is sent twice, whichever node dies at which
 * moment; one that the mail server refuses is due again in an hour.
 */
export const sendDigests = async (ctx: Publishing, signal?: AbortSignal) => {
  if (!sendsMail(ctx)) return
  for (let failures = 0; failures < maxFailures && !signal?.aborted; ) {
    const now = ctx.clock.now().getTime()
    const due = await ctx.db.write((q) => store.takeDue(q, new Date(now), new Date(now + dayMs)))
    if (!due) return
    try {
      await send(ctx, due)
      failures = 0
    } catch (err) {
      failures++
      ctx.log.warn(
        { err, account: due.userId },
        'a digest of notifications could not be sent, will be tried again',
      )
      await ctx.db.write((q) => store.putBack(q, due, new Date(now + retryMs)))
    }
  }
}

export const digestJob = (ctx: Publishing): Job => ({
  name: 'publishing.send-digests',
  cron: '*/10 * * * *',
  run: (_, signal) => sendDigests(ctx, signal),
})
