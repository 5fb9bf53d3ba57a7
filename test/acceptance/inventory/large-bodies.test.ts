import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { shop } from './scene.ts'

const system = await boot()
const s = await shop(system)
const { key } = await s.created('POST /api/api-keys', { name: 'Sync', permissions: ['read', 'write'] })
const external = system.inventory.with({ 'x-api-key': key })
const most = 2 * 1024 * 1024
/** Arrays and objects, of which a body may have 100,000. */
const mostContainers = 99_000
const json = { 'content-type': 'application/json' }

/** A large part of what a body may hold, as items of an array between what comes before and after it. */
const filled = (before: string, item: string, after: string) => {
  const fitting = Math.floor((most - before.length - after.length) / (item.length + 1))
  const count = item === '0' ? fitting : Math.min(fitting, mostContainers)
  return `${before}${Array(count).fill(item).join(',')}${after}`
}

const cpuOf = async <T>(work: () => T | Promise<T>) => {
  const start = process.cpuUsage()
  const result = await work()
  const { user, system: kernel } = process.cpuUsage(start)
  return { result, ms: (user + kernel) / 1000 }
}

const bulk = (before: string, item: string) => filled(`{"product_id":1,${before}"serials":[`, item, ']}')
const cases: [string, typeof external, string, string, RegExp][] = [
  ['items that are no rows', external, 'POST /api/external/inventory/sync', filled('[', '0', ']'), /^items must have at most 10000 items$/],
  ['empty rows', external, 'POST /api/external/inventory/sync', filled('{"items":[', '{}', ']}'), /^items must have at most 10000 items$/],
  ['serials that are no text', s.api, 'POST /api/serials/bulk', bulk('', '0'), /^serials must have at most 10000 items$/],
  ['names nobody knows beside a mistake', s.api, 'POST /api/serials/bulk', filled('{"x":[', '[]', ']}'), /^product_id is required$/],
  ['a character that cannot be stored at the end', s.api, 'POST /api/serials/bulk', filled('{"x":[', '[]', ',"\\u0000"]}'), /NUL characters/],
] // biome-ignore format: a table

for (const [what, api, call, raw, message] of cases)
  test(`as much as fits of ${what} costs little more than reading it, and is a clear 400`, async () => {
    const reading = await cpuOf(() => JSON.parse(raw))
    const { result, ms } = await cpuOf(() => api(call, { raw, headers: json }))
    assert.equal(result.status, 400, result.text)
    assert.match(result.body.error, message)
    assert.ok(result.text.length < 5_000)
    assert.ok(ms < 500 + 20 * reading.ms, `${ms} ms of CPU; reading alone takes ${reading.ms} ms`)
  })

test('a large invalid body is refused with its first error, a small one with all, up to 20 fields', async () => {
  const row = { sku: 'x', warehouse_id: 1, quantity: -1 }
  const sync = (rows: number) =>
    external('POST /api/external/inventory/sync', { body: Array(rows).fill(row) })
  const large = await sync(1_000)
  assert.deepEqual([large.status, large.body.error], [400, 'items[0].quantity must be at least 0'])
  const small = await sync(25)
  assert.equal(small.status, 400)
  const told = (small.body.error as string).split('; ')
  assert.equal(told.length, 20)
  assert.equal(told.at(-1), 'items[19].quantity must be at least 0')
})
