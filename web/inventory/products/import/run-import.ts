import { api, type Schemas } from '../../api.ts'
import { type CsvRecord, formatCsv } from './csv.ts'
import { type Mapping, mapRow } from './mapping.ts'

export type Outcome = Required<Schemas['ImportResult']>

const rowsAtOnce = 2_000

type Options = { isDry: boolean; onProgress: (done: number) => void; signal: AbortSignal }

/** Sends a file in parts, so that there is progress to see, and counts lines as the file has them. */
export const runImport = async (
  [head, ...records]: CsvRecord[],
  mapping: Mapping,
  { isDry, onProgress, signal }: Options,
): Promise<Outcome> => {
  const outcome: Outcome = { created: 0, updated: 0, unchanged: 0, failed: [], lines: [] }
  const heading = mapping.filter(Boolean) as string[]
  for (let at = 0; head && at < records.length; at += rowsAtOnce) {
    const part = records.slice(at, at + rowsAtOnce)
    const { text, lines } = formatCsv([heading, ...part.map(({ cells }) => mapRow(cells, mapping))])
    const { data } = await api.POST('/api/products/import', {
      params: { query: { dry_run: isDry, lines: isDry } },
      body: text,
      bodySerializer: (body) => body as string,
      headers: { 'content-type': 'text/csv' },
      signal,
    })
    outcome.created += data.created
    outcome.updated += data.updated
    outcome.unchanged += data.unchanged
    const inFile = (line: number) => part[lines.indexOf(line) - 1]?.line ?? line
    outcome.failed.push(...data.failed.map((one) => ({ ...one, line: inFile(one.line) })))
    outcome.lines.push(...(data.lines ?? []).map((one) => ({ ...one, line: inFile(one.line) })))
    onProgress(Math.min(records.length, at + rowsAtOnce))
  }
  return outcome
}
