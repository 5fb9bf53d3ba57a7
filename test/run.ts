import { globSync } from 'node:fs'
import { enableCompileCache } from 'node:module'
import { availableParallelism } from 'node:os'
import { run } from 'node:test'
import { spec } from 'node:test/reporters'
import { fileURLToPath } from 'node:url'
import { type Coverage, coverageOptions, reportCoverage, withoutCoverage } from './support/coverage.ts'
import { makeLanes } from './support/lanes.ts'
import { makeWorkspace } from './support/workspace.ts'

/**
 * npm test                       everything that needs npm packages only
 * npm run coverage               the same with coverage, which must not fall below a floor
 * npm run test:browser           pages, widgets and consoles in a real browser
 * npm run test:processes         `trivet` as a process: commands, crashes, restarts; and other long tests
 * npm run test:servers           the acceptance tests again on servers: PostgreSQL, a pooler, Redis, S3
 * npm run test:standards         feeds, pages and previews by validators and parsers that others wrote
 * npm run test:clients           the S3 endpoint by the clients that people have, also through nginx; the packed SDK
 *                                on the oldest Node that it promises
 * npm test -- storage policies   only files whose path contains one of these words, of any kind but servers and clients
 * TRIVET_TEST_BLOBS=s3 npm test  with blobs in a bucket of an S3-compatible server
 */
const words = process.argv.slice(2).filter((word) => !word.startsWith('--'))
const flags = process.argv.slice(2).filter((word) => word.startsWith('--'))
const measured = flags.includes('--coverage')
const suite = flags.find((flag) => flag !== '--coverage')?.slice(2) ?? 'own'
const variant = suite === 'servers' ? 'server' : 'embedded'

const isBrowser = (file: string) => file.includes('/browser-') || file.startsWith('test/consoles/')
// Generating clients and trying many sequences of operations take as long as starting processes.
const isProcesses = (file: string) => /^test\/(processes|clients|long)\//.test(file)
const isStandards = (file: string) => file.startsWith('test/standards/')
const isServers = (file: string) => file.startsWith('test/servers/')
const isS3Client = (file: string) => file.startsWith('test/s3-clients/')
const isClients = (file: string) => isS3Client(file) || file.startsWith('test/packed-sdk/')
const isAcceptance = (file: string) => file.startsWith('test/acceptance/') && !isBrowser(file)
// What a database server, Redis or S3 can change: blobs, limits, jobs, connections and races, and the core of each service.
const affected =
  'backup batch-writes buckets bulk concurrency damage database event-verify exhausted expiry ' +
  'free-space fresh-plans idempotency jobs lifecycle limits lost metering multipart nodes objects ' +
  'orders posts purge races refresh-races scrub sign-in-limits signed-urls stock totals upkeep ' +
  'upload- versions-deleted write-'
const isAffected = (file: string) => new RegExp(`/(?:${affected.replaceAll(' ', '|')})[^/]*$`).test(file)
const kinds: Record<string, (file: string) => boolean> = {
  own: (file) => ![isBrowser, isProcesses, isServers, isStandards, isClients].some((is) => is(file)),
  browser: isBrowser,
  processes: isProcesses,
  standards: isStandards,
  clients: isClients,
  servers: (file) => isServers(file) || (isAcceptance(file) && isAffected(file)),
}
const isAsked = (file: string) =>
  words.length === 0 || suite === 'servers' || suite === 'clients'
    ? kinds[suite]?.(file)
    : !isServers(file) && !isClients(file)
const isNamed = (file: string) => words.length === 0 || words.some((word) => file.includes(word))
const files = globSync(['src/**/*.test.ts', 'web/**/*.test.ts', 'test/**/*.test.ts'])
  .filter((file) => isAsked(file) && isNamed(file))
  .sort()
if (files.length === 0) throw new Error(`No test file has ${words.join(' or ')} in its path`)

// One more than there are cores, because each of them also waits for the database.
const concurrency = Math.min(4, availableParallelism() + 1)
// The others mostly wait for processes that they start.
const mayShareProcess = (file: string) => /^(src|test\/(acceptance|consoles|long|sdk))\//.test(file)
const entryPoints = async (files: string[]) => {
  const sharing = files.filter(mayShareProcess)
  if (sharing.length <= concurrency) return files
  return [...(await makeLanes(sharing, concurrency)), ...files.filter((file) => !mayShareProcess(file))]
}

// What compares times with limits runs when nothing else does.
const isTimed = (file: string) => file === 'test/long/slow-statements.test.ts'
const phases = [files.filter((file) => !isTimed(file)), files.filter(isTimed)].filter(
  ({ length }) => length > 0,
)

// For the whole run: npm forwards a signal that the terminal has already sent to the whole process group.
const interruption = new AbortController()
for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => interruption.abort())

// Without a cache every process would strip the types of the whole product and compile it again. As a variable it holds
// for everything that a process loads, and for the processes that tests start.
process.env.NODE_COMPILE_CACHE ??= fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
// Coverage of code from the cache is not exact.
if (measured) process.env.NODE_DISABLE_COMPILE_CACHE = '1'
enableCompileCache()

const runPhase = async (entries: string[]) => {
  const stream = run({
    files: entries,
    concurrency,
    // Occasionally Node counts a timer that has fired as active, and a process that has closed everything would not exit.
    execArgv: [
      '--preserve-symlinks',
      '--max-semi-space-size=32',
      '--test-force-exit',
      '--import',
      './test/support/running.ts',
    ],
    signal: interruption.signal,
    ...(measured ? coverageOptions : {}),
  })
  stream.on('test:fail', () => {
    process.exitCode = 1
  })
  let coverage: Coverage | undefined
  stream.on('test:coverage', ({ summary }) => {
    coverage = summary
  })
  for await (const text of stream.compose(withoutCoverage).compose(spec)) process.stdout.write(text)
  if (coverage) reportCoverage(coverage, words.length === 0)
}

const runFiles = async () => {
  // Not a static import, which would be loaded before the cache is enabled.
  const { startCluster } = await import('./support/cluster.ts')
  const { environment, stop } = await startCluster(variant)
  Object.assign(process.env, environment)
  const service = files.some(isS3Client) ? await startS3Service() : null
  try {
    for (const phase of phases) await runPhase(await entryPoints(phase))
  } finally {
    await service?.stop()
    await stop()
  }
}

const startS3Service = async () => {
  const { startService } = await import('./s3-clients/support/service.ts')
  const { environment, stop } = await startService()
  Object.assign(process.env, environment)
  return { stop }
}

const removeWorkspace = await makeWorkspace()
try {
  await runFiles()
} finally {
  if (interruption.signal.aborted) process.exitCode = 1
  await removeWorkspace()
}
