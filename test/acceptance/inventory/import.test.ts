import assert from 'node:assert/strict'
import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { inventory } from '#inventory/app.ts'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()
const csv = { 'content-type': 'text/csv' }
const load = (s: Shop, raw: string | Uint8Array<ArrayBuffer>, query = '', headers = {}) =>
  s.api(`POST /api/products/import${query}`, { raw, headers: { ...csv, ...headers } })
const staged = async () => (await system.sql`select 1 from inventory.import_lines limit 1`).length

/** An import that is sent piece by piece. */
const slowly = (s: Shop) => {
  const sending = request(`${system.urls.inventory}/api/products/import`, {
    method: 'POST',
    headers: { ...csv, authorization: `Bearer ${s.token}`, 'transfer-encoding': 'chunked' },
  })
  const answer = once(sending, 'response').then(async ([response]) => JSON.parse(await text(response)))
  return { sending, answer }
}
const until = async (reached: () => Promise<boolean>) => {
  while (!(await reached())) await new Promise((resolve) => setImmediate(resolve))
}

test('an import that arrives slowly blocks nobody, and changes nothing before its last line', async () => {
  const s = await shop(system)
  await s.product(0, { sku: 'SLOW-0', name: 'Before' })
  const { sending, answer } = slowly(s)
  sending.write('sku,name,base_price\n')
  for (let n = 0; n < 1200; n++) sending.write(`SLOW-${n},Après ${n},1.00\n`)
  sending.write(Buffer.from('SLOW-last,caf\u00e9').subarray(0, -1)) // in the middle of a character
  await until(async () => (await staged()) > 0)
  // Others may be between two statements for a moment. A transaction of the import would stay open.
  await until(async () => {
    const open = await system.sql`
      select 1 from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`
    return open.length === 0
  })
  assert.equal((await s.api('GET /api/products')).body.total, 1)
  const changed = await s.api(`PUT /api/products/${(await s.api('GET /api/products')).body.products[0].id}`, {
    body: { name: 'Meanwhile', sku: 'SLOW-0', base_price: 2 },
  })
  assert.equal(changed.status, 200)
  sending.end(Buffer.concat([Buffer.from('\u00e9').subarray(1), Buffer.from(',1.00\n')]))
  assert.deepEqual(await answer, { created: 1200, updated: 1, unchanged: 0, failed: [] })
  assert.equal((await s.api('GET /api/products?search=caf%C3%A9')).body.total, 1)
  assert.equal(await staged(), 0)
  await s.sound()
})

test('an import reports bad lines by number across batches, and a repeated SKU wherever it is', async () => {
  const s = await shop(system)
  const lines = Array.from({ length: 1500 }, (_, n) => `N-${n},Part ${n},1.00`)
  lines[3] = 'N-3,,1.00' // bad, so that a later line may still name it
  lines[600] = 'N-2,Again,1.00'
  lines[700] = 'N-3,Later,1.00'
  lines[1400] = `N-1400,${'x'.repeat(30_000)},1.00`
  lines[1401] = 'N-1401,a\0b,1.00'
  const file = `\ufeffsku,name,base_price\r\n${lines.join('\r\n')}`
  const told = {
    created: 1496,
    failed: [
      [5, 'name must not be empty'],
      [602, 'sku is the same as on line 4'],
      [1402, 'The line has a cell that no column takes'],
      [1403, 'The line contains a NUL character'],
    ],
  }
  for (const query of ['?dry_run=true', '']) {
    const { body } = await load(s, file, query)
    const failed = body.failed.map(({ line, error }: { line: number; error: string }) => [line, error])
    assert.deepEqual({ created: body.created, failed }, told)
    assert.equal((await s.api('GET /api/products')).body.total, query ? 0 : 1496)
    assert.equal(await staged(), 0)
  }
  await s.sound()
})

test('an import tells line by line what it creates and changes, if it is asked to', async () => {
  const s = await shop(system)
  await load(s, 'sku,name,base_price,vendor\nA,Axe,1.00,Alder\nB,Bow,2.00,\n')
  const file = 'sku,name,base_price,vendor\nN,New,3.00,\nA,Axe,1.50,\nB,Bow,2.00,\nX,,1.00,\nM,More,4.00,\n'
  const told = {
    created: 2,
    updated: 1,
    unchanged: 1,
    failed: [{ line: 5, error: 'name must not be empty' }],
    lines: [
      { line: 2, sku: 'N', outcome: 'created', changes: [] },
      {
        line: 3,
        sku: 'A',
        outcome: 'updated',
        changes: [
          { field: 'base_price', before: '1.00', after: '1.50' },
          { field: 'vendor', before: 'Alder', after: null },
        ],
      },
      { line: 6, sku: 'M', outcome: 'created', changes: [] },
    ],
  }
  for (const query of ['?dry_run=true&lines=true', '?lines=true'])
    assert.deepEqual((await load(s, file, query)).body, told)
  assert.equal('lines' in (await load(s, file)).body, false)
  const many = Array.from({ length: 1200 }, (_, n) => `L-${n},Part ${n},1.00`)
  const { created, lines } = (await load(s, `sku,name,base_price\n${many.join('\n')}`, '?lines=true')).body
  assert.deepEqual([created, lines.length, lines.at(-1).line], [1200, 1000, 1001])
  await s.sound()
})

