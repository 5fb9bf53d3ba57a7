import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { serveProcess } from '#test/processes/fixtures/trivet-process.ts'
import { freshDatabase } from '#test/support/cluster.ts'
import { debianPackages } from '#test/support/debian.ts'
import { startNginx } from '#test/support/nginx.ts'

/** The program of each package, by which we know that it is there. */
const packages = {
  awscli: '/usr/bin/aws',
  curl: '/usr/bin/curl',
  duplicity: '/usr/bin/duplicity',
  nginx: '/usr/sbin/nginx',
  'python3-boto3': '/usr/lib/python3/dist-packages/boto3/__init__.py',
  rclone: '/usr/bin/rclone',
  restic: '/usr/bin/restic',
  s3cmd: '/usr/bin/s3cmd',
  s3fs: '/usr/bin/s3fs',
}

/** As the guide says: the host and the path reach Trivet as the client has signed them. */
const proxied = (endpoint: string) => `
    location / {
      proxy_pass ${endpoint};
      proxy_http_version 1.1;
      proxy_set_header Host $http_host;
      proxy_set_header Connection "";
      proxy_set_header X-Forwarded-For $remote_addr;
      proxy_request_buffering off;
    }`

/** Starts `trivet serve`, which all clients share, and nginx in front of its S3 endpoint. */
export const startService = async () => {
  await debianPackages(packages)
  const folder = await mkdtemp(join(tmpdir(), 's3-'))
  const database = await freshDatabase()
  const server = await serveProcess({
    TRIVET_DATA: folder,
    TRIVET_SERVICES: 'storage',
    DATABASE_URL: database.url,
  })
  const { storage, s3 } = server.urls
  const nginx = await startNginx(proxied(s3))
  return {
    environment: { TRIVET_TEST_S3: JSON.stringify({ storage, s3, nginx: nginx.url }) },
    async stop() {
      await nginx.stop()
      await server.stop()
      await database.drop()
      await rm(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}
