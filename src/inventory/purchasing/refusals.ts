import { badRequest, notFound } from '#platform/errors.ts'
import type { Refusals } from '../refusals.ts'

export const purchaseRefusals = {
  supplier_not_found: () => notFound('Supplier not found'),
  purchase_line_not_found: () => notFound('Purchase order item not found'),
  line_of_another_product: ({ line }) => badRequest(`Item ${line} is of another product`),
  more_than_ordered: ({ units, sku }) => badRequest(`${units} more of ${sku} than were ordered`),
  batch_number_missing: () => badRequest('batch_number is required with lot and dates'),
  serials_missing: ({ sku }) =>
    badRequest(`${sku} is tracked by serial number: name one serial for each unit`),
} satisfies Refusals
