import { Badge, type Tone } from '#web/components/badge.tsx'
import { Card } from '#web/components/card.tsx'
import { count } from '#web/components/format.ts'
import { Figures } from '../../shared/figures.tsx'
import { type Field, fields } from './mapping.ts'
import type { Outcome } from './run-import.ts'

const shown = 200

type Line = { line: number; sku: string; tone: Tone; what: string; detail: string }

type Change = Outcome['lines'][number]['changes'][number]

const inWords = ({ field, before, after }: Change) =>
  // Of a category the API tells the number, which says nothing to people.
  field === 'category_id'
    ? 'Category'
    : `${fields[field as Field] ?? field}: ${before ?? '–'} → ${after ?? '–'}`

/** Refused lines first: somebody has to look at those. */
const linesOf = ({ failed, lines }: Outcome): Line[] => [
  ...failed.map(({ line, error }) => ({
    line,
    sku: '',
    tone: 'bad' as const,
    what: 'Refused',
    detail: error,
  })),
  ...lines.map(({ line, sku, outcome, changes }) => ({
    line,
    sku,
    tone: outcome === 'created' ? ('good' as const) : ('accent' as const),
    what: outcome === 'created' ? 'Created' : 'Changed',
    detail: changes.map(inWords).join(', '),
  })),
]

/** What an import would do: in numbers, and line by line. */
export function OutcomeCard({ outcome }: { outcome: Outcome }) {
  const { created, updated, unchanged, failed } = outcome
  const lines = linesOf(outcome)
  const hidden = failed.length + created + updated - Math.min(lines.length, shown)
  return (
    <Card title="Preview" text="Nothing has been changed yet. Lines that are refused are left out.">
      <Figures
        items={[
          ['Created', count(created)],
          ['Changed', count(updated)],
          ['Unchanged', count(unchanged)],
          ['Refused', count(failed.length)],
        ]}
      />
      {lines.length > 0 && (
        <div class="table-scroll">
          <table aria-label="Line by line">
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Outcome</th>
                <th scope="col">SKU</th>
                <th scope="col">Details</th>
              </tr>
            </thead>
            <tbody>
              {lines.slice(0, shown).map(({ line, sku, tone, what, detail }) => (
                <tr key={line}>
                  <td>{count(line)}</td>
                  <td>
                    <Badge tone={tone}>{what}</Badge>
                  </td>
                  <td>{sku}</td>
                  <td>{detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {hidden > 0 && <p class="quiet">And {count(hidden)} more.</p>}
    </Card>
  )
}
