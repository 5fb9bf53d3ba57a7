import { badRequest, notFound } from '#platform/errors.ts'
import type { Refusals } from '#platform/refusals.ts'

export const stockRefusals = {
  product_not_found: () => notFound('Product not found'),
  warehouse_not_found: () => notFound('Warehouse not found'),
  not_enough_in_warehouse: ({ sku, warehouse, available }) =>
    badRequest(`Insufficient stock of ${sku} in ${warehouse}: ${available} available`),
  adjusted_by_serials: () =>
    badRequest('This product is tracked by serial number: name the serials to add or remove'),
  serials_to_transfer_missing: () =>
    badRequest('This product is tracked by serial number: name the serials to transfer'),
  transfer_to_itself: () => badRequest('The two warehouses must be different'),
} satisfies Refusals
