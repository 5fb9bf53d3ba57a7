/** Runs before every test file. */

// If a file hangs, in a test or because something was not closed, print what is still open.
const seconds = 300
setTimeout(() => {
  const open = process.getActiveResourcesInfo().sort().join(', ')
  process.stderr.write(`${process.argv[1]} did not end within ${seconds} seconds; still open: ${open}\n`)
  process.exit(1)
}, seconds * 1000).unref()
