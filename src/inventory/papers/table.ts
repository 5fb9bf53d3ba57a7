import { type Pdf, pause, printable } from './pdf.ts'

/** `share` of the width of the page; numbers stand on the right. */
export type Column = { title: string; share: number; align?: 'left' | 'right' }

const size = 9
const gap = 6
/** The most lines of a cell. */
const mostLines = 3

/** A table over as many pages as it needs, with its header on each. */
export const drawTable = async (pdf: Pdf, columns: readonly Column[], rows: readonly string[][]) => {
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
      ...cells.map((cell, n) => pdf.heightOfString(printable(cell) || ' ', { width: widths[n] as number })),
    )
    const height = Math.min(tallest, mostLines * lineHeight) + 0.5
    if (pdf.y + height + gap > end) {
      pdf.addPage()
      if (font === 'regular') draw(titles, 'bold')
      pdf.font(font)
    }
    const { y } = pdf
    let x = left
    for (const [n, { share, align = 'left' }] of columns.entries()) {
      const box = { width: widths[n] as number, height, align, ellipsis: true }
      pdf.text(printable(cells[n] ?? ''), x, y, box)
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
  for (const [n, row] of rows.entries()) {
    draw(row, 'regular')
    if (n % 25 === 24) await pause()
  }
}
