import { globSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startCluster } from './support/cluster.ts'

/**
 * npm test                       everything that needs nothing but the project
 * npm test -- storage policies   only files whose path contains one of these words
 * TRIVET_TEST_BLOBS=s3 npm test  with blobs in a bucket of an S3-compatible server
 * npm run test:servers           the acceptance tests again on servers: PostgreSQL, a pooler, Redis, S3
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const variant = process.argv.includes('--servers') ? 'server' : 'embedded'

const patterns = {
  embedded: ['src/**/*.test.ts', 'test/{acceptance,faults}/**/*.test.ts', 'test/*.test.ts'],
  server: ['test/{acceptance,servers}/**/*.test.ts'],
}
const asked = (file: string) => words.length === 0 || words.some((word) => file.includes(word))
const files = globSync(patterns[variant]).filter(asked).sort()
if (files.length === 0) throw new Error(`No test file has ${words.join(' or ')} in its path`)

const { environment, stop } = await startCluster(variant)
Object.assign(process.env, environment)
const execArgv = ['--import', './test/support/preload.ts']
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort())
const stream = run({ files, concurrency: 3, timeout: 180_000, execArgv, signal: interruption.signal })
stream.on('test:fail', () => {
  process.exitCode = 1
})
stream.once('end', () => void stop())
stream.compose(spec).pipe(process.stdout)
