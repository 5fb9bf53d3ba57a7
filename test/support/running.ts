/** Loaded before every test file. */

// If a file hangs, in a test or because something was not closed, print what is still open.
const seconds = 620
let file = process.argv[1] ?? ''
const overdue = setTimeout(() => {
  const open = process.getActiveResourcesInfo().sort().join(', ')
  process.stderr.write(`${file} did not end within ${seconds} seconds; still open: ${open}\n`)
  process.exit(1)
}, seconds * 1000).unref()

/** The test file that runs in this process. */
export const runningFile = () => file

/** For a process that runs several files, one after another. */
export const startFile = (next: string) => {
  file = next
  overdue.refresh()
}
