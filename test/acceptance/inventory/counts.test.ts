import assert from 'node:assert/strict'
import { test } from 'node:test'
import { boot } from '#test/support/boot.ts'
import { type Shop, shop } from './scene.ts'

const system = await boot()

type Row = Record<string, unknown>
type Api = Shop['api']

const open = async (s: Shop, more: object = {}) => (await s.created('POST /api/counts', more)).id as number

const enter = (api: Api, id: number, ...entries: object[]) =>
  api(`POST /api/counts/${id}/entries`, { body: { entries } })

const move = (api: Api, id: number, status: string) =>
  api(`PATCH /api/counts/${id}/status`, { body: { status } })

const post = async (s: Shop, id: number) => {
  assert.equal((await move(s.api, id, 'review')).status, 200)
  const posted = await move(s.api, id, 'posted')
  assert.deepEqual([posted.status, posted.body.status], [200, 'posted'], posted.text)
}

const lines = async (api: Api, id: number, query = '') =>
  (await api(`GET /api/counts/${id}/lines?${query}`)).body.lines as Row[]

const differences = async (s: Shop, id: number) =>
  (await lines(s.api, id)).map((l) => [l.product_id, l.counted_quantity, l.expected_quantity, l.difference])

test('a count is opened, entered, reviewed and posted as movements that refer to it', async () => {
  const s = await shop(system)
  const [more, less, same] = [await s.product(10), await s.product(5), await s.product(3)]
  const created = await s.created('POST /api/counts', { notes: 'November' })
  const { id, created_at, ...rest } = created
  assert.match(created_at, /Z$/)
  assert.deepEqual(rest, {
    count_number: 'CNT-000001',
    warehouse_id: s.main,
    warehouse_name: 'Main warehouse',
    category_id: null,
    category_name: null,
    status: 'open',
    notes: 'November',
    line_count: 0,
    created_by_name: s.user.name,
    closed_by_name: null,
    closed_at: null,
  })
  const entered = await enter(
    s.api,
    id,
    { product_id: more, quantity: 8 },
    { product_id: more, quantity: 4 },
    { product_id: less, quantity: 9 },
    { product_id: less, quantity: 2, mode: 'replace' },
    { product_id: same, quantity: 3 },
  )
  assert.equal(entered.status, 201, entered.text)
  assert.deepEqual(
    entered.body.lines.map((l: Row) => [l.product_id, l.counted_quantity, l.expected_quantity, l.difference]),
    [
      [more, 12, null, null],
      [less, 2, null, null],
      [same, 3, null, null],
    ],
  )
  assert.deepEqual(
    (await lines(s.api, id)).map((l) => l.expected_quantity),
    [null, null, null],
    'blind',
  )
  assert.equal((await move(s.api, id, 'review')).status, 200)
  assert.deepEqual(await differences(s, id), [
    [more, 12, 10, 2],
    [less, 2, 5, -3],
    [same, 3, 3, 0],
  ])
  assert.equal((await lines(s.api, id, 'different=true')).length, 2)
  assert.deepEqual(await s.stock(more), [10, 0], 'nothing moves before it is posted')
  assert.equal((await move(s.api, id, 'posted')).status, 200)
  assert.deepEqual(
    [await s.stock(more), await s.stock(less), await s.stock(same)],
    [
      [12, 0],
      [2, 0],
      [3, 0],
    ],
  )
  const { movements, total } = (await s.api('GET /api/inventory/movements?type=adjustment')).body
  const ofCount = movements.filter((m: Row) => m.reference_id === id)
  assert.deepEqual(
    ofCount.map((m: Row) => [m.product_id, m.quantity, m.notes, m.created_by_name]).sort(),
    [
      [more, 2, 'Stock count CNT-000001', s.user.name],
      [less, -3, 'Stock count CNT-000001', s.user.name],
    ].sort(),
  )
  assert.equal(total, 5)
  const closed = (await s.api(`GET /api/counts/${id}`)).body
  assert.deepEqual([closed.status, closed.closed_by_name, closed.line_count], ['posted', s.user.name, 3])
  assert.match(closed.closed_at, /Z$/)
  assert.deepEqual((await s.api('GET /api/counts?status=posted')).body.counts, [closed])
  await s.sound()
})

