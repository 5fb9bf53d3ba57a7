import type { Principal, Publishing } from '../context.ts'
import { readOwnProfile, updateProfile } from '../profiles/profiles.ts'
import type { ProfileChange } from '../profiles/schema.ts'
import { reconcileAccount } from '../reconcile/reconcile.ts'

export const changeProfile = async (ctx: Publishing, me: Principal, input: ProfileChange) => {
  await updateProfile(ctx, me.userId, input)
  if (input.is_protected !== undefined) await reconcileAccount(ctx, me.userId)
  return readOwnProfile(ctx, me)
}
