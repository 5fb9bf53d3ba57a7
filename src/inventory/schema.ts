import type { Readable } from 'node:stream'
import { Type } from 'typebox'
import { Name, Named } from '#platform/http/schema.ts'

/** Response shapes of several modules. */
export const Message = Named('Message', { message: Type.String() })

/** The most units in one field of a request. */
export const maxQuantity = 2_147_483_647

/** A file to download; its columns are in the description. */
export const csvFile = (description: string) => ({
  description,
  content: { 'text/csv': { schema: Type.Unsafe<Readable>({ type: 'string' }) } },
})

/** For every such file. */
export const csvFields = {
  bom: Type.Integer({
    minimum: 0,
    maximum: 1,
    default: 0,
    description: '1: the file begins with a byte order mark, which Excel needs to read it as UTF-8',
  }),
}

/** A file that is read as a stream. */
export const CsvBody = Type.Unsafe<Readable>({
  contentMediaType: 'text/csv',
  description: 'The first line names the columns',
})

export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
})

export const SerialNumber = Name(100)
