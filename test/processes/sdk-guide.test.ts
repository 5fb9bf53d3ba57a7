import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { boot } from '#test/support/boot.ts'

const run = promisify(execFile)
const fileOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))

test('the code of the guide to the SDK runs as printed, from top to bottom', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'trivet-sdk-guide-'))
  after(() => rm(folder, { recursive: true, force: true }))
  const system = await boot({ env: { TRIVET_SERVICES: 'storage' } })
  const guide = await readFile(fileOf('../../docs/guides/sdk.md'), 'utf8')
  const blocks = [...guide.matchAll(/^```js\n(.*?)^```/gms)].map(([, code]) => code as string)
  assert.ok(blocks.length >= 6)
  const code = blocks
    .join('\n')
    .replaceAll('http://localhost:4001', system.urls.storage)
    .replaceAll("'@trivet/sdk'", `'${fileOf('../../sdk/src/index.ts')}'`)
  await symlink(fileOf('../../node_modules'), join(folder, 'node_modules'))
  await writeFile(join(folder, 'guide.mjs'), code)
  const { stdout } = await run(process.execPath, ['guide.mjs'], { cwd: folder, timeout: 60_000 })
  assert.match(stdout, /^409 .+ \S+$/m)
  assert.match(stdout, /^13 of 13 bytes$/m)
  assert.match(stdout, /^object\.created object\/\S+$/m)
})
