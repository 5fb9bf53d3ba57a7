/** A part of the acceptance tests again, through four workers. */
process.env.TRIVET_TEST_WORKERS = '4'

await import('#test/acceptance/inventory/orders.test.ts')
await import('#test/acceptance/inventory/products.test.ts')
await import('#test/acceptance/inventory/model.test.ts')
await import('#test/acceptance/inventory/tracking.test.ts')

export {}
