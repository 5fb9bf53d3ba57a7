import assert from 'node:assert/strict'
import type { Booted } from './boot.ts'
import type { Client } from './client.ts'
import { password } from './factories.ts'

/** Creates a bucket and returns its id. */
export const createBucket = async (api: Client, name: string, more: object = {}) => {
  const { status, body, text } = await api('POST /buckets', { body: { name, ...more } })
  assert.equal(status, 201, text)
  return body.id as string
}

export const objectPath = (bucketId: string, key: string) => `/buckets/${bucketId}/objects/${key}`

/** `const at = objectsIn(bucketId)`, then `at('key')` is the path of an object. */
export const objectsIn = (bucketId: string) => (key: string) => objectPath(bucketId, key)

/** Stores an object, which must succeed, and returns it. */
export const putObject = async (
  api: Client,
  path: string,
  raw: string | Buffer,
  headers: Record<string, string> = {},
) => {
  const { status, body, text } = await api(`PUT ${path}`, { raw: raw as never, headers })
  assert.ok(status === 200 || status === 201, text)
  return body
}

/** Adds a member to the caller's organization, and signs them in. */
export const addMember = async ({ storage }: Pick<Booted, 'storage'>, api: Client, role: string) => {
  const email = `${role}-${crypto.randomUUID()}@example.com`
  const added = await api('POST /members', { body: { fullName: 'Some Body', email, password, role } })
  assert.equal(added.status, 201, added.text)
  const { body } = await storage('POST /auth/login', { body: { email, password } })
  return { api: storage.bearer(body.token), id: body.user.id as string, email, token: body.token as string }
}
