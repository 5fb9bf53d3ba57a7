import { accents } from './accents.ts'
import { type ServiceName, shape } from './mark.ts'
import { encodePng } from './png.ts'

type Colour = readonly [red: number, green: number, blue: number]

const colourOf = (hex: string): Colour => {
  const at = (from: number) => Number.parseInt(hex.slice(from, from + 2), 16)
  return [at(1), at(3), at(5)]
}

const distanceToStroke = (x: number, y: number, [endX, endY]: readonly [number, number]) => {
  const [hubX, hubY] = shape.hub
  const [dx, dy] = [endX - hubX, endY - hubY]
  const along = ((x - hubX) * dx + (y - hubY) * dy) / (dx * dx + dy * dy)
  const nearest = Math.max(0, Math.min(1, along))
  return Math.hypot(x - hubX - nearest * dx, y - hubY - nearest * dy)
}

/** The middle of what the eye takes for the mark, which is longer at the top than at the bottom. */
const middle = [12, 10.5] as const

/**
 * The mark as a square PNG file. `view` is how many units of its drawing are shown, so a larger one leaves a wider margin.
 * Without a background it is transparent.
 */
const draw = (
  size: number,
  { view, ink, background }: { view: number; ink: Colour; background?: Colour },
) => {
  const scale = size / view
  const rows = Buffer.alloc(size * (1 + 4 * size))
  for (let row = 0; row < size; row++)
    for (let column = 0; column < size; column++) {
      const x = middle[0] + (column + 0.5 - size / 2) / scale
      const y = middle[1] + (row + 0.5 - size / 2) / scale
      const distance = Math.min(...shape.ends.map((end) => distanceToStroke(x, y, end)))
      const cover = Math.max(0, Math.min(1, 0.5 + (shape.width / 2 - distance) * scale))
      const mixed = background
        ? [...ink.map((channel, n) => Math.round(background[n]! + (channel - background[n]!) * cover)), 255]
        : [...ink, Math.round(255 * cover)]
      rows.set(mixed, row * (1 + 4 * size) + 1 + 4 * column)
    }
  return encodePng({ width: size, height: size, colours: 'rgba' }, rows)
}

/** For home screens: on a background, with a margin that may be cut into any shape. */
export const tile = (service: ServiceName, size: number) =>
  draw(size, { view: 36, ink: [255, 255, 255], background: colourOf(accents[service][0]) })

const icoSizes = [16, 32, 48]
const entryBytes = 16

/** PNG files in one ICO file, for whoever asks for `/favicon.ico` without reading a page. */
export const favicon = (service: ServiceName) => {
  const pictures = icoSizes.map((size) => draw(size, { view: 20, ink: colourOf(accents[service][0]) }))
  const header = Buffer.alloc(6 + entryBytes * pictures.length)
  header.writeUInt16LE(1, 2)
  header.writeUInt16LE(pictures.length, 4)
  let offset = header.length
  for (const [n, picture] of pictures.entries()) {
    const at = 6 + entryBytes * n
    header.set([icoSizes[n]!, icoSizes[n]!], at)
    header.writeUInt16LE(1, at + 4)
    header.writeUInt16LE(32, at + 6)
    header.writeUInt32LE(picture.length, at + 8)
    header.writeUInt32LE(offset, at + 12)
    offset += picture.length
  }
  return Buffer.concat([header, ...pictures])
}
