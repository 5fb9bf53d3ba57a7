import { readFile, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, cpus, totalmem, type } from 'node:os'
import type { Result } from '../measure.ts'

/** One run of the benchmarks: where, when, with which versions, and what came out. */
export type Run = {
  date: string
  machine: string
  versions: { trivet: string; node: string; postgresql: string }
  suites: { name: string; results: Result[] }[]
}

type Package = { version: string; optionalDependencies: { [name: string]: string } }

const machine = () => {
  const model = cpus()[0]?.model.trim()
  const named = model && model !== 'unknown' ? `${model}, ` : ''
  return `${named}${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${arch()}`
}

export const newRun = async (): Promise<Run> => {
  const { version, optionalDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Package
  const postgresql = Object.entries(optionalDependencies).find(([name]) => name.includes('postgres'))?.[1]
  return {
    date: new Date().toISOString().slice(0, 10),
    machine: machine(),
    versions: {
      trivet: version,
      node: process.versions.node,
      postgresql: postgresql?.replace(/-beta.*/, '') ?? '',
    },
    suites: [],
  }
}

export const saveRun = (file: string, run: Run) => writeFile(file, `${JSON.stringify(run, null, 2)}\n`)
export const readRun = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Run
