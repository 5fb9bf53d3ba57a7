import { badRequest, notFound } from '#platform/errors.ts'
import type { Refusals } from '../refusals.ts'

export const stockRefusals = {
  product_not_found: () => notFound('Product not found'),
  warehouse_not_found: () => notFound('Warehouse not found'),
  not_enough_in_warehouse: ({ sku, warehouse, available }) =>
    badRequest(`Insufficient stock of ${sku} in ${warehouse}: ${available} available`),
} satisfies Refusals
