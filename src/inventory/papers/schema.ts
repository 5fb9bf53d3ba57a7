import { Named, Nullable, OneOf, Pattern } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

/** A file to print. */
export const pdfFile = (description: string) => ({
  description,
  content: { 'application/pdf': { schema: Type.Unsafe<Buffer>({ type: 'string', format: 'binary' }) } },
})

export const pdfHeaders = (name: string) => ({
  'content-type': 'application/pdf',
  'content-disposition': `attachment; filename="${name}"`,
})

const like = (example: string) => Type.String({ examples: [example] })

const Barcode = Type.Object({
  symbology: OneOf(['code128', 'qrcode', 'gs1qrcode']),
  text: Type.String({
    description: 'For GS1 with parentheses, such as `(01)04006381333931(10)OIL-7`',
    examples: ['ORD-000501'],
  }),
})
export type Barcode = Type.Static<typeof Barcode>

/** A paper in words: what stands above the table, in blocks beside each other, the table, and what stands below. */
export const Paper = Named('Paper', {
  company: Type.String(),
  title: like('Packing slip'),
  number: like('ORD-000501'),
  code: Nullable(Barcode),
  blocks: Type.Array(Type.Object({ title: like('Ship to'), lines: Type.Array(like('8 Mill Lane')) })),
  columns: Type.Array(
    Type.Object({
      title: like('Product'),
      align: OneOf(['left', 'right']),
      share: Type.Number({ description: 'Of the width of the paper', examples: [0.4] }),
    }),
  ),
  rows: Type.Array(Type.Array(like('Blue mug')), { description: 'The cells of each line, as in `columns`' }),
  notes: Type.Array(like('By the side door'), { description: 'What stands below the lines' }),
})
export type Paper = Type.Static<typeof Paper>

export const Label = Named('Label', {
  title: like('Blue mug'),
  lines: Type.Array(like('MUG-1')),
  code: Barcode,
})
export type Label = Type.Static<typeof Label>

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
  order_ids: Type.String({
    ...Pattern(
      '^[1-9]\\d{0,14}(,[1-9]\\d{0,14}){0,99}$',
      'must be up to 100 ids of orders, with commas between them',
    ),
    examples: ['501,502'],
  }),
})

export const PickPaperQuery = Type.Object({ ...PaperQuery.properties, ...PickQuery.properties })