test('what moves after a line was counted is not undone: the difference is that of its own moment', async () => {
  const s = await shop(system)
  const [a, b, c] = [await s.product(10), await s.product(10), await s.product(10)]
  const id = await open(s)
  await enter(s.api, id, { product_id: a, quantity: 9 })
  const order = (await s.order([[a, 4]])).body.id
  await s.fulfil(order, [[(await s.read(order)).items[0].id, 4]])
  await enter(s.api, id, { product_id: b, quantity: 10 })
  await s.adjust(b, 7)
  await s.adjust(c, -2)
  await enter(s.api, id, { product_id: c, quantity: 8 })
  await s.adjust(c, 5)
  await post(s, id)
  assert.deepEqual(await differences(s, id), [
    [a, 9, 10, -1],
    [b, 10, 10, 0],
    [c, 8, 8, 0],
  ])
  assert.deepEqual(
    [await s.stock(a), await s.stock(b), await s.stock(c)],
    [
      [5, 0],
      [17, 0],
      [13, 0],
    ],
  )
  await s.sound()
})

test('fewer units than are reserved turn the newest reservations into backorders', async () => {
  const s = await shop(system)
  const a = await s.product(10)
  const older = (await s.order([[a, 4]])).body.id
  const newer = (await s.order([[a, 5]])).body.id
  const id = await open(s)
  await enter(s.api, id, { product_id: a, quantity: 6 })
  await post(s, id)
  assert.deepEqual(await s.stock(a), [6, 6])
  const waiting = async (order: number) => (await s.read(order)).items[0].quantity_backordered
  assert.deepEqual([await waiting(older), await waiting(newer)], [0, 3])
  const again = await open(s)
  await enter(s.api, again, { product_id: a, quantity: 8 })
  await post(s, again)
  assert.deepEqual([await s.stock(a), await waiting(newer)], [[8, 8], 1], 'what is found goes to who waits')
  await s.sound()
})

test('a line of which more left than was counted is refused, and can be counted again', async () => {
  const s = await shop(system)
  const a = await s.product(10)
  const id = await open(s)
  await enter(s.api, id, { product_id: a, quantity: 3 })
  await s.adjust(a, -8)
  await move(s.api, id, 'review')
  const refused = await move(s.api, id, 'posted')
  assert.deepEqual([refused.status, refused.body.code], [400, 'more_left_than_counted'], refused.text)
  assert.deepEqual(await s.stock(a), [2, 0])
  assert.equal((await s.api(`GET /api/counts/${id}`)).body.status, 'review')
  assert.equal((await move(s.api, id, 'open')).status, 200)
  await enter(s.api, id, { product_id: a, quantity: 1, mode: 'replace' })
  await post(s, id)
  assert.deepEqual(await s.stock(a), [1, 0])
  await s.sound()
})

test('batches are counted one by one, unbatched stock by itself, and unknown batches are added', async () => {
  const s = await shop(system)
  const a = await s.product(0, { tracking_type: 'batch' })
  for (const [batch_number, quantity] of [
    ['A', 5],
    ['B', 4],
  ])
    await s.created('POST /api/batches', { product_id: a, batch_number, quantity })
  await s.adjust(a, 3)
  const id = await open(s)
  const entered = await enter(
    s.api,
    id,
    { product_id: a, batch_number: 'A', quantity: 3 },
    { product_id: a, batch_number: 'NEW', quantity: 2 },
    { product_id: a, quantity: 4 },
  )
  assert.equal(entered.status, 201, entered.text)
  await post(s, id)
  const told = (await lines(s.api, id)).map((l) => [l.batch_number, l.expected_quantity, l.difference])
  assert.deepEqual(
    told.sort(),
    [
      ['A', 5, -2],
      ['NEW', 0, 2],
      [null, 3, 1],
    ].sort(),
  )
  assert.deepEqual(await s.stock(a), [13, 0])
  const { batches } = (await s.api(`GET /api/batches?product_id=${a}`)).body
  assert.deepEqual(batches.map((b: Row) => [b.batch_number, b.quantity]).sort(), [
    ['A', 3],
    ['B', 4],
    ['NEW', 2],
  ])
  await s.sound()
})

