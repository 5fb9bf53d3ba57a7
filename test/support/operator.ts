import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Booted } from './boot.ts'

/** Runs the `trivet` command against the database of a running system. */
export const operatorOf =
  ({ databaseUrl, dataDir }: Booted) =>
  async (...args: string[]) => {
    const env = { ...process.env, DATABASE_URL: databaseUrl, TRIVET_DATA: dataDir }
    try {
      const { stdout } = await promisify(execFile)(process.execPath, ['src/main.ts', ...args], { env })
      return { code: 0, text: stdout }
    } catch (error) {
      const { code, stderr } = error as { code: number; stderr: string }
      return { code, text: stderr }
    }
  }
