import { Readable } from 'node:stream'
import { isRegistered, register } from '../accounts/accounts.ts'
import { receiveBlob } from '../blobs/blobs.ts'
import { createBucket } from '../buckets/buckets.ts'
import { bucketOf } from '../buckets/lookup.ts'
import type { Principal, Storage } from '../context.ts'
import { addMember } from '../members/members.ts'
import { deleteObject } from '../objects/lifecycle/delete.ts'
import { storeUpload } from '../objects/write/upload.ts'
import { files } from './files.ts'

const password = 'trivet-demo'
const owner = { role: 'owner of Harbour Studio', login: 'ada@harbour.example', password }
const admin = { role: 'admin of Harbour Studio', login: 'ben@harbour.example', password }
const member = { role: 'member of Harbour Studio', login: 'cleo@harbour.example', password }

const upload = async (ctx: Storage, me: Principal, bucketId: string, file: (typeof files)[number]) => {
  const { key, type, text, metadata = {} } = file
  const bucket = await bucketOf(ctx, me.orgId, bucketId)
  const blob = await receiveBlob(ctx, Readable.from([Buffer.from(text)], { objectMode: false }))
  await storeUpload(ctx, me, { bucket, key, contentType: type, metadata, blob })
}

/** A small company, its people, and its files: a website, contracts with earlier versions, backups, one deleted. */
export const demo = async (ctx: Storage) => {
  const logins = [owner, admin, member]
  if (await isRegistered(ctx, owner.login)) return logins
  const company = {
    organizationName: 'Harbour Studio',
    organizationSlug: 'harbour-studio',
    fullName: 'Ada Marlow',
    email: owner.login,
    password,
  }
  const ip = '127.0.0.1'
  const { user, organization } = await register(ctx, company, ip)
  const me = { userId: user.id, orgId: organization.id, role: user.role, keyId: null, ancestorIds: [], ip }
  await addMember(ctx, me, { fullName: 'Ben Okoye', email: admin.login, password, role: 'admin' })
  await addMember(ctx, me, { fullName: 'Cleo Brandt', email: member.login, password, role: 'member' })
  const buckets: Record<string, string> = {}
  for (const [name, visibility] of [
    ['website', 'public'],
    ['contracts', 'private'],
    ['backups', 'private'],
  ] as const) {
    const bucket = { name, visibility, versioningEnabled: true, region: 'local' }
    buckets[name] = (await createBucket(ctx, me, bucket)).id
  }
  for (const file of files) await upload(ctx, me, buckets[file.bucket] as string, file)
  await deleteObject(ctx, me, { bucketId: buckets.contracts as string, key: '2025/obsolete-offer.md' })
  return logins
}
