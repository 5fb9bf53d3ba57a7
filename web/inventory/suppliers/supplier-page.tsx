import { useQuery } from '@tanstack/preact-query'
import { Pencil, Plus, Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { useLocation } from 'preact-iso'
import { Button } from '#web/components/button.tsx'
import { Card, Facts } from '#web/components/card.tsx'
import { isNotFound } from '#web/components/errors.ts'
import { count } from '#web/components/format.ts'
import { Menu } from '#web/components/menu.tsx'
import { Page } from '#web/components/page.tsx'
import { PendingPage } from '#web/components/pending-page.tsx'
import { When } from '#web/components/when.tsx'
import type { ScreenProps } from '#web/frame/console.ts'
import { useSession } from '#web/frame/session.ts'
import type { Supplier } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { EmailLink, PhoneLink } from '../shared/contact.tsx'
import { Figures } from '../shared/figures.tsx'
import { none } from '../shared/none.tsx'
import { supplierQuery } from '../shared/suppliers.ts'
import { deleteSupplier } from './delete-supplier.ts'
import { EditSupplier } from './edit-supplier.tsx'
import { SupplierOrders } from './supplier-orders.tsx'
import { leadTime } from './words.ts'

const breadcrumb = [{ label: 'Suppliers', href: '/console/suppliers' }]

export function SupplierPage({ params }: ScreenProps) {
  const id = Number(params.supplierId)
  const [isLeaving, setLeaving] = useState(false)
  const { data: supplier, error, refetch } = useQuery({ ...supplierQuery(id), enabled: !isLeaving })
  if (!supplier || isNotFound(error))
    return <PendingPage title="Supplier" breadcrumb={breadcrumb} error={error} retry={refetch} />
  return (
    <Page
      title={supplier.name}
      breadcrumb={breadcrumb}
      actions={<Actions supplier={supplier} setLeaving={setLeaving} />}
    >
      <Figures
        items={[
          ['Orders', count(supplier.total_orders)],
          ['Open orders', count(supplier.open_orders)],
          ['Total spent', amount(supplier.total_spent)],
          ['Products', count(supplier.product_count)],
        ]}
      />
      <Card title="Details">
        <Facts
          items={[
            ['Email', <EmailLink key="email" {...supplier} />],
            ['Phone', <PhoneLink key="phone" {...supplier} />],
            ['Payment terms', supplier.payment_terms ?? none],
            ['Lead time', leadTime(supplier.lead_time_days)],
            ['Added', <When key="added" at={supplier.created_at} />],
          ]}
        />
      </Card>
      <SupplierOrders supplierId={id} />
    </Page>
  )
}

/** `setLeaving`: while they are being deleted, nothing is to be read of them any more. */
type ActionProps = { supplier: Supplier; setLeaving: (isLeaving: boolean) => void }

const Actions = ({ supplier, setLeaving }: ActionProps) => {
  const { can } = useSession()
  const { route } = useLocation()
  const [isEditing, setEditing] = useState(false)
  const remove = async () => {
    setLeaving(true)
    if (await deleteSupplier(supplier)) route('/console/suppliers')
    else setLeaving(false)
  }
  return (
    <>
      {can('supplier.write') && (
        <>
          <Button icon={Pencil} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Menu
            label={`Actions for ${supplier.name}`}
            items={[{ label: 'Delete', icon: Trash2, danger: true, onSelect: remove }]}
          />
        </>
      )}
      {can('purchase.write') && (
        <Button
          kind="primary"
          icon={Plus}
          onClick={() => route(`/console/purchasing/new?supplier_id=${supplier.id}`)}
        >
          New purchase order
        </Button>
      )}
      {isEditing && <EditSupplier supplier={supplier} onClose={() => setEditing(false)} />}
    </>
  )
}
