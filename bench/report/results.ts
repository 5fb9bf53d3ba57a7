import { execFileSync } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { arch, availableParallelism, cpus, totalmem, type } from 'node:os'
import type { Result } from '../measure.ts'

/** Where, when and with which versions something was measured. */
export type Circumstances = {
  date: string
  commit: string
  machine: string
  versions: { trivet: string; node: string; postgresql: string }
}

/** What came out of each suite. */
export type Figures = { suites: ({ name: string; results: Result[] } & Circumstances)[] }

type Package = { version: string; optionalDependencies: { [name: string]: string } }

const machine = () => {
  const model = cpus()[0]?.model.trim()
  const named = model && model !== 'unknown' ? `${model}, ` : ''
  return `${named}${availableParallelism()} cores, ${Math.round(totalmem() / 2 ** 30)} GiB, ${type()} ${arch()}`
}

export const circumstances = async (): Promise<Circumstances> => {
  const { version, optionalDependencies } = JSON.parse(await readFile('package.json', 'utf8')) as Package
  const postgresql = Object.entries(optionalDependencies).find(([name]) => name.includes('postgres'))?.[1]
  return {
    date: new Date().toISOString().slice(0, 10),
    commit: execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim(),
    machine: machine(),
    versions: {
      trivet: version,
      node: process.versions.node,
      postgresql: postgresql?.replace(/-beta.*/, '') ?? '',
    },
  }
}

/** The results of the last release. */
export const baseline = 'bench/baseline.json'

export const saveFigures = (file: string, figures: Figures) =>
  writeFile(file, `${JSON.stringify(figures, null, 2)}\n`)
export const readFigures = async (file: string) => JSON.parse(await readFile(file, 'utf8')) as Figures
