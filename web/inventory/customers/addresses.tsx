import { MapPin, Pencil, Plus, Star, Trash2 } from 'lucide-preact'
import { useState } from 'preact/hooks'
import { Badge } from '#web/components/badge.tsx'
import { Button } from '#web/components/button.tsx'
import { Card } from '#web/components/card.tsx'
import { confirm } from '#web/components/confirm.tsx'
import { latest } from '#web/components/latest.ts'
import { Menu, type MenuItem } from '#web/components/menu.tsx'
import { toast, toastError } from '#web/components/toast.tsx'
import { queries } from '#web/frame/queries.ts'
import { useSession } from '#web/frame/session.ts'
import { type Address, api, type Customer } from '../api.ts'
import { AddressDialog } from './address-dialog.tsx'

const pathOf = ({ id, customer_id }: Address) => ({ path: { id: customer_id, addressId: id } })

const change = async (done: string, work: () => Promise<unknown>) => {
  try {
    await work()
    toast(done)
  } catch (error) {
    toastError(error)
  } finally {
    await queries.invalidateQueries({ queryKey: ['customers'] })
  }
}

const makeDefault = (address: Address) =>
  change(`${address.line1} is the default`, () =>
    api.PATCH('/api/customers/{id}/addresses/{addressId}', {
      params: pathOf(address),
      body: { is_default: true },
    }),
  )

const remove = async (address: Address) => {
  const agreed = await confirm({
    title: `Delete ${address.line1}?`,
    text: `The ${address.type} address is lost. Orders keep the address that they were placed with.`,
    verb: 'Delete address',
    danger: true,
  })
  if (agreed)
    await change('Address deleted', () =>
      api.DELETE('/api/customers/{id}/addresses/{addressId}', { params: pathOf(address) }),
    )
}

export function Addresses({ customer: { id, addresses } }: { customer: Customer }) {
  const { can } = useSession()
  const [open, setOpen] = useState<'new' | Address | null>(null)
  const mayWrite = can('customer.write')
  const itemsOf = (address: Address): MenuItem[] => [
    { label: 'Edit', icon: Pencil, onSelect: () => setOpen(address) },
    ...(address.is_default
      ? []
      : [{ label: 'Make default', icon: Star, onSelect: () => makeDefault(address) }]),
    { label: 'Delete', icon: Trash2, danger: true, onSelect: () => remove(address) },
  ]
  return (
    <Card
      title="Addresses"
      actions={
        mayWrite && (
          <Button icon={Plus} onClick={() => setOpen('new')}>
            New address
          </Button>
        )
      }
    >
      {addresses.length === 0 ? (
        <p class="quiet">No addresses yet. New orders take the default shipping address.</p>
      ) : (
        <ul class="addresses">
          {addresses.map((address) => (
            <li key={address.id}>
              <MapPin size={16} aria-hidden="true" />
              <Lines {...address} />
              {mayWrite && <Menu label={`Actions for ${address.line1}`} items={() => itemsOf(address)} />}
            </li>
          ))}
        </ul>
      )}
      {open === 'new' && (
        <AddressDialog customerId={id} isFirst={addresses.length === 0} onClose={() => setOpen(null)} />
      )}
      {open && open !== 'new' && (
        <AddressDialog customerId={id} address={latest(open, addresses)} onClose={() => setOpen(null)} />
      )}
    </Card>
  )
}

const Lines = ({ type, line1, city, state, postcode, country, is_default }: Address) => (
  <div class="address">
    <span class="address-kind">
      {type === 'shipping' ? 'Shipping' : 'Billing'} {is_default && <Badge tone="accent">Default</Badge>}
    </span>
    <span>{line1}</span>
    <span>{[[postcode, city].filter(Boolean).join(' '), state, country].filter(Boolean).join(', ')}</span>
  </div>
)
