import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { freshnessOf, type Published, problemsOf, readReasons } from './freshness.ts'

/**
 * npm run check:fresh: compares every dependency that Trivet runs with to the registry that npm is configured with. Fails for
 * one that has been behind by a minor version for 60 days, unless .ci/behind.txt says why.
 */
const read = (path: string) => readFile(new URL(`../${path}`, import.meta.url), 'utf8')

type Manifest = { dependencies?: Record<string, string>; optionalDependencies?: Record<string, string> }
const manifests = (await Promise.all(['package.json', 'sdk/package.json'].map(read))).map(
  (text) => JSON.parse(text) as Manifest,
)
const dependencies = Object.entries(
  Object.assign({}, ...manifests.flatMap((m) => [m.dependencies ?? {}, m.optionalDependencies ?? {}])),
) as [string, string][]

const unreachable =
  /ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ETIMEDOUT|ENETUNREACH|ENOTCACHED|EHOSTUNREACH/

const publishedOf = async (name: string) => {
  const asked = promisify(execFile)('npm', ['view', name, 'time', '--json', '--fetch-retries=1'], {
    maxBuffer: 64 * 2 ** 20,
  })
  const { stdout } = await asked
  return JSON.parse(stdout) as Published
}

const [first, ...rest] = dependencies
const stop = (error: unknown): never => {
  const text = `${(error as { stderr?: string }).stderr ?? ''}${error}`
  console.error(
    unreachable.test(text)
      ? 'The registry that npm is configured with cannot be reached: nothing was compared.'
      : `The registry that npm is configured with cannot be used: ${text.split('\n').find((line) => /npm error/.test(line)) ?? text}`,
  )
  process.exit(2)
}

/** A few at a time; the first alone, so that without a network there is one failure and not fifty. */
const now = new Date()
const all = [freshnessOf(...first!, await publishedOf(first![0]).catch(stop), now)]
while (rest.length > 0)
  all.push(
    ...(await Promise.all(
      rest
        .splice(0, 4)
        .map(async ([name, version]) => freshnessOf(name, version, await publishedOf(name), now)),
    ).catch(stop)),
  )

const reasons = readReasons(await read('.ci/behind.txt'))
const width = Math.max(...all.map(({ name }) => name.length))
for (const { name, version, newest, age, majors, behindDays } of all) {
  const notes = [
    `${age ?? '?'} days old`,
    ...(newest === version ? [] : [`newest ${newest}`]),
    ...(majors > 0 ? [`${majors} major${majors > 1 ? 's' : ''} behind`] : []),
    ...(behindDays === null ? [] : [`behind by a minor for ${behindDays} days`]),
    ...(reasons.has(name) ? [`because ${reasons.get(name)}`] : []),
  ]
  console.log(`${name.padEnd(width)}  ${version}  ${notes.join(', ')}`)
}
const problems = problemsOf(all, reasons)
for (const problem of problems) console.error(problem)
process.exitCode = problems.length > 0 ? 1 : 0
