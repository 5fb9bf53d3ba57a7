import type { Readable } from 'node:stream'
import { OneOf, Pattern } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

/** A file to print. */
export const pdfFile = (description: string) => ({
  description,
  content: { 'application/pdf': { schema: Type.Unsafe<Readable>({ type: 'string', format: 'binary' }) } },
})

export const pdfHeaders = (name: string) => ({
  'content-type': 'application/pdf',
  'content-disposition': `attachment; filename="${name}"`,
})

export const PaperQuery = Type.Object({ size: OneOf(['a4', 'letter'], { default: 'a4' }) })
export type PaperSize = Type.Static<typeof PaperQuery>['size']

/** Millimetres, wide and high. */
export const labelSizes = {
  '57x32': [57, 32],
  '62x29': [62, 29],
  '100x50': [100, 50],
  '100x150': [100, 150],
} as const

export const LabelQuery = Type.Object({
  size: OneOf(['57x32', '62x29', '100x50', '100x150'], {
    default: '62x29',
    description: 'Of a label in millimetres, wide and high',
  }),
  copies: Type.Integer({ minimum: 1, maximum: 100, default: 1 }),
})
export type LabelQuery = Type.Static<typeof LabelQuery>

export const PickQuery = Type.Object({
  ...PaperQuery.properties,
  order_ids: Type.String({
    ...Pattern(
      '^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,99}$',
      'must be up to 100 ids of orders, with commas between them',
    ),
    examples: ['501,502'],
  }),
})
