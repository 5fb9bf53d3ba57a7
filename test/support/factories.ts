import assert from 'node:assert/strict'
import type { Booted } from './boot.ts'

let count = 0
const unique = () => `${process.pid}x${++count}`

export const password = 'correct horse'

/** A new organization and its owner, signed in. */
export const storageOwner = async ({ storage }: Pick<Booted, 'storage'>, more: object = {}) => {
  const id = unique()
  const account = {
    organizationName: `Org ${id}`,
    organizationSlug: `org-${id}`,
    fullName: `Owner ${id}`,
    email: `owner-${id}@example.com`,
    password,
    ...more,
  }
  const { status, body, text } = await storage('POST /auth/register', { body: account })
  assert.equal(status, 201, text)
  return {
    api: storage.bearer(body.token),
    token: body.token as string,
    user: body.user,
    organization: body.organization,
    email: account.email,
  }
}

/** A new publishing account, signed in. */
export const publisher = async ({ publishing }: Pick<Booted, 'publishing'>, more: object = {}) => {
  const id = unique()
  const account = {
    email: `writer-${id}@example.com`,
    password,
    handle: `writer_${id}`,
    username: `Writer ${id}`,
    ...more,
  }
  const { status, body, text } = await publishing('POST /api/auth/register', { body: account })
  assert.equal(status, 201, text)
  const { user, accessToken, refreshToken } = body.data
  return {
    api: publishing.bearer(accessToken),
    token: accessToken as string,
    refreshToken: refreshToken as string,
    user,
    handle: user.handle as string,
    email: account.email,
  }
}

/** A new tenant with its first Admin, signed in. */
export const inventoryAdmin = async ({ inventory }: Pick<Booted, 'inventory'>, more: object = {}) => {
  const id = unique()
  const account = {
    company_name: `Company ${id}`,
    name: `Admin ${id}`,
    email: `admin-${id}@example.com`,
    password,
    ...more,
  }
  const { status, body, text } = await inventory('POST /api/auth/register', { body: account })
  assert.equal(status, 201, text)
  return {
    api: inventory.bearer(body.token),
    token: body.token as string,
    user: body.user,
    tenant: body.tenant,
    email: account.email,
  }
}
