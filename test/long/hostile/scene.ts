import assert from 'node:assert/strict'
import {
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  PutObjectCommand,
  UploadPartCommand,
} from '@aws-sdk/client-s3'
import type { Booted } from '#test/support/boot.ts'
import { inventoryAdmin, password, publisher } from '#test/support/factories.ts'
import { md5Header, s3Owner, signedRequest } from '#test/support/s3-endpoint.ts'
import { corsXml, largestPolicy, lifecycleXml, taggingXml } from './documents.ts'

type Headers = Record<string, string>
/** Credentials, and what the parameters of paths stand for. */
export type Visitor = { api: Headers; pages: Headers; token: string; values: Record<string, string> }

const cookieOf = (response: Response) => response.headers.getSetCookie()[0]?.split(';')[0] ?? ''

/** Makes visitors who are signed in, and others when a request has ended what they had. */
export const visitors = (system: Booted) => {
  const { urls } = system
  const storage = async (): Promise<Visitor> => {
    const owner = await s3Owner(system)
    await owner.s3.send(new CreateBucketCommand({ Bucket: 'hostile' }))
    const [{ id: bucketId }] = (await owner.api('GET /buckets')).body
    await owner.s3.send(new PutObjectCommand({ Bucket: 'hostile', Key: 'key', Body: 'x' }))
    const { UploadId } = await owner.s3.send(new CreateMultipartUploadCommand({ Bucket: 'hostile', Key: 'up' }))
    const { id: webhookId } = (await owner.api('POST /webhooks', { body: { url: 'http://127.0.0.1:1999/' } })).body
    const values = { bucketId, '*': 'key', uploadId: UploadId as string, partNumber: '1', webhookId, id: webhookId, keyId: owner.credentials.id }
    return { api: { authorization: `Bearer ${owner.token}` }, pages: {}, token: '', values }
  } // biome-ignore format: one line each
  const publishing = async (): Promise<Visitor> => {
    const { api, token, email, handle } = await publisher(system)
    const { body } = await api('POST /api/posts', { body: { content: '*First* light @somebody #tag' } })
    const form = new URLSearchParams({ email, password })
    const cookie = cookieOf(await fetch(`${urls.publishing}/sign-in`, { method: 'POST', body: form, redirect: 'manual' }))
    const page = await (await fetch(`${urls.publishing}/settings`, { headers: { cookie } })).text()
    const values = { handle, tag: 'tag', id: String(body.data.id), '*': 'x' }
    const [, own = ''] = /name="token" value="([^"]+)"/.exec(page) ?? []
    return { api: { authorization: `Bearer ${token}` }, pages: { cookie, origin: urls.publishing }, token: own, values }
  } // biome-ignore format: one line each
  const inventory = async (): Promise<Visitor> => {
    const { api, token } = await inventoryAdmin(system)
    const created = async (call: string, body: object) => String((await api(`POST /api/${call}`, { body })).body.id)
    const product = await created('products', { name: 'Mug', sku: 'MUG', base_price: '9.50' })
    const warehouse = String((await api('GET /api/warehouses')).body.warehouses[0].id)
    await api('POST /api/inventory/adjust', { body: { product_id: Number(product), warehouse_id: Number(warehouse), quantity: 9 } })
    await created('customers', { name: 'Ada' })
    await created('suppliers', { name: 'Bo' })
    await created('orders', { items: [{ product_id: Number(product), quantity: 1, unit_price: '9.50' }] })
    return { api: { authorization: `Bearer ${token}` }, pages: {}, token: '', values: { id: product, '*': 'x' } }
  } // biome-ignore format: one line each
  return { storage, publishing, inventory }
}

/** Whether they are still let in. */
export const isSignedIn = async (system: Booted, service: keyof ReturnType<typeof visitors>, { api, pages }: Visitor) => {
  const { urls } = system
  const me = { storage: '/auth/me', publishing: '/api/users/me', inventory: '/api/auth/me' }[service]
  const asked = [fetch(urls[service] + me, { headers: api })]
  if (service === 'publishing') asked.push(fetch(`${urls.publishing}/settings`, { headers: pages, redirect: 'manual' }))
  const answers = await Promise.all(asked)
  await Promise.all(answers.map((answer) => answer.arrayBuffer()))
  return answers.every(({ status }) => status === 200)
} // biome-ignore format: one line each

/** A bucket with the largest settings, for strangers too, and an upload of 10,000 parts. */
export const s3Scene = async (system: Booted) => {
  const { api, s3, credentials, organization } = await s3Owner(system)
  const bucket = 'signed'
  await s3.send(new CreateBucketCommand({ Bucket: bucket }))
  const [{ id }] = (await api('GET /buckets')).body
  const settled = ({ status, text }: { status: number; text: string }) => assert.ok(status < 300, text)
  settled(await api(`PATCH /buckets/${id}`, { body: { visibility: 'public' } }))
  await s3.send(new PutObjectCommand({ Bucket: bucket, Key: 'key', Body: 'x' }))
  for (const [name, body] of Object.entries({ cors: corsXml(), tagging: taggingXml(50), lifecycle: lifecycleXml() }))
    settled(await signedRequest(system, credentials, `PUT /${bucket}?${name}`, { body, headers: md5Header(body) }))
  settled(await api(`PUT /buckets/${id}/policy`, { body: { statements: largestPolicy() } }))
  const { UploadId } = await s3.send(new CreateMultipartUploadCommand({ Bucket: bucket, Key: 'up' }))
  const { ETag: etag = '' } = await s3.send(new UploadPartCommand({ Bucket: bucket, Key: 'up', UploadId, PartNumber: 1, Body: Buffer.alloc(5 * 1024 * 1024) }))
  await system.sql`
    insert into storage.parts (org_id, upload_id, part_number, blob_id, size_bytes, md5, stored_at)
    select org_id, upload_id, n, blob_id, size_bytes, md5, stored_at
    from storage.parts, generate_series(2, 10000) n where upload_id = ${UploadId as string}`
  const names = { bucket, owner: organization.slug as string, orgId: organization.id as string, id: id as string }
  return { ...names, api, s3, signer: credentials, etag, uploadId: UploadId as string }
} // biome-ignore format: one line each