test('an import counts lines as an editor does: blank lines and line breaks within quotes included', async () => {
  const s = await shop(system)
  for (const end of ['\n', '\r\n']) {
    const file = ['', 'sku,name,base_price', '', '', 'A,,1', '"B', '', 'b",,1', '', 'C,,1', ''].join(end)
    const { failed } = (await load(s, file)).body
    assert.deepEqual(
      failed.map(({ line }: { line: number }) => line),
      [5, 6, 10],
    )
  }
  // As spreadsheets write: pairs between rows, single line feeds within cells.
  const { failed } = (await load(s, 'sku,name,base_price\r\n"A\na",,1\r\nB,,1\r\n')).body
  assert.deepEqual(
    failed.map(({ line }: { line: number }) => line),
    [2, 4],
  )
})

test('a blank cell in an import is an empty text, or leaves a field that cannot be empty as it is', async () => {
  const s = await shop(system)
  const head = 'sku,name,base_price,vendor,weight,tracking_type,taxable,requires_shipping,is_active\n'
  assert.equal((await load(s, `${head}A,a,1,V,1.5,batch,false,false,false\nB,b,1,,,,,,\n`)).body.created, 2)
  assert.equal((await load(s, `${head}A,a,1,,,,,,\n`)).body.updated, 1)
  const { products } = (await s.api('GET /api/products')).body
  const facts = products.map((p: Record<string, unknown>) => [
    p.sku, p.vendor, p.weight, p.tracking_type, p.taxable, p.requires_shipping, p.is_active,
  ]) // biome-ignore format: one list
  assert.deepEqual(facts, [
    ['B', null, null, 'none', true, true, true],
    ['A', null, null, 'batch', false, false, false],
  ])
  for (const cell of ['0x10', ' ', 'heavy', '-1', '1e10', 'Infinity'])
    assert.match((await load(s, `sku,weight\nA,${cell}\n`)).body.failed[0]?.error ?? cell, /^weight must be/)
})

test('an import that names a column twice is refused', async () => {
  const s = await shop(system)
  const { status, body } = await load(s, 'sku,name,base_price,Name\nA,x,1,y\n')
  assert.deepEqual([status, body.error], [400, 'The first line names the column name twice'])
  assert.equal((await s.api('GET /api/products')).body.total, 0)
})

test('an import that is no CSV file, no UTF-8 text, or too large is refused and leaves nothing behind', async () => {
  const s = await shop(system)
  const head = 'sku,name,base_price\n'
  assert.equal((await load(s, new Uint8Array([...Buffer.from(`${head}A,`), 0xff, 0x0a]))).status, 400)
  assert.equal((await load(s, `${head}A,"open`)).status, 400)
  assert.equal((await load(s, '')).status, 400)
  assert.equal((await load(s, `${head}A,${'x'.repeat(1_100_000)},1`)).status, 400)
  const announce = (bytes: number) => {
    const headers = { ...csv, authorization: `Bearer ${s.token}`, 'content-length': bytes }
    const sending = request(`${system.urls.inventory}/api/products/import`, { method: 'POST', headers })
    sending.on('error', () => {}).flushHeaders()
    return sending
  }
  const most = 64 * 1024 * 1024
  const refused = announce(most + 1)
  assert.equal((await once(refused, 'response'))[0].statusCode, 413)
  refused.destroy()
  const taken = announce(most)
  taken.write(`${head}${'T-1,x,1\n'.repeat(600)}`)
  await until(async () => (await staged()) > 0)
  taken.destroy()
  await until(async () => (await staged()) === 0)
  assert.equal((await s.api('GET /api/products')).body.total, 0)
  assert.equal(await staged(), 0)
})

const stopped = 'and more: stopped after 1000 bad lines, nothing from this line on was imported'
type Failure = { line: number; error: string }

