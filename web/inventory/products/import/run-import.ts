import { api, type Schemas } from '../../api.ts'
import { type CsvRecord, formatCsv } from './csv.ts'
import { type Mapping, mapRow } from './mapping.ts'

export type Outcome = Schemas['ImportResult']

const rowsAtOnce = 2_000

type Options = { isDry: boolean; onProgress: (done: number) => void; signal: AbortSignal }

/** Sends a file in parts, so that there is progress to see, and counts lines as the file has them. */
export const runImport = async (
  [head, ...records]: CsvRecord[],
  mapping: Mapping,
  { isDry, onProgress, signal }: Options,
): Promise<Outcome> => {
  const outcome: Outcome = { created: 0, updated: 0, unchanged: 0, failed: [] }
  const heading = mapping.filter(Boolean) as string[]
  for (let at = 0; head && at < records.length; at += rowsAtOnce) {
    const part = records.slice(at, at + rowsAtOnce)
    const { text, lines } = formatCsv([heading, ...part.map(({ cells }) => mapRow(cells, mapping))])
    const { data } = await api.POST('/api/products/import', {
      params: { query: { dry_run: isDry } },
      body: text,
      bodySerializer: (body) => body as string,
      headers: { 'content-type': 'text/csv' },
      signal,
    })
    outcome.created += data.created
    outcome.updated += data.updated
    outcome.unchanged += data.unchanged
    for (const { line, error } of data.failed)
      outcome.failed.push({ line: part[lines.indexOf(line) - 1]?.line ?? line, error })
    onProgress(Math.min(records.length, at + rowsAtOnce))
  }
  return outcome
}
