import { createRecovery } from '#platform/auth/recovery.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Storage } from '../context.ts'
import { revokeAllKeys } from '../keys/keys.ts'
import * as store from './store.ts'
import { userChanged } from './users.ts'

/** A new password by mail or from the operator. It disables two-factor login and ends every session. */
export const recovery = (ctx: Storage) =>
  createRecovery(ctx, {
    service: 'storage',
    async find(email) {
      const user = await store.findCredentials(ctx.db.sql, email)
      return user && { account: user.id, email: user.email }
    },
    page: (token) => `/auth/reset-password#token=${token}`,
    operation: 'POST /auth/reset-password',
    consequences: 'A new password ends every session and switches two-factor login off.',
    async requested(tx, userId, ip) {
      const user = await store.findKnownUser(tx, userId)
      const event = { action: 'auth.password_reset_requested', resourceType: 'user', resourceId: userId }
      if (user)
        await recordAudit(tx, { orgId: user.orgId, userId: null, ip }, { ...event, now: ctx.clock.now() })
    },
    async setPassword(tx, userId, passwordHash, { revokeKeys, ip }) {
      const changed = await store.replacePassword(tx, userId, passwordHash)
      if (!changed) return undefined
      const actor = { orgId: changed.org_id, userId, ip }
      const event = { action: 'auth.password_reset', resourceType: 'user', resourceId: userId }
      await recordAudit(tx, actor, { ...event, now: ctx.clock.now() })
      if (revokeKeys) await revokeAllKeys(ctx, tx, actor)
      await userChanged(ctx, tx, userId)
      return changed.email
    },
  })
