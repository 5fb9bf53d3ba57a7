import { forbidden, notFound } from '#platform/errors.ts'
import { refusalOf } from '../access.ts'
import type { Inventory, Principal } from '../context.ts'
import { longPage, pageInfo, pageOf } from '../lists.ts'
import { type Count, type CountQuery, type Entries, type LineQuery, type NewCount, type Status, type Summary, statuses } from './schema.ts' // biome-ignore format: one list
import * as store from './store.ts'

/** Where a count may go. It is reviewed before it is posted, and goes back when something has to be counted again. */
const moves: Record<Status, Status[]> = {
  open: ['review', 'cancelled'],
  review: ['open', 'posted', 'cancelled'],
  posted: [],
  cancelled: [],
}
const closed: Status[] = ['posted', 'cancelled']

export const readCount = async (ctx: Inventory, me: Principal, id: number): Promise<Count> =>
  (await store.findCount(ctx.db.sql, me.tenantId, id)) ?? notFound('Count not found')

export const openCount = (ctx: Inventory, me: Principal, input: NewCount) =>
  ctx.db.transaction(async (tx) => {
    const id = await ctx.orRefuse(store.openCount(tx, me, input, ctx.clock.now()))
    return (await store.findCount(tx, me.tenantId, id))!
  })

export const listCounts = async (ctx: Inventory, me: Principal, query: CountQuery) => {
  const page = pageOf(query, longPage)
  const [counts, total] = await Promise.all([
    store.listCounts(ctx.db.sql, me.tenantId, query, page),
    store.countCounts(ctx.db.sql, me.tenantId, query),
  ])
  return { counts, ...pageInfo(page, total) }
}

/** Returns the lines that were entered, without what the ledger says. */
export const enterCount = (ctx: Inventory, me: Principal, id: number, { entries }: Entries) =>
  ctx.db.transaction(async (tx) => {
    const entered = await ctx.orRefuse(store.enterCount(tx, me, id, entries, ctx.clock.now()))
    const lines = await store.listBlind(
      tx,
      me.tenantId,
      { id, lines: entered },
      pageOf({ page: 1, limit: longPage }, longPage),
    )
    return { lines }
  })

/** Whoever counts may remove a line; while it is reviewed, only whoever sees the differences. */
export const removeLine = (ctx: Inventory, me: Principal, id: number, line: number) =>
  ctx.db.transaction(async (tx) => {
    await ctx.orRefuse(store.removeLine(tx, me.tenantId, id, line))
    const count = await store.findCount(tx, me.tenantId, id)
    if (count?.status === 'review' && me.role === 'Staff') forbidden(refusalOf('manager'))
    return { message: 'Line removed' }
  })

export const changeStatus = async (ctx: Inventory, me: Principal, id: number, status: Status) => {
  const from = statuses.filter((before) => moves[before].includes(status))
  const move = { id, status, from, isClosed: closed.includes(status), now: ctx.clock.now() }
  await ctx.orRefuse(ctx.db.write((q) => store.changeStatus(q, me, move)))
  return { message: 'Count status updated', status }
}

/** Nobody sees differences while people count; before they are posted, only those who may post them. */
const isBlind = ({ status }: Count, { role }: Principal) =>
  status === 'open' || (status !== 'posted' && role === 'Staff')

const noDifference: Summary = { units_missing: 0, units_found: 0, value_missing: '0.00', value_found: '0.00' }

export const listLines = async (ctx: Inventory, me: Principal, id: number, query: LineQuery) => {
  const page = pageOf(query, longPage)
  const count = await readCount(ctx, me, id)
  if (isBlind(count, me)) {
    const lines = await store.listBlind(ctx.db.sql, me.tenantId, { id, sort: query.sort }, page)
    return { lines, summary: null, ...pageInfo(page, count.line_count) }
  }
  const filter = { id, different: query.different ?? false, sort: query.sort }
  const rows = await store.listDifferences(ctx.db.sql, me.tenantId, filter, page)
  return {
    lines: rows.map(({ total: _total, summary: _summary, ...line }) => line),
    summary: rows[0]?.summary ?? noDifference,
    ...pageInfo(page, rows[0]?.total ?? (filter.different ? 0 : count.line_count)),
  }
}

export const listUncounted = async (
  ctx: Inventory,
  me: Principal,
  id: number,
  query: { page: number; limit: number },
) => {
  const page = pageOf(query, longPage)
  const count = await readCount(ctx, me, id)
  const [rows, total] = await Promise.all([
    store.listUncounted(ctx.db.sql, me.tenantId, id, page),
    store.countUncounted(ctx.db.sql, me.tenantId, id),
  ])
  const uncounted = isBlind(count, me) ? rows.map((row) => ({ ...row, quantity: null })) : rows
  return { uncounted, ...pageInfo(page, total) }
}
