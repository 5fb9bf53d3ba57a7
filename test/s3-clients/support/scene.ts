import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import { client } from '#test/support/client.ts'
import { storageOwner } from '#test/support/factories.ts'

const { storage, s3, nginx } = JSON.parse(process.env.TRIVET_TEST_S3 ?? '{}') as Record<string, string>
const ways = { directly: s3, 'through nginx': nginx }

const region = 'eu-central-1'

/** An organization of its own, and what a client needs to know. */
const createScene = async (t: TestContext, endpoint: string) => {
  const { api, organization } = await storageOwner({ storage: client(storage as string) })
  const { body } = await api('POST /auth/api-keys', { body: { label: 'client' } })
  const { accessKey, secretKey } = body as { accessKey: string; secretKey: string }
  const folder = await mkdtemp(join(tmpdir(), 'client-'))
  t.after(() => rm(folder, { recursive: true, force: true, maxRetries: 10 }))
  const env: Record<string, string> = {
    // Nothing that the machine has configured for its own use.
    ...Object.fromEntries(
      Object.entries(process.env).filter(([name]) => !/^(AWS|RCLONE|RESTIC)_/.test(name)),
    ),
    HOME: folder,
    AWS_ACCESS_KEY_ID: accessKey,
    AWS_SECRET_ACCESS_KEY: secretKey,
    AWS_DEFAULT_REGION: region,
    LC_ALL: 'C.UTF-8',
  }
  /** Runs a program, which must succeed, and returns what it prints. */
  const run = async (
    program: string,
    args: readonly string[],
    more: Record<string, string> = {},
    input: string | Buffer = '',
  ) => {
    const child = spawn(program, args, { cwd: folder, env: { ...env, ...more }, timeout: 120_000 })
    // A program that reads nothing may be over before this.
    child.stdin.on('error', () => {}).end(input)
    const [stdout, stderr, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    assert.equal(code, 0, `${program} ${args.join(' ')}\n${stdout}\n${stderr}`)
    return stdout
  }
  const slug = organization.slug as string
  return {
    t,
    api,
    slug,
    endpoint,
    isProxied: endpoint === nginx,
    host: new URL(endpoint).host,
    region,
    accessKey,
    secretKey,
    folder,
    env,
    run,
  }
}

export type Scene = Awaited<ReturnType<typeof createScene>>

/** What a presigned URL delivers to everybody. */
export const fetchBytes = async (url: string) => {
  const response = await fetch(url)
  const bytes = Buffer.from(await response.arrayBuffer())
  assert.equal(response.status, 200, bytes.toString())
  return bytes
}

/** A test for each way to the service. */
export const testEachWay = (name: string, work: (scene: Scene) => Promise<void>) => {
  for (const [way, endpoint] of Object.entries(ways))
    test(`${name}, ${way}`, { timeout: 170_000 }, async (t) => work(await createScene(t, endpoint as string)))
}
