import { badRequest, notFound } from '#platform/errors.ts'
import type { Refusals } from '#platform/refusals.ts'

export const orderRefusals = {
  customer_not_found: () => notFound('Customer not found'),
  order_not_found: () => notFound('Order not found'),
  order_status_not_allowed: ({ status, wanted }) =>
    badRequest(`Cannot change status from ${status} to ${wanted}`),
  order_not_shippable: ({ status }) => badRequest(`Cannot fulfill an order that is ${status}`),
  order_not_returnable: ({ status }) => badRequest(`Cannot return items of an order that is ${status}`),
  order_line_not_found: () => notFound('Order item not found'),
  not_enough_for_order: ({ sku }) => badRequest(`Insufficient stock of ${sku}`),
  not_enough_free: ({ sku, free }) =>
    badRequest(`Insufficient stock of ${sku}: ${free} free besides what is reserved`),
  more_than_open: ({ id, sku, open }) => badRequest(`Item ${id} (${sku}) has only ${open} open`),
  more_than_shipped: ({ id, sku, out }) =>
    badRequest(`Item ${id} (${sku}) has only ${out} shipped and not yet returned`),
} satisfies Refusals
