import { encodePng } from '#platform/web/png.ts'

type Colour = readonly [red: number, green: number, blue: number]

/** A view over hills: the sky from top to horizon, the sun, and the hills from back to front. */
export type View = { top: Colour; horizon: Colour; sun: Colour; hills: readonly Colour[] }

type Size = { width: number; height: number }

const sunRadius = 26

const mixed = (a: Colour, b: Colour, share: number): Colour => [
  Math.round(a[0] + (b[0] - a[0]) * share),
  Math.round(a[1] + (b[1] - a[1]) * share),
  Math.round(a[2] + (b[2] - a[2]) * share),
]

/** How far down the hills of one layer begin, for each column. */
const ridge = ({ width, height }: Size, layer: number, seed: number) =>
  Array.from({ length: width }, (_, x) => {
    const slow = Math.sin(x / (52 + 23 * layer) + seed * (layer + 1))
    return height * (0.52 + layer * 0.14) + 16 * slow + 7 * Math.sin(x / 17 + seed)
  })

const paint = (view: View, seed: number, size: Size) => {
  const { width, height } = size
  const ridges = view.hills.map((_, layer) => ridge(size, layer, seed))
  const [sunX, sunY] = [width * (0.2 + (seed % 5) * 0.14), height * 0.26]
  const rows = Buffer.alloc(height * (1 + 3 * width))
  for (let y = 0; y < height; y++) {
    const sky = mixed(view.top, view.horizon, Math.min(1, y / (height * 0.6)))
    for (let x = 0; x < width; x++) {
      const front = ridges.findLastIndex((from) => y > from[x]!)
      const isSun = (x - sunX) ** 2 + (y - sunY) ** 2 < sunRadius ** 2
      rows.set(view.hills[front] ?? (isSun ? view.sun : sky), y * (1 + 3 * width) + 1 + 3 * x)
    }
  }
  return rows
}

/** A picture as a PNG file, for demos. Another seed makes another landscape. */
export const png = (view: View, seed: number, size: Size = { width: 480, height: 300 }) =>
  encodePng({ ...size, colours: 'rgb' }, paint(view, seed, size))
