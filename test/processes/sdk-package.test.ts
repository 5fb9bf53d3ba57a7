import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { boot } from '#test/support/boot.ts'
import { storageOwner } from '#test/support/factories.ts'

const run = promisify(execFile)
const root = fileURLToPath(new URL('../../', import.meta.url))
const project = await mkdtemp(join(tmpdir(), 'trivet-sdk-'))
after(() => rm(project, { recursive: true, force: true }))

/** As npm installs a packed file, without the network: its dependencies come from this project. */
const installPacked = async () => {
  await run('npm', ['pack', '--workspace', 'sdk', '--pack-destination', project], { cwd: root })
  const [file] = (await readdir(project)).filter((name) => name.endsWith('.tgz'))
  const target = join(project, 'node_modules/@trivet/sdk')
  await mkdir(target, { recursive: true })
  await run('tar', ['-xzf', join(project, file as string), '-C', target, '--strip-components=1'])
  for (const name of ['openapi-fetch', 'openapi-typescript-helpers'])
    await cp(join(root, 'node_modules', name), join(project, 'node_modules', name), { recursive: true })
  return target
}

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
console.log(JSON.stringify({ text: Buffer.concat(text).toString(), missing, verify: typeof verifyWebhook }))
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

test('the packed SDK works in a plain JavaScript project, and brings its types', {
  timeout: 120_000,
}, async () => {
  const installed = await installPacked()
  const files = await readdir(installed, { recursive: true })
  assert.ok(files.includes('dist/index.js') && files.includes('dist/index.d.ts'), files.join())
  assert.ok(!files.some((file) => file.endsWith('.ts') && !file.endsWith('.d.ts')), files.join())

  const system = await boot({ env: { TRIVET_SERVICES: 'storage' } })
  const { token } = await storageOwner(system)
  await writeFile(join(project, 'package.json'), '{"type":"module"}')
  await writeFile(join(project, 'plain.js'), script)
  const { stdout } = await run(process.execPath, ['plain.js', system.urls.storage, token], { cwd: project })
  assert.deepEqual(JSON.parse(stdout), { text: 'hello', missing: 404, verify: 'function' })

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
