import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Request } from '../load.ts'
import { call, type Trivet } from '../system.ts'

/** The trial's bandwidth would be used up within seconds. */
const largestPlan = (slug: string, dataDir: string) =>
  promisify(execFile)(
    process.execPath,
    [
      ...['src/main.ts', 'storage', 'plan', 'set', '--org', slug],
      ...['--storage-tier', 'storage-1000', '--bandwidth-tier', 'bandwidth-5000'],
    ],
    { env: { ...process.env, TRIVET_DATA: dataDir } },
  )

/** An organization with an API key and a bucket. */
export const prepare = async ({ urls: { storage }, dataDir }: Trivet, name = 'objects') => {
  const signIn = { email: `bench-${name}@example.com`, password: 'bench-bench' }
  const account = (await call('POST', `${storage}/auth/register`, {
    organizationName: 'Bench',
    organizationSlug: `bench-${name}`,
    fullName: 'Bench',
    ...signIn,
  })) as { token: string; organization: { id: string } }
  await largestPlan(`bench-${name}`, dataDir)
  const bearer = { authorization: `Bearer ${account.token}` }
  const { key, ...credentials } = (await call('POST', `${storage}/auth/api-keys`, {}, bearer)) as {
    key: string
    accessKey: string
    secretKey: string
  }
  const headers = { 'x-api-key': key }
  const bucket = (await call('POST', `${storage}/buckets`, { name: 'bench' }, headers)) as { id: string }
  return {
    signIn,
    headers,
    credentials,
    orgId: account.organization.id,
    bucketId: bucket.id,
    root: `${storage}/buckets/${bucket.id}/objects`,
  }
}

export const upload = async (url: string, headers: Record<string, string>, size: number) => {
  const answer = await fetch(url, { method: 'PUT', headers, body: Buffer.alloc(size, 'b') })
  if (!answer.ok) throw new Error(`PUT ${url}: ${answer.status} ${await answer.text()}`)
}

/** Uploads for the load generator, each under a new key. */
export const uploads = (root: string, headers: Record<string, string>, size: number): Request => ({
  url: `${root}/{n}`,
  method: 'PUT',
  headers: { ...headers, 'content-type': 'application/octet-stream' },
  body: 'u'.repeat(size),
})
