import { globSync } from 'node:fs'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { startCluster } from './support/cluster.ts'

/**
 * npm test                       all that needs neither a browser nor processes of its own
 * npm run test:browser           pages and widgets in a real browser
 * npm run test:processes         the product as processes: operated, killed, started again
 * npm run test:servers           the acceptance tests again on servers: PostgreSQL, a pooler, Redis, S3
 * npm test -- storage policies   only files of whichever kind whose path contains one of these words
 * TRIVET_TEST_BLOBS=s3 npm test  with blobs in a bucket of an S3-compatible server
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const suite = process.argv.find((word) => word.startsWith('--'))?.slice(2) ?? 'own'
const variant = suite === 'servers' ? 'server' : 'embedded'

const isBrowser = (file: string) => file.includes('/browser-')
const isProcesses = (file: string) => file.startsWith('test/processes/')
const isServers = (file: string) => file.startsWith('test/servers/')
const isAcceptance = (file: string) => file.startsWith('test/acceptance/') && !isBrowser(file)
const kinds: Record<string, (file: string) => boolean> = {
  own: (file) => !isBrowser(file) && !isProcesses(file) && !isServers(file),
  browser: isBrowser,
  processes: isProcesses,
  servers: (file) => isServers(file) || isAcceptance(file),
}
const isAsked = (file: string) =>
  words.length === 0 || suite === 'servers' ? kinds[suite]?.(file) : !isServers(file)
const isNamed = (file: string) => words.length === 0 || words.some((word) => file.includes(word))
const files = globSync(['src/**/*.test.ts', 'test/**/*.test.ts'])
  .filter((file) => isAsked(file) && isNamed(file))
  .sort()
if (files.length === 0) throw new Error(`No test file has ${words.join(' or ')} in its path`)

const { environment, stop } = await startCluster(variant)
Object.assign(process.env, environment)
// Now and then Node counts a timer that is long over, and a process that has closed everything would stay for ever.
const execArgv = ['--max-semi-space-size=32', '--test-force-exit', '--import', './test/support/preload.ts']
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => interruption.abort())
const stream = run({ files, concurrency: 4, timeout: 180_000, execArgv, signal: interruption.signal })
stream.on('test:fail', () => {
  process.exitCode = 1
})
stream.once('end', () => void stop())
stream.compose(spec).pipe(process.stdout)
