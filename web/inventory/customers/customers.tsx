import { useQuery } from '@tanstack/preact-query'
import { Pencil, Plus, ShoppingCart, Trash2, Users } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Email } from '#web/components/email.tsx'
import { Filter } from '#web/components/filter.tsx'
import { latest } from '#web/components/latest.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { SearchField } from '#web/components/search-field.tsx'
import { Empty } from '#web/components/states.tsx'
import { type Column, DataTable } from '#web/components/table.tsx'
import { When } from '#web/components/when.tsx'
import { useSession } from '#web/frame/session.ts'
import type { Customer } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { type CustomerSort, customersQuery } from '../shared/customers.ts'
import { useListPages } from '../shared/list-pages.ts'
import { none } from '../shared/none.tsx'
import { Units } from '../shared/units.tsx'
import { deleteCustomer } from './delete-customer.ts'
import { EditCustomer } from './edit-customer.tsx'
import { NewCustomer } from './new-customer.tsx'
import { typeName, typeOptions } from './words.ts'

const columns: Column<Customer>[] = [
  { key: 'name', title: 'Name', sort: 'name', cell: ({ name }) => name },
  { key: 'company', title: 'Company', width: '11rem', minor: true, cell: ({ company }) => company ?? none },
  {
    key: 'email',
    title: 'Email',
    width: '13rem',
    cell: ({ email }) => (email ? <Email of={email} /> : none),
  },
  { key: 'type', title: 'Type', width: '7rem', minor: true, cell: (one) => typeName(one.customer_type) },
  {
    key: 'orders',
    title: 'Orders',
    align: 'end',
    width: '5rem',
    cell: (customer) => <Units n={customer.total_orders} />,
  },
  {
    key: 'spent',
    title: 'Total spent',
    align: 'end',
    width: '8rem',
    cell: (customer) => amount(customer.total_spent),
  },
  { key: 'last', title: 'Last order', width: '9rem', cell: (one) => <When at={one.last_order_at} /> },
]

const sorts: CustomerSort[] = ['name', '-name']

export function Customers() {
  const { can } = useSession()
  const { route } = useLocation()
  const [query, change] = useQueryParams()
  const { page, limit, pagingOf } = useListPages()
  const [open, setOpen] = useState<'new' | Customer | null>(null)
  const search = query.search?.trim() || undefined
  const type = typeOptions.find(({ value }) => value === query.type)?.value
  const sort = sorts.find((one) => one === query.sort)
  const { data, error, isPlaceholderData, refetch } = useQuery(
    customersQuery({ search, type, sort, page, limit }),
  )
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  const isFiltered = search !== undefined || type !== undefined
  const hasAny = isFiltered || (data?.total ?? 0) > 0
  const mayWrite = can('customer.write')
  const newCustomer = mayWrite && (
    <Button act kind="primary" icon={Plus} onClick={() => setOpen('new')}>
      New customer
    </Button>
  )
  return (
    <Page title="Customers" actions={hasAny && newCustomer}>
      <DataTable
        label="Customers"
        columns={columns}
        rows={data?.customers}
        rowKey={({ id }) => String(id)}
        rowName={({ name }) => name}
        hrefOf={({ id }) => `/console/customers/${id}`}
        actions={(customer) => [
          {
            label: 'New order',
            icon: ShoppingCart,
            href: `/console/orders/new?customer_id=${customer.id}`,
          },
          ...(mayWrite
            ? [
                { label: 'Edit', icon: Pencil, onSelect: () => setOpen(customer) },
                { label: 'Delete', icon: Trash2, danger: true, onSelect: () => deleteCustomer(customer) },
              ]
            : []),
        ]}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        sort={{ by: sort ?? '', onSort: (by) => set({ sort: by }) }}
        filtered={isFiltered}
        onClear={() => route('/console/customers')}
        toolbar={
          hasAny && (
            <>
              <SearchField
                label="Search customers"
                placeholder="Name, company or email"
                value={query.search ?? ''}
                onInput={(text) => set({ search: text })}
              />
              <Filter
                label="Type"
                value={type ?? ''}
                options={[{ value: '', label: 'All types' }, ...typeOptions]}
                onChange={(value) => set({ type: value })}
              />
            </>
          )
        }
        empty={
          <Empty
            icon={Users}
            title="No customers yet"
            text="A customer is who you sell to. Their orders, addresses and what they have spent come together here."
            action={newCustomer}
          />
        }
      />
      {open === 'new' && <NewCustomer onClose={() => setOpen(null)} />}
      {open && open !== 'new' && (
        <EditCustomer customer={latest(open, data?.customers)} onClose={() => setOpen(null)} />
      )}
    </Page>
  )
}
