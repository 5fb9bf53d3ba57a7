import { code128, gs1, qr } from './barcodes.ts'
import { createPdf, drawSymbol, mm, type Pdf, pause, printable } from './pdf.ts'
import { type LabelQuery, labelSizes } from './schema.ts'

type Label = { title: string; lines: string[]; code: string; symbol: ReturnType<typeof qr> }

/** Words above, the code below or, if it is square, on the right. */
const drawLabel = (pdf: Pdf, { title, lines, code, symbol }: Label) => {
  const margin = 2 * mm
  const [width, height] = [pdf.page.width - 2 * margin, pdf.page.height - 2 * margin]
  const isSquare = symbol.height > 1
  const side = isSquare ? Math.min(height, width * 0.42) : 0
  const words = width - side - (isSquare ? margin : 0)
  const size = Math.min(12, pdf.page.height / 10)
  const line = { width: words, height: size * 1.2, ellipsis: true, lineBreak: true }
  pdf.font('bold').fontSize(size)
  pdf.text(printable(title), margin, margin, { ...line, height: size * 2.4 })
  pdf.font('regular').fontSize(size * 0.85)
  for (const text of lines) pdf.text(printable(text), margin, pdf.y, line)
  const box = isSquare
    ? { x: margin + width - side, y: margin, width: side, height: side }
    : { x: margin, y: margin + height * 0.58, width, height: height * 0.3 }
  drawSymbol(pdf, symbol, box)
  if (!isSquare)
    pdf.fontSize(size * 0.7).text(printable(code), margin, margin + height * 0.9, { ...line, height: size })
}

const printLabels = ({ size, copies }: LabelQuery, label: Label) => {
  const [wide, high] = labelSizes[size]
  return createPdf(
    { size: [wide * mm, high * mm], margin: 0, title: printable(label.title) },
    async (pdf) => {
      for (let n = 0; n < copies; n++) {
        if (n > 0) pdf.addPage()
        drawLabel(pdf, label)
        await pause()
      }
    },
  )
}

type Product = { name: string; sku: string; base_price: string; barcode: string | null }

/** The barcode, or the SKU of a product that has none. What Code 128 cannot say, a QR code can. */
export const printProductLabels = (query: LabelQuery, { name, sku, base_price, barcode }: Product) => {
  const code = barcode ?? sku
  return printLabels(query, {
    title: name,
    lines: [sku, base_price],
    code,
    symbol: code128(code) ?? qr(code),
  })
}

type Batch = { product_name: string; sku: string; batch_number: string; expiry_date: string | null }

/** A GS1 code with product, batch and expiry, or else the number of the batch. */
export const printBatchLabels = (query: LabelQuery, batch: Batch, barcode: string | null) => {
  const { product_name, sku, batch_number, expiry_date } = batch
  return printLabels(query, {
    title: product_name,
    lines: [sku, `Batch ${batch_number}`, ...(expiry_date ? [`Expires ${expiry_date}`] : [])],
    code: batch_number,
    symbol: gs1({ barcode, batch: batch_number, expiry: expiry_date }) ?? qr(batch_number),
  })
}
