import { closeSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { codeOf } from '#platform/errors.ts'
import { startFile } from './running.ts'

/** Runs test files one after another, each time the next one that no other lane has taken. Started by `lanes.ts`. */
const folder = process.env.TRIVET_TEST_LANES as string
const files = JSON.parse(readFileSync(join(folder, 'files.json'), 'utf8')) as string[]

const isTaken = (index: number) => {
  try {
    closeSync(openSync(join(folder, String(index)), 'wx'))
    return false
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return true
    throw error
  }
}

let index = 0
const take = () => {
  while (index < files.length && isTaken(index)) index++
  return files[index++]
}

const runFile = (file: string | undefined) =>
  file &&
  test(file, { timeout: 900_000 }, async () => {
    startFile(file)
    // Imported here, because its hook keeps a process without tests from ending.
    const { endFile } = await import('./cleanup.ts')
    after(endFile, { timeout: 60_000 })
    await import(pathToFileURL(file).href)
  })

// Always one ahead: with `--test-force-exit` a process ends as soon as no test is waiting.
let current = runFile(take())
while (current) {
  const next = runFile(take())
  await current
  current = next
}
