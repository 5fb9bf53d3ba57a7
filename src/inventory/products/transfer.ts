import { parse } from 'csv-parse/sync'
import type { Tx } from '#platform/db/database.ts'
import { AppError, badRequest } from '#platform/errors.ts'
import { toMoney } from '#platform/money.ts'
import { listCategories } from '../categories/categories.ts'
import type { Inventory, Principal } from '../context.ts'
import { csvStream, runs, unguard } from '../csv.ts'
import { trackingProblem } from './products.ts'
import { productsAfter } from './read-store.ts'
import { type Product, trackingTypes } from './schema.ts'
import * as store from './store.ts'

const header = [
  'sku', 'name', 'base_price', 'cost_price', 'compare_at_price', 'barcode', 'vendor', 'category_id',
  'category_name', 'tracking_type', 'weight', 'taxable', 'requires_shipping', 'is_active', 'description',
  'total_stock',
] as const satisfies (keyof Product)[] // biome-ignore format: one list
const batchSize = 500

export const exportProducts = (ctx: Inventory, me: Principal) => {
  const batches = async function* () {
    for await (const run of runs((id) => productsAfter(ctx.db.sql, me.tenantId, id, batchSize)))
      yield run.map((product) => header.map((column) => product[column] as string | null))
  }
  return csvStream(header, batches())
}

type Line = { line: number; cells: Record<string, string>; fields: number; expected: number }

// A line that does not fit is that line's own problem, not the file's.
const options = {
  bom: true,
  info: true,
  skip_empty_lines: true,
  relax_column_count: true,
  relax_quotes: true,
}

const readLines = (csv: string): Line[] => {
  try {
    const parsed = parse(csv, options) as unknown as {
      record: string[]
      info: { lines: number }
    }[]
    const [head, ...body] = parsed
    const names = head?.record.map((name) => name.trim().toLowerCase()) ?? []
    if (!names.includes('sku')) return badRequest('The first line must name the columns, sku among them')
    let from = (head?.info.lines ?? 0) + 1
    return body.map(({ record, info }) => {
      const line = from
      from = info.lines + 1
      const cells = Object.fromEntries(names.map((name, i) => [name, unguard(record[i] ?? '')]))
      return { line, cells, fields: record.length, expected: names.length }
    })
  } catch (cause) {
    if (cause instanceof AppError) throw cause
    throw new AppError(400, `Not a valid CSV file: ${(cause as Error).message}`, { cause })
  }
}

const text = (max: number) => (column: string, cell: string) =>
  [...cell].length > max || cell.includes('\0')
    ? badRequest(`${column} must have at most ${max} characters, none of them NUL`)
    : cell
const required = (max: number) => (column: string, cell: string) =>
  cell.trim() === '' ? badRequest(`${column} must not be empty`) : text(max)(column, cell)
const optional =
  <T>(read: (column: string, cell: string) => T) =>
  (column: string, cell: string) =>
    cell === '' ? null : read(column, cell)
const flag = (column: string, cell: string) =>
  /^(true|false)$/i.test(cell) ? cell.toLowerCase() === 'true' : badRequest(`${column} must be true or false`)
const tracking = (column: string, cell: string) =>
  trackingTypes.find((type) => type === cell) ??
  badRequest(`${column} must be one of ${trackingTypes.join(', ')}`)
const weight = (column: string, cell: string) => {
  const value = Number(cell)
  return cell.trim() !== '' && value >= 0 && value <= 1_000_000_000
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
  tracking_type: tracking,
  weight: optional(weight),
  taxable: flag,
  requires_shipping: flag,
  is_active: flag,
  description: optional(text(10_000)),
}

const fresh = {
  cost_price: null, compare_at_price: null, barcode: null, vendor: null, description: null, category_id: null,
  tracking_type: 'none', weight: null, taxable: true, requires_shipping: true, is_active: true,
} as const // biome-ignore format: one list

type Categories = { ids: Set<number>; idsByName: Map<string, number[]> }

