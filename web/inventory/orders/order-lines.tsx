import { useQueries } from '@tanstack/preact-query'
import { X } from 'lucide-preact'
import { Badge } from '#web/components/badge.tsx'
import { IconButton } from '#web/components/button.tsx'
import { count } from '#web/components/format.ts'
import { amount, totalOf } from '../shared/amounts.ts'
import { stockRowQuery } from '../stock/queries.ts'
import { changeLine, isKeptIn, type Line } from './lines.ts'

type LinesProps = {
  lines: Line[]
  warehouseId: number
  onChange: (lines: Line[]) => unknown
  /** Enter in a line: it is complete. */
  onDone: () => unknown
}

/** The lines of an order that is being entered, with what the chosen warehouse has of each. */
export function OrderLines({ lines, warehouseId, onChange, onDone }: LinesProps) {
  const stock = useQueries({
    queries: lines.map(({ product }) => ({
      ...stockRowQuery(product.id, warehouseId),
      enabled: isKeptIn(product, warehouseId),
    })),
  })
  const total = totalOf(lines)
  const onKey = (event: KeyboardEvent) => {
    if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
    event.preventDefault()
    onDone()
  }
  if (lines.length === 0) return <p class="quiet lines-empty">No products yet.</p>
  return (
    <div class="table-scroll lines">
      <table aria-label="Lines">
        <thead>
          <tr>
            <th scope="col">Product</th>
            <th scope="col">Available</th>
            <th scope="col">Quantity</th>
            <th scope="col">Unit price</th>
            <th scope="col" class="end">
              Total
            </th>
            <th scope="col">
              <span class="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map(({ product, quantity, unit_price }, n) => (
            <tr key={product.id}>
              <td>
                <strong>{product.name}</strong> <code class="quiet">{product.sku}</code>
              </td>
              <td data-title="Available">
                <Available
                  wanted={quantity ?? 0}
                  available={isKeptIn(product, warehouseId) ? stock[n]?.data?.available : 0}
                />
              </td>
              <td data-title="Quantity">
                <input
                  class="short"
                  type="number"
                  min={1}
                  step={1}
                  inputMode="numeric"
                  data-quantity="true"
                  aria-label={`Quantity of ${product.name}`}
                  value={quantity ?? ''}
                  onInput={({ currentTarget: { value, valueAsNumber } }) =>
                    onChange(changeLine(lines, n, { quantity: value === '' ? null : valueAsNumber }))
                  }
                  onKeyDown={onKey}
                />
              </td>
              <td data-title="Unit price">
                <input
                  class="short"
                  type="text"
                  inputMode="decimal"
                  autocomplete="off"
                  aria-label={`Unit price of ${product.name}`}
                  value={unit_price}
                  onInput={({ currentTarget: { value } }) =>
                    onChange(changeLine(lines, n, { unit_price: value }))
                  }
                  onKeyDown={onKey}
                />
              </td>
              <td class="end" data-title="Total">
                {amount(totalOf([{ quantity, unit_price }]))}
              </td>
              <td>
                <IconButton
                  label={`Remove ${product.name}`}
                  icon={X}
                  onClick={() => onChange(lines.filter((_, at) => at !== n))}
                />
              </td>
            </tr>
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row" colSpan={4}>
              Total
            </th>
            <td class="end" data-total="true">
              <output aria-label="Total">{amount(total)}</output>
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
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
