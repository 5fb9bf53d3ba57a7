import { Card } from '#web/components/card.tsx'
import { count } from '#web/components/format.ts'
import type { Outcome } from './run-import.ts'

const shown = 200

/** What an import would do, and why which lines would be refused. */
export function OutcomeCard({ outcome: { created, updated, unchanged, failed } }: { outcome: Outcome }) {
  return (
    <Card title="Preview" text="Nothing has been changed yet. Lines that are refused are left out.">
      <dl class="figures">
        {(
          [
            ['Created', created],
            ['Changed', updated],
            ['Unchanged', unchanged],
            ['Refused', failed.length],
          ] as const
        ).map(([name, n]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{count(n)}</dd>
          </div>
        ))}
      </dl>
      {failed.length > 0 && (
        <div class="table-scroll">
          <table aria-label="Refused lines">
            <thead>
              <tr>
                <th scope="col">Line</th>
                <th scope="col">Reason</th>
              </tr>
            </thead>
            <tbody>
              {failed.slice(0, shown).map(({ line, error }) => (
                <tr key={line}>
                  <td>{count(line)}</td>
                  <td>{error}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {failed.length > shown && <p class="quiet">And {count(failed.length - shown)} more.</p>}
    </Card>
  )
}
