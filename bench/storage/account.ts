import { call } from '../system.ts'

/** An organization with an API key and a bucket. */
export const prepare = async (storage: string, name = 'objects') => {
  const account = (await call('POST', `${storage}/auth/register`, {
    organizationName: 'Bench',
    organizationSlug: `bench-${name}`,
    fullName: 'Bench',
    email: `bench-${name}@example.com`,
    password: 'bench-bench',
  })) as { token: string }
  const bearer = { authorization: `Bearer ${account.token}` }
  const { key } = (await call('POST', `${storage}/auth/api-keys`, {}, bearer)) as { key: string }
  const headers = { 'x-api-key': key }
  const bucket = (await call('POST', `${storage}/buckets`, { name: 'bench' }, headers)) as { id: string }
  return { headers, root: `${storage}/buckets/${bucket.id}/objects` }
}

export const upload = async (url: string, headers: Record<string, string>, size: number) => {
  const answer = await fetch(url, { method: 'PUT', headers, body: Buffer.alloc(size, 'b') })
  if (!answer.ok) throw new Error(`PUT ${url}: ${answer.status} ${await answer.text()}`)
}
