import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Name, Named } from '#platform/http/schema.ts'

/** Shapes that several modules answer with. */
export const Message = Named('Message', { message: Type.String() })

/** The most units that one request may name. */
export const maxQuantity = 2_147_483_647

/** A file to download; its columns are in the description. */
export const csvFile = (description: string) => ({
  description,
  content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
})

/** A file that is read as it comes in. */
export const CsvBody = Type.Unsafe<Readable>({
  contentMediaType: 'text/csv',
  description: 'The first line names the columns',
})

export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
})

export const SerialNumber = Name(100)
