import type { WebhooksClient } from '#web/webhooks/client.ts'
import { api } from '../api.ts'

const at = (id: string) => ({ params: { path: { id } } })

/** The webhooks of storage, for the screens that all services share. */
export const webhooks: WebhooksClient = {
  address: '/console/webhooks',
  eventTypes: [
    'bucket.created', 'bucket.updated', 'bucket.deleted',
    'object.created', 'object.updated', 'object.deleted', 'object.recovered', 'object.purged',
    'policy.updated',
    'member.added', 'member.updated', 'member.removed',
    'api_key.created', 'api_key.revoked',
    'plan.updated',
    'quota.warning',
  ], // biome-ignore format: by kind
  list: async (signal) => (await api.GET('/webhooks', { signal })).data.webhooks,
  get: async (id, signal) => (await api.GET('/webhooks/{id}', { ...at(id), signal })).data,
  create: async (body, key) =>
    (await api.POST('/webhooks', { body, headers: { 'idempotency-key': key } })).data,
  change: async (id, body) => (await api.PATCH('/webhooks/{id}', { ...at(id), body })).data,
  remove: async (id) => void (await api.DELETE('/webhooks/{id}', at(id))),
  rotate: async (id) => (await api.POST('/webhooks/{id}/rotate', at(id))).data,
  test: async (id) => (await api.POST('/webhooks/{id}/test', at(id))).data,
  deliveries: async (id, query, signal) =>
    (await api.GET('/webhooks/{id}/deliveries', { params: { path: { id }, query }, signal })).data,
  retry: async (id, deliveryId) =>
    void (await api.POST('/webhooks/{id}/deliveries/{deliveryId}/retry', {
      params: { path: { id, deliveryId } },
    })),
  replay: async (id, body) => (await api.POST('/webhooks/{id}/replay', { ...at(id), body })).data.replayed,
}
