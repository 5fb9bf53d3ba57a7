import { X } from 'lucide-preact'
import type { ComponentChildren } from 'preact'
import { IconButton } from '#web/components/button.tsx'
import { amount, totalOf } from './amounts.ts'
import { type LineForm, LineInput, QuantityInput } from './line-input.tsx'
import { changeLine, type Line } from './lines.ts'

type LinesProps = {
  form: LineForm
  lines: Line[]
  onChange: (lines: Line[]) => unknown
  /** Enter in a line: it is complete. */
  onDone: () => unknown
  /** What the price is called, and its name in the API. */
  price: { title: string; name: 'unit_price' | 'unit_cost' }
  /** What there is of a product already. */
  stock: { title: string; cell: (line: Line, n: number) => ComponentChildren }
}

/** The lines of an order that is being entered. */
export function LinesTable({ form, lines, onChange, onDone, price, stock }: LinesProps) {
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
            <th scope="col">{stock.title}</th>
            <th scope="col">Quantity</th>
            <th scope="col">{price.title}</th>
            <th scope="col" class="end">
              Total
            </th>
            <th scope="col">
              <span class="visually-hidden">Remove</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, n) => (
            <tr key={line.product.id}>
              <td>
                <strong>{line.product.name}</strong> <code class="quiet">{line.product.sku}</code>
              </td>
              <td data-title={stock.title}>{stock.cell(line, n)}</td>
              <td data-title="Quantity">
                <QuantityInput
                  form={form}
                  name={`items[${n}].quantity`}
                  of={line.product.name}
                  min={1}
                  data-quantity="true"
                  value={line.quantity}
                  onChange={(quantity) => onChange(changeLine(lines, n, { quantity }))}
                  onKeyDown={onKey}
                />
              </td>
              <td data-title={price.title}>
                <LineInput
                  form={form}
                  name={`items[${n}].${price.name}`}
                  label={price.title}
                  of={line.product.name}
                  type="text"
                  inputMode="decimal"
                  value={line.unit_price}
                  onInput={({ currentTarget: { value } }) =>
                    onChange(changeLine(lines, n, { unit_price: value }))
                  }
                  onKeyDown={onKey}
                />
              </td>
              <td class="end" data-title="Total">
                {amount(totalOf([line]))}
              </td>
              <td>
                <IconButton
                  label={`Remove ${line.product.name}`}
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
              <output aria-label="Total">{amount(totalOf(lines))}</output>
            </td>
            <td />
          </tr>
        </tfoot>
      </table>
    </div>
  )
}
