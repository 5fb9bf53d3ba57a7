import type { Console } from '#web/frame/console.ts'

/** What is shown, by the key under which it is read, and the events after which it is read again. */
export const live: Console['live'] = {
  today: ['order.*', 'stock.*', 'purchase_order.*', 'batch.*'],
  products: ['product.*', 'stock.*', 'order.*', 'purchase_order.*', 'serial.*'],
  categories: ['category.*', 'product.*'],
  stock: ['stock.*', 'order.*', 'purchase_order.*', 'serial.*', 'warehouse.*'],
  counts: ['count.*'],
  orders: ['order.*'],
  purchasing: ['purchase_order.*', 'supplier.*'],
  reorder: ['purchase_order.*', 'order.*', 'stock.*', 'product.*', 'supplier.*'],
  customers: ['customer.*', 'order.*'],
  suppliers: ['supplier.*', 'purchase_order.*'],
  batches: ['batch.*', 'stock.*', 'order.*'],
  serials: ['serial.*', 'stock.*', 'order.*'],
  papers: ['order.*', 'purchase_order.*', 'product.*', 'batch.*', 'company.updated'],
  reports: ['order.*', 'stock.*', 'purchase_order.*', 'settings.updated'],
  warehouses: ['warehouse.*', 'stock.*'],
  company: ['company.updated'],
  settings: ['settings.updated'],
  users: ['user.*'],
  keys: ['api_key.*', 'user.*'],
}