test('serials are counted by their numbers: missing ones are scrapped, new ones added, others left alone', async () => {
  const s = await shop(system)
  const a = await s.product(0, { tracking_type: 'serial' })
  const add = (...serials: string[]) =>
    s.created('POST /api/serials/bulk', { product_id: a, warehouse_id: s.main, serials })
  await add('S1', 'S2', 'S3', 'S4')
  const id = await open(s)
  assert.equal((await enter(s.api, id, { product_id: a, quantity: 3 })).body.code, 'serials_to_count_missing')
  await enter(s.api, id, { product_id: a, serials: ['S1', 'S1'] })
  await enter(s.api, id, { product_id: a, serials: ['S1', 'NEW'] })
  await add('S5')
  const order = (await s.order([[a, 1]])).body.id
  await s.api(`POST /api/orders/${order}/fulfill`, {
    body: {
      items: [{ order_item_id: (await s.read(order)).items[0].id, quantity_fulfilled: 1, serials: ['S4'] }],
    },
  })
  await move(s.api, id, 'review')
  const [line] = await lines(s.api, id)
  assert.deepEqual(
    [
      line!.counted_quantity,
      line!.expected_quantity,
      line!.difference,
      line!.missing_serials,
      line!.found_serials,
    ],
    [2, 4, -1, ['S2', 'S3'], ['NEW']],
  )
  assert.equal((await move(s.api, id, 'posted')).status, 200)
  const { serials } = (await s.api(`GET /api/serials?product_id=${a}`)).body
  assert.deepEqual(serials.map((x: Row) => [x.serial_number, x.status]).sort(), [
    ['NEW', 'in_stock'],
    ['S1', 'in_stock'],
    ['S2', 'scrapped'],
    ['S3', 'scrapped'],
    ['S4', 'sold'],
    ['S5', 'in_stock'],
  ])
  assert.deepEqual(await s.stock(a), [3, 0])

  const again = await open(s)
  await enter(s.api, again, { product_id: a, serials: ['S1', 'S4', 'S5', 'NEW'] })
  await move(s.api, again, 'review')
  const refused = await move(s.api, again, 'posted')
  assert.deepEqual([refused.status, refused.body.code], [400, 'serial_elsewhere'])
  await move(s.api, again, 'open')
  await enter(s.api, again, { product_id: a, serials: [], mode: 'replace' })
  await post(s, again)
  assert.deepEqual(await s.stock(a), [0, 0])
  await s.sound()
})

test('several people count at once, and two who post at once post once', async () => {
  const s = await shop(system)
  const products = [await s.product(40), await s.product(40), await s.product(40)]
  const people = [s.api, (await s.colleague('Staff')).api, (await s.colleague('Manager')).api]
  const id = await open(s)
  const entered = await Promise.all(
    Array.from({ length: 30 }, (_, n) => {
      const entries = [0, 1, 2].map((i) => ({ product_id: products[(i + n) % 3], quantity: 1 }))
      return enter(people[n % 3] as Api, id, ...entries)
    }),
  )
  assert.ok(entered.every(({ status }) => status === 201))
  await move(s.api, id, 'review')
  assert.deepEqual(await differences(s, id), products.map((product) => [product, 30, 40, -10]).sort())
  const posted = await Promise.all([
    move(s.api, id, 'posted'),
    move(people[2] as Api, id, 'posted'),
    ...products.map((product) => s.adjust(product, 5)),
  ])
  assert.deepEqual(
    posted
      .map(({ status }) => status)
      .slice(0, 2)
      .sort(),
    [200, 400],
  )
  for (const product of products) assert.deepEqual(await s.stock(product), [35, 0])
  await s.sound()
})

test('entries that come while a count is being reviewed are all in the review, or all refused', async () => {
  const s = await shop(system)
  const a = await s.product()
  const id = await open(s)
  const [reviewed, ...entered] = await Promise.all([
    move(s.api, id, 'review'),
    ...Array.from({ length: 20 }, () => enter(s.api, id, { product_id: a, quantity: 1 })),
  ])
  assert.equal(reviewed.status, 200)
  const accepted = entered.filter(({ status }) => status === 201).length
  assert.ok(entered.every(({ status, body }) => status === 201 || body.code === 'count_not_open'))
  const [line] = await lines(s.api, id)
  assert.equal(line?.counted_quantity ?? 0, accepted)
})

test('a repeated entry with the same Idempotency-Key counts once', async () => {
  const s = await shop(system)
  const a = await s.product()
  const id = await open(s)
  const again = () =>
    s.api(`POST /api/counts/${id}/entries`, {
      body: { entries: [{ product_id: a, quantity: 2 }] },
      headers: { 'idempotency-key': 'beep-1' },
    })
  const [first, second] = [await again(), await again()]
  assert.deepEqual(second.body, first.body)
  assert.equal((await lines(s.api, id))[0]!.counted_quantity, 2)
})

