import { useQuery } from '@tanstack/preact-query'
import { Factory, Pencil, Plus, Trash2, Truck } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Email } from '#web/components/email.tsx'
import { latest } from '#web/components/latest.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { useSession } from '#web/frame/session.ts'
import type { Supplier } from '../api.ts'
import { useListPages } from '../shared/list-pages.ts'
import { none } from '../shared/none.tsx'
import { Units } from '../shared/units.tsx'
import { deleteSupplier } from './delete-supplier.ts'
import { EditSupplier } from './edit-supplier.tsx'
import { NewSupplier } from './new-supplier.tsx'
import { type SupplierSort, supplierListQuery } from './queries.ts'
import { leadTime } from './words.ts'

const columns: Column<Supplier>[] = [
  { key: 'name', title: 'Name', sort: 'name', cell: ({ name }) => name },
  {
    key: 'email',
    title: 'Email',
    width: '15rem',
    cell: ({ email }) => (email ? <Email of={email} /> : none),
  },
  { key: 'phone', title: 'Phone', width: '11rem', minor: true, cell: ({ phone }) => phone ?? none },
  {
    key: 'lead',
    title: 'Lead time',
    align: 'end',
    width: '7rem',
    cell: ({ lead_time_days }) => leadTime(lead_time_days),
  },
  {
    key: 'products',
    title: 'Products',
    align: 'end',
    width: '7rem',
    minor: true,
    cell: ({ product_count }) => <Units n={product_count} />,
  },
  {
    key: 'open',
    title: 'Open orders',
    align: 'end',
    width: '8rem',
    cell: ({ open_orders }) => <Units n={open_orders} />,
  },
]

const sorts: SupplierSort[] = ['name', '-name']

export function Suppliers() {
  const { can } = useSession()
  const { route } = useLocation()
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const [open, setOpen] = useState<'new' | Supplier | null>(null)
  const search = query.search?.trim() || undefined
  const sort = sorts.find((one) => one === query.sort)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    supplierListQuery({ search, sort, page, limit }),
  )
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  const hasAny = search !== undefined || (data?.total ?? 0) > 0
  const mayWrite = can('supplier.write')
  const newSupplier = mayWrite && (
    <Button act kind="primary" icon={Plus} onClick={() => setOpen('new')}>
      New supplier
    </Button>
  )
  return (
    <Page title="Suppliers" actions={hasAny && newSupplier}>
      <DataTable
        label="Suppliers"
        columns={columns}
        rows={data?.suppliers}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        hrefOf={({ id }) => `/console/suppliers/${id}`}
        actions={(supplier) =>
          mayWrite
            ? [
                {
                  label: 'New purchase order',
                  icon: Truck,
                  href: `/console/purchasing/new?supplier_id=${supplier.id}`,
                },
                { label: 'Edit', icon: Pencil, onSelect: () => setOpen(supplier) },
                { label: 'Delete', icon: Trash2, danger: true, onSelect: () => deleteSupplier(supplier) },
              ]
            : []
        }
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        sort={{ by: sort ?? '', onSort: (by) => set({ sort: by }) }}
        filtered={search !== undefined}
        onClear={() => route('/console/suppliers')}
        toolbar={
          hasAny && (
            <SearchField
              label="Search suppliers"
              placeholder="Name or email"
              value={query.search ?? ''}
              onInput={(text) => set({ search: text })}
            />
          )
        }
        empty={
          <Empty
            icon={Factory}
            title="No suppliers yet"
            text="A supplier is who you buy from. Purchase orders go to them, and their lead time tells when to reorder."
            action={newSupplier}
          />
        }
      />
      {open === 'new' && <NewSupplier onClose={() => setOpen(null)} />}
      {open && open !== 'new' && (
        <EditSupplier supplier={latest(open, data?.suppliers)} onClose={() => setOpen(null)} />
      )}
    </Page>
  )
}
