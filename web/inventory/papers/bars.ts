import { code128, gs1qrcode, qrcode } from 'bwip-js/generic'
import type { Barcode } from '../api.ts'

/** The dark parts of a code as a path in a grid, and how much of the grid must stay white around them. */
export type Bars = { path: string; width: number; height: number; quiet: number }

const encoders = { code128, qrcode, gs1qrcode }

/** Collects what the library would draw: bars as vertical lines of one unit's height, squares as polygons. */
const collector = () => {
  let path = ''
  let size = { width: 0, height: 0 }
  const ignore = () => {}
  return {
    scale: () => null,
    measure: () => ({ width: 0, ascent: 0, descent: 0 }),
    init(width: number, height: number) {
      size = { width, height }
    },
    line(x: number, _y: number, _x: number, _end: number, thick: number) {
      path += `M${Math.floor(x - thick / 2)} 0h${thick}v1h-${thick}z`
      size.height = 1
    },
    polygon(points: [number, number][]) {
      path += `M${points.map((point) => point.join(' ')).join('L')}z`
    },
    hexagon: ignore,
    ellipse: ignore,
    fill: ignore,
    text: ignore,
    end: () => ({ path, ...size }),
  }
}

export const barsOf = ({ symbology, text }: Barcode): Bars => {
  const drawn = encoders[symbology]({ bcid: symbology, text, scale: 1 }, collector())
  // The library draws bars one unit and squares two units wide.
  return { ...drawn, quiet: drawn.height === 1 ? 10 : 8 }
}
