import { createHmac } from 'node:crypto'
import type { Booted } from './boot.ts'

type Credentials = { accessKey: string; secretKey: string }

const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest()

/** Signs a policy with a signer that is not the SDK's. */
export const signedFields = (
  { accessKey, secretKey }: Credentials,
  conditions: unknown,
  { now = new Date(), expiration = new Date(now.getTime() + 60_000).toISOString() as unknown, ...more } = {},
) => {
  const date = now.toISOString().replace(/[-:]|\.\d+/g, '')
  const scope = [date.slice(0, 8), 'eu-central-1', 's3', 'aws4_request']
  const own = {
    'x-amz-algorithm': 'AWS4-HMAC-SHA256',
    'x-amz-credential': [accessKey, ...scope].join('/'),
    'x-amz-date': date,
  }
  const listed = Array.isArray(conditions) ? [...conditions, own] : conditions
  const policy = Buffer.from(JSON.stringify({ expiration, conditions: listed, ...more })).toString('base64')
  const key = scope.reduce<string | Buffer>((secret, part) => hmac(secret, part), `AWS4${secretKey}`)
  return { ...own, policy, 'x-amz-signature': hmac(key, policy).toString('hex') }
}

type Posted = { status: number; text: string; code: string; message: string; headers: Headers }

/** Posts a form as a browser does: the fields, then the file. */
export const postForm = async (
  { urls }: Pick<Booted, 'urls'>,
  bucket: string,
  fields: Record<string, string>,
  { file = 'hello' as string | Buffer | null, name = 'file.txt', type = 'text/html' } = {},
): Promise<Posted> => {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.append(field, value)
  if (file !== null) form.append('file', new Blob([file as never], { type }), name)
  return asPosted(await fetch(`${urls.s3}/${bucket}`, { method: 'POST', body: form, redirect: 'manual' }))
}

export const asPosted = async (response: Response): Promise<Posted> => {
  const text = await response.text()
  const element = (tag: string) => new RegExp(`<${tag}>([^<]*)</${tag}>`).exec(text)?.[1] ?? ''
  const { status, headers } = response
  return { status, text, code: element('Code'), message: element('Message'), headers }
}

/** A form as bytes. */
export const postBody = (credentials: Credentials, bucket: string, key: string) => {
  const fields = { key, ...signedFields(credentials, [{ bucket, key }]) }
  const part = (name: string, value: string) =>
    `--boundary\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`
  const parts = Object.entries({ ...fields, file: 'hello' }).map(([name, value]) => part(name, value))
  const body = Buffer.from(`${parts.join('')}--boundary--\r\n`)
  return { type: 'multipart/form-data; boundary=boundary', body }
}
