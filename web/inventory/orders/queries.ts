import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type OrderStatus, type OrderSummary } from '../api.ts'

export type OrderFilter = {
  search?: string
  from?: string
  to?: string
  channel?: OrderSummary['channel']
  customer_id?: number
  product_id?: number
}
type OrderList = OrderFilter & {
  status?: OrderStatus
  to_ship?: boolean
  count?: boolean
  page: number
  limit: number
}

export const ordersQuery = (query: OrderList) =>
  queryOptions({
    queryKey: ['orders', 'list', query],
    queryFn: async ({ signal }) => (await api.GET('/api/orders', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const orderCountsQuery = (query: OrderFilter) =>
  queryOptions({
    queryKey: ['orders', 'counts', query],
    queryFn: async ({ signal }) => (await api.GET('/api/orders/counts', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const backordersQuery = (query: { page: number; limit: number }) =>
  queryOptions({
    queryKey: ['orders', 'backorders', query],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/orders/backorders', { params: { query }, signal })).data,
    placeholderData: keepPreviousData,
  })

export const orderQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', 'one', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/orders/{id}', { params: { path: { id } }, signal })).data,
  })

export const timelineQuery = (id: number) =>
  queryOptions({
    queryKey: ['orders', 'timeline', id],
    queryFn: async ({ signal }) =>
      (await api.GET('/api/orders/{id}/timeline', { params: { path: { id } }, signal })).data.timeline,
  })
