import type { Envelope } from '#events/events.ts'
import { Type } from '#platform/type/type.ts'
import { Ok, OkPage, ok, okPage } from '../envelope.ts'
import { type PageQuery, pageFields, sliceOf } from '../paging.ts'

/** One thing is the `data` itself, a list is an array in it. */
export const envelope: Envelope = {
  one: (_, schema) => ({ schema: Ok(schema), wrap: ok }),
  deleted: () => ({
    schema: Ok(Type.Object({ id: Type.String({ format: 'uuid' }), deleted: Type.Literal(true) })),
    value: (id) => ok({ id, deleted: true }),
  }),
  list: (name, item, more = {}) => ({
    schema: Ok(Type.Object({ [name]: Type.Array(item), ...more })),
    wrap: (items, values) => ok({ [name]: items, ...values }),
  }),
  paged: (name, item) => ({
    query: pageFields,
    schema: OkPage(Type.Object({ [name]: Type.Array(item) })),
    pageOf: (query) => sliceOf(query as PageQuery),
    wrap: (items, total, query) => okPage({ [name]: items }, query as PageQuery, total),
  }),
}
