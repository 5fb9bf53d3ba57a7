import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { Message } from '../schema.ts'
import { createCategory, deleteCategory, listCategories, updateCategory } from './categories.ts'
import { Category, CategoryInput } from './schema.ts'

const tags = ['Products']
const config = { access: 'manager', idempotent: true } as const

export const categoryRoutes: Module = (app, ctx) => {
  app.get(
    '/api/products/categories',
    {
      schema: {
        operationId: 'listCategories',
        summary: 'List categories',
        description:
          'Returns all categories with the number of products in each. `parent_id` makes a tree of them.',
        tags,
        response: { 200: Type.Object({ categories: Type.Array(Category) }) },
      },
      config: { access: 'staff' },
    },
    (req) => listCategories(ctx, who(req)),
  )

  app.post(
    '/api/products/categories',
    {
      schema: {
        operationId: 'createCategory',
        summary: 'Create a category',
        description:
          'Adds a category, below another one if `parent_id` is given. Admins and Managers may do this.',
        tags,
        body: CategoryInput,
        response: { 201: Category },
      },
      config: { ...config, refuses: [404] },
    },
    async (req, reply) => {
      reply.code(201)
      return createCategory(ctx, who(req), req.body)
    },
  )

  app.put(
    '/api/products/categories/:id',
    {
      schema: {
        operationId: 'updateCategory',
        summary: 'Update a category',
        description:
          'Renames a category or moves it below another one. A category cannot be moved below itself or ' +
          'one of its own subcategories. Admins and Managers may do this.',
        tags,
        params: PathId,
        body: CategoryInput,
        response: { 200: Category },
      },
      config: { ...config, refuses: [409] },
    },
    (req) => updateCategory(ctx, who(req), req.params.id, req.body),
  )

  app.delete(
    '/api/products/categories/:id',
    {
      schema: {
        operationId: 'deleteCategory',
        summary: 'Delete a category',
        description:
          'Deletes a category. Its products stay, without a category. Admins and Managers may do this.',
        tags,
        params: PathId,
        response: { 200: Message },
      },
      config: { ...config, refuses: [409] },
    },
    (req) => deleteCategory(ctx, who(req), req.params.id),
  )
}
