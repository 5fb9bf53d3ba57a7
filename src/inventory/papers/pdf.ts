import { readFile } from 'node:fs/promises'
import { setImmediate } from 'node:timers/promises'
import PDFDocument from 'pdfkit'
import type { Barcode } from './barcodes.ts'

export const mm = 72 / 25.4

/** DejaVu has Latin, Greek, Cyrillic, Hebrew and Arabic letters and many signs, but no Chinese, Japanese or Korean. */
const loadFonts = async () => ({
  regular: await readFile(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))),
  bold: await readFile(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'))),
})
let fonts: ReturnType<typeof loadFonts> | undefined

export type Pdf = InstanceType<typeof PDFDocument>
type Layout = { size: 'A4' | 'LETTER' | [number, number]; margin: number; title: string }

/**
 * A document that is sent while `draw` goes on. What fails after its first bytes can only break the transfer off, so
 * everything that may be refused is read before.
 */
export const createPdf = async ({ size, margin, title }: Layout, draw: (pdf: Pdf) => Promise<void>) => {
  fonts ??= loadFonts()
  const { regular, bold } = await fonts
  const pdf = new PDFDocument({ size, margin, info: { Title: title, Producer: 'Trivet', Creator: 'Trivet' } })
  pdf.registerFont('regular', regular).registerFont('bold', bold).font('regular')
  const work = async () => {
    try {
      await draw(pdf)
      pdf.end()
    } catch (error) {
      pdf.destroy(error as Error)
    }
  }
  void work()
  return pdf
}

/** Lets others be served in between. */
export const pause = () => setImmediate()

/** One line's worth of text: line breaks and control characters would move everything below. */
export const printable = (text: string) => text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]+/gu, ' ').trim()

type Box = { x: number; y: number; width: number; height: number }

/** Draws a code as large as its box allows, at its left edge. */
export const drawSymbol = (pdf: Pdf, { width, height, bars }: Barcode, box: Box) => {
  const isSquare = height > 1
  const unit = isSquare ? Math.min(box.width / width, box.height / height) : Math.min(box.width / width, 1.2)
  for (const [x, y, w, h] of bars)
    pdf.rect(box.x + x * unit, box.y + (isSquare ? y * unit : 0), w * unit, isSquare ? h * unit : box.height)
  pdf.fill('black')
}
