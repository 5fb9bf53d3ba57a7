import type { Label, LabelQuery, Paper, PaperSize } from './schema.ts'

/** The libraries that draw are large, and loaded only when somebody prints. */
export const printPaper = async (paper: Paper, size: PaperSize) =>
  (await import('./sheet.ts')).printSheet(paper, size)

export const printLabels = async (label: Label, query: LabelQuery) =>
  (await import('./label-sheet.ts')).printLabels(query, label)
