import { execFileSync } from 'node:child_process'
import { rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Compiles the package to JavaScript with declarations, before it is packed. */
const pathOf = (relative: string) => fileURLToPath(new URL(relative, import.meta.url))
rmSync(pathOf('./dist'), { recursive: true, force: true })
execFileSync(process.execPath, [pathOf('./node_modules/typescript/lib/tsc.js'), '-p', pathOf('.')], {
  stdio: 'inherit',
})
