import cluster from 'node:cluster'
import { enableCompileCache } from 'node:module'
import { setFlagsFromString } from 'node:v8'
import { clientCommandNames } from './client/names.ts'
import { compiledFolder } from './compiled.ts'

// V8 notes for each literal and constructor how many of its objects survive, and creates those of a site with many survivors
// in the old generation at once. While a server starts nearly all survive, those of Node's HTTP classes included, so what
// every request creates would pile up there until the whole heap is marked. V8 says at the start if a new version does not
// know the option; test/processes/short-lived-objects.test.ts fails if the problem is back.
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
