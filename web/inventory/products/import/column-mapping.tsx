import { Card } from '#web/components/card.tsx'
import { counted } from '#web/components/format.ts'
import type { CsvRecord } from './csv.ts'
import { type Field, fields, type Mapping } from './mapping.ts'

type Props = { records: CsvRecord[]; mapping: Mapping; onChange: (mapping: Mapping) => unknown }

const shownSamples = 3

/** What each column of the file becomes, beside the first of its cells. */
export function ColumnMapping({ records: [head, ...rows], mapping, onChange }: Props) {
  const samples = (n: number) =>
    rows
      .slice(0, shownSamples)
      .map(({ cells }) => cells[n])
      .filter(Boolean)
      .join(' · ')
  return (
    <Card title="Columns" text={`${counted(rows.length, 'line')} below the headings.`}>
      <div class="table-scroll">
        <table aria-label="Columns">
          <thead>
            <tr>
              <th scope="col">Column</th>
              <th scope="col">Becomes</th>
              <th scope="col">Examples</th>
            </tr>
          </thead>
          <tbody>
            {head?.cells.map((heading, n) => (
              <tr key={n}>
                <td>{heading || <span class="quiet">No heading</span>}</td>
                <td>
                  <select
                    aria-label={`Field of ${heading || `column ${n + 1}`}`}
                    value={mapping[n] ?? ''}
                    onChange={({ currentTarget: { value } }) =>
                      onChange(head.cells.map((_, at) => (at === n ? (value as Field) : (mapping[at] ?? ''))))
                    }
                  >
                    <option value="">Leave out</option>
                    {Object.entries(fields).map(([field, name]) => (
                      <option key={field} value={field}>
                        {name}
                      </option>
                    ))}
                  </select>
                </td>
                <td class="quiet">{samples(n)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </Card>
  )
}
