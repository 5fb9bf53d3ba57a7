import { Badge } from '#web/components/badge.tsx'
import { count } from '#web/components/format.ts'
import type { Schemas, StockRow } from '../api.ts'

const names: Record<Schemas['Movement']['movement_type'], string> = {
  receive: 'Received',
  adjustment: 'Adjustment',
  transfer_out: 'Transfer out',
  transfer_in: 'Transfer in',
  shipment: 'Shipment',
  return: 'Return',
  sync: 'Sync',
}
export const movementName = (type: Schemas['Movement']['movement_type']) => names[type] ?? type

type MovementFacts = Pick<Schemas['Movement'], 'movement_type' | 'reference_id' | 'notes'>

/** A change: +5 or −5. */
export const Signed = ({ n }: { n: number }) => (
  <span class={n < 0 ? 'minus' : 'plus'}>{n < 0 ? `−${count(-n)}` : `+${count(n)}`}</span>
)

/** "Low" leaves out what is out. */
export const StockState = ({ quantity, reorder_level }: StockRow) => {
  if (quantity <= 0) return <Badge tone="bad">Out</Badge>
  if (quantity <= reorder_level) return <Badge tone="warn">Low</Badge>
  return <Badge tone="good">OK</Badge>
}

/** A correction that refers to something was made by a count. */
export const MovementNotes = ({ movement_type, reference_id, notes }: MovementFacts) =>
  movement_type === 'adjustment' && reference_id !== null ? (
    <a href={`/console/counts/${reference_id}`}>{notes}</a>
  ) : (
    <span class={notes ? undefined : 'quiet'}>{notes ?? '–'}</span>
  )
