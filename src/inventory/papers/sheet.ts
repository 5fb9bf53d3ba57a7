import { code128 } from './barcodes.ts'
import { createPdf, drawSymbol, mm, type Pdf, printable } from './pdf.ts'
import type { PaperSize } from './schema.ts'
import { type Column, drawTable } from './table.ts'

/** A paper in words: what stands above the table, in blocks beside each other, the table, and what stands below. */
export type Sheet = {
  size: PaperSize
  company: string
  title: string
  /** Shown beside the title and as a code to scan. */
  number: string
  blocks: { title: string; lines: (string | null | undefined)[] }[]
  columns: readonly Column[]
  rows: readonly string[][]
  below: string[]
}

const margin = 15 * mm

const drawHead = (pdf: Pdf, { company, title, number }: Sheet) => {
  const width = pdf.page.width - 2 * margin
  pdf.font('regular').fontSize(10)
  pdf.text(printable(company), margin, margin, { width: width / 2, height: 28, ellipsis: true })
  pdf
    .font('bold')
    .fontSize(18)
    .text(`${title} ${printable(number)}`, margin, margin + 32, { width: width * 0.62 })
  const code = code128(number)
  if (code) drawSymbol(pdf, code, { x: margin + width * 0.66, y: margin, width: width * 0.34, height: 36 })
  pdf.y = Math.max(pdf.y, margin + 62)
}

const drawBlocks = (pdf: Pdf, { blocks }: Sheet) => {
  const width = (pdf.page.width - 2 * margin) / Math.max(1, blocks.length)
  const top = pdf.y
  const ends = blocks.map(({ title, lines }, n) => {
    const x = margin + n * width
    const box = { width: width - 8, height: 24, ellipsis: true }
    pdf.font('bold').fontSize(9).text(title, x, top, box)
    pdf.font('regular')
    for (const line of lines) if (line) pdf.text(printable(line), x, pdf.y, box)
    return pdf.y
  })
  pdf.x = margin
  pdf.y = Math.max(top, ...ends) + 14
}

export const printSheet = (sheet: Sheet) =>
  createPdf(
    {
      size: sheet.size === 'a4' ? 'A4' : 'LETTER',
      margin,
      title: `${sheet.title} ${printable(sheet.number)}`,
    },
    async (pdf) => {
      drawHead(pdf, sheet)
      drawBlocks(pdf, sheet)
      await drawTable(pdf, sheet.columns, sheet.rows)
      pdf.moveDown(0.5).font('regular').fontSize(10)
      for (const line of sheet.below) pdf.text(printable(line), { width: pdf.page.width - 2 * margin })
    },
  )
