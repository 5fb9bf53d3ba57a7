import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { clientCommandNames } from './client/names.ts'
import { compiledFolder } from './compiled.ts'

// V8 counts, for each place in the code that creates objects, how many of them survive, and creates those of a place with
// many survivors in the old generation at once, where garbage stays until the whole heap is marked. Nearly everything that
// is created while a server starts survives, so the objects of every request would be created there as well. This turns it
// off, before anything else is loaded, and so for workers, too. A V8 that no longer knows the option says so at the start.
setFlagsFromString('--no-allocation-site-pretenuring')

// Half of the start-up time is compilation.
enableCompileCache(compiledFolder)

// Whoever reads has gone, as `head` does after a few lines, or the terminal is closed: the work still goes on to its end.
for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {})

// `trivet serve` starts its workers with the same command line.
if (cluster.isWorker) await import('./workers/worker.ts')
else {
  const argv = process.argv.slice(2)
  const isClient = clientCommandNames.includes(argv[0] ?? '')
  const { run } = await (isClient ? import('./client/program.ts') : import('./commands/program.ts'))
  // Everything is closed by now: do not wait for handles that Node still counts as open.
  process.exit(await run(argv))
}