const categoryOf = ({ category_id = '', category_name = '' }: Line['cells'], known: Categories) => {
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

/** What the line says about the product: columns that the file does not have stay as they are. */
const merge = (
  { cells, fields, expected }: Line,
  before: store.ProductRow | undefined,
  known: Categories,
): store.Fields => {
  if (fields !== expected) badRequest(`The line has ${fields} fields instead of ${expected}`)
  const given: Record<string, unknown> = {}
  for (const [column, read] of Object.entries(readers))
    if (cells[column] !== undefined) given[column] = read(column, cells[column])
  if (cells.category_id !== undefined || cells.category_name !== undefined)
    given.category_id = categoryOf(cells, known)
  const merged = { ...fresh, ...before, ...given } as store.Fields
  for (const column of ['name', 'base_price'] as const)
    if (merged[column] === undefined) badRequest(`${column} is required`)
  const problem = before && trackingProblem(before, merged)
  return problem ? badRequest(problem) : merged
}

const same = (before: store.Fields, after: store.Fields) =>
  [...Object.keys(readers), 'category_id'].every(
    (column) => before[column as keyof store.Fields] === after[column as keyof store.Fields],
  )

type Result = {
  created: number
  updated: number
  unchanged: number
  failed: { line: number; error: string }[]
}

const applyBatch = async (
  ctx: Inventory,
  tx: Tx,
  me: Principal,
  lines: Line[],
  known: Categories,
  seen: Map<string, number>,
  result: Result,
) => {
  // biome-ignore format: one line
  const rows = await store.lockProductsBySku(tx, me.tenantId, lines.map(({ cells }) => cells.sku ?? ''))
  const existing = new Map(rows.map((row) => [row.sku, row]))
  const added: { line: number; fields: store.Fields }[] = []
  const changed: (store.Fields & { id: number })[] = []
  for (const line of lines) {
    const sku = line.cells.sku ?? ''
    try {
      const first = seen.get(sku)
      if (first !== undefined) badRequest(`sku is the same as on line ${first}`)
      const before = existing.get(sku)
      const fields = merge(line, before, known)
      seen.set(sku, line.line)
      if (!before) added.push({ line: line.line, fields })
      else if (same(before, fields)) result.unchanged++
      else changed.push({ ...fields, id: before.id })
    } catch (error) {
      if (!(error instanceof AppError)) throw error
      result.failed.push({ line: line.line, error: error.message })
    }
  }
  if (changed.length > 0) await store.updateProducts(tx, me.tenantId, changed)
  result.updated += changed.length
  if (added.length === 0) return
  const created = await store.insertProducts(
    tx,
    me.tenantId,
    added.map(({ fields }) => fields),
    ctx.clock.now(),
  )
  result.created += created.length
  const skus = new Set(created.map(({ sku }) => sku))
  for (const { line, fields } of added)
    if (!skus.has(fields.sku)) result.failed.push({ line, error: `SKU ${fields.sku} was added meanwhile` })
}

class DryRun extends Error {
  readonly result: Result
  constructor(result: Result) {
    super('dry run')
    this.result = result
  }
}

/** Good lines are applied, all in one transaction; bad ones are told by their number. A dry run is undone. */
export const importProducts = async (ctx: Inventory, me: Principal, csv: string, dryRun: boolean) => {
  const lines = readLines(csv)
  const { categories } = await listCategories(ctx, me)
  const idsByName = new Map<string, number[]>()
  for (const { id, name } of categories) {
    const key = name.toLowerCase()
    idsByName.set(key, [...(idsByName.get(key) ?? []), id])
  }
  const known = { ids: new Set(categories.map(({ id }) => id)), idsByName }
  const work = async (tx: Tx) => {
    const result: Result = { created: 0, updated: 0, unchanged: 0, failed: [] }
    const seen = new Map<string, number>()
    for (let at = 0; at < lines.length; at += batchSize)
      await applyBatch(ctx, tx, me, lines.slice(at, at + batchSize), known, seen, result)
    result.failed.sort((a, b) => a.line - b.line)
    if (dryRun) throw new DryRun(result)
    return result
  }
  try {
    return await ctx.db.transaction(work)
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}
