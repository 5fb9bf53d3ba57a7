import { badRequest, notFound, taken } from '#platform/errors.ts'
import type { Refusals } from '#platform/refusals.ts'

const alreadyThere = (message: string) => taken('serial_number', message, message)

export const serialRefusals = {
  product_without_serials: () => badRequest('This product is not tracked by serial number'),
  serial_not_found: ({ serial }) => notFound(`Serial ${serial} not found`),
  serial_given_twice: ({ serial }) => alreadyThere(`Serial ${serial} is given twice`),
  serial_exists: ({ serial }) => alreadyThere(`Serial ${serial} already exists`),
  serials_do_not_match_units: ({ named, units }) =>
    badRequest(`${named} serials are named for ${units} units`),
  too_few_serials_in_stock: ({ found, units, sku }) =>
    badRequest(`Only ${found} of ${units} serials of ${sku} are in stock there`),
  too_few_serials_shipped: ({ found, units, sku }) =>
    badRequest(`Only ${found} of ${units} serials of ${sku} are out with this line`),
} satisfies Refusals
