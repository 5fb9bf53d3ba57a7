import type { Readable } from 'node:stream'
import { Type } from '#platform/type/type.ts'

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

export const csvHeaders = (name: string) => ({
  'content-type': 'text/csv; charset=utf-8',
  'content-disposition': `attachment; filename="${name}"`,
})
