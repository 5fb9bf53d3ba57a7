import type { Sql } from '#platform/db/database.ts'
import { maybeOne, one } from '#platform/db/rows.ts'
import type { Category } from './schema.ts'

export const listCategories = (q: Sql, tenantId: number) => q<Category[]>`
  select c.id, c.name, c.parent_id, coalesce(n.product_count, 0)::int as product_count
  from inventory.categories c
  left join (select category_id, count(*) as product_count from inventory.products
    where tenant_id = ${tenantId} and deleted_at is null group by category_id) n on n.category_id = c.id
  where c.tenant_id = ${tenantId} order by c.id`

export const categoryExists = async (q: Sql, tenantId: number, id: number) =>
  (await q`select 1 from inventory.categories where tenant_id = ${tenantId} and id = ${id}`).length > 0

/** Whether `ancestor` is the category itself or above it. */
export const isWithin = async (q: Sql, tenantId: number, id: number, ancestor: number) =>
  (
    await q`
      with recursive up as (
        select id, parent_id from inventory.categories where tenant_id = ${tenantId} and id = ${id}
        union all
        select c.id, c.parent_id from up join inventory.categories c
          on c.tenant_id = ${tenantId} and c.id = up.parent_id
      )
      select 1 from up where id = ${ancestor}`
  ).length > 0

type Fields = { name: string; parentId: number | null }

export const insertCategory = async (q: Sql, tenantId: number, { name, parentId }: Fields) =>
  one(q<Category[]>`
    insert into inventory.categories (tenant_id, name, parent_id) values (${tenantId}, ${name}, ${parentId})
    returning id, name, parent_id, 0 as product_count`)

export const updateCategory = async (q: Sql, tenantId: number, id: number, { name, parentId }: Fields) =>
  maybeOne(q<Category[]>`
    update inventory.categories c set name = ${name}, parent_id = ${parentId}
    where tenant_id = ${tenantId} and id = ${id}
    returning id, name, parent_id, (select count(*)::int from inventory.products p
      where p.tenant_id = c.tenant_id and p.category_id = c.id and p.deleted_at is null) as product_count`)

export const deleteCategory = async (q: Sql, tenantId: number, id: number) =>
  (await q`delete from inventory.categories where tenant_id = ${tenantId} and id = ${id} returning 1`)
    .length > 0
