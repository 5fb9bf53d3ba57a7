import type { ServiceName } from '#platform/config.ts'
import type { Sql, Tx } from '#platform/db/database.ts'
import { invalid, notFound } from '#platform/errors.ts'
import { linkKeeper } from '#platform/instance/link-keeper.ts'
import type { Job } from '#platform/jobs.ts'
import type { Mail } from '#platform/mail.ts'
import type { Platform } from '#platform/platform.ts'
import { clearFailures, deleteOldAttempts, mayMail } from './attempts.ts'
import { hashOneTimeToken, newOneTimeToken } from './one-time.ts'
import * as store from './recovery-store.ts'

export type NewPassword = { token: string; password: string; revokeKeys: boolean }

/** What a service tells about its accounts. */
export type RecoverableAccounts = {
  service: ServiceName
  /** The account with this address, and the address as it was registered. */
  find(email: string): Promise<{ account: string; email: string } | undefined>
  /** The path of the page that the link in the mail opens. */
  page(token: string): string
  /** For the mail: the API operation that accepts the token, and what else a new password does. */
  operation: string
  consequences: string
  /** Called in the transaction that creates a token upon request. */
  requested?(tx: Tx, account: string, ip: string): Promise<void>
  /** Sets the password and ends every session. Returns the address, or undefined if the account no longer exists. */
  setPassword(
    tx: Tx,
    account: string,
    passwordHash: string,
    how: { revokeKeys: boolean; ip: string },
  ): Promise<string | undefined>
}

export type Recovery = ReturnType<typeof createRecovery>

const lifetimeMs = 3600_000

/** Password reset with a token that is mailed, or printed for the operator. It works once, within one hour. */
export const createRecovery = (ctx: Platform, accounts: RecoverableAccounts) => {
  const { service } = accounts
  const mailJob = `${service}.send-reset-mail`
  const linkOf = (token: string) => ctx.config.urls[service] + accounts.page(token)

  const issueToken = async (q: Sql, account: string) => {
    const { token, hash } = newOneTimeToken()
    await store.saveReset(q, service, account, hash, new Date(ctx.clock.now().getTime() + lifetimeMs))
    return token
  }

  /** Creates the token as well, so that none is ever stored in the job queue. */
  const sendMail = async (address: string, ip: string) => {
    const found = await accounts.find(address)
    if (!found) return
    const token = await ctx.db.transaction(async (tx) => {
      await accounts.requested?.(tx, found.account, ip)
      return issueToken(tx, found.account)
    })
    await ctx.mailer.send(
      resetMail(
        { name: ctx.instance.current.name, ...accounts },
        { to: found.email, link: linkOf(token), token },
      ),
    )
  }

  return {
    /**
     * Does the same for every address. Whether an account has it is looked up later, in the background. Returns what people
     * are told.
     */
    async request(email: string, ip: string) {
      await ctx.db.transaction(async (tx) => {
        if (await mayMail(ctx, tx, { service, email })) await ctx.jobs.send(tx, mailJob, { email, ip })
      })
      const keeper = linkKeeper(ctx)
      return keeper
        ? `If the address is registered, ask ${keeper.name} for the link: this server sends no mail`
        : 'If the address is registered, a mail with a link is on its way'
    },

    /** A link for the operator to pass on. */
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
        await clearFailures(tx, { service, email })
      })
    },

    /** To be called when a password is changed in another way: an earlier link must not change it again. */
    forget: (tx: Tx, account: string) => store.deleteReset(tx, service, account),

    jobs: [
      {
        name: mailJob,
        run: ({ email, ip }: { email: string; ip: string }) => sendMail(email, ip),
      } as Job,
      {
        name: `${service}.delete-expired-resets`,
        cron: '*/10 * * * *',
        run: async () => {
          await ctx.db.write((q) => store.deleteExpiredResets(q, ctx.clock.now()))
          await deleteOldAttempts(ctx)
        },
      },
    ] satisfies Job[],
  }
}

/** The mail contains nothing that was entered at registration: the address may belong to somebody else. */
const resetMail = (
  { name, operation, consequences }: { name: string; operation: string; consequences: string },
  { to, link, token }: { to: string; link: string; token: string },
): Mail => ({
  to,
  subject: 'Choose a new password',
  text: [
    'Hello,',
    `somebody, hopefully you, asked for a new password at ${name} for this address. To choose one, open this page:`,
    link,
    `or send this token to the API (${operation}):`,
    token,
    `Both work once, within one hour. ${consequences}`,
    'If it was not you, do nothing: your password stays as it is.',
    '',
  ].join('\n\n'),
})
