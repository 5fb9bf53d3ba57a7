import { enableCompileCache } from 'node:module'

// Half of a start is compiling; what was compiled once is kept.
enableCompileCache()

const { run } = await import('./commands/program.ts')
process.exitCode = await run(process.argv.slice(2))
