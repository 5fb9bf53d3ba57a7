import type { Publishing } from '../context.ts'
import { type Flags, requireUser, updateFlags } from '../profiles/profiles.ts'
import { reconcileAccount } from '../reconcile/reconcile.ts'

/** What an operator or an admin decides about an account. */
export const setFlags = async (ctx: Publishing, handle: string, flags: Flags) => {
  const { id } = await requireUser(ctx, handle)
  const decision = await updateFlags(ctx, id, flags)
  if (flags.is_suspended !== undefined) await reconcileAccount(ctx, id)
  return decision
}
