import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import S3rver from '@20minutes/s3rver'
import { CreateBucketCommand, S3Client } from '@aws-sdk/client-s3'

/** The only credentials that the server accepts. */
export const s3Credentials = { accessKeyId: 'S3RVER', secretAccessKey: 'S3RVER' }

/** An S3-compatible server on a free port, with a folder of its own. */
export const startS3 = async () => {
  const directory = await mkdtemp(join(tmpdir(), 'trivet-s3-'))
  const options = {
    address: '127.0.0.1',
    silent: true,
    directory,
    vhostBuckets: false,
    // Its signature check is wrong for bucket paths that end with a slash, which the SDK sends.
    allowMismatchedSignatures: true,
  }
  let server = new S3rver({ ...options, port: 0 })
  const { port } = await server.run()

  const down = async () => {
    const closed = server.close()
    server.httpServer.closeAllConnections()
    await closed
  }
  return {
    endpoint: `http://127.0.0.1:${port}`,
    down,
    async up() {
      server = new S3rver({ ...options, port })
      await server.run()
    },
    async stop() {
      if (server.httpServer.listening) await down()
      await rm(directory, { recursive: true, force: true })
    },
  }
}

/** Creates a bucket if necessary and returns the environment that stores blobs in it. */
export const s3Environment = async (endpoint: string, bucket: string) => {
  const client = new S3Client({
    endpoint,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: s3Credentials,
  })
  await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((error) => {
    if (!/^BucketAlready/.test(error.name)) throw error
  })
  client.destroy()
  return {
    BLOBS_URL: `s3://${bucket}?endpoint=${encodeURIComponent(endpoint)}`,
    AWS_ACCESS_KEY_ID: s3Credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: s3Credentials.secretAccessKey,
  }
}
