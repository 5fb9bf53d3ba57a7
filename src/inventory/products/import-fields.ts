import { badRequest } from '#platform/errors.ts'
import { toMoney } from '../money.ts'
import { trackingTypes } from '../schema.ts'
import { trackingProblem } from './products.ts'
import type * as store from './store.ts'

const text = (max: number) => (column: string, cell: string) =>
  [...cell].length > max ? badRequest(`${column} must have at most ${max} characters`) : cell
const required = (max: number) => (column: string, cell: string) =>
  cell.trim() === '' ? badRequest(`${column} must not be empty`) : text(max)(column, cell)
const optional =
  <T>(read: (column: string, cell: string) => T) =>
  (column: string, cell: string) =>
    cell === '' ? null : read(column, cell)
/** Fields that cannot be empty: a blank cell leaves them as they are. */
const unlessBlank =
  <T>(read: (column: string, cell: string) => T) =>
  (column: string, cell: string) =>
    cell === '' ? undefined : read(column, cell)
const flag = (column: string, cell: string) =>
  /^(true|false)$/i.test(cell) ? cell.toLowerCase() === 'true' : badRequest(`${column} must be true or false`)
const tracking = (column: string, cell: string) =>
  trackingTypes.find((type) => type === cell) ??
  badRequest(`${column} must be one of ${trackingTypes.join(', ')}`)
const weight = (column: string, cell: string) => {
  const value = Number(cell)
  return /^[\d.]+(e[+-]?\d+)?$/i.test(cell) && value >= 0 && value <= 1_000_000_000
    ? value
    : badRequest(`${column} must be a number of at least 0`)
}

const readers = {
  sku: required(100),
  name: required(255),
  base_price: toMoney,
  cost_price: optional(toMoney),
  compare_at_price: optional(toMoney),
  barcode: optional(text(100)),
  vendor: optional(text(255)),
  tracking_type: unlessBlank(tracking),
  weight: optional(weight),
  taxable: unlessBlank(flag),
  requires_shipping: unlessBlank(flag),
  is_active: unlessBlank(flag),
  description: optional(text(10_000)),
}

const fresh = {
  cost_price: null, compare_at_price: null, barcode: null, vendor: null, description: null, category_id: null,
  tracking_type: 'none', weight: null, taxable: true, requires_shipping: true, is_active: true,
} as const // biome-ignore format: one list

type Cells = Record<string, string>
export type Categories = { ids: Set<number>; idsByName: Map<string, number[]> }

const categoryOf = ({ category_id = '', category_name = '' }: Cells, known: Categories) => {
  if (category_id !== '')
    return known.ids.has(Number(category_id))
      ? Number(category_id)
      : badRequest(`There is no category ${category_id}`)
  if (category_name === '') return null
  const [id, ...others] = known.idsByName.get(category_name.toLowerCase()) ?? []
  if (id === undefined) return badRequest(`There is no category ${category_name}`)
  return others.length === 0
    ? id
    : badRequest(`Several categories are called ${category_name}: give category_id`)
}

/** The fields of a product after a line; fields without a column keep their value. */
export const merge = (
  cells: Cells,
  before: store.ProductRow | undefined,
  known: Categories,
): store.Fields => {
  const given: Record<string, unknown> = {}
  for (const [column, read] of Object.entries(readers)) {
    const value = cells[column] === undefined ? undefined : read(column, cells[column])
    if (value !== undefined) given[column] = value
  }
  if (cells.category_id !== undefined || cells.category_name !== undefined)
    given.category_id = categoryOf(cells, known)
  const merged = { ...fresh, ...before, ...given } as store.Fields
  for (const column of ['name', 'base_price'] as const)
    if (merged[column] === undefined) badRequest(`${column} is required`)
  const problem = before && trackingProblem(before, merged)
  return problem ? badRequest(problem) : merged
}

const columns = [...Object.keys(readers), 'category_id'] as (keyof store.Fields)[]

/** The fields that a line changes. */
export const changesOf = (before: store.Fields, after: store.Fields) =>
  columns.filter((column) => before[column] !== after[column])
