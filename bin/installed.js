// Before anything in TypeScript is loaded, which an older Node cannot do: are the packages there?
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const root = new URL('../', import.meta.url)

/** The Node that Trivet runs on. */
export const node = fileURLToPath(new URL('node_modules/node/bin/node', root))

export const requireInstalled = () => {
  if (existsSync(node)) return
  console.error(`trivet: The packages are not installed: run "npm ci" in ${fileURLToPath(root)} first.`)
  process.exit(1)
}

// As a command of its own, in scripts that do not start with trivet.
if (process.argv[1] === fileURLToPath(import.meta.url)) requireInstalled()
