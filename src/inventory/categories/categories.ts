import type { Tx } from '#platform/db/database.ts'
import { badRequest, notFound } from '#platform/errors.ts'
import type { Inventory, Principal } from '../context.ts'
import { unlessTaken } from '../duplicates.ts'
import { lockTenant } from '../tenants/tenants.ts'
import type { CategoryInput } from './schema.ts'
import * as store from './store.ts'

export const listCategories = async (ctx: Inventory, me: Principal) => ({
  categories: await store.listCategories(ctx.db.sql, me.tenantId),
})

export const requireCategory = async (tx: Tx, me: Principal, id: number) => {
  if (!(await store.categoryExists(tx, me.tenantId, id))) notFound('Category not found')
}

const unlessNameTaken = <T>(work: Promise<T>, message = 'Category already exists') =>
  unlessTaken({ constraint: 'categories_name_key', field: 'name', message }, work)

const fieldsOf = async (tx: Tx, me: Principal, { name, parent_id = null }: CategoryInput) => {
  if (parent_id !== null && !(await store.categoryExists(tx, me.tenantId, parent_id)))
    notFound('Parent category not found')
  return { name, parentId: parent_id }
}

export const createCategory = (ctx: Inventory, me: Principal, input: CategoryInput) =>
  unlessNameTaken(
    ctx.db.transaction(async (tx) => {
      await lockTenant(tx, me)
      return store.insertCategory(tx, me.tenantId, await fieldsOf(tx, me, input))
    }),
  )

export const updateCategory = (ctx: Inventory, me: Principal, id: number, input: CategoryInput) =>
  unlessNameTaken(
    ctx.db.transaction(async (tx) => {
      await lockTenant(tx, me)
      const fields = await fieldsOf(tx, me, input)
      if (fields.parentId !== null && (await store.isWithin(tx, me.tenantId, fields.parentId, id)))
        badRequest('A category cannot be inside itself')
      return (await store.updateCategory(tx, me.tenantId, id, fields)) ?? notFound('Category not found')
    }),
  )

/** Its products stay, without a category; what was under it moves to the top. */
export const deleteCategory = (ctx: Inventory, me: Principal, id: number) =>
  unlessNameTaken(
    ctx.db.transaction(async (tx) => {
      await lockTenant(tx, me)
      if (!(await store.deleteCategory(tx, me.tenantId, id))) notFound('Category not found')
      return { message: 'Category deleted' }
    }),
    'A category inside it has the same name as one at the top: rename it first',
  )
