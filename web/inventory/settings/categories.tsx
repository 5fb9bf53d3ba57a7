import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { Plus, Tags } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Button } from '#web/components/button.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { counted } from '#web/components/format.ts'
import { latest } from '#web/components/latest.ts'
import type { MenuItem } from '#web/components/menu.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { useSession } from '#web/frame/session.ts'
import { api, type Schemas } from '../api.ts'
import { categoriesQuery } from '../products/categories.ts'
import { Units } from '../shared/units.tsx'
import { CategoryDialog } from './category-dialog.tsx'
import { type Placed, treeOf } from './category-tree.ts'

type Category = Placed<Schemas['Category']>

const columns: Column<Category>[] = [
  {
    key: 'name',
    title: 'Name',
    cell: ({ name, depth }) => <span class={`tree-name depth-${Math.min(depth, 6)}`}>{name}</span>,
  },
  {
    key: 'products',
    title: 'Products',
    align: 'end',
    width: '8rem',
    cell: ({ product_count }) => <Units n={product_count} />,
  },
]

const askToDelete = ({ name, product_count }: Category, inside: number) => {
  const products =
    product_count > 0
      ? `Its ${counted(product_count, 'product')} ${product_count === 1 ? 'stays' : 'stay'}, without a category.`
      : 'It has no products.'
  const children = inside > 0 ? ` What is directly inside (${inside}) moves to the top.` : ''
  return confirm({
    title: `Delete ${name}?`,
    text: products + children,
    verb: 'Delete category',
    danger: true,
  })
}

export function Categories() {
  const { data, error, refetch } = useQuery(categoriesQuery)
  const queries = useQueryClient()
  const { can } = useSession()
  const [open, setOpen] = useState<{ category?: Category; inside?: Category } | null>(null)
  const tree = data && treeOf(data)

  const remove = async (category: Category) => {
    const { id, name } = category
    if (!(await askToDelete(category, data?.filter(({ parent_id }) => parent_id === id).length ?? 0))) return
    try {
      await api.DELETE('/api/products/categories/{id}', { params: { path: { id } } })
      await queries.invalidateQueries({ queryKey: ['categories'] })
      toast(`${name} deleted`)
    } catch (error) {
      toastError(error)
    }
  }
  const actions = (category: Category): MenuItem[] => [
    { label: 'Edit', onSelect: () => setOpen({ category }) },
    { label: 'New category inside', onSelect: () => setOpen({ inside: category }) },
    { label: 'Delete', danger: true, onSelect: () => remove(category) },
  ]
  const newCategory = can('category.write') && (
    <Button kind="primary" icon={Plus} onClick={() => setOpen({})}>
      New category
    </Button>
  )
  return (
    <>
      <DataTable
        label="Categories"
        columns={columns}
        rows={tree}
        rowKey={({ id }) => String(id)}
        rowName={({ path }) => path}
        hrefOf={({ id }) => `/console/products?category=${id}`}
        {...(can('category.write') ? { actions } : {})}
        error={error}
        retry={refetch}
        toolbar={tree && tree.length > 0 && newCategory}
        empty={
          <Empty
            icon={Tags}
            title="No categories yet"
            text="Categories group products for filters, counts and reports. They can contain others."
            action={newCategory}
          />
        }
      />
      {open && tree && (
        <CategoryDialog
          {...open}
          category={open.category && latest(open.category, tree)}
          tree={tree}
          onClose={() => setOpen(null)}
        />
      )}
    </>
  )
}
