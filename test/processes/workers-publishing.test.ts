/** A part of the acceptance tests again, through four workers. */
process.env.TRIVET_TEST_WORKERS = '4'

await import('#test/acceptance/publishing/refresh-races.test.ts')
await import('#test/acceptance/publishing/pages-people.test.ts')
await import('#test/acceptance/publishing/widget.test.ts')
await import('#test/acceptance/publishing/oembed.test.ts')

export {}
