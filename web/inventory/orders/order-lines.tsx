import { Badge } from '#web/components/badge.tsx'
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

/** The lines of an order that is being entered, with what the chosen warehouse has of each. */
export function OrderLines({ warehouseId, ...props }: LinesProps) {
  const stock = useStockOf(props.lines, warehouseId)
  return (
    <LinesTable
      {...props}
      price={{ title: 'Unit price', name: 'unit_price' }}
      stock={{
        title: 'Available',
        cell: ({ quantity }, n) => {
          const row = stock[n]
          return <Available wanted={quantity ?? 0} available={row === null ? 0 : row?.available} />
        },
      }}
    />
  )
}

const Available = ({ wanted, available }: { wanted: number; available: number | undefined }) => {
  if (available === undefined) return <span class="quiet">…</span>
  if (wanted <= available) return count(available)
  return (
    <>
      {count(available)} <Badge tone="warn">{count(wanted - available)} backordered</Badge>
    </>
  )
}
