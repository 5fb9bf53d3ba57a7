import type { Pdf } from './pdf.ts'
import type { Paper } from './schema.ts'

const size = 9
const gap = 6
/** The most lines of a cell: they fit on a page. */
const mostLines = 50

/** A table over as many pages as it needs, with its header on each. */
export const drawTable = (pdf: Pdf, { columns, rows }: Pick<Paper, 'columns' | 'rows'>) => {
  const { left, right, bottom } = pdf.page.margins
  const width = pdf.page.width - left - right
  const end = pdf.page.height - bottom
  pdf.fontSize(size)
  const lineHeight = pdf.currentLineHeight(true)

  const draw = (cells: readonly string[], font: 'regular' | 'bold') => {
    pdf.font(font)
    const widths = columns.map(({ share }) => share * width - gap)
    const tallest = Math.max(
      lineHeight,
      ...cells.map((cell, n) => pdf.heightOfString(cell || ' ', { width: widths[n] as number })),
    )
    const height = Math.min(tallest, mostLines * lineHeight) + 0.5
    if (pdf.y + height + gap > end) {
      pdf.addPage()
      if (font === 'regular') draw(titles, 'bold')
      pdf.font(font)
    }
    const { y } = pdf
    let x = left
    for (const [n, { share, align }] of columns.entries()) {
      const box = { width: widths[n] as number, height, align, ellipsis: true }
      pdf.text(cells[n] ?? '', x, y, box)
      x += share * width
    }
    const below = y + height + gap / 2
    pdf
      .moveTo(left, below)
      .lineTo(left + width, below)
      .lineWidth(0.4)
      .stroke('#bbbbbb')
    pdf.fillColor('black')
    pdf.x = left
    pdf.y = below + gap / 2
  }

  const titles = columns.map(({ title }) => title)
  draw(titles, 'bold')
  for (const row of rows) draw(row, 'regular')
}
