import { Readable } from 'node:stream'
import { register } from './accounts/accounts.ts'
import { findCredentials } from './accounts/store.ts'
import { receiveBlob } from './blobs/blobs.ts'
import { createBucket } from './buckets/buckets.ts'
import type { Principal, Storage } from './context.ts'
import { files } from './demo-files.ts'
import { deleteObject, storeUpload } from './objects/objects.ts'
import { bucketOf } from './policies/authorize.ts'

const login = { role: 'owner of Harbour Studio', login: 'ada@harbour.example', password: 'trivet-demo' }

const upload = async (ctx: Storage, me: Principal, bucketId: string, file: (typeof files)[number]) => {
  const { key, type, text, metadata = {} } = file
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const blob = await receiveBlob(ctx, Readable.from([Buffer.from(text)], { objectMode: false }))
  await storeUpload(ctx, me, bucket, { key, contentType: type, metadata, blob })
}

/** A small company's buckets and files: a website, contracts with earlier versions, backups, one thing deleted. */
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
  const buckets: Record<string, string> = {}
  for (const [name, visibility] of [
    ['website', 'public'],
    ['contracts', 'private'],
    ['backups', 'private'],
  ] as const) {
    const bucket = { name, visibility, versioningEnabled: true, region: 'local' }
    buckets[name] = (await createBucket(ctx, owner, bucket)).id
  }
  for (const file of files) await upload(ctx, owner, buckets[file.bucket] as string, file)
  await deleteObject(ctx, owner, buckets.contracts as string, '2025/obsolete-offer.md')
  return [login]
}
