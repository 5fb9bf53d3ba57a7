import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

// Half of a start is compiling; what was compiled once is kept, out of reach of others on the same machine.
enableCompileCache(fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url)))

const { run } = await import('./commands/program.ts')
// Everything is closed by now; what Node may still count as open must not keep the process.
process.exit(await run(process.argv.slice(2)))
