import { useQuery, useQueryClient } from '@tanstack/preact-query'
import { PackageCheck, Send } from 'lucide-preact'
import { useEffect, useMemo, useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Filter } from '#web/components/filter.tsx'
import { Problem } from '#web/components/form.tsx'
import { createFormState } from '#web/components/form-state.ts'
import { count } from '#web/components/format.ts'
import { Page } from '#web/components/page.tsx'
import { useQueryParams } from '#web/components/query-state.ts'
import { Empty } from '#web/components/states.tsx'
import { DataTable } from '#web/components/table.tsx'
import { watchUnsaved } from '#web/components/unsaved.ts'
import { useSession } from '#web/frame/session.ts'
import { api } from '../api.ts'
import { useListPages } from '../shared/list-pages.ts'
import { suppliersQuery } from '../shared/suppliers.ts'
import { WarehouseFilter } from '../shared/warehouse-filter.tsx'
import { warehousesQuery } from '../shared/warehouses.ts'
import { Drafted, type Drafts } from './drafted.tsx'
import { type SuggestionFilter, suggestionsQuery } from './queries.ts'
import { suggestionColumns } from './suggestion-columns.tsx'
import {
  type Choice,
  choiceOf,
  type Edit,
  type Edits,
  isOrderable,
  keyOf,
  type Suggestion,
} from './suggestions.ts'

const breadcrumb = [{ label: 'Purchasing', href: '/console/purchasing' }]
const reorder = '/console/purchasing/reorder'

/** What should be ordered, and why; a draft for each supplier comes of it. */
export function Reorder() {
  const [query, change] = useQueryParams()
  const { route } = useLocation()
  const { can } = useSession()
  const queries = useQueryClient()
  const { page, limit, pagingOf } = useListPages()
  const { data: suppliers = [] } = useQuery(suppliersQuery)
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  const filter: SuggestionFilter = {
    warehouse_id: Number(query.warehouse) || undefined,
    supplier_id: Number(query.supplier_id) || undefined,
  }
  const { data, error, isPlaceholderData, refetch } = useQuery(suggestionsQuery({ ...filter, page, limit }))
  const form = useMemo(() => createFormState({ items: [] as Choice[] }), [])
  const [edits, setEdits] = useState<Edits>({})
  const [drafts, setDrafts] = useState<Drafts | null>(null)
  useEffect(() => watchUnsaved(() => Object.keys(edits).length > 0), [edits])

  const edit = (suggestion: Suggestion, more: Edit) => {
    const key = keyOf(suggestion)
    form.errors.value = []
    setEdits({ ...edits, [key]: { ...edits[key], ...more } })
  }
  const create = async (chosen: Suggestion[], clear?: () => void) => {
    const rows = chosen.filter((row) => isOrderable(row, edits[keyOf(row)]))
    form.set(
      'items',
      rows.map((row) => choiceOf(row, edits[keyOf(row)])),
    )
    await form.submit(async ({ items }, { idempotencyKey }) => {
      if (items.length === 0) throw new Error('Choose a supplier and a quantity first.')
      const { data: made } = await api.POST('/api/suppliers/purchase-orders/from-suggestions', {
        body: { items },
        headers: { 'idempotency-key': idempotencyKey },
      })
      setDrafts(made)
      setEdits({})
      clear?.()
      await queries.invalidateQueries({ queryKey: ['reorder'] })
      await queries.invalidateQueries({ queryKey: ['purchasing'] })
    })
  }
  const button = (chosen: Suggestion[], clear?: () => void) => (
    <Button kind="primary" icon={Send} busy={form.busy.value} onClick={() => create(chosen, clear)}>
      Create purchase orders
    </Button>
  )
  const isFiltered = Object.values(filter).some(Boolean)
  const rows = data?.suggestions
  const mayWrite = can('purchase.write')
  const set = (changes: Record<string, string>) => change({ ...changes, page: null })
  return (
    <Page
      title="Reorder"
      breadcrumb={breadcrumb}
      text="What is down to its reorder level, or would run out before a delivery could arrive."
    >
      {drafts && <Drafted drafts={drafts} />}
      <Problem error={form.failure.value} />
      <DataTable
        label="Suggestions"
        columns={suggestionColumns({ mayWrite, suppliers, edits, edit, form, warehouses })}
        rows={rows}
        rowKey={keyOf}
        rowName={({ product_name, warehouse_name }) =>
          warehouses.length > 1 ? `${product_name}, ${warehouse_name}` : product_name
        }
        hrefOf={({ product_id }) => `/console/products/${product_id}`}
        {...(mayWrite ? { selection: { actions: button } } : {})}
        loading={isPlaceholderData}
        error={error}
        retry={refetch}
        paging={pagingOf(data?.total)}
        filtered={isFiltered}
        onClear={() => route(reorder)}
        toolbar={
          (isFiltered || (rows?.length ?? 0) > 0) && (
            <>
              {warehouses.length > 1 && (
                <WarehouseFilter value={query.warehouse ?? ''} onChange={(warehouse) => set({ warehouse })} />
              )}
              <Filter
                label="Supplier"
                value={query.supplier_id ?? ''}
                options={[
                  { value: '', label: 'All suppliers' },
                  ...suppliers.map(({ id, name }) => ({ value: String(id), label: name })),
                ]}
                onChange={(supplier_id) => set({ supplier_id })}
              />
              {mayWrite && rows && rows.length > 0 && (
                <span class="push">
                  <span class="quiet">For all {count(rows.length)} below</span> {button(rows)}
                </span>
              )}
            </>
          )
        }
        empty={
          <Empty
            icon={PackageCheck}
            title="Nothing to reorder"
            text="Products appear here when what is available and on its way is down to their reorder level, or to what sells until a delivery."
          />
        }
      />
    </Page>
  )
}