test('a count of a category takes products of it and below, and shows what was not counted', async () => {
  const s = await shop(system)
  const { id: top } = await s.created('POST /api/products/categories', { name: 'Kitchen' })
  const { id: below } = await s.created('POST /api/products/categories', { name: 'Mugs', parent_id: top })
  const [a, b, other] = [
    await s.product(1, { category_id: top }),
    await s.product(2, { category_id: below }),
    await s.product(3),
  ]
  await s.product(0, { category_id: top })
  const id = await open(s, { category_id: top })
  assert.equal(
    (await enter(s.api, id, { product_id: other, quantity: 1 })).body.code,
    'product_outside_count',
  )
  assert.equal((await enter(s.api, id, { product_id: a, quantity: 1 })).status, 201)
  const left = async () => {
    const { uncounted, total } = (await s.api(`GET /api/counts/${id}/uncounted`)).body
    assert.equal(total, uncounted.length)
    return uncounted.map((p: Row) => [p.product_id, p.tracking_type, p.quantity])
  }
  assert.deepEqual(await left(), [[b, 'none', null]], 'blind')
  await move(s.api, id, 'review')
  assert.deepEqual(await left(), [[b, 'none', 2]])
  await move(s.api, id, 'open')
  await enter(s.api, id, { product_id: b, quantity: 0 })
  assert.deepEqual(await left(), [])
  const { id: all } = await s.created('POST /api/counts', {})
  assert.equal((await s.api(`GET /api/counts/${all}/uncounted`)).body.total, 3)
})

test('a line can be removed while a count is open, and a cancelled count changes nothing', async () => {
  const s = await shop(system)
  const [a, b] = [await s.product(4), await s.product(4)]
  const id = await open(s)
  const { body } = await enter(s.api, id, { product_id: a, quantity: 1 }, { product_id: b, quantity: 1 })
  const remove = (line: unknown, api = s.api) => api(`DELETE /api/counts/${id}/lines/${line}`)
  assert.equal((await remove(body.lines[0].id)).status, 200)
  assert.equal((await remove(body.lines[0].id)).status, 404)
  assert.deepEqual(
    (await lines(s.api, id)).map((l) => l.product_id),
    [b],
  )
  const { body: more } = await enter(s.api, id, { product_id: a, quantity: 1 })
  assert.deepEqual(
    (await lines(s.api, id, 'sort=-id')).map((l) => l.product_id),
    [a, b],
  )
  await move(s.api, id, 'review')
  const staff = await s.colleague('Staff')
  assert.equal((await remove(more.lines[0].id, staff.api)).status, 403)
  assert.equal((await lines(s.api, id, 'sort=-id&limit=1'))[0]!.product_id, a)
  assert.equal((await remove(more.lines[0].id)).status, 200, 'whoever reviews may leave a line out')
  assert.equal((await move(s.api, id, 'cancelled')).status, 200)
  assert.equal((await remove(body.lines[1].id)).body.code, 'count_not_open')
  for (const status of ['open', 'review', 'posted', 'cancelled']) {
    const refused = await move(s.api, id, status)
    assert.deepEqual(
      [refused.status, refused.body.error],
      [400, `Cannot change status from cancelled to ${status}`],
    )
  }
  assert.equal((await enter(s.api, id, { product_id: a, quantity: 1 })).status, 400)
  assert.deepEqual(
    [await s.stock(a), await s.stock(b)],
    [
      [4, 0],
      [4, 0],
    ],
  )
  const unreviewed = await open(s)
  assert.equal((await move(s.api, unreviewed, 'posted')).status, 400, 'it is reviewed first')
})

test('every role counts; only Admins and Managers see differences before they are posted, and post', async () => {
  const s = await shop(system)
  const a = await s.product(4)
  await s.product(2)
  const [staff, manager] = [await s.colleague('Staff'), await s.colleague('Manager')]
  const { id } = (await staff.api('POST /api/counts', { body: {} })).body
  assert.equal((await enter(staff.api, id, { product_id: a, quantity: 3 })).status, 201)
  for (const status of ['review', 'cancelled']) assert.equal((await move(staff.api, id, status)).status, 403)
  assert.equal((await move(manager.api, id, 'review')).status, 200)
  const unseen = async (api: Api) => (await api(`GET /api/counts/${id}/uncounted`)).body.uncounted[0].quantity
  assert.deepEqual([await unseen(staff.api), await unseen(manager.api)], [null, 2])
  assert.equal((await lines(staff.api, id))[0]!.difference, null)
  assert.equal((await lines(manager.api, id))[0]!.difference, -1)
  assert.equal((await move(staff.api, id, 'posted')).status, 403)
  assert.equal((await move(manager.api, id, 'posted')).status, 200)
  assert.equal((await lines(staff.api, id))[0]!.difference, -1)
})

