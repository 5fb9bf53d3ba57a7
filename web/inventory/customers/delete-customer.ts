import { confirm } from '#web/components/confirm.tsx'
import { counted } from '#web/components/format.ts'
import { toast, toastError } from '#web/components/toast.tsx'
import { queries } from '#web/frame/queries.ts'
import { api, type Customer } from '../api.ts'

const whatIsLost = ({ addresses, total_orders }: Customer) =>
  [
    `Email, phone, company${addresses.length > 0 ? ` and ${counted(addresses.length, 'address', 'addresses')}` : ''} are erased for good.`,
    total_orders > 0 &&
      `${counted(total_orders, 'order')} ${total_orders === 1 ? 'stays and keeps' : 'stay and keep'} the name.`,
  ]
    .filter(Boolean)
    .join(' ')

/** Asks first. Returns whether the customer is gone. */
export const deleteCustomer = async (customer: Customer) => {
  const agreed = await confirm({
    title: `Delete ${customer.name}?`,
    text: whatIsLost(customer),
    verb: 'Delete customer',
    danger: true,
  })
  if (!agreed) return false
  try {
    await api.DELETE('/api/customers/{id}', { params: { path: { id: customer.id } } })
    toast(`${customer.name} deleted`)
    return true
  } catch (error) {
    toastError(error)
    return false
  } finally {
    void queries.invalidateQueries({ queryKey: ['customers', 'list'] })
  }
}
