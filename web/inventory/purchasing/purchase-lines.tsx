import { count } from '#web/components/format.ts'
import type { LineForm } from '../shared/line-input.tsx'
import type { Line } from '../shared/lines.ts'
import { LinesTable } from '../shared/lines-table.tsx'
import { useStockOf } from '../stock/stock-of.ts'

type LinesProps = {
  form: LineForm
  lines: Line[]
  warehouseId: number
  onChange: (lines: Line[]) => unknown
  onDone: () => unknown
}

/** The lines of a purchase order that is being entered, with what the warehouse has of each and what is on its way. */
export function PurchaseLines({ warehouseId, ...props }: LinesProps) {
  const stock = useStockOf(props.lines, warehouseId)
  return (
    <LinesTable
      {...props}
      price={{ title: 'Unit cost', name: 'unit_cost' }}
      stock={{
        title: 'In stock',
        cell: (_, n) => {
          const row = stock[n]
          if (row === undefined) return <span class="quiet">…</span>
          const { quantity, incoming } = row ?? { quantity: 0, incoming: 0 }
          return (
            <>
              {count(quantity)} {incoming > 0 && <span class="quiet">{count(incoming)} on the way</span>}
            </>
          )
        },
      }}
    />
  )
}
