import type { ServiceName } from '#platform/config.ts'
import type { Sql, Tx } from '#platform/db/database.ts'
import { invalid, notFound } from '#platform/errors.ts'
import type { Job } from '#platform/jobs.ts'
import type { Platform } from '#platform/platform.ts'
import { forgetFailures, forgetOldAttempts, mayMail } from './attempts.ts'
import { hashOneTimeToken, newOneTimeToken } from './one-time.ts'
import * as store from './recovery-store.ts'
import { resetMail } from './reset-mail.ts'

export type NewPassword = { token: string; password: string; revokeKeys: boolean }

/** What recovery must know of the accounts of a service. */
export type RecoverableAccounts = {
  service: ServiceName
  /** Whose address this is; `email` as it was registered. */
  find(email: string): Promise<{ account: string; email: string } | undefined>
  /** The page that a token leads to, below the service's address. */
  page(token: string): string
  /** For the mail: the operation that takes the token, and what else a new password does. */
  operation: string
  consequences: string
  /** Told in the transaction that makes a token which somebody asked for. */
  requested?(tx: Tx, account: string, ip: string): Promise<void>
  /** Sets the password and ends every session; answers the address, or nothing when the account is gone. */
  setPassword(
    tx: Tx,
    account: string,
    passwordHash: string,
    how: { revokeKeys: boolean; ip: string },
  ): Promise<string | undefined>
}

export type Recovery = ReturnType<typeof createRecovery>

const lifetimeMs = 3600_000

/** New passwords for those who cannot sign in: a token by mail or from the operator, good once, within one hour. */
export const createRecovery = (ctx: Platform, accounts: RecoverableAccounts) => {
  const { service } = accounts
  const mailJob = `${service}.send-reset-mail`
  const linkOf = (token: string) => ctx.config.urls[service] + accounts.page(token)

  const issueToken = async (q: Sql, account: string) => {
    const { token, hash } = newOneTimeToken()
    await store.saveReset(q, service, account, hash, new Date(ctx.clock.now().getTime() + lifetimeMs))
    return token
  }

  /** The token is made here, where it is mailed, so that no queue ever holds one. */
  const sendMail = async (address: string, ip: string) => {
    const found = await accounts.find(address)
    if (!found) return
    const token = await ctx.db.transaction(async (tx) => {
      await accounts.requested?.(tx, found.account, ip)
      return issueToken(tx, found.account)
    })
    await ctx.mailer.send(resetMail(accounts, { to: found.email, link: linkOf(token), token }))
  }

  return {
    /** The same work for every address: whether anybody has it is found out afterwards, in the background. */
    request: (email: string, ip: string) =>
      ctx.db.transaction(async (tx) => {
        if (await mayMail(ctx, tx, { service, email })) await ctx.jobs.send(tx, mailJob, { email, ip })
      }),

    /** For the operator, who hands it on. */
    async link(email: string) {
      const { account } = (await accounts.find(email)) ?? notFound(`No account has the address ${email}`)
      return linkOf(await ctx.db.write((q) => issueToken(q, account)))
    },

    async reset({ token, password, revokeKeys }: NewPassword, ip: string) {
      const hash = hashOneTimeToken(token)
      const refuse = () => invalid('token', 'is invalid, expired or already used')
      if (!(await store.isLiveReset(ctx.db.sql, service, hash, ctx.clock.now()))) refuse()
      const passwordHash = await ctx.passwords.hash(password)
      await ctx.db.transaction(async (tx) => {
        const account = (await store.useReset(tx, service, hash, ctx.clock.now())) ?? refuse()
        const how = { revokeKeys, ip }
        const email = (await accounts.setPassword(tx, account, passwordHash, how)) ?? refuse()
        await forgetFailures(tx, { service, email })
      })
    },

    /** A password that was changed in another way leaves no link behind that would change it again. */
    forget: (tx: Tx, account: string) => store.deleteReset(tx, service, account),

    jobs: [
      {
        name: mailJob,
        run: ({ email, ip }: { email: string; ip: string }) => sendMail(email, ip),
      } as Job,
      {
        name: `${service}.forget-expired-resets`,
        cron: '*/10 * * * *',
        run: async () => {
          await ctx.db.write((q) => store.deleteExpiredResets(q, ctx.clock.now()))
          await forgetOldAttempts(ctx)
        },
      },
    ] satisfies Job[],
  }
}
