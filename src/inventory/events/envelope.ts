import type { Envelope } from '#events/events.ts'
import { Type } from '#platform/type/type.ts'
import { pageFields, pageInfo, pageOf, paging } from '../lists.ts'
import { Message } from '../schema.ts'

const capital = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)

/** Lists are named arrays with a total. */
export const envelope: Envelope = {
  one: (_, schema) => ({ schema, wrap: (value) => value }),
  deleted: (name) => ({ schema: Message, value: () => ({ message: `${capital(name)} deleted` }) }),
  list: (name, item, more = {}) => ({
    schema: Type.Object({ [name]: Type.Array(item), total: Type.Integer(), ...more }),
    wrap: (items, values) => ({ [name]: items, total: items.length, ...values }),
  }),
  paged: (name, item) => {
    const page = (query: object) => pageOf(query as { page: number; limit: number })
    return {
      query: paging(),
      schema: Type.Object({ [name]: Type.Array(item), ...pageFields }),
      pageOf: page,
      wrap: (items, total, query) => ({ [name]: items, ...pageInfo(page(query), total) }),
    }
  },
}
