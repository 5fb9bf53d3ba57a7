/** Settings for the clients that people have, ready to be pasted. */
export type Access = { apiUrl: string; s3Url: string; key: string; accessKey: string; secretKey: string }

export const snippets: { name: string; of: (access: Access) => string }[] = [
  {
    name: 'curl',
    of: ({ apiUrl, key }) => `curl ${apiUrl}/buckets \\
  -H 'X-API-Key: ${key}'`,
  },
  {
    name: 'aws',
    of: ({ s3Url, accessKey, secretKey }) => `export AWS_ACCESS_KEY_ID=${accessKey}
export AWS_SECRET_ACCESS_KEY=${secretKey}
export AWS_DEFAULT_REGION=us-east-1
export AWS_ENDPOINT_URL=${s3Url}
aws s3 ls`,
  },
  {
    name: 'rclone',
    of: ({ s3Url, accessKey, secretKey }) => `# ~/.config/rclone/rclone.conf, then: rclone lsd trivet:
[trivet]
type = s3
provider = Other
endpoint = ${s3Url}
access_key_id = ${accessKey}
secret_access_key = ${secretKey}`,
  },
  {
    name: 'restic',
    of: ({ s3Url, accessKey, secretKey }) => `export AWS_ACCESS_KEY_ID=${accessKey}
export AWS_SECRET_ACCESS_KEY=${secretKey}
export RESTIC_REPOSITORY=s3:${s3Url}/backups
restic init`,
  },
  {
    name: 's3cmd',
    of: ({ s3Url, accessKey, secretKey }) => {
      const { host, protocol } = new URL(s3Url)
      return `# ~/.s3cfg, then: s3cmd ls
[default]
access_key = ${accessKey}
secret_key = ${secretKey}
host_base = ${host}
host_bucket = ${host}
use_https = ${protocol === 'https:' ? 'True' : 'False'}`
    },
  },
  {
    name: 'SDK',
    of: ({ apiUrl, key }) => `import { createStorage } from '@trivet/sdk'

const storage = createStorage({
  baseUrl: '${apiUrl}',
  apiKey: '${key}',
})
const { data: buckets } = await storage.GET('/buckets')`,
  },
]
