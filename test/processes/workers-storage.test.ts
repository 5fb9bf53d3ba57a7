/** A part of the acceptance tests again, through four workers. */
process.env.TRIVET_TEST_WORKERS = '4'

await import('#test/acceptance/storage/policies-by-object.test.ts')
await import('#test/acceptance/storage/objects.test.ts')
await import('#test/acceptance/storage/policy-rules.test.ts')
await import('#test/acceptance/storage/granted-repeats.test.ts')

export {}
