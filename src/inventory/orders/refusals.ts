import { badRequest, notFound } from '#platform/errors.ts'
import type { Refusals } from '../refusals.ts'

export const orderRefusals = {
  customer_not_found: () => notFound('Customer not found'),
  order_line_not_found: () => notFound('Order item not found'),
  not_enough_for_order: ({ sku }) => badRequest(`Insufficient stock of ${sku}`),
  not_enough_free: ({ sku, free }) =>
    badRequest(`Insufficient stock of ${sku}: ${free} free besides what is reserved`),
  more_than_open: ({ id, sku, open }) => badRequest(`Item ${id} (${sku}) has only ${open} open`),
  more_than_shipped: ({ id, sku, out }) =>
    badRequest(`Item ${id} (${sku}) has only ${out} shipped and not yet returned`),
} satisfies Refusals
