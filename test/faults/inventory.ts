import { watchEvents } from './events.ts'
import { absent, type Oracle } from './oracle.ts'
import { inParallel } from './parallel.ts'
import type { Random } from './random.ts'
import type { Answer, Traffic } from './traffic.ts'
import type { Workload } from './workload.ts'

type Line = { id: number; product_id: number; quantity: number; quantity_fulfilled: number }
type Order = { id: number; shipping_address: { line1: string } | null; items: Line[] }
type Movement = { product_id: number; quantity: number; notes: string | null }
type Row = { product_id: number; quantity: number; reserved_quantity: number }

const plenty = 1_000_000

/** In a new company: adjusts stock, places orders of two lines, and ships both lines concurrently; all of it is watched. */
export const inventoryWorkload = async (
  traffic: Traffic,
  oracle: Oracle,
  random: Random,
): Promise<Workload> => {
  const { send, once, must } = traffic
  const email = `${crypto.randomUUID()}@example.com`
  const account = { company_name: 'Faults', name: 'Admin', email, password: 'correct horse' }
  const { token } = (await must('inventory', 'POST /api/auth/register', { body: account })).body
  const headers = { authorization: `Bearer ${token}` }
  const get = async (path: string) => (await must('inventory', `GET /api/${path}`, { headers })).body
  const watched = await watchEvents(traffic, oracle, headers)
  const warehouse_id = (await get('warehouses')).warehouses[0].id as number
  let serial = 0

  const adjust = (request: typeof send, node: number, product_id: number, quantity: number) => {
    const notes = `adjustment ${++serial}`
    const body = { product_id, warehouse_id, quantity, notes }
    return oracle.effect(notes, () =>
      request('inventory', 'POST /api/inventory/adjust', { headers, node, body }),
    )
  }
  const products: number[] = []
  for (const sku of ['A', 'B', 'C']) {
    const body = { name: sku, sku, base_price: '1.00' }
    const { id } = (await must('inventory', 'POST /api/products', { headers, body })).body
    products.push(id)
    await adjust(must, 0, id, plenty)
  }
  const placed = new Map<string, number[]>()

  const worker = (node: number) => {
    const open: { id: number; lines: Line[] }[] = []

    const order = async () => {
      const marker = `order ${node} ${++serial}`
      const first = random.between(0, 2)
      const lines = [first, (first + 1) % 3].map((n) => [products[n]!, random.between(1, 9)] as const)
      placed.set(marker, lines.flat())
      const items = lines.map(([product_id, quantity]) => ({ product_id, quantity, unit_price: '1.00' }))
      const request = random.pick([send, once])
      const answer = await oracle.effect(marker, () =>
        request('inventory', 'POST /api/orders', {
          headers,
          node,
          body: { items, shipping_address: { line1: marker } },
        }),
      )
      if (answer.outcome !== 'done') return answer
      const read = await send('inventory', `GET /api/orders/${answer.body.id}`, { headers, node })
      if (read.outcome === 'done') open.push({ id: answer.body.id, lines: read.body.items })
      return read
    }
    const ship = (): Promise<Answer> => {
      const next = open.shift()
      if (!next) return order()
      const items = next.lines.map(({ id, quantity }) => ({
        order_item_id: id,
        quantity_fulfilled: quantity,
      }))
      const request = random.pick([send, once])
      return oracle.change(`shipped ${next.id}`, 'all', () =>
        request('inventory', `POST /api/orders/${next.id}/fulfill`, { headers, node, body: { items } }),
      )
    }
    const count = () =>
      adjust(random.pick([send, once]), node, random.pick(products), random.pick([-3, -2, -1, 1, 2, 3]))
    const actions = [order, order, ship, count]
    return () => random.pick(actions)()
  }

  const everyPage = async <T>(path: string, name: string) => {
    const all: T[] = []
    for (let page = 1; ; page++) {
      const body = await get(`${path}limit=200&page=${page}`)
      all.push(...body[name])
      if (all.length >= body.total) return all
    }
  }
  const isWhole = ({ shipping_address, items }: Order) =>
    JSON.stringify(items.flatMap(({ product_id, quantity }) => [product_id, quantity])) ===
    JSON.stringify(placed.get(shipping_address?.line1 ?? ''))
  const shippedOf = ({ items }: Order) => {
    const shipped = items.filter(({ quantity, quantity_fulfilled }) => quantity === quantity_fulfilled)
    const untouched = items.filter(({ quantity_fulfilled }) => quantity_fulfilled === 0)
    return shipped.length === items.length ? 'all' : untouched.length === items.length ? absent : 'a part'
  }
  const sumBy = (list: { product_id: number; quantity: number }[], product: number) =>
    list.filter(({ product_id }) => product_id === product).reduce((sum, { quantity }) => sum + quantity, 0)

  const read = (node: number) => send('inventory', 'GET /api/inventory/movements?limit=1', { headers, node })

  const check = async () => {
    let orders: Order[] = []
    await oracle.judgeEffects('order ', async () => {
      const listed = await everyPage<Order>('orders?', 'orders')
      orders = await inParallel(listed, ({ id }) => get(`orders/${id}`) as Promise<Order>)
      return orders.map((order) => ({ marker: order.shipping_address?.line1 ?? '', whole: isWhole(order) }))
    })
    for (const order of orders) await oracle.judgeState(`shipped ${order.id}`, async () => shippedOf(order))
    const movements = await everyPage<Movement>('inventory/movements?', 'movements')
    await oracle.judgeEffects('adjustment ', async () =>
      movements
        .filter(({ notes }) => notes?.startsWith('adjustment '))
        .map(({ notes }) => ({ marker: notes!, whole: true })),
    )
    const reserved = orders.flatMap(({ items }) =>
      items.map((item) => ({ ...item, quantity: item.quantity - item.quantity_fulfilled })),
    )
    for (const row of await everyPage<Row>('inventory?', 'inventory'))
      await oracle.judgeCount(`stock of product ${row.product_id}`, async () => ({
        counted: [row.quantity, row.reserved_quantity],
        expected: [sumBy(movements, row.product_id), sumBy(reserved, row.product_id)],
      }))
    const events = await watched.allEvents()
    const told = (type: string) => events.filter((event) => event.type === type).length
    for (const [type, count] of [
      ['order.created', orders.length],
      ['stock.changed', movements.length],
    ] as const)
      await oracle.judgeCount(`events ${type}`, async () => ({ counted: told(type), expected: count }))
    await watched.check(events)
    await oracle.judgeCount('what inventory verifies', async () => ({
      counted: await get('inventory/verify'),
      expected: { ok: true, findings: [] },
    }))
  }
  return { workers: Array.from({ length: 3 }, (_, node) => worker(node)), read, check }
}
