import { queryOptions } from '@tanstack/preact-query'
import { api } from '../api.ts'

/** Always read anew: what is printed cannot be corrected by a later answer. */
const staleTime = 0

export const packingSlipQuery = (id: number) =>
  queryOptions({
    queryKey: ['papers', 'packing-slip', String(id)],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/orders/{id}/packing-slip', { params: { path: { id } }, signal })).data,
    staleTime,
  })

export type PaperQuery = ReturnType<typeof packingSlipQuery>

export const pickListQuery = (order_ids: string) =>
  queryOptions({
    queryKey: ['papers', 'pick-list', order_ids],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/orders/pick-list', { params: { query: { order_ids } }, signal })).data,
    staleTime,
  })

export const purchaseOrderPaperQuery = (id: number) =>
  queryOptions({
    queryKey: ['papers', 'purchase-order', String(id)],
    queryFn: async ({ signal }) =>
      (
        await api.GET('/api/suppliers/purchase-orders/{id}/purchase-order', {
          params: { path: { id } },
          signal,
        })
      ).data,
    staleTime,
  })

export const productLabelQuery = (id: number) =>
  queryOptions({
    queryKey: ['papers', 'product-label', String(id)],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/products/{id}/label', { params: { path: { id } }, signal })).data,
    staleTime,
  })

export type LabelQuery = ReturnType<typeof productLabelQuery>

export const batchLabelQuery = (id: number) =>
  queryOptions({
    queryKey: ['papers', 'batch-label', String(id)],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/batches/{id}/label', { params: { path: { id } }, signal })).data,
    staleTime,
  })
