import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Page } from '../lists.ts'
import type { NewSupplier, Supplier } from './schema.ts'

const columns = (q: Sql) => q`
  s.id, s.name, s.email, s.phone, s.payment_terms, s.lead_time_days, (select count(*)
    from inventory.supplier_products p where p.tenant_id = s.tenant_id and p.supplier_id = s.id) as product_count,
  s.created_at`

export const listSuppliers = (q: Sql, tenantId: number, page: Page) => q<Supplier[]>`
  select ${columns(q)} from inventory.suppliers s where s.tenant_id = ${tenantId}
  order by s.id limit ${page.limit} offset ${page.offset}`

export const countSuppliers = async (q: Sql, tenantId: number) =>
  (
    await one(q<{ total: number }[]>`
      select count(*) as total from inventory.suppliers where tenant_id = ${tenantId}`)
  ).total

export const findSupplier = async (q: Sql, tenantId: number, id: number) =>
  maybeOne(q<Supplier[]>`
    select ${columns(q)} from inventory.suppliers s where s.tenant_id = ${tenantId} and s.id = ${id}`)

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
