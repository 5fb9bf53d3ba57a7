import { keepPreviousData, queryOptions, useQuery } from '@tanstack/preact-query'
import { count } from '#web/components/format.ts'
import { api, type Batch, type Product } from '../api.ts'
import { day } from './days.ts'

export type BatchFilter = {
  product_id?: number
  warehouse_id?: number
  expiring_days?: number
  on_hand?: boolean
  search?: string
}
type Pages = { page: number; limit: number }

/** The earliest expiry first. */
export const batchesQuery = (filter: BatchFilter & Pages) => {
  const query = { ...filter, sort: 'expiry_date' as const }
  return queryOptions({
    queryKey: ['batches', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/batches', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })
}

const most = 200

type Where = {
  warehouseId: number
  /** Also batches that the warehouse has nothing of, such as one that gets its first units. */
  all?: boolean
}

const describe = ({ batch_number, expiry_date }: Batch, quantity: number) =>
  [batch_number, `${count(quantity)} here`, expiry_date && `expires ${day(expiry_date)}`]
    .filter(Boolean)
    .join(', ')

/** The batches of a product to choose from, the earliest expiry first, with what a warehouse has of each. */
export const useBatchOptions = (product_id: number, { warehouseId, all = false }: Where, enabled = true) => {
  const filter = all ? { product_id } : { product_id, warehouse_id: warehouseId }
  const { data } = useQuery({ ...batchesQuery({ ...filter, page: 1, limit: most }), enabled })
  return (data?.batches ?? []).map((batch) => {
    const quantity = batch.stock.find(({ warehouse_id }) => warehouse_id === warehouseId)?.quantity ?? 0
    return { value: String(batch.id), label: describe(batch, quantity), quantity }
  })
}

/** The batch of a product that has this number. */
export const batchNamed = async ({ id, name }: Product, number: string) => {
  const query = { product_id: id, search: number, limit: most }
  const { data } = await api.GET('/api/batches', { params: { query } })
  const batch = data.batches.find(({ batch_number }) => batch_number === number)
  if (!batch) throw new Error(`${name} has no batch ${number}`)
  return batch
}
