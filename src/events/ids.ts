import { Pattern } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

const prefix = 'evt_'

const pattern = '^evt_[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$'

/** Ids of events on the wire. */
export const EventId = Type.String({
  ...Pattern(pattern, 'must be the id of an event'),
  examples: ['evt_01a1e039-6806-7000-ad0f-f002d2322e3d'],
})

export const toWire = (id: string) => prefix + id
export const fromWire = (id: string) => id.slice(prefix.length)
export const isEventId = (text: string) => new RegExp(pattern).test(text)
