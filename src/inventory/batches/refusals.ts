import { badRequest, notFound } from '#platform/errors.ts'
import type { Refusals } from '#platform/refusals.ts'

export const batchRefusals = {
  not_tracked_by_batch: ({ sku }) => badRequest(`${sku} is not tracked by batch`),
  not_tracked_by_serial: ({ sku }) => badRequest(`${sku} is not tracked by serial number`),
  batch_not_found: () => notFound('Batch not found'),
  batch_of_another_product: ({ batch, sku }) => badRequest(`Batch ${batch} is not of ${sku}`),
  batch_has_fewer: ({ batch, units }) => badRequest(`Batch ${batch} has only ${units} units there`),
  batch_contradicted: ({ batch }) => badRequest(`Batch ${batch} is known with other dates or another lot`),
  batch_expires_before_made: ({ batch }) => badRequest(`Batch ${batch} would expire before it was made`),
  units_missing: ({ sku, units }) => badRequest(`Insufficient stock of ${sku}: ${units} units are not there`),
  units_expired_or_missing: ({ sku, units }) =>
    badRequest(`Insufficient stock of ${sku}: ${units} units are expired or not there`),
} satisfies Refusals
