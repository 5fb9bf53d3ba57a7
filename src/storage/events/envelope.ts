import type { Envelope } from '#events/events.ts'
import { Type } from '#platform/type/type.ts'

/** In Form R every object carries the id of its request. */
const requestId = Type.Optional(Type.String())
const paging = {
  limit: Type.Integer({ minimum: 1, maximum: 200, default: 50 }),
  offset: Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, default: 0 }),
}

/** Nothing is wrapped. Pages are asked for as in the audit log. */
export const envelope: Envelope = {
  one: (_, schema) => ({ schema, wrap: (value) => value }),
  deleted: () => ({
    schema: Type.Object({ deleted: Type.Boolean(), requestId }),
    value: () => ({ deleted: true }),
  }),
  list: (name, item, more = {}) => ({
    schema: Type.Object({ [name]: Type.Array(item), ...more, requestId }),
    wrap: (items, values) => ({ [name]: items, ...values }),
  }),
  paged: (name, item) => ({
    query: paging,
    schema: Type.Object({ total: Type.Integer(), [name]: Type.Array(item), requestId }),
    pageOf: (query) => query as { limit: number; offset: number },
    wrap: (items, total) => ({ total, [name]: items }),
  }),
}
