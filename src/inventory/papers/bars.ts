import bwip from 'bwip-js/node'
import type { Barcode } from './schema.ts'

/** Black squares or bars in a unit grid, each `[x, y, width, height]`, and how much must stay white around them. */
export type Bars = {
  width: number
  height: number
  quiet: number
  bars: [x: number, y: number, width: number, height: number][]
}

type Raw = { sbs?: number[]; pixs?: number[]; pixx?: number; pixy?: number }

const linear = (widths: number[]): Bars => {
  const bars: Bars['bars'] = []
  let x = 0
  for (const [n, width] of widths.entries()) {
    if (n % 2 === 0) bars.push([x, 0, width, 1])
    x += width
  }
  return { width: x, height: 1, quiet: 10, bars }
}

const square = ({ pixs = [], pixx = 0, pixy = 0 }: Raw): Bars => ({
  width: pixx,
  height: pixy,
  quiet: 4,
  bars: pixs.flatMap((dark, n) => (dark ? [[n % pixx, Math.floor(n / pixx), 1, 1]] : [])) as Bars['bars'],
})

export const barsOf = ({ symbology, text }: Barcode): Bars => {
  const [raw] = bwip.raw({ bcid: symbology, text }) as unknown as [Raw]
  return raw.sbs ? linear(raw.sbs) : square(raw)
}
