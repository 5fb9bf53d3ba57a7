import type { Schemas } from '../api.ts'

export type ToDo = { label: string; n: number; href: string; tone: 'todo' | 'warn' | 'bad' }

/** What needs a hand, and the list of exactly that. */
export const toDos = (figures: Schemas['Today']): ToDo[] => [
  {
    label: 'Orders to ship',
    n: figures.orders_to_ship,
    href: '/console/orders?to_ship=true',
    tone: 'todo',
  },
  { label: 'Backorders', n: figures.backorders, href: '/console/orders/backorders', tone: 'warn' },
  { label: 'Low stock', n: figures.low_stock, href: '/console/stock?state=low', tone: 'warn' },
  { label: 'Out of stock', n: figures.out_of_stock, href: '/console/stock?state=out', tone: 'bad' },
  {
    label: 'Purchase orders due',
    n: figures.purchase_orders_due,
    href: '/console/purchasing?due=true',
    tone: 'todo',
  },
  {
    label: 'Batches expiring',
    n: figures.batches_expiring,
    href: '/console/tracking?expiring=30',
    tone: 'warn',
  },
]
