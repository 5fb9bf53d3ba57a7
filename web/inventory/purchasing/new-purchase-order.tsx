import { useQueries, useQuery } from '@tanstack/preact-query'
import { Truck } from 'lucide-preact'
import { useLocation } from 'preact-iso'
import { LinkButton } from '#web/components/button.tsx'
import { Page } from '#web/components/page.tsx'
import { Empty, ErrorState, Skeleton } from '#web/components/states.tsx'
import { productQuery } from '../shared/products.ts'
import { supplierQuery, suppliersQuery } from '../shared/suppliers.ts'
import { warehousesQuery } from '../shared/warehouses.ts'
import { PurchaseForm } from './purchase-form.tsx'

const breadcrumb = [{ label: 'Purchasing', href: '/console/purchasing' }]

/** `?supplier_id=3&product_ids=7,8` begins with these. */
export function NewPurchaseOrder() {
  const { query } = useLocation()
  const warehouses = useQuery(warehousesQuery)
  const suppliers = useQuery(suppliersQuery)
  const supplierId = Number(query.supplier_id) || 0
  const supplier = useQuery({ ...supplierQuery(supplierId), enabled: supplierId > 0 })
  const ids = (query.product_ids ?? '').split(',').flatMap((id) => Number(id) || [])
  const products = useQueries({ queries: [...new Set(ids)].map((id) => productQuery(id)) })
  const failed = [warehouses, suppliers].find(({ error, data }) => error && !data)
  const isReady =
    warehouses.data && suppliers.data && [supplier, ...products].every(({ isLoading }) => !isLoading)
  return (
    <Page title="New purchase order" breadcrumb={breadcrumb}>
      {failed ? (
        <ErrorState error={failed.error} retry={failed.refetch} />
      ) : !isReady ? (
        <Skeleton lines={6} />
      ) : suppliers.data.length === 0 ? (
        <Empty
          icon={Truck}
          title="No suppliers yet"
          text="A purchase order goes to a supplier. Add the first one with its lead time and payment terms."
          action={<LinkButton href="/console/suppliers">Suppliers</LinkButton>}
        />
      ) : (
        <PurchaseForm
          warehouses={warehouses.data}
          supplier={supplier.data}
          products={products.flatMap(({ data }) => data ?? [])}
        />
      )}
    </Page>
  )
}
