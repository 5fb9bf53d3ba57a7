import type { Readable } from 'node:stream'
import { plannedEachTime, type Sql } from '#platform/db/sql.ts'
import { AppError, badRequest } from '#platform/errors.ts'
import { listCategories } from '../categories/categories.ts'
import type { Inventory, Principal } from '../context.ts'
import { type Categories, changesOf, merge } from './import-fields.ts'
import { mostBadLines, readBatches, requireSize } from './import-lines.ts'
import * as lines from './import-store.ts'
import type { ImportedLine, ImportResult } from './schema.ts'
import * as store from './store.ts'

const batchSize = 500
const stoppedHere = `and more: stopped after ${mostBadLines} bad lines, nothing from this line on was imported`
const abandonedMs = 24 * 3_600_000
const mostLines = 1_000

/** Stores the lines of a file as they arrive, outside any transaction, and returns the digest of the file. */
const receive = async (ctx: Inventory, id: string, body: Readable) => {
  const batches = readBatches(body)
  for (;;) {
    const { done, value } = await batches.next()
    if (done) return value
    await lines.insertLines(ctx.db.sql, id, value, ctx.clock.now())
  }
}

const knownCategories = async (ctx: Inventory, me: Principal): Promise<Categories> => {
  const { categories } = await listCategories(ctx, me)
  const idsByName = new Map<string, number[]>()
  for (const { id, name } of categories) {
    const key = name.toLowerCase()
    idsByName.set(key, [...(idsByName.get(key) ?? []), id])
  }
  return { ids: new Set(categories.map(({ id }) => id)), idsByName }
}

const cellOf = (value: unknown) => (value === null || value === undefined ? null : String(value))

const described = (
  before: store.Fields,
  after: store.Fields,
  fields: (keyof store.Fields)[],
): ImportedLine['changes'] =>
  fields.map((field) => ({ field, before: cellOf(before[field]), after: cellOf(after[field]) }))

type Line = Awaited<ReturnType<typeof lines.linesAfter>>[number]
type Work = { ctx: Inventory; tx: Sql; me: Principal; id: string; known: Categories; result: ImportResult }

/** Returns whether to continue: with too many bad lines it is probably the wrong file. */
const applyBatch = async (
  { ctx, tx, me, id, known, result }: Work,
  batch: readonly Line[],
): Promise<boolean> => {
  // biome-ignore format: one line
  const rows = await store.lockProductsBySku(tx, me.tenantId, batch.map(({ sku }) => sku))
  const existing = new Map(rows.map((row) => [row.sku, row]))
  const used = new Map<string, number>()
  const added: { line: number; fields: store.Fields }[] = []
  const changed: (store.Fields & { id: number })[] = []
  let isStopped = false
  for (const { line, sku, cells, problem, used_by } of batch) {
    try {
      if (problem) badRequest(problem)
      const first = used_by ?? used.get(sku)
      if (first !== undefined) badRequest(`sku is the same as on line ${first}`)
      const before = existing.get(sku)
      const fields = merge(cells, before, known)
      used.set(sku, line)
      if (!before) {
        added.push({ line, fields })
        continue
      }
      const fieldsChanged = changesOf(before, fields)
      if (fieldsChanged.length === 0) {
        result.unchanged++
        continue
      }
      changed.push({ ...fields, id: before.id })
      result.lines?.push({
        line,
        sku,
        outcome: 'updated',
        changes: described(before, fields, fieldsChanged),
      })
    } catch (error) {
      if (!(error instanceof AppError) || error.status >= 500) throw error
      isStopped = result.failed.length >= mostBadLines
      result.failed.push({ line, error: isStopped ? stoppedHere : error.message })
      if (isStopped) break
    }
  }
  await lines.markUsed(tx, id, [...used.values()])
  if (changed.length > 0) await store.updateProducts(tx, me.tenantId, changed)
  result.updated += changed.length
  if (added.length === 0) return !isStopped
  const created = await store.insertProducts(
    tx,
    me.tenantId,
    added.map(({ fields }) => fields),
    ctx.clock.now(),
  )
  result.created += created.length
  const skus = new Set(created.map(({ sku }) => sku))
  for (const { line, fields } of added)
    if (skus.has(fields.sku)) result.lines?.push({ line, sku: fields.sku, outcome: 'created', changes: [] })
    else result.failed.push({ line, error: `SKU ${fields.sku} was added meanwhile` })
  return !isStopped
}

type How = { dryRun: boolean; byLine: boolean }

class DryRun extends Error {
  readonly result: ImportResult
  constructor(result: ImportResult) {
    super('dry run')
    this.result = result
  }
}

const apply = async (ctx: Inventory, me: Principal, id: string, { dryRun, byLine }: How) => {
  const known = await knownCategories(ctx, me)
  try {
    return await ctx.db.transaction(async (prepared) => {
      const tx = plannedEachTime(prepared)
      const result: ImportResult = { created: 0, updated: 0, unchanged: 0, failed: [] }
      if (byLine) result.lines = []
      for (let last = 0; ; ) {
        const batch = await lines.linesAfter(tx, id, last, batchSize)
        if (batch.length === 0) break
        const goesOn = await applyBatch({ ctx, tx, me, id, known, result }, batch)
        result.lines?.sort((a, b) => a.line - b.line).splice(mostLines)
        if (!goesOn) break
        last = batch.at(-1)!.line
      }
      result.failed.sort((a, b) => a.line - b.line)
      if (dryRun) throw new DryRun(result)
      return result
    })
  } catch (error) {
    if (error instanceof DryRun) return error.result
    throw error
  }
}

type ImportFile = How & {
  body: Readable
  announced: number
  received: (digest: string) => void
}

/**
 * Applies the good lines in one transaction, which begins when the whole file has arrived. Bad lines are reported by
 * their number, up to a thousand; at the next one the import stops, and only the good lines before it are applied.
 * A dry run is rolled back. `received` is called with the digest by which a repeat of the file is recognised.
 */
export const importProducts = async (
  ctx: Inventory,
  me: Principal,
  { body, announced, received, ...how }: ImportFile,
) => {
  requireSize(announced)
  const id = crypto.randomUUID()
  try {
    received(await receive(ctx, id, body))
    return await apply(ctx, me, id, how)
  } finally {
    await lines.deleteLines(ctx.db.sql, id)
  }
}

export const forgetAbandonedImports = async (ctx: Inventory) => {
  await lines.deleteAbandoned(ctx.db.sql, new Date(ctx.clock.now().getTime() - abandonedMs))
}
