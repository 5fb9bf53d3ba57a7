import { createHash } from 'node:crypto'
import { request as httpRequest, type IncomingHttpHeaders } from 'node:http'
import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
import aws4 from 'aws4'
import type { Booted } from './boot.ts'
import { cleanUp } from './cleanup.ts'
import { storageOwner } from './factories.ts'

type Credentials = { accessKey: string; secretKey: string }

/** The SDK of AWS with its default settings, apart from where to find us. */
export const s3Client = (
  { urls }: Pick<Booted, 'urls'>,
  { accessKey, secretKey }: Credentials,
  more: S3ClientConfig = {},
) => {
  const client = new S3Client({
    endpoint: urls.s3,
    region: 'eu-central-1',
    forcePathStyle: true,
    credentials: { accessKeyId: accessKey, secretAccessKey: secretKey },
    ...more,
  })
  cleanUp(async () => client.destroy())
  return client
}

/** A new organization, with a client for the native API and one for S3. */
export const s3Owner = async (system: Booted) => {
  const owner = await storageOwner(system)
  const { body } = await owner.api('POST /auth/api-keys', { body: { label: 's3' } })
  const credentials = body as Credentials & { id: string; key: string }
  return { ...owner, credentials, s3: s3Client(system, credentials) }
}

type Sent = {
  headers?: Record<string, string>
  body?: string | Buffer
  /** Changes the request after it was signed. */
  tamper?: (request: { path: string; headers: Record<string, string> }) => void
}

/** A header that vouches for a body. */
export const md5Header = (body: string) => ({
  'content-md5': createHash('md5').update(body).digest('base64'),
})

/** Signs a request with a signer that is not the SDK's, and sends it as it is, whatever it says. */
export const signedRequest = (
  { urls }: Pick<Booted, 'urls'>,
  { accessKey, secretKey }: Credentials,
  line: string,
  { headers = {}, body, tamper }: Sent = {},
) => {
  const { hostname, port, host } = new URL(urls.s3)
  const [method = 'GET', path = '/'] = line.split(' ')
  const request = aws4.sign(
    {
      service: 's3',
      region: 'eu-central-1',
      method,
      host,
      path,
      headers: { ...headers },
      ...(body === undefined ? {} : { body }),
    },
    { accessKeyId: accessKey, secretAccessKey: secretKey },
  ) as { path: string; headers: Record<string, string> }
  tamper?.(request)
  return new Promise<{ status: number; text: string; code: string; headers: IncomingHttpHeaders }>(
    (resolve, reject) => {
      const sent = httpRequest(
        { hostname, port, method, path: request.path, headers: request.headers },
        (res) => {
          const chunks: Buffer[] = []
          res.on('data', (chunk) => chunks.push(chunk))
          res.on('error', reject)
          res.on('end', () => {
            const text = Buffer.concat(chunks).toString()
            const code = /<Code>(\w+)<\/Code>/.exec(text)?.[1] ?? ''
            resolve({ status: res.statusCode ?? 0, text, code, headers: res.headers })
          })
        },
      )
      sent.on('error', reject)
      sent.end(body)
    },
  )
}
