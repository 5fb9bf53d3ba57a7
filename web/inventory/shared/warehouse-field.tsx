import { useQuery } from '@tanstack/preact-query'
import { SelectField } from '#web/components/fields.tsx'
import type { FormState, Values } from '#web/components/form-state.ts'
import { warehousesQuery } from './warehouses.ts'

/** Where goods go; nothing chosen is the default warehouse. */
export function WarehouseField<V extends Values & { warehouse_id: string }>({
  form,
}: {
  form: FormState<V>
}) {
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  return (
    <SelectField
      form={form}
      name="warehouse_id"
      label="Warehouse"
      options={[...warehouses]
        .sort((a, b) => Number(b.is_default) - Number(a.is_default))
        .map(({ id, name, is_default }) => ({ value: is_default ? '' : String(id), label: name }))}
    />
  )
}
