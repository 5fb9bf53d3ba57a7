import { attempt, mayMail, WrongProof } from '#platform/auth/attempts.ts'
import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import type { Tx } from '#platform/db/database.ts'
import { duplicateOf } from '#platform/db/failures.ts'
import { invalid, taken, tooManyRequests, unauthorized } from '#platform/errors.ts'
import type { Job } from '#platform/jobs.ts'
import type { Principal, Publishing } from '../context.ts'
import { sendsMail } from '../sends-mail.ts'
import { confirmationMail, noticeMail } from './email-mails.ts'
import * as store from './email-store.ts'
import { recovery } from './passwords.ts'
import type { EmailChange } from './schema.ts'
import { findOwnCredentials } from './store.ts'

const lifetimeMs = 3_600_000
const service = 'publishing'
const confirmationJob = 'publishing.send-email-confirmation'
const noticeJob = 'publishing.send-email-notice'
type Confirmation = { userId: number; email: string }
type Notice = { to: string; hasChanged: boolean }

/** Like registration, which says as much to everybody. */
const inUse = () => taken('email', 'is already in use', 'Email is already in use')

/** A link for the old address must not choose a new password any more. */
const moveTo = async (ctx: Publishing, tx: Tx, userId: number, email: string) => {
  if (await store.isTakenByAnother(tx, email, userId)) inUse()
  await recovery(ctx).forget(tx, String(userId))
  return store.setEmail(tx, userId, email)
}

const orInUse = <T>(work: Promise<T>) =>
  work.catch((error) => (duplicateOf(error) === 'users_email_key' ? inUse() : Promise.reject(error)))

const request = async (
  ctx: Publishing,
  tx: Tx,
  { id, email: old }: { id: number; email: string },
  email: string,
) => {
  if (await store.isTakenByAnother(tx, email, id)) inUse()
  for (const address of [old, email])
    if (!(await mayMail(ctx, tx, { service, email: address })))
      tooManyRequests('Too many mails to these addresses', { headers: { 'retry-after': '3600' } })
  await store.saveChange(tx, id, email, new Date(ctx.clock.now().getTime() + lifetimeMs))
  await ctx.jobs.send(tx, confirmationJob, { userId: id, email } satisfies Confirmation)
}

/**
 * Changes the address of an account: once a link that is mailed to the new address has been opened or, on a server that
 * sends no mail, at once. The old address is told.
 */
export const changeEmail = async (ctx: Publishing, me: Principal, { email, password }: EmailChange) => {
  const found = (await findOwnCredentials(ctx.db.sql, me.userId)) ?? unauthorized()
  const prove = async () => {
    if (!(await ctx.passwords.verify(found.passwordHash, password)))
      throw new WrongProof(401, 'Invalid password')
  }
  await orInUse(
    attempt(ctx, { service, email: found.email }, prove, async (tx) => {
      if (email === found.email) return store.forgetChange(tx, me.userId)
      // Without a mail server nobody could open a link.
      const hasChanged = !sendsMail(ctx)
      if (hasChanged) await moveTo(ctx, tx, me.userId, email)
      else await request(ctx, tx, found, email)
      return ctx.jobs.send(tx, noticeJob, { to: found.email, hasChanged } satisfies Notice)
    }),
  )
  return (await store.findOwnEmail(ctx.db.sql, me.userId, ctx.clock.now())) ?? unauthorized()
}

export const confirmEmail = (ctx: Publishing, token: string) =>
  orInUse(
    ctx.db.transaction(async (tx) => {
      const refuse = () => invalid('token', 'is invalid, expired or already used')
      const change = (await store.useChange(tx, hashOneTimeToken(token), ctx.clock.now())) ?? refuse()
      if (!(await moveTo(ctx, tx, change.userId, change.email))) refuse()
    }),
  )

/** Creates the token as well, so that none is ever stored in the job queue. */
const sendConfirmation = async (ctx: Publishing, { userId, email }: Confirmation) => {
  const { token, hash } = newOneTimeToken()
  const expiresAt = new Date(ctx.clock.now().getTime() + lifetimeMs)
  if (!(await ctx.db.write((q) => store.saveToken(q, userId, email, hash, expiresAt)))) return
  // In the query, because the page works without JavaScript; our log omits the query.
  const link = `${ctx.config.urls.publishing}/confirm-email?token=${token}`
  await ctx.mailer.send(confirmationMail({ name: ctx.instance.current.name, to: email }, { link, token }))
}

const sendNotice = (ctx: Publishing, { to, hasChanged }: Notice) => {
  const link = `${ctx.config.urls.publishing}/settings/password`
  return ctx.mailer.send(noticeMail({ name: ctx.instance.current.name, to }, { hasChanged, link }))
}

export const emailJobs = (ctx: Publishing): Job[] => [
  { name: confirmationJob, run: (data: Confirmation) => sendConfirmation(ctx, data) } as Job,
  { name: noticeJob, run: (data: Notice) => sendNotice(ctx, data) } as Job,
]

export const deleteExpiredChanges = (ctx: Publishing) =>
  ctx.db.write((q) => store.deleteExpired(q, ctx.clock.now()))
