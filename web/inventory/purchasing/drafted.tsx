import { Card } from '#web/components/card.tsx'
import { counted } from '#web/components/format.ts'
import type { Schemas } from '../api.ts'
import { amount } from '../shared/amounts.ts'

export type Drafts = Schemas['Drafts']

/** What came of the suggestions: links to the drafts, and what was left out. */
export const Drafted = ({ drafts: { purchase_orders, skipped } }: { drafts: Drafts }) => (
  <div role="status">
    <Card title={`${counted(purchase_orders.length, 'purchase order')} created`}>
      <ul class="plain-list">
        {purchase_orders.map((order) => (
          <li key={order.id}>
            <a href={`/console/purchasing/${order.id}`}>{order.po_number}</a>
            {` to ${order.supplier_name}: ${counted(order.item_count, 'line')}, ${amount(order.total_amount)}`}
          </li>
        ))}
        {skipped.map(({ product_id, warehouse_id, sku, reason }) => (
          <li key={`${product_id}-${warehouse_id}`} class="quiet">
            <code>{sku}</code> was left out. {reason}.
          </li>
        ))}
      </ul>
    </Card>
  </div>
)
