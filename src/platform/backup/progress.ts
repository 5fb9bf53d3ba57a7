import { type ProgressOutput, showProgress } from '#platform/progress.ts'
import { sizeOf } from '#platform/sizes.ts'

/** How a backup or a restore reports its progress. */
export type Progress = {
  step(text: string): void
  count(what: 'rows' | 'blobs' | 'bytes', added: number): void
}

/** That there has been none for a minute matters here: a dump that hangs keeps a snapshot open. */
export const startProgress = (title: string, output?: ProgressOutput) => {
  const counts = { rows: 0, blobs: 0, bytes: 0 }
  let step = 'opening the database'
  const line = () => `${title}: ${step}, ${counts.rows} rows, ${counts.blobs} blobs, ${sizeOf(counts.bytes)}`
  const { end } = showProgress({ line, mark: () => `${line()} ${counts.bytes}` }, output)
  return {
    step(text: string) {
      step = text
    },
    count(what: keyof typeof counts, added: number) {
      counts[what] += added
    },
    end,
  }
}
