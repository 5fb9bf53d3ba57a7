import type { WebhooksClient } from '#web/webhooks/client.ts'
import { api } from '../api.ts'

const at = (id: string) => ({ params: { path: { id } } })

/** The webhooks of inventory, for the screens that all services share. */
export const webhooks: WebhooksClient = {
  address: '/console/webhooks',
  eventTypes: [
    'product.created', 'product.updated', 'product.deleted',
    'stock.changed', 'stock.low', 'stock.out', 'stock.recovered',
    'order.created', 'order.updated', 'order.fulfilled', 'order.cancelled', 'order.returned',
    'purchase_order.created', 'purchase_order.updated', 'purchase_order.received',
    'count.created', 'count.updated', 'count.posted', 'count.cancelled',
    'batch.created', 'batch.updated', 'batch.expiring', 'serial.updated',
    'customer.created', 'customer.updated',
    'supplier.created', 'supplier.updated', 'supplier.deleted',
    'warehouse.created', 'warehouse.updated',
    'category.created', 'category.updated', 'category.deleted',
    'settings.updated', 'company.updated',
    'user.created', 'user.updated', 'api_key.created', 'api_key.revoked',
  ], // biome-ignore format: by kind
  list: async (signal) => (await api.GET('/api/webhooks', { signal })).data.webhooks,
  get: async (id, signal) => (await api.GET('/api/webhooks/{id}', { ...at(id), signal })).data,
  create: async (body, key) =>
    (await api.POST('/api/webhooks', { body, headers: { 'idempotency-key': key } })).data,
  change: async (id, body) => (await api.PATCH('/api/webhooks/{id}', { ...at(id), body })).data,
  remove: async (id) => void (await api.DELETE('/api/webhooks/{id}', at(id))),
  rotate: async (id) => (await api.POST('/api/webhooks/{id}/rotate', at(id))).data,
  test: async (id) => (await api.POST('/api/webhooks/{id}/test', at(id))).data,
  deliveries: async (id, { limit, offset, ...filter }, signal) => {
    const query = { ...filter, limit, page: offset / limit + 1 }
    return (await api.GET('/api/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal })).data
  },
  retry: async (id, deliveryId) =>
    void (await api.POST('/api/webhooks/{id}/deliveries/{deliveryId}/retry', {
      params: { path: { id, deliveryId } },
    })),
  replay: async (id, body) =>
    (await api.POST('/api/webhooks/{id}/replay', { ...at(id), body })).data.replayed,
}
