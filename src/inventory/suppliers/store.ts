import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one, value } from '#platform/db/rows.ts'
import { anywhere, type Page } from '../lists.ts'
import type { NewSupplier, Sort, Supplier, SupplierDetail, SupplierQuery } from './schema.ts'

const columns = (q: Sql) => q`
  s.id, s.name, s.email, s.phone, s.payment_terms, s.lead_time_days, (select count(*)
    from inventory.supplier_products p where p.tenant_id = s.tenant_id and p.supplier_id = s.id) as product_count,
  (select count(*) from inventory.purchase_orders o where o.tenant_id = s.tenant_id and o.supplier_id = s.id
    and o.status in ('ordered', 'partial')) as open_orders, s.created_at`

const matching = (q: Sql, tenantId: number, { search }: SupplierQuery) => q`
  s.tenant_id = ${tenantId}
  ${search ? q`and (s.name || chr(10) || coalesce(s.email, '')) ilike ${anywhere(search)}` : q``}`

/** What a list of suppliers can be sorted by; each is the order of an index. */
const sortKeys: Record<Sort, string> = {
  name: 'lower(s.name), s.id',
  '-name': 'lower(s.name) desc, s.id desc',
  created_at: 's.id',
  '-created_at': 's.id desc',
}

export const listSuppliers = (q: Sql, tenantId: number, query: SupplierQuery, page: Page) => q<Supplier[]>`
  select ${columns(q)} from inventory.suppliers s where ${matching(q, tenantId, query)}
  order by ${q.unsafe(sortKeys[query.sort ?? 'created_at'])} limit ${page.limit} offset ${page.offset}`

export const countSuppliers = (q: Sql, tenantId: number, query: SupplierQuery) =>
  value<number>(q`
      select count(*) as total from inventory.suppliers s where ${matching(q, tenantId, query)}`)

export const findSupplier = async (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<SupplierDetail[]>`
    select ${columns(q)}, t.orders as total_orders, t.spent as total_spent from inventory.suppliers s
    cross join (select count(*) as orders, coalesce(sum(total_amount), 0)::numeric(30, 2) as spent
      from inventory.purchase_orders
      where tenant_id = ${tenantId} and supplier_id = ${id} and status in ('ordered', 'partial', 'received')) t
    where s.tenant_id = ${tenantId} and s.id = ${id}`)

export const insertSupplier = async (q: Sql, tenantId: number, s: NewSupplier, now: Date) =>
  one(q<Supplier[]>`
    insert into inventory.suppliers as s (tenant_id, name, email, phone, payment_terms, lead_time_days, created_at)
    values (${tenantId}, ${s.name}, ${s.email ?? null}, ${s.phone ?? null}, ${s.payment_terms ?? null},
      ${s.lead_time_days ?? null}, ${now})
    returning ${columns(q)}`)

export const updateSupplier = async (q: Sql, tenantId: number, id: number, s: NewSupplier) =>
  maybeOne(q<Supplier[]>`
    update inventory.suppliers s set name = ${s.name}, email = ${s.email ?? null}, phone = ${s.phone ?? null},
      payment_terms = ${s.payment_terms ?? null}, lead_time_days = ${s.lead_time_days ?? null}
    where s.tenant_id = ${tenantId} and s.id = ${id} returning ${columns(q)}`)

/** What can be changed of a supplier, from whom nothing can be ordered until the transaction ends. */
export const lockSupplier = (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<NewSupplier[]>`
    select name, email, phone, payment_terms, lead_time_days from inventory.suppliers
    where tenant_id = ${tenantId} and id = ${id} for update`)

export const hasPurchaseOrder = async (q: Sql, tenantId: number, id: number) =>
  (
    await q`select 1 from inventory.purchase_orders
      where tenant_id = ${tenantId} and supplier_id = ${id} limit 1`
  ).length > 0

export const deleteSupplier = (q: Sql, tenantId: number, id: number) =>
  q`delete from inventory.suppliers where tenant_id = ${tenantId} and id = ${id}`
