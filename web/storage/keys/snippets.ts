import type { Snippet } from '#web/components/snippet-tabs.tsx'

type Access = { apiUrl: string; s3Url: string; key: string; accessKey: string; secretKey: string }

/** Settings for the clients that people have, ready to be pasted. */
export const snippetsOf = ({ apiUrl, s3Url, key, accessKey, secretKey }: Access): Snippet[] => [
  {
    name: 'curl',
    text: `curl ${apiUrl}/buckets \\
  -H 'X-API-Key: ${key}'`,
  },
  {
    name: 'aws',
    text: `export AWS_ACCESS_KEY_ID=${accessKey}
export AWS_SECRET_ACCESS_KEY=${secretKey}
export AWS_DEFAULT_REGION=us-east-1
export AWS_ENDPOINT_URL=${s3Url}
aws s3 ls`,
  },
  {
    name: 'rclone',
    text: `# ~/.config/rclone/rclone.conf, then: rclone lsd trivet:
[trivet]
type = s3
provider = Other
endpoint = ${s3Url}
access_key_id = ${accessKey}
secret_access_key = ${secretKey}`,
  },
  {
    name: 'restic',
    text: `export AWS_ACCESS_KEY_ID=${accessKey}
export AWS_SECRET_ACCESS_KEY=${secretKey}
export RESTIC_REPOSITORY=s3:${s3Url}/backups
restic init`,
  },
  {
    name: 's3cmd',
    text: `# ~/.s3cfg, then: s3cmd ls
[default]
access_key = ${accessKey}
secret_key = ${secretKey}
host_base = ${new URL(s3Url).host}
host_bucket = ${new URL(s3Url).host}
use_https = ${new URL(s3Url).protocol === 'https:' ? 'True' : 'False'}`,
  },
  {
    name: 'SDK',
    text: `import { createStorage } from '@trivet/sdk'

const storage = createStorage({
  baseUrl: '${apiUrl}',
  apiKey: '${key}',
})
const { data: buckets } = await storage.GET('/buckets')`,
  },
]
