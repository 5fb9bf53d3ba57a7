import { register } from './accounts/accounts.ts'
import { findCredentials } from './accounts/store.ts'
import { createBucket } from './buckets/buckets.ts'
import type { Storage } from './context.ts'

const login = { role: 'owner of Harbour Studio', login: 'ada@harbour.example', password: 'trivet-demo' }

/** A small company's buckets. */
export const demo = async (ctx: Storage) => {
  if (await findCredentials(ctx.db.sql, login.login)) return [login]
  const company = {
    organizationName: 'Harbour Studio',
    organizationSlug: 'harbour-studio',
    fullName: 'Ada Marlow',
    email: login.login,
    password: login.password,
  }
  const { user, organization } = await register(ctx, company, '127.0.0.1')
  const owner = { userId: user.id, orgId: organization.id, role: user.role, keyId: null, ip: '127.0.0.1' }
  const bucket = { versioningEnabled: true, region: 'local' }
  await createBucket(ctx, owner, { name: 'website', visibility: 'public', ...bucket })
  await createBucket(ctx, owner, { name: 'contracts', visibility: 'private', ...bucket })
  await createBucket(ctx, owner, { name: 'backups', visibility: 'private', ...bucket })
  return [login]
}
