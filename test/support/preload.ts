import { enableCompileCache } from 'node:module'
import { fileURLToPath } from 'node:url'

/** What the process of every test file begins with. */

// Each would compile the whole product for itself.
enableCompileCache(fileURLToPath(new URL('../../node_modules/.cache/compiled', import.meta.url)))

// A file that hangs, in a test or because something it opened was never closed, says what is still open.
const seconds = 300
setTimeout(() => {
  const open = process.getActiveResourcesInfo().sort().join(', ')
  process.stderr.write(`${process.argv[1]} did not end within ${seconds} seconds; still open: ${open}\n`)
  process.exit(1)
}, seconds * 1000).unref()
