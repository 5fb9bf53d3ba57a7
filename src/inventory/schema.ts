import type { Readable } from 'node:stream'
import { Name, Named } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

/** Response shapes of several modules. */
export const Message = Named('Message', { message: Type.String() })

export const trackingTypes = ['none', 'batch', 'serial'] as ['none', 'batch', 'serial']

/** The most units in one field of a request. */
export const maxQuantity = 2_147_483_647

/** A file that is read as a stream. */
export const CsvBody = Type.Unsafe<Readable>({
  contentMediaType: 'text/csv',
  description: 'The first line names the columns',
})

export const SerialNumber = Name(100)
