import { S3Client, type S3ClientConfig } from '@aws-sdk/client-s3'
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
  const credentials = body as Credentials & { id: string }
  return { ...owner, credentials, s3: s3Client(system, credentials) }
}
