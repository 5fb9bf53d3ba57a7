import { hashOneTimeToken, newOneTimeToken } from '#platform/auth/one-time.ts'
import { invalid } from '#platform/errors.ts'
import type { Job } from '#platform/jobs.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Storage } from '../context.ts'
import { forgetFailures } from './attempts.ts'
import { personChanged } from './people.ts'
import { resetMail } from './reset-mail.ts'
import type { PasswordReset } from './schema.ts'
import * as store from './store.ts'

const lifetimeMs = 3600_000
const mailJob = 'storage.send-reset-mail'

/** The same work for every address: whether anybody has it is found out afterwards, in the background. */
export const requestReset = (ctx: Storage, email: string, ip: string) =>
  ctx.db.transaction((tx) => ctx.jobs.send(tx, mailJob, { email, ip }))

/** The token is made here, where it is mailed, so that no queue ever holds one. */
const sendResetMail = async (ctx: Storage, email: string, ip: string) => {
  const user = await store.findCredentials(ctx.db.sql, email)
  if (!user) return
  const { token, hash } = newOneTimeToken()
  const now = ctx.clock.now()
  await ctx.db.transaction(async (tx) => {
    await store.insertReset(tx, {
      hash,
      orgId: user.org_id,
      userId: user.id,
      now,
      expiresAt: new Date(now.getTime() + lifetimeMs),
    })
    await recordAudit(
      tx,
      { orgId: user.org_id, userId: null, ip },
      { action: 'auth.password_reset_requested', resourceType: 'user', resourceId: user.id, now },
    )
  })
  await ctx.mailer.send(resetMail(ctx.config.urls.storage, user, token))
}

/** A new password by mail. Two-factor login goes off, and every session so far ends. */
export const resetPassword = async (ctx: Storage, { token, newPassword }: PasswordReset, ip: string) => {
  const hash = hashOneTimeToken(token)
  const refuse = () => invalid('token', 'is invalid, expired or already used')
  if (!(await store.findReset(ctx.db.sql, hash, ctx.clock.now()))) refuse()
  const passwordHash = await ctx.passwords.hash(newPassword)
  const user = await ctx.db.transaction(async (tx) => {
    const now = ctx.clock.now()
    const userId = (await store.useReset(tx, hash, now)) ?? refuse()
    const changed = (await store.replacePassword(tx, userId, passwordHash)) ?? refuse()
    await store.forgetResets(tx, changed.org_id, userId)
    await recordAudit(
      tx,
      { orgId: changed.org_id, userId, ip },
      { action: 'auth.password_reset', resourceType: 'user', resourceId: userId, now },
    )
    await personChanged(ctx, tx, userId)
    return changed
  })
  await forgetFailures(ctx, user.email)
}

export const resetJobs = (ctx: Storage): Job[] => [
  {
    name: mailJob,
    run: ({ email, ip }: { email: string; ip: string }) => sendResetMail(ctx, email, ip),
  } as Job,
  {
    name: 'storage.forget-expired-resets',
    cron: '41 * * * *',
    run: async () => void (await store.deleteExpiredResets(ctx.db.sql, ctx.clock.now())),
  },
]
