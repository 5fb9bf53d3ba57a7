import { useQueryClient } from '@tanstack/preact-query'
import { changesOf } from '#web/components/changes.ts'
import { Dialog } from '#web/components/dialog.tsx'
import { CheckField, TextField } from '#web/components/fields.tsx'
import { Form } from '#web/components/form.tsx'
import { toast } from '#web/components/toast.tsx'
import { api, type Warehouse } from '../api.ts'

type Props = { warehouse?: Warehouse | undefined; onClose: () => void }

const valuesOf = (warehouse?: Warehouse) => ({
  name: warehouse?.name ?? '',
  code: warehouse?.code ?? '',
  address: warehouse?.address ?? '',
  city: warehouse?.city ?? '',
  state: warehouse?.state ?? '',
  is_default: warehouse?.is_default ?? false,
})

const orNull = (text: string) => text.trim() || null

const bodyOf = ({ address, city, state, ...values }: ReturnType<typeof valuesOf>) => ({
  ...values,
  address: orNull(address),
  city: orNull(city),
  state: orNull(state),
})

/** Creates a warehouse, or changes one. */
export function WarehouseDialog({ warehouse, onClose }: Props) {
  const queries = useQueryClient()
  const isOld = warehouse !== undefined
  return (
    <Dialog title={isOld ? 'Edit warehouse' : 'New warehouse'} onClose={onClose}>
      <Form
        initial={valuesOf(warehouse)}
        submit={isOld ? 'Save changes' : 'Create warehouse'}
        onCancel={onClose}
        onSubmit={async (values, { idempotencyKey }) => {
          const body = bodyOf(values)
          if (isOld)
            await api.PATCH('/api/warehouses/{id}', {
              params: { path: { id: warehouse.id } },
              body: changesOf(bodyOf(valuesOf(warehouse)), body),
            })
          else await api.POST('/api/warehouses', { body, headers: { 'idempotency-key': idempotencyKey } })
          await queries.invalidateQueries({ queryKey: ['warehouses'] })
          onClose()
          toast(`${values.name} ${isOld ? 'saved' : 'created'}`)
        }}
      >
        {(form) => (
          <>
            <TextField form={form} name="name" label="Name" required />
            <TextField
              form={form}
              name="code"
              label="Code"
              hint="Short and unique, such as NORTH."
              mono
              required
            />
            <TextField form={form} name="address" label="Street address" />
            <div class="field-pair">
              <TextField form={form} name="city" label="City" />
              <TextField form={form} name="state" label="State" />
            </div>
            {!warehouse?.is_default && (
              <CheckField
                form={form}
                name="is_default"
                label="Default warehouse"
                hint="New products and orders that name no warehouse belong to it. It takes over from the present one."
              />
            )}
          </>
        )}
      </Form>
    </Dialog>
  )
}
