import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import {
  CreateBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
} from '@aws-sdk/client-s3'
import { boot } from '#test/support/boot.ts'
import { eventually } from '#test/support/eventually.ts'
import { s3Owner } from '#test/support/s3-endpoint.ts'

const source = await boot({ env: { TRIVET_SERVICES: 'storage' } })
const theirs = await s3Owner(source)
const target = await boot({ env: { TRIVET_SERVICES: 'storage' } })
const ours = await s3Owner(target)
const count = 120

/** Starts `trivet` beside the running target, with the key of the source. */
const trivet = (...args: string[]) => {
  const child = spawn(process.execPath, ['src/main.ts', ...args], {
    env: {
      ...process.env,
      TRIVET_DATA: target.dataDir,
      DATABASE_URL: target.databaseUrl,
      TRIVET_SECRET: 'a secret for tests only',
      AWS_ACCESS_KEY_ID: theirs.credentials.accessKey,
      AWS_SECRET_ACCESS_KEY: theirs.credentials.secretKey,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const exited = once(child, 'exit') as Promise<[number | null, string | null]>
  return { child, exited, stdout: text(child.stdout), stderr: text(child.stderr) }
}
const importing = (bucket: string) =>
  trivet(
    ...['storage', 'import', '--from', `s3://papers?endpoint=${source.urls.s3}`, '--concurrency', '2'],
    ...['--org', ours.organization.slug, '--bucket', bucket],
  )

const tagsOf = async (s3: S3Client, Bucket: string) => {
  const { Contents = [] } = await s3.send(new ListObjectsV2Command({ Bucket }))
  return Object.fromEntries(Contents.map(({ Key, ETag, Size }) => [Key, `${ETag} ${Size}`]))
}

await theirs.s3.send(new CreateBucketCommand({ Bucket: 'papers' }))
for (let at = 0; at < count; at++)
  await theirs.s3.send(
    new PutObjectCommand({ Bucket: 'papers', Key: `${at}.bin`, Body: randomBytes(100_000) }),
  )

test('an import that was killed goes on where it was, beside a running server', async () => {
  const first = importing('papers')
  await eventually(async () => {
    const [bucket] = (await ours.api('GET /buckets')).body
    assert.ok(bucket?.object_count > 0)
  })
  first.child.kill('SIGKILL')
  await first.exited
  const before = Object.keys(await tagsOf(ours.s3, 'papers')).length
  assert.ok(before > 0 && before < count, `${before} before it was killed`)
  const second = importing('papers')
  const [code] = await second.exited
  const summary = await second.stdout
  assert.equal(code, 0, await second.stderr)
  const [, copied, skipped] =
    /^(\d+) objects? imported .*, (\d+) already there, 0 failed\.$/m.exec(summary) ?? []
  assert.equal(Number(copied) + Number(skipped), count, summary)
  assert.ok(Number(skipped) >= before, summary)
  assert.deepEqual(await tagsOf(ours.s3, 'papers'), await tagsOf(theirs.s3, 'papers'))
  const verified = trivet('verify')
  assert.deepEqual(
    [(await verified.exited)[0], await verified.stdout],
    [0, 'Everything is as it should be.\n'],
  )
})

test('an import names the objects that failed, and ends with exit code 1', async () => {
  await ours.api('POST /buckets', { body: { name: 'small', storageQuotaBytes: 150_000 } })
  const { exited, stdout } = importing('small')
  assert.equal((await exited)[0], 1)
  const lines = (await stdout).trim().split('\n')
  assert.equal(
    lines.filter((line) => /^failed: \d+\.bin: .*quota/i.test(line)).length,
    count - 1,
    lines.join(),
  )
  assert.match(lines.at(-1) ?? '', /^1 object imported \(97\.7 KiB\), 0 already there, 119 failed\.$/)
})
