export type Measured = 'order of 3 lines' | 'set the stock of one item' | 'post, 8 accounts' | 'PUT 4 KiB'

type Figure = { product: string; measured: Measured; least: number; most: number }

/**
 * Requests per second, measured beside Trivet on two quiet cores; s3rver by itself on two busy ones, and it does not wait
 * until the disk has an object.
 */
const figures: Figure[] = [
  { product: 'Medusa 2.21', measured: 'order of 3 lines', least: 5, most: 8 },
  { product: 'Vendure 3.7', measured: 'order of 3 lines', least: 5, most: 8 },
  { product: 'Medusa 2.21', measured: 'set the stock of one item', least: 73, most: 102 },
  { product: 'Bluesky PDS 0.5', measured: 'post, 8 accounts', least: 120, most: 120 },
  { product: 's3rver 3.7', measured: 'PUT 4 KiB', least: 324, most: 1094 },
]

export const figuresOf = (measured: Measured) => figures.filter((figure) => figure.measured === measured)
