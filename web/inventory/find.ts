import { counted } from '#web/components/format.ts'
import type { Found } from '#web/frame/console.ts'
import { api } from './api.ts'
import { searchOf } from './scan/codes.ts'
import { amount } from './shared/amounts.ts'
import { capital } from './shared/words.ts'

const limit = 5

/** Products by name, SKU and barcode; orders of both kinds by number; customers and suppliers by name, company and email. */
export const find = async (search: string, signal: AbortSignal): Promise<Found[]> => {
  const options = { params: { query: { search, limit } }, signal }
  const product = { params: { query: { search: searchOf(search), limit } }, signal }
  const [products, orders, customers, suppliers, purchases] = await Promise.all([
    api.GET('/api/products', product),
    api.GET('/api/orders', options),
    api.GET('/api/customers', options),
    api.GET('/api/suppliers', options),
    api.GET('/api/suppliers/purchase-orders/all', options),
  ])
  return [
    ...products.data.products.map(({ id, name, sku, available }) => ({
      label: name,
      detail: `Product ${sku}, ${available} available`,
      href: `/console/products/${id}`,
    })),
    ...orders.data.orders.map(({ id, order_number, customer_name, status, total_amount }) => ({
      label: order_number,
      detail: [capital(status), customer_name, amount(total_amount)].filter(Boolean).join(', '),
      href: `/console/orders/${id}`,
    })),
    ...customers.data.customers.map(({ id, name, company, total_orders }) => ({
      label: name,
      detail: [company, `Customer, ${counted(total_orders, 'order')}`].filter(Boolean).join(', '),
      href: `/console/customers/${id}`,
    })),
    ...suppliers.data.suppliers.map(({ id, name, product_count }) => ({
      label: name,
      detail: `Supplier, ${counted(product_count, 'product')}`,
      href: `/console/suppliers/${id}`,
    })),
    ...purchases.data.purchase_orders.map(({ id, po_number, supplier_name, status, total_amount }) => ({
      label: po_number,
      detail: [capital(status), supplier_name, amount(total_amount)].filter(Boolean).join(', '),
      href: `/console/purchasing/${id}`,
    })),
  ]
}
