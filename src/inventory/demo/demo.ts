import { type Report, unreported } from '#platform/progress.ts'
import { isRegistered, register } from '../accounts/accounts.ts'
import { createCategory } from '../categories/categories.ts'
import type { Inventory, Principal } from '../context.ts'
import { addAddress, createCustomer } from '../customers/customers.ts'
import { changeStatus, createOrder, fulfilOrder, readOrder, returnItems } from '../orders/orders.ts'
import { createProduct } from '../products/products.ts'
import { adjustStock, setReorderLevel } from '../stock/stock.ts'
import { createMember } from '../users/users.ts'
import { createWarehouse, listWarehouses } from '../warehouses/warehouses.ts'
import { at, liveThroughAYear } from './demo-year.ts'
import { admin, staff } from './people.ts'
import { shelf } from './shelf.ts'

const logins = [admin, staff]

const people = [
  ['Mina Kowalski', 'mina@example.com', null, 'retail', 'Kraków', 'PL'],
  ['Oliver Reyes', 'oliver@example.com', null, 'retail', 'Leeds', 'GB'],
  ['Ines Duarte', 'buying@casaduarte.example', 'Casa Duarte', 'wholesale', 'Porto', 'PT'],
  ['Jonas Bakke', 'jonas@fjordhotel.example', 'Fjord Hotel', 'b2b', 'Bergen', 'NO'],
] as const

/** Customer, lines (index of the shelf and units), and how far the order has come. */
const sales: [customer: number, lines: [number, number][], status: string][] = [
  [0, [[2, 4], [11, 2]], 'shipped'],
  [1, [[6, 1]], 'shipped'],
  [2, [[0, 12], [8, 30]], 'fulfilled'],
  [3, [[10, 6], [12, 4]], 'partly'],
  [0, [[4, 1], [1, 1]], 'paid'],
  [1, [[7, 2], [9, 6]], 'returned'],
  [2, [[5, 10]], 'pending'],
  [3, [[2, 24]], 'pending'],
  [1, [[12, 1]], 'cancelled'],
] // biome-ignore format: a table

/** A small shop with a year behind it, in the middle of its week: orders at every stage. Half as `busy`, half as many. */
export const demo = async (ctx: Inventory, report: Report = unreported, busy = 1) => {
  if (await isRegistered(ctx, admin.login)) return logins
  const { user, tenant } = await register(ctx, {
    company_name: 'Larkspur Goods',
    name: 'Noor Haddad',
    email: admin.login,
    password: admin.password,
  })
  const me = { userId: user.id, tenantId: tenant.id, role: user.role, ip: '' }
  await createMember(ctx, me, {
    name: 'Tom Okafor',
    email: staff.login,
    password: staff.password,
    role: 'Staff',
  })
  await createWarehouse(ctx, me, { name: 'North depot', code: 'NORTH', city: 'Leeds', is_default: false })
  const began = at(ctx, new Date(ctx.clock.now().getTime() - 365 * 86_400_000))
  const products = await fillShelves(began, me)
  const customers = await inviteCustomers(began, me)
  await liveThroughAYear(ctx, { me, shelf, products, customers, busy }, report)
  for (const [customer, lines, status] of sales) {
    const items = lines.map(([n, quantity]) => ({
      product_id: products[n]!,
      quantity,
      unit_price: shelf[n]![3],
    }))
    const order = await createOrder(ctx, me, { items, customer_id: customers[customer]! })
    await advance(ctx, me, order.id, status)
  }
  return logins
}

const fillShelves = async (ctx: Inventory, me: Principal) => {
  const categories: number[] = []
  for (const name of ['Kitchen', 'Garden', 'Home', 'Pantry'])
    categories.push((await createCategory(ctx, me, { name })).id)
  const [main, north] = (await listWarehouses(ctx, me)).warehouses.map(({ id }) => id) as [number, number]
  const ids: number[] = []
  for (const [name, sku, category, base_price, cost_price, stock, reorder, tracking] of shelf) {
    const category_id = categories[category]!
    const fields = {
      name,
      sku,
      base_price,
      cost_price,
      category_id,
      tracking_type: tracking ?? ('none' as const),
    }
    const { id } = await createProduct(ctx, me, { ...fields, vendor: 'Larkspur' })
    ids.push(id)
    await setReorderLevel(ctx, me, { product_id: id, warehouse_id: main }, reorder)
    const counted = { product_id: id, notes: 'Opening count' }
    if (stock > 0) await adjustStock(ctx, me, { ...counted, warehouse_id: main, quantity: stock })
    if (stock > 50) await adjustStock(ctx, me, { ...counted, warehouse_id: north, quantity: 25 })
  }
  return ids
}

const inviteCustomers = async (ctx: Inventory, me: Principal) => {
  const ids: number[] = []
  for (const [name, email, company, customer_type, city, country] of people) {
    const { id } = await createCustomer(ctx, me, { name, email, company, customer_type })
    await addAddress(ctx, me, id, {
      type: 'shipping',
      line1: '12 Market Street',
      city,
      country,
      is_default: true,
    })
    ids.push(id)
  }
  return ids
}

const advance = async (ctx: Inventory, me: Principal, id: number, status: string) => {
  if (status === 'pending') return
  if (status === 'cancelled') return void (await changeStatus(ctx, me, id, 'cancelled'))
  await changeStatus(ctx, me, id, 'paid')
  if (status === 'paid') return
  const { items } = await readOrder(ctx, me, id)
  if (status === 'partly') {
    const [first] = items
    return void (await fulfilOrder(ctx, me, id, {
      items: [{ order_item_id: first!.id, quantity_fulfilled: 4 }],
    }))
  }
  const all = items.map((item) => ({ order_item_id: item.id, quantity_fulfilled: item.quantity }))
  await fulfilOrder(ctx, me, id, { items: all })
  if (status === 'fulfilled') return
  await changeStatus(ctx, me, id, 'shipped')
  if (status === 'returned')
    await returnItems(ctx, me, id, {
      items: [{ order_item_id: items[0]!.id, quantity: 1, reason: 'Arrived with a dent' }],
    })
}