test('wrong counts and entries are refused, and another tenant sees none of it', async () => {
  const s = await shop(system)
  const a = await s.product(4)
  const batched = await s.product(0, { tracking_type: 'batch' })
  const stranger = await shop(system)
  const theirs = await stranger.product(1)
  const id = await open(s)
  for (const [status, body] of [
    [404, { warehouse_id: 999_999 }],
    [404, { warehouse_id: stranger.main }],
    [404, { category_id: 999_999 }],
    [400, { warehouse_id: 'x' }],
    [400, { notes: 'a\0' }],
    [400, { notes: 'x'.repeat(1001) }],
  ] as const)
    assert.equal(
      (await s.api('POST /api/counts', { body })).status,
      status,
      JSON.stringify(body).slice(0, 80),
    )
  for (const [status, entry] of [
    [404, { product_id: 999_999, quantity: 1 }],
    [404, { product_id: theirs, quantity: 1 }],
    [400, { product_id: a }],
    [400, { product_id: a, quantity: -1 }],
    [400, { product_id: a, quantity: 1.5 }],
    [400, { product_id: a, quantity: '1' }],
    [400, { product_id: a, quantity: 2_147_483_648 }],
    [400, { product_id: a, quantity: 1, mode: 'subtract' }],
    [400, { product_id: a, quantity: 1, batch_number: 'A' }],
    [400, { product_id: a, serials: ['A'] }],
    [400, { product_id: batched, quantity: 1, batch_number: ' ' }],
    [400, { product_id: batched, quantity: 1, batch_number: 'x'.repeat(101) }],
    [201, { product_id: batched, quantity: 1, batch_number: 'x'.repeat(100) }],
    [201, { product_id: a, quantity: 2_147_483_647 }],
    [201, { product_id: a, quantity: 0, mode: 'replace' }],
  ] as const)
    assert.equal((await enter(s.api, id, entry)).status, status, JSON.stringify(entry).slice(0, 80))
  const partly = await enter(s.api, id, { product_id: a, quantity: 7 }, { product_id: theirs, quantity: 1 })
  assert.equal(partly.status, 404)
  assert.equal(
    (await lines(s.api, id)).find((l) => l.product_id === a)!.counted_quantity,
    0,
    'all or nothing',
  )
  assert.equal((await s.api(`POST /api/counts/${id}/entries`, { body: { entries: [] } })).status, 400)
  for (const call of [
    `GET /api/counts/${id}`,
    `GET /api/counts/${id}/lines`,
    `GET /api/counts/${id}/uncounted`,
    `DELETE /api/counts/${id}/lines/1`,
  ])
    assert.equal((await stranger.api(call)).status, 404, call)
  assert.equal((await enter(stranger.api, id, { product_id: theirs, quantity: 1 })).status, 404)
  assert.equal((await move(stranger.api, id, 'review')).status, 404)
  assert.equal((await stranger.api('GET /api/counts')).body.total, 0)
  assert.equal((await s.api('GET /api/counts/x')).status, 404)
  assert.equal((await move(s.api, id, 'done')).status, 400)
  assert.equal((await s.api(`DELETE /api/products/${a}`)).status, 200)
  await post(s, id)
  await s.sound()
})

test('counts are told by events, as they are read', async () => {
  const s = await shop(system)
  const a = await s.product(2)
  const start = (await s.api('GET /api/events?limit=100')).body.next
  const id = await open(s)
  await enter(s.api, id, { product_id: a, quantity: 1 })
  await post(s, id)
  const { events } = (await s.api(`GET /api/events?limit=100&after=${start}`)).body
  const ofCount = events.filter((e: Row) => e.subject === `count/${id}`)
  assert.deepEqual(
    ofCount.map((e: Row) => e.type),
    ['count.created', 'count.updated', 'count.updated', 'count.posted'],
  )
  assert.deepEqual(ofCount.at(-1).data, (await s.api(`GET /api/counts/${id}`)).body)
})

test('goods that leave between two entries of a line are not missing', async () => {
  const s = await shop(system)
  const product = await s.product(10)
  const id = await open(s)
  await enter(s.api, id, { product_id: product, quantity: 5 })
  assert.equal((await s.adjust(product, -2)).status, 200)
  await enter(s.api, id, { product_id: product, quantity: 3 })
  await post(s, id)
  assert.deepEqual(await s.stock(product), [8, 0])
  await s.sound()
})
