import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import { createRecovery } from '#platform/auth/recovery.ts'
import type { Tx } from '#platform/db/database.ts'
import { unauthorized } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { invalidate } from '../invalidation.ts'
import { revokeAllKeys } from '../keys/keys.ts'
import type { Account } from '../profiles/profiles.ts'
import { endAllSessions } from '../sessions/sessions.ts'
import { forgetChange } from './email-store.ts'
import * as store from './store.ts'

/**
 * After a password has changed: the new epoch ends every session, and a new address that nobody has confirmed is forgotten,
 * because somebody else may have entered it; API keys are revoked if requested.
 */
const endSessions = async (ctx: Publishing, tx: Tx, userId: number, revokeKeys: boolean) => {
  if (revokeKeys) await revokeAllKeys(ctx, tx, userId)
  await endAllSessions(tx, userId)
  await forgetChange(tx, userId)
  await invalidate(ctx, tx, { account: [userId] })
}

/** A new password by mail or from the operator. It does not end a suspension. */
export const recovery = (ctx: Publishing) =>
  createRecovery(ctx, {
    service: 'publishing',
    async find(email) {
      const user = await store.findCredentials(ctx.db.sql, email)
      return user && { account: String(user.id), email: user.email }
    },
    // In the query, because the page works without JavaScript; our log omits the query.
    page: (token) => `/reset-password?token=${token}`,
    operation: 'POST /api/auth/reset-password',
    consequences: 'A new password ends every session.',
    async setPassword(tx, account, passwordHash, { revokeKeys }) {
      const email = await store.replacePassword(tx, Number(account), passwordHash)
      if (email !== undefined) await endSessions(ctx, tx, Number(account), revokeKeys)
      return email
    },
  })

export type PasswordChange = { current_password: string; new_password: string; revoke_keys?: boolean }

/** Ends every session; `openNext` opens the one that replaces the current one. */
export const changePassword = async <T>(
  ctx: Publishing,
  me: Principal,
  input: PasswordChange,
  openNext: (tx: Tx, account: Pick<Account, 'id' | 'epoch'>) => Promise<T>,
): Promise<T> => {
  const found = (await store.findOwnCredentials(ctx.db.sql, me.userId)) ?? unauthorized()
  const { id, email, passwordHash } = found
  const refused = new WrongProof(401, 'The current password is wrong')
  return attempt(
    ctx,
    { service: 'publishing', email },
    async () => {
      if (!(await ctx.passwords.verify(passwordHash, input.current_password))) throw refused
      return ctx.passwords.hash(input.new_password)
    },
    async (tx, newHash) => {
      const epoch = await store.changePassword(tx, id, passwordHash, newHash)
      if (epoch === undefined) throw refused
      await recovery(ctx).forget(tx, String(id))
      await endSessions(ctx, tx, id, input.revoke_keys ?? false)
      return openNext(tx, { id, epoch })
    },
  )
}
