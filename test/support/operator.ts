import { run } from '#src/commands/program.ts'
import type { Booted } from './boot.ts'

/** Collects what a command writes. */
const collector = () => {
  let text = ''
  return {
    write: (part: string) => {
      text += part
      return true
    },
    text: () => text,
  }
}

/** Runs the `trivet` command against the database of a running system. One at a time: it reads the environment. */
export const operatorOf =
  ({ databaseUrl, dataDir }: Pick<Booted, 'databaseUrl' | 'dataDir'>, env: Record<string, string> = {}) =>
  async (...args: string[]) => {
    const before = { ...process.env }
    const [stdout, stderr] = [collector(), collector()]
    Object.assign(process.env, { DATABASE_URL: databaseUrl, TRIVET_DATA: dataDir, ...env })
    try {
      const code = await run(args, { stdout, stderr })
      return { code, text: (code === 0 ? stdout : stderr).text() }
    } finally {
      process.env = before
    }
  }
