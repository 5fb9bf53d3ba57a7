import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '#test/support/eventually.ts'
import { assertQuiet, openAsOwner, openConsole, type Page, startConsole } from './support/console.ts'
import { openShop, startInventory } from './support/inventory.ts'

const storage = await startConsole()
const inventory = await startInventory()
// Bundled now, which takes a moment.
for (const { address } of [storage, inventory]) await fetch(address())

type Loaded = { name: string; encodedBodySize: number; transferSize: number }
const loadedOn = `performance.getEntriesByType('resource').map(({ name, encodedBodySize, transferSize }) => ({ name, encodedBodySize, transferSize }))`
const scripts = (loaded: Loaded[]) => loaded.filter(({ name }) => name.endsWith('.js'))
const sum = (loaded: Loaded[]) => loaded.reduce((bytes, { encodedBodySize }) => bytes + encodedBodySize, 0)

/** Before charts and scanning, which are loaded when they are shown. */
const limit = 120 * 1024

const firstLoads = {
  storage: async () => {
    const { page, troubles } = await openAsOwner(storage, '/buckets')
    return { page, troubles, root: storage.root, shown: 'No buckets yet' }
  },
  inventory: async () => {
    const { page, troubles } = await openShop(inventory, '/products')
    return { page, troubles, root: inventory.root, shown: 'No products yet' }
  },
}

/** Loads the page again, twice, because the first time may still fill the cache. */
const loadedAgain = async (page: Page, heading: string) => {
  for (const _again of [1, 2]) {
    await page.reload()
    await page.getByRole('heading', { name: heading }).waitFor()
  }
  return (await page.evaluate(loadedOn)) as Loaded[]
}

for (const [name, open] of Object.entries(firstLoads))
  test(`a first load of ${name} has at most 120 KiB of script, compressed, and asks no other host`, async (t) => {
    const { page, troubles, root, shown } = await open()
    const loaded = await loadedAgain(page, shown)
    const bytes = sum(scripts(loaded))
    t.diagnostic(`${(bytes / 1024).toFixed(1)} KiB of script in ${scripts(loaded).length} files`)
    assert.ok(bytes > 0 && bytes <= limit, `${bytes} bytes`)
    for (const { name } of loaded) assert.equal(new URL(name).origin, root)
    const again = scripts(loaded).filter(({ transferSize }) => transferSize > 0)
    assert.deepEqual(again, [], 'scripts are not asked for again')
    assertQuiet(troubles)
  })

for (const console of [storage, inventory])
  test(`the page for signing in at ${console === storage ? 'storage' : 'inventory'} has at most 120 KiB of script, too`, async () => {
    const { page, troubles } = await openConsole(console)
    await page.getByRole('button', { name: 'Sign in' }).waitFor()
    const loaded = (await page.evaluate(loadedOn)) as Loaded[]
    assert.ok(sum(scripts(loaded)) <= limit)
    assertQuiet(troubles)
  })

test('without scripts the console says that it needs them, and leads to the API', async () => {
  const { page } = await openConsole(storage, '', { javaScriptEnabled: false })
  await eventually(async () => assert.ok(await page.locator('noscript p').isVisible()))
  await eventually(async () => assert.equal(await page.locator('noscript a').getAttribute('href'), '/docs'))
})
