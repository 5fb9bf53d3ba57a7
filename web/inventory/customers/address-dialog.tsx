import { useQueryClient } from '@tanstack/preact-query'
import { changesOf } from '#web/components/changes.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckField, SelectField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { type Address, api } from '../api.ts'

const types = [
  { value: 'shipping', label: 'Shipping' },
  { value: 'billing', label: 'Billing' },
]

type Values = Omit<Address, 'id' | 'customer_id' | 'state' | 'postcode'> & { state: string; postcode: string }

const valuesOf = (address: Address | undefined, isFirst: boolean): Values => ({
  type: address?.type ?? 'shipping',
  line1: address?.line1 ?? '',
  city: address?.city ?? '',
  state: address?.state ?? '',
  postcode: address?.postcode ?? '',
  country: address?.country ?? '',
  is_default: address?.is_default ?? isFirst,
})

const bodyOf = (values: Values) => ({
  ...values,
  state: values.state.trim() || null,
  postcode: values.postcode.trim() || null,
})

type Props = { customerId: number; address?: Address; isFirst?: boolean; onClose: () => void }

/** A new address, or changes of one. The first of a customer is suggested as their default. */
export function AddressDialog({ customerId, address, isFirst = false, onClose }: Props) {
  const queries = useQueryClient()
  const send = (values: Values, idempotencyKey: string) => {
    const body = bodyOf(values)
    return address
      ? api.PATCH('/api/customers/{id}/addresses/{addressId}', {
          params: { path: { id: customerId, addressId: address.id } },
          body: changesOf(bodyOf(valuesOf(address, isFirst)), body),
        })
      : api.POST('/api/customers/{id}/addresses', {
          params: { path: { id: customerId } },
          body,
          headers: { 'idempotency-key': idempotencyKey },
        })
  }
  return (
    <Dialog title={address ? 'Edit address' : 'New address'} wide onClose={onClose}>
      <Form
        initial={valuesOf(address, isFirst)}
        submit={address ? 'Save changes' : 'Create address'}
        onCancel={onClose}
        onSubmit={async (values, { idempotencyKey }) => {
          await send(values, idempotencyKey)
          await queries.invalidateQueries({ queryKey: ['customers'] })
          onClose()
          toast(address ? 'Address saved' : 'Address created')
        }}
      >
        {(form) => (
          <>
            <SelectField form={form} name="type" label="Type" options={types} />
            <TextField form={form} name="line1" label="Line 1" hint="Street and number." autofocus required />
            <div class="field-pair">
              <TextField form={form} name="city" label="City" required />
              <TextField form={form} name="postcode" label="Postcode" />
            </div>
            <div class="field-pair">
              <TextField form={form} name="state" label="State" />
              <TextField form={form} name="country" label="Country" required />
            </div>
            <CheckField
              form={form}
              name="is_default"
              label="Default"
              hint="New orders go to the default shipping address."
            />
          </>
        )}
      </Form>
    </Dialog>
  )
}
