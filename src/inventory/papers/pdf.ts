import { readFile } from 'node:fs/promises'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import type { Bars } from './bars.ts'

export const mm = 72 / 25.4

/** DejaVu has Latin, Greek, Cyrillic, Hebrew and Arabic letters and many signs, but no Chinese, Japanese or Korean. */
const loadFonts = async () => ({
  regular: await readFile(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'))),
  bold: await readFile(new URL(import.meta.resolve('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'))),
})
let fonts: ReturnType<typeof loadFonts> | undefined

export type Pdf = InstanceType<typeof PDFDocument>
type Layout = { size: 'A4' | 'LETTER' | [number, number]; margin: number; title: string }

export const createPdf = async ({ size, margin, title }: Layout, draw: (pdf: Pdf) => void) => {
  fonts ??= loadFonts()
  const { regular, bold } = await fonts
  const pdf = new PDFDocument({ size, margin, info: { Title: title, Producer: 'Trivet', Creator: 'Trivet' } })
  pdf.registerFont('regular', regular).registerFont('bold', bold).font('regular')
  draw(pdf)
  pdf.end()
  return buffer(pdf)
}

type Box = { x: number; y: number; width: number; height: number }

/** The widest that a bar of one unit needs to be. */
const widest = 1.2

/** Draws a code with the white around it in the middle of its box: a square as large as it can be, bars as high as it. */
export const drawBars = (pdf: Pdf, { width, height, quiet, bars }: Bars, box: Box) => {
  const isSquare = height > 1
  const fitting = box.width / (width + 2 * quiet)
  const unit = isSquare ? Math.min(fitting, box.height / (height + 2 * quiet)) : Math.min(fitting, widest)
  const left = box.x + (box.width - width * unit) / 2
  const [top, tall] = isSquare ? [box.y + (box.height - height * unit) / 2, unit] : [box.y, box.height]
  for (const [x, y, w, h] of bars) pdf.rect(left + x * unit, top + y * tall, w * unit, h * tall)
  pdf.fill('black')
}
