import { Readable } from 'node:stream'
import { unconditional } from '#platform/http/response/conditional.ts'
import { type Report, unreported } from '#platform/progress.ts'
import { isRegistered, register } from '../accounts/accounts.ts'
import { receiveBlob } from '../blobs/blobs.ts'
import { createBucket } from '../buckets/buckets.ts'
import { bucketOf } from '../buckets/lookup.ts'
import type { Principal, Role, Storage } from '../context.ts'
import { addMember } from '../members/members.ts'
import { deleteObject } from '../objects/delete/delete.ts'
import { storeUpload } from '../objects/write/write.ts'
import { createSignedUrl } from '../signed-urls/signed-urls.ts'
import { bucketNames, deleted, makeFiles, shared } from './files.ts'

const password = 'trivet-demo'
const owner = { role: 'owner of Harbour Studio', login: 'ada@harbour.example', password }
const admin = { role: 'admin of Harbour Studio', login: 'ben@harbour.example', password }
const member = { role: 'member of Harbour Studio', login: 'cleo@harbour.example', password }
const logins = [owner, admin, member]

const ip = '127.0.0.1'
const weekSeconds = 7 * 86_400

/** The service with a clock that is some days behind. */
const past = (ctx: Storage, days: number): Storage => {
  const then = new Date(ctx.clock.now().getTime() - days * 86_400_000)
  return { ...ctx, clock: { now: () => then } }
}

const foundCompany = async (ctx: Storage) => {
  const { user, organization } = await register(
    ctx,
    {
      organizationName: 'Harbour Studio',
      organizationSlug: 'harbour-studio',
      fullName: 'Ada Marlow',
      email: owner.login,
      password,
    },
    ip,
  )
  const principal = (id: string, role: Role): Principal => ({
    ...{ userId: id, orgId: organization.id, role, keyId: null, ancestorIds: [], ip },
  })
  const ada = principal(user.id, user.role)
  const join = async (fullName: string, email: string, role: 'admin' | 'member') =>
    principal((await addMember(ctx, ada, { fullName, email, password, role })).id, role)
  const ben = await join('Ben Okoye', admin.login, 'admin')
  const cleo = await join('Cleo Brandt', member.login, 'member')
  return { ada, ben, cleo }
}

/** A small company, its people, and a month of their work: files of many kinds, versions, a trash, shared links. */
export const demo = async (ctx: Storage, report: Report = unreported) => {
  if (await isRegistered(ctx, owner.login)) return logins
  report('3 people')
  const people = await foundCompany(ctx)
  const buckets = new Map<string, string>()
  for (const name of bucketNames) {
    const visibility = name === 'website' ? ('public' as const) : ('private' as const)
    const bucket = { name, visibility, versioningEnabled: true, region: 'local' }
    buckets.set(name, (await createBucket(past(ctx, 26), people.ada, bucket)).id)
  }
  const idOf = (bucket: string) => buckets.get(bucket) as string

  report('drawing pictures')
  const files = makeFiles()
  for (const [n, { bucket, key, type, content, by, ago, metadata = {} }] of files.entries()) {
    report(`${n + 1} of ${files.length} files`)
    const facts = await bucketOf(ctx, people.ada.orgId, idOf(bucket))
    const blob = await receiveBlob(ctx, Readable.from([Buffer.from(content)], { objectMode: false }))
    const upload = { bucket: facts, key, contentType: type, metadata, conditions: unconditional }
    await storeUpload(past(ctx, ago), people[by], upload, { blob })
  }
  for (const { bucket, key, by, ago } of deleted)
    await deleteObject(past(ctx, ago), people[by], { bucketId: idOf(bucket), key })
  for (const { bucket, key, by } of shared)
    await createSignedUrl(ctx, people[by], idOf(bucket), {
      objectKey: key,
      method: 'GET',
      expiresIn: weekSeconds,
    })
  return logins
}
