import type { Sql } from '#platform/db/database.ts'
import { maybeOne, value } from '#platform/db/rows.ts'
import type { Principal } from '../context.ts'
import type { Page } from '../lists.ts'
import type {
  Count,
  CountLine,
  CountQuery,
  Entries,
  LineQuery,
  NewCount,
  Status,
  Summary,
  Uncounted,
} from './schema.ts'

export const openCount = (q: Sql, me: Principal, input: NewCount, now: Date) =>
  value<number>(q`
      select inventory.open_count(${me.tenantId}, ${me.userId}, ${now}, ${input.warehouse_id ?? null},
        ${input.category_id ?? null}, ${input.notes ?? null}) as id`)

export const findCount = async (q: Sql, tenantId: number, id: number) =>
  (
    await maybeOne(q<{ count: Count }[]>`
      select inventory.count_document(c) as count from inventory.counts c
      where c.tenant_id = ${tenantId} and c.id = ${id}`)
  )?.count

const matching = (q: Sql, tenantId: number, f: CountQuery) => q`
  tenant_id = ${tenantId} ${f.status === undefined ? q`` : q`and status = ${f.status}`}
  ${f.warehouse_id === undefined ? q`` : q`and warehouse_id = ${f.warehouse_id}`}`

/** Newest first. */
export const listCounts = async (q: Sql, tenantId: number, query: CountQuery, page: Page) => {
  const rows = await q<{ count: Count }[]>`
    select inventory.count_document(c) as count from (
      select * from inventory.counts where ${matching(q, tenantId, query)}
      order by number desc limit ${page.limit} offset ${page.offset}) c order by c.number desc`
  return rows.map(({ count }) => count)
}

export const countCounts = (q: Sql, tenantId: number, query: CountQuery) =>
  value<number>(q`
      select count(*) as total from inventory.counts where ${matching(q, tenantId, query)}`)

type Entry = Entries['entries'][number]

export const enterCount = async (q: Sql, me: Principal, id: number, entries: readonly Entry[], now: Date) =>
  (
    await value<string[]>(q`
      select inventory.enter_count(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${q.json(entries)}) as lines`)
  ).map(Number)

export const removeLine = (q: Sql, tenantId: number, id: number, line: number) => q`
  select inventory.remove_count_line(${tenantId}, ${id}, ${line})`

type Move = { id: number; status: Status; from: Status[]; isClosed: boolean; now: Date }

export const changeStatus = (q: Sql, me: Principal, { id, status, from, isClosed, now }: Move) => q`
  select inventory.change_count_status(${me.tenantId}, ${me.userId}, ${now}, ${id}, ${status}, ${from}::text[],
    ${isClosed})`

const line = (q: Sql) => q`
  l.id, l.product_id, p.sku, p.name as product_name, nullif(l.batch_number, '') as batch_number,
  l.counted as counted_quantity, u.name as counted_by_name, l.counted_at`

const parts = (q: Sql) => q`
  join inventory.products p on p.tenant_id = l.tenant_id and p.id = l.product_id
  left join inventory.users u on u.tenant_id = l.tenant_id and u.id = l.counted_by`

const hidden = (q: Sql) => q`
  null::bigint as expected_quantity, null::bigint as difference, null::text[] as missing_serials,
  null::text[] as found_serials, null::numeric as difference_value`

type Sort = LineQuery['sort']

const direction = (q: Sql, sort: Sort) => (sort === '-id' ? q`desc` : q`asc`)

/** Without what the ledger says: whoever counts must not know it. */
export const listBlind = (
  q: Sql,
  tenantId: number,
  { id, lines, sort = 'id' }: { id: number; lines?: readonly number[]; sort?: Sort },
  page: Page,
) => q<CountLine[]>`
  select ${line(q)}, ${hidden(q)} from (
    select * from inventory.count_lines where tenant_id = ${tenantId} and count_id = ${id}
      ${lines ? q`and id = any(${lines as number[]}::bigint[])` : q``}
    order by id ${direction(q, sort)} limit ${page.limit} offset ${page.offset}) l ${parts(q)}
  order by l.id ${direction(q, sort)}`

export const listDifferences = (
  q: Sql,
  tenantId: number,
  { id, different, sort }: { id: number; different: boolean; sort: Sort },
  page: Page,
) => q<(CountLine & { total: number; summary: Summary })[]>`
  select ${line(q)}, l.expected as expected_quantity, d.difference, d.missing as missing_serials,
    d.found as found_serials, d.value as difference_value, d.total, d.summary
  from (
    select *, count(*) over () as total, jsonb_build_object(
      'units_missing', -sum(least(difference, 0)) over (),
      'units_found', sum(greatest(difference, 0)) over (),
      'value_missing', (-sum(least(value, 0)) over ())::numeric(20, 2)::text,
      'value_found', (sum(greatest(value, 0)) over ())::numeric(20, 2)::text) as summary
    from (
      select d.*, round(d.difference * coalesce(p.average_cost, 0), 2)::numeric(20, 2) as value
      from inventory.count_differences(${tenantId}, ${id}) d
      left join inventory.products p on p.tenant_id = ${tenantId} and p.id = d.product_id) valued
    ${different ? q`where difference <> 0 or missing is not null or found is not null` : q``}
    order by id ${direction(q, sort)} limit ${page.limit} offset ${page.offset}) d
  join inventory.count_lines l on l.tenant_id = ${tenantId} and l.id = d.id ${parts(q)}
  order by l.id ${direction(q, sort)}`

/** What should have been counted: products on hand in the warehouse that have no line. */
const unseen = (q: Sql, tenantId: number, id: number) => q`
  from inventory.counts c
  join inventory.stock s on s.tenant_id = c.tenant_id and s.warehouse_id = c.warehouse_id and s.quantity > 0
  join inventory.products p on p.tenant_id = s.tenant_id and p.id = s.product_id
  where c.tenant_id = ${tenantId} and c.id = ${id}
    and (c.category_id is null
      or p.category_id in (select inventory.count_categories(${tenantId}, c.category_id)))
    and not exists (select from inventory.count_lines l
      where l.tenant_id = c.tenant_id and l.count_id = c.id and l.product_id = s.product_id)`

export const listUncounted = (q: Sql, tenantId: number, id: number, page: Page) => q<Uncounted[]>`
  select s.product_id, p.sku, p.name as product_name, p.tracking_type, s.quantity ${unseen(q, tenantId, id)}
  order by s.product_id limit ${page.limit} offset ${page.offset}`

export const countUncounted = (q: Sql, tenantId: number, id: number) =>
  value<number>(q`select count(*) as total ${unseen(q, tenantId, id)}`)
