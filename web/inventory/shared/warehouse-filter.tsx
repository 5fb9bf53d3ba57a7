import { useQuery } from '@tanstack/preact-query'
import { Filter } from '#web/components/filter.tsx'
import { warehousesQuery } from './warehouses.ts'

export function WarehouseFilter({
  value,
  onChange,
}: {
  value: string
  onChange: (value: string) => unknown
}) {
  const { data: warehouses = [] } = useQuery(warehousesQuery)
  return (
    <Filter
      label="Warehouse"
      value={value}
      options={[
        { value: '', label: 'All warehouses' },
        ...warehouses.map(({ id, name }) => ({ value: String(id), label: name })),
      ]}
      onChange={onChange}
    />
  )
}
