import { CommandFailed, complain, type Output } from '#platform/cli.ts'
import { inParallel } from '#platform/parallel.ts'
import { printable } from '#platform/printable.ts'
import { sizeOf } from '#platform/sizes.ts'
import { reasonOf, type Storage } from './credentials.ts'
import { showTransfer } from './progress.ts'

/** One thing to be done with one file or object. */
export type Job = {
  action: 'upload' | 'download' | 'copy' | 'move' | 'delete'
  from: string
  to?: string
  size: number
  run(onBytes: (bytes: number) => void): Promise<unknown>
}

/** Jobs that are done by one request. `ended` is called for each of them, with the reason if it has failed. */
export type Group = { jobs: readonly Job[]; run(ended: (job: Job, error?: unknown) => void): Promise<void> }

export type JobOptions = {
  storage: Pick<Storage, 'waiting'>
  concurrency: number
  json?: boolean | undefined
  dryRun?: boolean | undefined
}

const past: Record<Job['action'], string> = {
  upload: 'Uploaded',
  download: 'Downloaded',
  copy: 'Copied',
  move: 'Moved',
  delete: 'Deleted',
}

const describe = ({ from, to }: Job) => printable(to === undefined ? from : `${from} to ${to}`)

const jobsIn = (work: Job | Group) => ('jobs' in work ? work.jobs : [work])

/**
 * Runs jobs side by side with progress on the terminal. A failure does not end the others; the command then ends with exit
 * code 1, and each one is named.
 */
export const runJobs = async (jobs: AsyncIterable<Job | Group>, stdout: Output, options: JobOptions) => {
  const { storage, concurrency, json = false, dryRun = false } = options
  const shown = showTransfer(storage)
  let failures = 0
  const say = (job: Job, error?: unknown) => {
    const { action, from, to, size } = job
    const reason = error === undefined ? undefined : reasonOf(error)
    if (reason !== undefined) failures++
    if (json) {
      const outcome = reason === undefined ? { done: !dryRun } : { error: reason }
      stdout.write(
        `${JSON.stringify({ action, from, ...(to === undefined ? {} : { to }), size, ...outcome })}\n`,
      )
    } else if (reason !== undefined) complain(`${describe(job)}: ${reason}`)
    else stdout.write(`${dryRun ? `Would ${action}` : past[action]} ${describe(job)}\n`)
  }
  async function* counted() {
    for await (const work of jobs) {
      for (const { size } of jobsIn(work)) shown.expect(size)
      yield work
    }
    shown.known()
  }
  const ended = (job: Job, error?: unknown) => {
    if (error === undefined) shown.done()
    say(job, error)
  }
  try {
    await inParallel(counted(), concurrency, async (work) => {
      if (dryRun) for (const job of jobsIn(work)) say(job)
      else if ('jobs' in work)
        await work.run((job, error) => {
          if (error === undefined) shown.bytes(job.size)
          ended(job, error)
        })
      else
        await work.run(shown.bytes).then(
          () => ended(work),
          (error) => ended(work, error),
        )
    })
  } finally {
    shown.end()
  }
  const { files, of, bytes } = shown.counts
  const seconds = shown.seconds()
  if (json)
    stdout.write(`${JSON.stringify({ summary: { done: files, failed: failures, bytes, seconds } })}\n`)
  else if (dryRun) stdout.write(`${of} to do.\n`)
  else if (of > 1)
    stdout.write(
      `${files} done, ${sizeOf(bytes)} in ${seconds.toFixed(1)} s${failures ? `; ${failures} failed` : ''}.\n`,
    )
  if (failures > 0) throw new CommandFailed()
}
