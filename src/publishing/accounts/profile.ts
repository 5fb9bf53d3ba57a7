import { unauthorized } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { readOwnProfile, updateProfile } from '../profiles/profiles.ts'
import type { ProfileChange } from '../profiles/schema.ts'
import { reconcileAccount } from '../reconcile/reconcile.ts'
import { findOwnEmail } from './email-store.ts'
import type { OwnProfile } from './schema.ts'

/** The profile of an account, and what only the account itself is shown. */
export const readOwn = async (ctx: Publishing, me: Principal): Promise<OwnProfile> => ({
  ...(await readOwnProfile(ctx, me)),
  ...((await findOwnEmail(ctx.db.sql, me.userId, ctx.clock.now())) ?? unauthorized()),
})

export const changeProfile = async (ctx: Publishing, me: Principal, input: ProfileChange) => {
  await updateProfile(ctx, me.userId, input)
  if (input.is_protected !== undefined) await reconcileAccount(ctx, me.userId)
  return readOwn(ctx, me)
}
