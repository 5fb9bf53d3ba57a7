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
import type { Customer } from '../api.ts'
import { amount } from '../shared/amounts.ts'
import { EmailLink, PhoneLink } from '../shared/contact.tsx'
import { customerQuery } from '../shared/customers.ts'
import { Figures } from '../shared/figures.tsx'
import { none } from '../shared/none.tsx'
import { Addresses } from './addresses.tsx'
import { CustomerOrders } from './customer-orders.tsx'
import { deleteCustomer } from './delete-customer.ts'
import { EditCustomer } from './edit-customer.tsx'
import { typeName } from './words.ts'

const breadcrumb = [{ label: 'Customers', href: '/console/customers' }]

export function CustomerPage({ params }: ScreenProps) {
  const id = Number(params.customerId)
  const [isLeaving, setLeaving] = useState(false)
  const { data: customer, error, refetch } = useQuery({ ...customerQuery(id), enabled: !isLeaving })
  if (!customer || isNotFound(error))
    return <PendingPage title="Customer" breadcrumb={breadcrumb} error={error} retry={refetch} />
  return (
    <Page
      title={customer.name}
      breadcrumb={breadcrumb}
      text={[customer.company, typeName(customer.customer_type)].filter(Boolean).join(' · ')}
      actions={<Actions customer={customer} setLeaving={setLeaving} />}
    >
      <Figures
        items={[
          ['Orders', count(customer.total_orders)],
          ['Total spent', amount(customer.total_spent)],
          ['Last order', <When key="last" at={customer.last_order_at} />],
        ]}
      />
      <div class="columns">
        <Card title="Details">
          <Facts
            items={[
              ['Email', <EmailLink key="email" {...customer} />],
              ['Phone', <PhoneLink key="phone" {...customer} />],
              ['Company', customer.company ?? none],
              ['Customer type', typeName(customer.customer_type)],
              ['Added', <When key="added" at={customer.created_at} />],
            ]}
          />
        </Card>
        <Addresses customer={customer} />
      </div>
      <CustomerOrders customerId={id} />
    </Page>
  )
}

/** `setLeaving`: while they are being deleted, nothing is to be read of them any more. */
type ActionProps = { customer: Customer; setLeaving: (isLeaving: boolean) => void }

const Actions = ({ customer, setLeaving }: ActionProps) => {
  const { can } = useSession()
  const { route } = useLocation()
  const [isEditing, setEditing] = useState(false)
  const remove = async () => {
    setLeaving(true)
    if (await deleteCustomer(customer)) route('/console/customers')
    else setLeaving(false)
  }
  return (
    <>
      {can('customer.write') && (
        <>
          <Button icon={Pencil} onClick={() => setEditing(true)}>
            Edit
          </Button>
          <Menu
            label={`Actions for ${customer.name}`}
            items={[{ label: 'Delete', icon: Trash2, danger: true, onSelect: remove }]}
          />
        </>
      )}
      {can('order.write') && (
        <Button
          kind="primary"
          icon={Plus}
          onClick={() => route(`/console/orders/new?customer_id=${customer.id}`)}
        >
          New order
        </Button>
      )}
      {isEditing && <EditCustomer customer={customer} onClose={() => setEditing(false)} />}
    </>
  )
}
