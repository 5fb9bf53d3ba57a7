import type { IncomingHttpHeaders } from 'node:http'
import { attempt, WrongProof } from '#platform/auth/attempts.ts'
import { orNobody } from '#platform/auth/console-sessions.ts'
import type { Tx } from '#platform/db/database.ts'
import { forbidden, notFound } from '#platform/errors.ts'
import { recordAudit } from '../audit/audit.ts'
import type { Inventory, Principal } from '../context.ts'
import { addUser, people } from '../users/users.ts'
import { addDefaultWarehouse } from '../warehouses/warehouses.ts'
import type { Login, ProfileChange, Registration } from './schema.ts'
import { sessions } from './sessions.ts'
import * as store from './store.ts'

const subscriptionMs = 30 * 86_400_000

const present = ({ id, name, email, role, tenant_id, tenant_name }: store.AccountRow) => ({
  user: { id, name, email, role },
  tenant: { id: tenant_id, name: tenant_name },
})

export const currentAccount = async (ctx: Inventory, me: Principal) =>
  present((me.userId && (await store.findAccount(ctx.db.sql, me.userId))) || notFound())

export const changeProfile = async (ctx: Inventory, me: Principal, { name }: ProfileChange) => {
  const { userId } = me
  if (userId !== null && name !== undefined) await ctx.db.write((q) => store.renameUser(q, userId, name))
  return currentAccount(ctx, me)
}

export const isRegistered = async (ctx: Inventory, email: string) =>
  (await store.findCredentials(ctx.db.sql, email)) !== undefined

/** A new tenant with its first Admin and a default warehouse, in one transaction. */
export const register = async (ctx: Inventory, input: Registration) => {
  const now = ctx.clock.now()
  const passwordHash = await ctx.passwords.hash(input.password)
  const { company_name, name, email } = input
  const row = await ctx.db.transaction(async (tx) => {
    const tenantId = await store.insertTenant(tx, company_name, new Date(now.getTime() + subscriptionMs), now)
    const { id } = await addUser(tx, { tenantId, name, email, role: 'Admin', passwordHash, now })
    await addDefaultWarehouse(tx, tenantId, now)
    return { id, name, email, role: 'Admin' as const, tenant_id: tenantId, tenant_name: company_name }
  })
  return { token: await ctx.tokens.issue({ sub: String(row.id), epoch: 1 }), ...present(row) }
}

export const logIn = async (ctx: Inventory, input: Login, ip: string) => {
  const user = await signIn(ctx, input, ip, async (_, user) => user)
  return {
    token: await ctx.tokens.issue({ sub: String(user.id), epoch: user.token_epoch }),
    ...present(user),
  }
}

/** Opens a session of the console; returns its cookie and the account. */
export const openSession = (
  ctx: Inventory,
  input: Login,
  req: { headers: IncomingHttpHeaders; ip: string },
) =>
  signIn(ctx, input, req.ip, async (tx, user) => ({
    setCookie: await sessions.open(ctx, tx, req, String(user.id), { epoch: user.token_epoch }),
    account: present(user),
  }))

/** Who is signed in to the console that sent this request, if anybody is. */
export const accountOfSession = async (ctx: Inventory, req: { headers: IncomingHttpHeaders }) => {
  const found = await orNobody(sessions.account(ctx, req, (id) => people(ctx).get(id)))
  if (!found || found.account.isBanned) return undefined
  const row = await store.findAccount(ctx.db.sql, found.account.id)
  return row && present(row)
}

/** Runs `act` in the transaction that lets the user in. */
const signIn = <T>(
  ctx: Inventory,
  { email, password }: Login,
  ip: string,
  act: (tx: Tx, user: store.Credentials) => Promise<T>,
) =>
  attempt(
    ctx,
    { service: 'inventory', email },
    async () => {
      const found = await store.findCredentials(ctx.db.sql, email)
      const known = await ctx.passwords.verify(found?.password_hash ?? null, password)
      if (!found || !known) throw new WrongProof(401, 'Invalid email or password')
      return found
    },
    async (tx, found) => {
      if (found.is_banned) forbidden('This account is banned')
      const { id, tenant_id: tenantId } = found
      await recordAudit(
        tx,
        { tenantId, userId: id, ip },
        { action: 'auth.logged_in', id, now: ctx.clock.now() },
      )
      return act(tx, found)
    },
  )
