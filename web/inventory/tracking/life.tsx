import type { Schemas } from '../api.ts'
import type { Happening } from '../shared/timeline-list.tsx'

type Event = Schemas['SerialEvent']

const titles: Record<Event['type'], (event: Event) => string> = {
  received: ({ supplier_name, warehouse_name }) =>
    supplier_name ? `Received from ${supplier_name}` : `Added in ${warehouse_name}`,
  reserved: () => 'Reserved',
  released: () => 'Released',
  transferred: ({ warehouse_name }) => `Moved to ${warehouse_name}`,
  shipped: ({ customer_name }) => (customer_name ? `Shipped to ${customer_name}` : 'Shipped'),
  sold: () => 'Sold',
  returned: ({ customer_name }) => (customer_name ? `Returned by ${customer_name}` : 'Returned'),
  restocked: ({ warehouse_name }) => `Back in stock in ${warehouse_name}`,
  scrapped: () => 'Scrapped',
}

const paperOf = ({ type, order_id, order_number, purchase_order_id, po_number }: Event) => {
  if (order_number && type !== 'scrapped') return <a href={`/console/orders/${order_id}`}>{order_number}</a>
  if (po_number) return <a href={`/console/purchasing/${purchase_order_id}`}>{po_number}</a>
  return null
}

/** An event in the life of a serial, in words, with the paper that it belongs to. */
export const happeningOf = (event: Event): Happening => {
  const { type, notes, created_at, created_by_name } = event
  const paper = paperOf(event)
  return {
    title: titles[type](event),
    detail: (paper || notes) && (
      <>
        {paper}
        {paper && notes && ', '}
        {notes}
      </>
    ),
    created_at,
    created_by_name,
  }
}