test('an import reports 1,000 bad lines and stops at the next; the good lines before it are applied', async () => {
  const s = await shop(system)
  const bad = (count: number, line: string) => `${line}\n`.repeat(count)
  for (const [n, line] of ['short', 'L-bad,,1.00'].entries()) {
    const told = await load(s, `sku,name,base_price\n${bad(1000, line)}S-${n},Good,1.00\n`)
    assert.equal(told.status, 200)
    assert.equal(told.body.failed.length, 1000)
    assert.equal(told.body.created, 1, 'a thousand bad lines keep no good one out')

    const file = `sku,name,base_price\nB-${n},Good,1.00\n${bad(1001, line)}A-${n},Not looked at,1.00\n`
    for (const query of ['?dry_run=true', '']) {
      const { body } = await load(s, file, query)
      assert.equal(body.created, 1)
      assert.equal(body.failed.length, 1001)
      assert.deepEqual(body.failed.at(-1), { line: 1003, error: stopped })
      assert.notEqual(body.failed.at(-2).error, stopped)
    }
  }
  const { products } = (await s.api('GET /api/products')).body
  assert.deepEqual(
    products.map(({ sku }: { sku: string }) => sku),
    ['B-1', 'S-1', 'B-0', 'S-0'],
  )
  assert.equal(await staged(), 0)
  await s.sound()
})

test('a large import of bad lines is stored neither in memory nor in the database', async () => {
  const s = await shop(system)
  const { sending, answer } = slowly(s)
  sending.write('sku,name,base_price\n')
  const piece = 'x\n'.repeat(50_000)
  for (let n = 0; n < 100; n++) if (!sending.write(piece)) await once(sending, 'drain')
  const [row] = await system.sql<{ n: number }[]>`select count(*)::int as n from inventory.import_lines`
  assert.ok(row!.n <= 1001, `${row!.n} lines are kept`)
  // What follows is no text, nor a record that ends; nobody reads it any more.
  sending.end(Buffer.concat([Buffer.from('"'), Buffer.from([0xff])]))
  const { failed } = await answer
  assert.equal(failed.length, 1001)
  assert.deepEqual(failed.at(-1), { line: 1002, error: stopped } satisfies Failure)
})

test('a repeated import that was stopped is recognised by the whole file', async () => {
  const s = await shop(system)
  const headers = { 'idempotency-key': 'stopped' }
  const file = `sku,name,base_price\n${'x\n'.repeat(200_000)}`
  const first = await load(s, file, '', headers)
  assert.equal(first.body.failed.length, 1001)
  const again = await load(s, file, '', headers)
  assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [first.body, 'true'])
  assert.equal((await load(s, `${file}y\n`, '', headers)).status, 409)
})

test('an import has at most 500,000 lines', async () => {
  const s = await shop(system)
  const file = (lines: number) => `sku,name,base_price\n${'\n'.repeat(lines - 2)}M-1,One,1.00\n`
  const refused = await load(s, file(500_001))
  assert.deepEqual([refused.status, refused.body.error], [413, 'A file must have at most 500000 lines'])
  assert.equal((await s.api('GET /api/products')).body.total, 0)
  assert.equal((await load(s, file(500_000))).body.created, 1)
  assert.equal(await staged(), 0)
})

test('an import with an Idempotency-Key happens once; the key with another file is 409', async () => {
  const s = await shop(system)
  const headers = { 'idempotency-key': 'import-1' }
  const file = 'sku,name,base_price\nI-1,One,1.00\n'
  const first = await load(s, file, '', headers)
  assert.deepEqual(first.body, { created: 1, updated: 0, unchanged: 0, failed: [] })
  const again = await load(s, file, '', headers)
  assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [first.body, 'true'])
  assert.equal((await load(s, `${file}I-2,Two,1.00\n`, '', headers)).status, 409)
  assert.equal((await s.api('GET /api/products')).body.total, 1)
  assert.equal(await staged(), 0)
})

test('an import whose client disconnects changes nothing, and leftovers of a dead process are deleted', async () => {
  const s = await shop(system)
  const { sending, answer } = slowly(s)
  answer.catch(() => {})
  sending.on('error', () => {})
  sending.write('sku,name,base_price\n')
  for (let n = 0; n < 600; n++) sending.write(`GONE-${n},x,1.00\n`)
  await until(async () => (await staged()) > 0)
  sending.destroy()
  await until(async () => (await staged()) === 0)
  assert.equal((await s.api('GET /api/products')).body.total, 0)

  const clear = inventory
    .jobs(inventory.context(system.platform))
    .find(({ name }) => name === 'inventory.forget-abandoned-imports')!
  const leave = (hours: number) => system.sql`
    insert into inventory.import_lines (import_id, line, sku, cells, created_at)
    values (gen_random_uuid(), 1, 'x', '{}', ${system.clock.now()}::timestamptz - ${hours} * interval '1 hour')`
  await leave(23)
  await clear.run({} as never)
  assert.equal(await staged(), 1)
  await leave(25)
  await system.sql`delete from inventory.import_lines where created_at > ${system.clock.now()}::timestamptz - interval '24 hours'`
  await clear.run({} as never)
  assert.equal(await staged(), 0)
})
