import { barsOf } from './bars.ts'
import { createPdf, drawBars, mm, type Pdf } from './pdf.ts'
import type { Paper, PaperSize } from './schema.ts'
import { drawTable } from './table.ts'

const margin = 15 * mm

const drawHead = (pdf: Pdf, { company, title, number, code }: Paper) => {
  const width = pdf.page.width - 2 * margin
  pdf.font('regular').fontSize(10)
  pdf.text(company, margin, margin, { width: width / 2, height: 28, ellipsis: true })
  pdf
    .font('bold')
    .fontSize(18)
    .text(`${title} ${number}`, margin, margin + 32, { width: width * 0.62 })
  const box = { x: margin + width * 0.62, y: margin, width: width * 0.38, height: 36 }
  if (code) drawBars(pdf, barsOf(code), box)
  pdf.y = Math.max(pdf.y, margin + 62)
}

const drawBlocks = (pdf: Pdf, { blocks }: Paper) => {
  const width = (pdf.page.width - 2 * margin) / Math.max(1, blocks.length)
  const top = pdf.y
  const ends = blocks.map(({ title, lines }, n) => {
    const x = margin + n * width
    const box = { width: width - 8, height: 56, ellipsis: true }
    pdf.font('bold').fontSize(9).text(title, x, top, box)
    pdf.font('regular')
    for (const line of lines) pdf.text(line, x, pdf.y, box)
    return pdf.y
  })
  pdf.x = margin
  pdf.y = Math.max(top, ...ends) + 14
}

export const printSheet = ({ paper, size }: { paper: Paper; size: PaperSize }) =>
  createPdf(
    { size: size === 'a4' ? 'A4' : 'LETTER', margin, title: `${paper.title} ${paper.number}` },
    (pdf) => {
      drawHead(pdf, paper)
      drawBlocks(pdf, paper)
      drawTable(pdf, paper)
      pdf.moveDown(0.5).font('regular').fontSize(10)
      for (const line of paper.notes) pdf.text(line, { width: pdf.page.width - 2 * margin })
    },
  )
