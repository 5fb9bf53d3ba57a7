import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden, invalid, taken } from '#platform/errors.ts'
import type { Publishing } from '../context.ts'
import { type Account, createProfile, nameFrom } from '../profiles/profiles.ts'
import type { Login, Registration } from './schema.ts'
import * as store from './store.ts'

/** Names that would be mistaken for our own pages or for people in charge. */
const reserved = new Set(
  `about account admin administrator api assets auth blocked blog compose confirm_email contact developer docs explore
   feed feeds follow_requests followers following hashtag hashtags health healthz help home keys login
   logout me media metrics moderator muted oembed official openapi posts privacy readyz register requests root
   search security settings sign_in sign_out sign_up signin signup static status support system tag tags
   terms timeline trivet unsubscribe users widget`.split(/\s+/),
)

/** Creates an account, and runs `enter`, which opens its first session, in the same transaction. */
export const register = async <T>(
  ctx: Publishing,
  input: Registration,
  enter: (tx: Tx, account: Pick<Account, 'id' | 'epoch'>) => Promise<T>,
) => {
  if (reserved.has(input.handle.toLowerCase())) invalid('handle', 'is reserved')
  const { email, handle } = input
  const username = nameFrom(input.username)
  const passwordHash = await ctx.passwords.hash(input.password)
  return ctx.db.transaction(async (tx) => {
    const user = await createProfile(tx, { email, handle, username, passwordHash, now: ctx.clock.now() })
    if (!user)
      return (await store.isHandleTaken(tx, handle))
        ? taken('handle', 'is taken', 'Handle is taken')
        : taken('email', 'is already in use', 'Email is already in use')
    return { user, session: await enter(tx, { id: user.id, epoch: 1 }) }
  })
}

export const isRegistered = async (ctx: Publishing, email: string) =>
  (await store.findCredentials(ctx.db.sql, email)) !== undefined

/** Checks email and password, then runs `enter`, which opens a session, in the same transaction. */
export const authenticate = <T>(
  ctx: Publishing,
  { email, password }: Login,
  enter: (tx: Tx, found: store.Credentials) => Promise<T>,
): Promise<T> =>
  attempt(
    ctx,
    { service: 'publishing', email },
    async () => {
      const found = await store.findCredentials(ctx.db.sql, email)
      const known = await ctx.passwords.verify(found?.passwordHash ?? null, password)
      if (!found || !known) throw new WrongProof(401, 'Invalid email or password')
      return found
    },
    async (tx, found) => (found.isSuspended ? forbidden('Account suspended') : enter(tx, found)),
  )
