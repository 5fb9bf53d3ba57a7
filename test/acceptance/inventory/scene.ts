import assert from 'node:assert/strict'
import type { Booted } from '#test/support/boot.ts'
import { inventoryAdmin } from '#test/support/factories.ts'

let count = 0

/** A new tenant with short words for what every test needs. */
export const shop = async (system: Pick<Booted, 'inventory'>) => {
  const admin = await inventoryAdmin(system)
  const { api } = admin
  const created = async (call: string, body: object, status = 201) => {
    const answer = await api(call, { body })
    assert.equal(answer.status, status, `${call}: ${answer.text}`)
    return answer.body
  }
  const main = (await api('GET /api/warehouses')).body.warehouses[0].id as number
  return {
    ...admin,
    main,
    created,
    warehouse: async (more: object = {}) =>
      (await created('POST /api/warehouses', { name: 'Other', code: `W${++count}`, ...more })).id as number,
    product: async (stock = 0, more: object = {}) => {
      const body = { name: `Product ${++count}`, sku: `SKU-${count}`, base_price: '10.00', ...more }
      const { id } = await created('POST /api/products', body)
      if (stock > 0)
        await created(
          'POST /api/inventory/adjust',
          { product_id: id, warehouse_id: main, quantity: stock },
          200,
        )
      return id as number
    },
    adjust: (product_id: number, quantity: number, warehouse_id = main) =>
      api('POST /api/inventory/adjust', { body: { product_id, warehouse_id, quantity } }),
    order: (items: [product: number, quantity: number, price?: string | number][], more: object = {}) =>
      api('POST /api/orders', {
        body: {
          items: items.map(([product_id, quantity, unit_price = '10.00']) => ({
            product_id,
            quantity,
            unit_price,
          })),
          ...more,
        },
      }),
    read: async (id: number) => (await api(`GET /api/orders/${id}`)).body,
    status: (id: number, status: string) => api(`PATCH /api/orders/${id}/status`, { body: { status } }),
    fulfil: (id: number, items: [item: number, quantity: number][]) =>
      api(`POST /api/orders/${id}/fulfill`, {
        body: {
          items: items.map(([order_item_id, quantity_fulfilled]) => ({ order_item_id, quantity_fulfilled })),
        },
      }),
    giveBack: (id: number, items: [item: number, quantity: number][]) =>
      api(`POST /api/orders/${id}/returns`, {
        body: { items: items.map(([order_item_id, quantity]) => ({ order_item_id, quantity })) },
      }),
    /** On hand and reserved, of one product in one warehouse. */
    stock: async (product: number, warehouse = main) => {
      const { inventory } = (await api('GET /api/inventory?limit=1000')).body
      const row = inventory.find(
        (r: { product_id: number; warehouse_id: number }) =>
          r.product_id === product && r.warehouse_id === warehouse,
      )
      return row ? [row.quantity, row.reserved_quantity] : null
    },
    settings: (body: object) => created('PATCH /api/settings', body, 200),
    /** Nothing stored contradicts itself. */
    sound: async () =>
      assert.deepEqual((await api('GET /api/inventory/verify')).body, { ok: true, findings: [] }),
    colleague: async (role: string) => {
      const email = `user-${process.pid}-${++count}@example.com`
      const user = await created('POST /api/users', { name: role, email, password: 'correct horse', role })
      const login = await system.inventory('POST /api/auth/login', {
        body: { email, password: 'correct horse' },
      })
      return { ...user, api: system.inventory.bearer(login.body.token) }
    },
  }
}
export type Shop = Awaited<ReturnType<typeof shop>>
