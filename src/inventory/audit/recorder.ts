import type { RecordedRequest, Recorder } from '#platform/http/contract/recorded.ts'
import type { Inventory, Principal } from '../context.ts'
import { type Actor, recordAudit } from './audit.ts'
import { operations } from './operations.ts'
import type { Details } from './store.ts'

type Fields = Record<string, unknown>

/** What an entry may repeat of a request or its response. Nothing else gets into the log, least of all a password. */
const shown = [
  'name', 'company_name', 'sku', 'code', 'email', 'role', 'is_banned', 'is_active', 'status', 'po_number', 'permissions',
  'expires_at', 'timezone', 'oversell_policy', 'reorder_level', 'warehouse_id', 'product_id', 'batch_number', 'created',
  'updated', 'received_lines', 'inventory_updated',
] // biome-ignore format: one list
const longest = 200

const shownOf = (fields: Fields): Details => {
  const details: Details = {}
  for (const name of shown) {
    const value = fields[name]
    const text = Array.isArray(value) ? value.join(', ') : value
    if (typeof text === 'string') details[name] = text.slice(0, longest)
    else if (typeof text === 'number' || typeof text === 'boolean') details[name] = text
  }
  return details
}

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : {}

/** The tenant and the person who have just registered. */
const registered = (payload: Fields, ip: string): Actor => ({
  tenantId: Number(fieldsOf(payload.tenant).id),
  userId: Number(fieldsOf(payload.user).id),
  ip,
})

const idIn = (req: RecordedRequest, payload: Fields) => {
  const params = fieldsOf(req.params)
  const id = params.id ?? params.product_id ?? payload.id ?? fieldsOf(payload.user).id
  return id === undefined ? null : String(id)
}

/** What was changed, by the names of its fields, where something was there before. */
const changedIn = (req: RecordedRequest): Details =>
  req.method === 'PATCH' || req.method === 'PUT'
    ? { fields: Object.keys(fieldsOf(req.body)).sort().join(', ') }
    : {}

/** Writes an entry for each operation that `operations` has an action for. */
export const recorder: Recorder<Inventory> = {
  operations,
  async record(ctx, tx, req, payload, action) {
    // Only told what would happen.
    if (fieldsOf(req.query).dry_run === true) return
    const answer = fieldsOf(payload)
    const actor = (req.principal as Principal | null) ?? registered(answer, req.ip)
    const details = {
      ...shownOf({ ...fieldsOf(req.body), ...answer }),
      ...changedIn(req),
      ...shownOf(fieldsOf(req.params)),
    }
    await recordAudit(tx, actor, { action, id: idIn(req, answer), details, now: ctx.clock.now() })
  },
}
