import { register } from './accounts/accounts.ts'
import { findCredentials } from './accounts/store.ts'
import { createBucket } from './buckets/buckets.ts'
import type { Storage } from './context.ts'
import { addMember } from './members/members.ts'

const password = 'trivet-demo'
const owner = { role: 'owner of Harbour Studio', login: 'ada@harbour.example', password }
const admin = { role: 'admin of Harbour Studio', login: 'ben@harbour.example', password }
const member = { role: 'member of Harbour Studio', login: 'cleo@harbour.example', password }

/** A small company, its people and its buckets. */
export const demo = async (ctx: Storage) => {
  const logins = [owner, admin, member]
  if (await findCredentials(ctx.db.sql, owner.login)) return logins
  const company = {
    organizationName: 'Harbour Studio',
    organizationSlug: 'harbour-studio',
    fullName: 'Ada Marlow',
    email: owner.login,
    password,
  }
  const ip = '127.0.0.1'
  const { user, organization } = await register(ctx, company, ip)
  const me = { userId: user.id, orgId: organization.id, role: user.role, keyId: null, ip }
  await addMember(ctx, me, { fullName: 'Ben Okoye', email: admin.login, password, role: 'admin' })
  await addMember(ctx, me, { fullName: 'Cleo Brandt', email: member.login, password, role: 'member' })
  const bucket = { versioningEnabled: true, region: 'local' }
  await createBucket(ctx, me, { name: 'website', visibility: 'public', ...bucket })
  await createBucket(ctx, me, { name: 'contracts', visibility: 'private', ...bucket })
  await createBucket(ctx, me, { name: 'backups', visibility: 'private', ...bucket })
  return logins
}
