import { badRequest, notFound } from '#platform/errors.ts'
import type { Refusals } from '#platform/refusals.ts'

export const countRefusals = {
  category_not_found: () => notFound('Category not found'),
  count_not_found: () => notFound('Count not found'),
  count_line_not_found: () => notFound('Line not found'),
  count_not_open: ({ status }) => badRequest(`Cannot change the lines of a count that is ${status}`),
  count_status_not_allowed: ({ status, wanted }) =>
    badRequest(`Cannot change status from ${status} to ${wanted}`),
  product_outside_count: ({ sku }) => badRequest(`${sku} does not belong to the category that is counted`),
  serials_to_count_missing: ({ sku }) =>
    badRequest(`${sku} is tracked by serial number: enter the serials that are there`),
  quantity_to_count_missing: ({ sku }) => badRequest(`${sku} is counted by quantity: quantity is required`),
  more_left_than_counted: ({ sku, counted, expected, on_hand }) =>
    badRequest(
      `${sku}: ${counted} of ${expected} were counted, and only ${on_hand} are left by now: count it again`,
    ),
  serial_elsewhere: ({ serial, status, warehouse }) =>
    badRequest(`Serial ${serial} is ${status} in ${warehouse}: move or return it there, or remove the line`),
} satisfies Refusals
