import { badRequest, notFound } from '#platform/errors.ts'
import type { Refusals } from '#platform/refusals.ts'

export const purchaseRefusals = {
  supplier_not_found: () => notFound('Supplier not found'),
  purchase_order_not_found: () => notFound('Purchase order not found'),
  purchase_order_status_not_allowed: ({ status, wanted }) =>
    badRequest(`Cannot change status from ${status} to ${wanted}`),
  purchase_order_not_receivable: ({ status }) => badRequest(`Cannot receive an order that is ${status}`),
  purchase_line_not_found: () => notFound('Purchase order item not found'),
  line_of_another_product: ({ line }) => badRequest(`Item ${line} is of another product`),
  more_than_ordered: ({ units, sku }) => badRequest(`${units} more of ${sku} than were ordered`),
  batch_number_missing: () => badRequest('batch_number is required with lot and dates'),
  serials_missing: ({ sku }) =>
    badRequest(`${sku} is tracked by serial number: name one serial for each unit`),
} satisfies Refusals
