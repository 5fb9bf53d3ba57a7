import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import { keepSession } from '#platform/auth/console-sessions.ts'
import { createRecovery } from '#platform/auth/recovery.ts'
import type { Tx } from '#platform/db/database.ts'
import { unauthorized } from '#platform/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Inventory, Principal } from '../context.ts'
import { revokeKeysOf } from '../keys/keys.ts'
import { personChanged } from '../users/users.ts'
import type { PasswordChange } from './schema.ts'
import * as store from './store.ts'

/** After a password has changed: ends every session, and revokes the API keys if asked to. */
const endSessions = async (ctx: Inventory, tx: Tx, userId: number, revokeKeys: boolean) => {
  if (revokeKeys) await revokeKeysOf(ctx, tx, userId)
  await personChanged(ctx, tx, userId)
}

/** A new password by mail or from the operator. It does not lift a ban. */
export const recovery = (ctx: Inventory) =>
  createRecovery(ctx, {
    service: 'inventory',
    async find(email) {
      const user = await store.findCredentials(ctx.db.sql, email)
      return user && { account: String(user.id), email: user.email }
    },
    page: (token) => `/api/auth/reset-password#token=${token}`,
    operation: 'POST /api/auth/reset-password',
    consequences: 'A new password ends every session.',
    async setPassword(tx, account, passwordHash, { revokeKeys, ip }) {
      const id = Number(account)
      const changed = await store.replacePassword(tx, id, passwordHash)
      if (!changed) return undefined
      const actor = { tenantId: changed.tenant_id, userId: id, ip }
      await recordAudit(tx, actor, { action: 'auth.password_reset', id, now: ctx.clock.now() })
      await endSessions(ctx, tx, id, revokeKeys)
      return changed.email
    },
  })

/** Ends every other session; this one continues with the returned token. */
export const changePassword = async (ctx: Inventory, me: Principal, input: PasswordChange) => {
  const user = (me.userId && (await store.findOwnCredentials(ctx.db.sql, me.userId))) || unauthorized()
  const refused = new WrongProof(401, 'current_password is wrong')
  const epoch = await attempt(
    ctx,
    { service: 'inventory', email: user.email },
    async () => {
      if (!(await ctx.passwords.verify(user.password_hash, input.current_password))) throw refused
      return ctx.passwords.hash(input.new_password)
    },
    async (tx, newHash) => {
      const changed = await store.changePassword(tx, user.id, user.password_hash, newHash)
      if (changed === undefined) throw refused
      if (me.session) await keepSession(ctx, tx, me.session, changed)
      await recovery(ctx).forget(tx, String(user.id))
      await endSessions(ctx, tx, user.id, input.revoke_keys ?? false)
      await recordAudit(tx, me, { action: 'auth.password_changed', id: user.id, now: ctx.clock.now() })
      return changed
    },
  )
  return { token: await ctx.tokens.issue({ sub: String(user.id), epoch }) }
}
