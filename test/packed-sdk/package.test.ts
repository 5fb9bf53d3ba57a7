import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { boot } from '#test/support/boot.ts'
import { debianProgram } from '#test/support/debian.ts'
import { storageOwner } from '#test/support/factories.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const project = await mkdtemp(join(tmpdir(), 'trivet-sdk-'))
after(() => rm(project, { recursive: true, force: true }))

const installed = join(project, 'node_modules/@trivet/sdk')

/** As npm installs a packed file, without the network: its dependencies come from this project. */
const installPacked = async () => {
  await run('npm', ['pack', '--workspace', 'sdk', '--pack-destination', project], { cwd: root })
  const [file] = (await readdir(project)).filter((name) => name.endsWith('.tgz'))
  await mkdir(installed, { recursive: true })
  await run('tar', ['-xzf', join(project, file as string), '-C', installed, '--strip-components=1'])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await cp(join(root, 'node_modules', name), join(project, 'node_modules', name), { recursive: true })
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
}

/** The oldest Node that the package promises to work with, as Debian has it. */
const oldestNode = async () => {
  const { engines } = JSON.parse(await readFile(join(root, 'sdk/package.json'), 'utf8'))
  const major = /^>=(\d+)$/.exec(engines.node)?.[1]
  const program = await debianProgram('nodejs', 'nodejs')
  const { stdout } = await run(program, ['--version'])
  assert.equal(stdout.split('.')[0], `v${major}`, `${program} is not the oldest Node that the SDK promises`)
  return program
}

before(installPacked, { timeout: 120_000 })

const script = `
import { createStorage, TrivetError, verifyWebhook } from '@trivet/sdk'
const [, , baseUrl, token] = process.argv
const storage = createStorage({ baseUrl, token })
const { data: bucket } = await storage.POST('/buckets', { body: { name: 'plain' } })
await storage.upload(bucket.id, 'hello.txt', new Blob(['hello'])).done
const text = []
for await (const chunk of (await storage.download(bucket.id, 'hello.txt')).body) text.push(chunk)
const missing = await storage.GET('/buckets/{bucketId}', { params: { path: { bucketId: crypto.randomUUID() } } })
  .catch((error) => error instanceof TrivetError && error.status)
const MiB = 1024 * 1024
let loaded = 0
const upload = storage.upload(bucket.id, 'large', new Blob([new Uint8Array(6 * MiB)]), {
  partsAboveBytes: MiB,
  partSizeBytes: MiB,
  onProgress: (step) => { loaded = step.loaded },
})
upload.pause()
upload.resume()
await upload.done
const cancelled = storage.upload(bucket.id, 'never', new Blob([new Uint8Array(6 * MiB)]))
cancelled.pause()
await cancelled.cancel()
console.log(JSON.stringify({
  text: Buffer.concat(text).toString(), missing, loaded, verify: typeof verifyWebhook,
}))
`

const typed = `
import { createInventory, createStorage, type TrivetEvent } from '@trivet/sdk'
const storage = createStorage({ baseUrl: 'http://localhost:4001' })
const { data } = await storage.GET('/buckets')
export const names: string[] = data.map((bucket) => bucket.name)
// @ts-expect-error: there is no such path
await storage.GET('/bucket')
const inventory = createInventory({ baseUrl: 'http://localhost:4003' })
for await (const order of inventory.list('/api/orders')) console.log(order.order_number satisfies string)
export const event: TrivetEvent | undefined = (await inventory.events().next()).value ?? undefined
`

test('the package has JavaScript and types, and no sources', async () => {
  const files = await readdir(installed, { recursive: true })
  assert.ok(files.includes('dist/index.js') && files.includes('dist/index.d.ts'), files.join())
  assert.ok(!files.some((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')), files.join())
})

const nodes = { 'this Node': async () => process.execPath, 'the oldest Node that it promises': oldestNode }
for (const [name, find] of Object.entries(nodes)) {
  test(`the packed SDK works in a plain JavaScript project with ${name}`, async () => {
    const node = await find()
    const system = await boot({ env: { TRIVET_SERVICES: 'storage' } })
    const { token } = await storageOwner(system)
    await writeFile(join(project, 'plain.js'), script)
    const { stdout } = await run(node, ['plain.js', system.urls.storage, token], {
      cwd: project,
      timeout: 60_000,
    })
    assert.deepEqual(JSON.parse(stdout), {
      text: 'hello',
      missing: 404,
      loaded: 6 * 1024 * 1024,
      verify: 'function',
    })
  })

  test(`the code of its guide runs as printed, from top to bottom, with ${name}`, async () => {
    const node = await find()
    const system = await boot({ env: { TRIVET_SERVICES: 'storage' } })
    const guide = await readFile(join(root, 'docs/guides/sdk.md'), 'utf8')
    const blocks = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code as string)
    assert.ok(blocks.length >= 6)
    const code = blocks.join('\n').replaceAll('http://localhost:4001', system.urls.storage)
    await writeFile(join(project, 'guide.js'), code)
    const { stdout } = await run(node, ['guide.js'], { cwd: project, timeout: 60_000 })
    assert.match(stdout, /^409 .+ \S+$/m)
    assert.match(stdout, /^13 of 13 bytes$/m)
    assert.match(stdout, /^object\.created object\/\S+$/m)
  })
}

test('its types serve a strict TypeScript project', async () => {
  await writeFile(join(project, 'typed.ts'), typed)
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2022', 'dom'],
    types: [],
    strict: true,
    noEmit: true,
  }
  await writeFile(join(project, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['typed.ts'] }))
  const tsc = join(root, 'node_modules/typescript/lib/tsc.js')
  const said = await run(process.execPath, [tsc, '-p', project]).catch((error) => error)
  assert.equal(said.stdout, '')
})
