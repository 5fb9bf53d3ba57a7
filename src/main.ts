import { enableCompileCache } from 'node:module'

// Half of a start is compiling; what was compiled once is kept.
enableCompileCache()

const { run } = await import('./commands/program.ts')
// Everything is closed by now; what Node may still count as open must not keep the process.
process.exit(await run(process.argv.slice(2)))
