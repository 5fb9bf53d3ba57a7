import { barsOf } from './bars.ts'
import { createPdf, drawBars, mm, type Pdf } from './pdf.ts'
import { printable } from './printable.ts'
import { type Label, type LabelQuery, labelSizes } from './schema.ts'

const margin = 2 * mm

/** Words above, the code below or, if it is square, on the right, where it keeps its white border itself. */
const drawLabel = (pdf: Pdf, { title, lines, code }: Label, bars: ReturnType<typeof barsOf>) => {
  const { width, height } = pdf.page
  const isSquare = bars.height > 1
  const side = isSquare ? Math.min(height, width * 0.45) : 0
  const words = width - side - margin - (isSquare ? 0 : margin)
  const size = Math.min(12, height / 10)
  const line = { width: words, height: size * 1.2, ellipsis: true, lineBreak: true }
  pdf.font('bold').fontSize(size)
  pdf.text(title, margin, margin, { ...line, height: size * 2.4 })
  pdf.font('regular').fontSize(size * 0.85)
  for (const text of lines) pdf.text(text, margin, pdf.y, line)
  if (isSquare) return drawBars(pdf, bars, { x: width - side, y: 0, width: side, height: side })
  drawBars(pdf, bars, { x: 0, y: height * 0.58, width, height: height * 0.28 })
  const caption = { ...line, height: size, align: 'center' as const }
  pdf.fontSize(size * 0.7).text(printable(code.text), margin, height * 0.88, caption)
}

export const printLabels = ({ label, query }: { label: Label; query: LabelQuery }) => {
  const { size, copies } = query
  const [wide, high] = labelSizes[size]
  const bars = barsOf(label.code)
  return createPdf({ size: [wide * mm, high * mm], margin: 0, title: label.title }, (pdf) => {
    for (let n = 0; n < copies; n++) {
      if (n > 0) pdf.addPage()
      drawLabel(pdf, label, bars)
    }
  })
}
