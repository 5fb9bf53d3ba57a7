import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertQuiet, openAsOwner, openConsole, startConsole } from './support/console.ts'

const console = await startConsole()
// Bundled now, which takes a moment.
await fetch(console.address())

type Loaded = { name: string; encodedBodySize: number; transferSize: number }
const loadedOn = `performance.getEntriesByType('resource').map(({ name, encodedBodySize, transferSize }) => ({ name, encodedBodySize, transferSize }))`
const scripts = (loaded: Loaded[]) => loaded.filter(({ name }) => name.endsWith('.js'))
const sum = (loaded: Loaded[]) => loaded.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0)

test('a first load has at most 120 KiB of script, compressed, and asks no other host', async (t) => {
  const { page, troubles } = await openAsOwner(console, '/buckets')
  for (const _again of [1, 2]) {
    await page.reload()
    await page.getByRole('heading', { name: 'No buckets yet' }).waitFor()
  }
  const loaded = (await page.evaluate(loadedOn)) as Loaded[]
  const bytes = sum(scripts(loaded))
  t.diagnostic(`${(bytes / 1024).toFixed(1)} KiB of script in ${scripts(loaded).length} files`)
  assert.ok(bytes > 0 && bytes <= 120 * 1024, `${bytes} bytes`)
  for (const { name } of loaded) assert.equal(new URL(name).origin, console.root)
  const again = scripts(loaded).filter(({ transferSize }) => transferSize > 0)
  assert.deepEqual(again, [], 'scripts are not asked for again')
  assertQuiet(troubles)
})

test('the page for signing in has at most 120 KiB of script, too, and no error in its log', async () => {
  const { page, troubles } = await openConsole(console)
  await page.getByRole('button', { name: 'Sign in' }).waitFor()
  const loaded = (await page.evaluate(loadedOn)) as Loaded[]
  assert.ok(sum(scripts(loaded)) <= 120 * 1024)
  assertQuiet(troubles)
})

test('without scripts the console says that it needs them, and leads to the API', async () => {
  const { page } = await openConsole(console, '', { javaScriptEnabled: false })
  assert.ok(await page.locator('noscript p').isVisible())
  assert.equal(await page.locator('noscript a').getAttribute('href'), '/docs')
})
