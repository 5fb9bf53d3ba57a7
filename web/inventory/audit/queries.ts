import { keepPreviousData, queryOptions } from '@tanstack/preact-query'
import { api, type Schemas } from '../api.ts'

export type AuditEntry = Schemas['AuditEntry']
type AuditFilter = { action?: string; user_id?: number; from?: string; to?: string }

/** Every action that the log can have; a test compares them with those of the service. */
export const actions = [
  'api_key.created', 'api_key.revoked',
  'auth.logged_in', 'auth.password_changed', 'auth.password_reset',
  'batch.created', 'batch.updated',
  'category.created', 'category.deleted', 'category.updated',
  'company.updated',
  'count.created', 'count.line_deleted', 'count.status_changed',
  'customer.address_added', 'customer.address_deleted', 'customer.address_updated', 'customer.created', 'customer.deleted', 'customer.updated',
  'product.created', 'product.deleted', 'product.image_added', 'product.image_deleted', 'product.imported', 'product.updated',
  'purchase_order.created', 'purchase_order.drafted', 'purchase_order.received', 'purchase_order.status_changed',
  'settings.updated',
  'stock.reorder_level_changed',
  'subscription.updated',
  'supplier.created', 'supplier.deleted', 'supplier.updated',
  'tenant.created',
  'user.banned', 'user.created', 'user.unbanned', 'user.updated',
  'warehouse.created', 'warehouse.updated',
  'webhook.created', 'webhook.deleted', 'webhook.redelivered', 'webhook.replayed', 'webhook.secret_rotated', 'webhook.switched_off', 'webhook.tested', 'webhook.updated',
] // biome-ignore format: by kind

type Asked = { action?: string; person?: string; from?: string; to?: string }

const isDay = (text: string | undefined): text is string => /^[1-9]\d{3}-\d\d-\d\d$/.test(text ?? '')

/** As the API has it. What is no day, and no number of a person, is no filter. */
export const filterOf = ({ action, person, from, to }: Asked): AuditFilter => ({
  ...(action ? { action } : {}),
  ...(/^[1-9]\d{0,14}$/.test(person ?? '') ? { user_id: Number(person) } : {}),
  ...(isDay(from) ? { from } : {}),
  ...(isDay(to) ? { to } : {}),
})

export const auditQuery = (filter: AuditFilter, cursor: string | undefined) =>
  queryOptions({
    queryKey: ['audit', filter, cursor ?? null],
    queryFn: async ({ signal }) => {
      const query = { ...filter, ...(cursor === undefined ? {} : { cursor }) }
      return (await api.GET('/api/audit-logs', { params: { query }, signal })).data
    },
    placeholderData: keepPreviousData,
  })
