import { enableCompileCache } from 'node:module'
import { join } from 'node:path'

/** What the process of every test file begins with. */

// Each would compile the whole product for itself. Beside the packages, `npm ci` empties it and nobody else writes there.
// What comes from a cache cannot be measured exactly.
if (!process.env.NODE_V8_COVERAGE)
  enableCompileCache(join(import.meta.dirname, '../../node_modules/.cache/compiled'))

// A file that hangs, in a test or because something it opened was never closed, says what is still open.
const seconds = 300
setTimeout(() => {
  const open = process.getActiveResourcesInfo().sort().join(', ')
  process.stderr.write(`${process.argv[1]} did not end within ${seconds} seconds; still open: ${open}\n`)
  process.exit(1)
}, seconds * 1000).unref()
