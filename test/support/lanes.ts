import { mkdtemp, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

// Long files first, so that no lane is still busy with one when the others have ended.
const longestFirst = async (files: string[]) => {
  const sizes = await Promise.all(files.map(async (file) => ({ file, size: (await stat(file)).size })))
  return sizes.sort((a, b) => b.size - a.size).map(({ file }) => file)
}

/**
 * Returns entry points for `count` processes that run these files between them. Starting a process and loading the
 * services takes most of the time of a small test file, so a process that has them loaded runs many files.
 */
export const makeLanes = async (files: string[], count: number) => {
  const folder = await mkdtemp(join(tmpdir(), 'lanes-'))
  await writeFile(join(folder, 'files.json'), JSON.stringify(await longestFirst(files)))
  process.env.TRIVET_TEST_LANES = folder
  const code = `await import('${new URL('lane.ts', import.meta.url).href}')\n`
  const entries = Array.from({ length: count }, (_, index) => join(folder, `lane-${index + 1}.mjs`))
  await Promise.all(entries.map((entry) => writeFile(entry, code)))
  return entries
}
