import { unauthorized } from '#platform/errors.ts'
import type { Principal, Publishing } from '../context.ts'
import { readNotificationMails, requireMailServer, setNotificationMails } from '../notifications/digests.ts'
import { readOwnProfile, updateProfile } from '../profiles/profiles.ts'
import { reconcileAccount } from '../reconcile/reconcile.ts'
import { findOwnEmail } from './email-store.ts'
import type { OwnChange, OwnProfile } from './schema.ts'

/** The profile of an account, and what only the account itself is shown. */
export const readOwn = async (ctx: Publishing, me: Principal): Promise<OwnProfile> => ({
  ...(await readOwnProfile(ctx, me)),
  ...((await findOwnEmail(ctx.db.sql, me.userId, ctx.clock.now())) ?? unauthorized()),
  notification_mails: await readNotificationMails(ctx, me.userId),
})

export const changeProfile = async (ctx: Publishing, me: Principal, input: OwnChange) => {
  const { notification_mails: mails } = input
  requireMailServer(ctx, mails)
  await updateProfile(ctx, me.userId, input)
  if (mails !== undefined) await setNotificationMails(ctx, me.userId, mails)
  if (input.is_protected !== undefined) await reconcileAccount(ctx, me.userId)
  return readOwn(ctx, me)
}
