/**
 * Loaded into every test file's process: a file that hangs, in a test or because something it opened was never
 * closed, ends with a line that says what is still open, and not with the patience of whoever waits for it.
 */
const seconds = 300

setTimeout(() => {
  const open = process.getActiveResourcesInfo().sort().join(', ')
  process.stderr.write(`${process.argv[1]} did not end within ${seconds} seconds; still open: ${open}\n`)
  process.exit(1)
}, seconds * 1000).unref()
