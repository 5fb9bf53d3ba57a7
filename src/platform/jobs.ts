import { PgBoss } from 'pg-boss'
import type { Logger } from 'pino'
import type { Database, Tx } from './db/database.ts'
import { type Connection, dial } from './db/dial.ts'
import { isStatementRefused } from './db/failures.ts'
import { isFirst, type Seat } from './seat.ts'
import { withTimeout } from './with-timeout.ts'
import { noticeJob, onJobNotice } from './workers/job-notices.ts'

/**
 * Work in the background, on a schedule (`cron`, in UTC) or for each `send`. What runs for minutes should end when `signal`
 * is aborted: the process waits for it to stop.
 */
export type Job<Data extends object = never> = {
  name: string
  cron?: string
  run(data: Data, signal?: AbortSignal): Promise<void>
}

export type Jobs = {
  /** Queues a job as part of a transaction: it runs if, and only if, the transaction commits. */
  send(tx: Tx, name: string, data: object): Promise<void>
  start(jobs: Job[]): Promise<void>
  close(): Promise<void>
}

const pollSeconds = 5
const stopMs = 10_000
const setUpLock = 7_482_002

/** Longer than any statement of the job queue takes; only a server that hangs does not answer by then. */
const statementMs = 60_000

/** The queue's own connection, with the driver's own types. It is opened when it is needed, and again when it is lost. */
const openJobSession = (connection: Connection) => {
  let opening: ReturnType<typeof dial> | undefined
  const open = () => {
    opening ??= dial(connection, { application_name: 'trivet jobs', query_timeout: statementMs })
    return opening
  }
  const drop = async () => {
    const dropped = opening
    opening = undefined
    await dropped?.then(
      ({ socket }) => socket.destroy(),
      () => {},
    )
  }
  const run = async (text: string, values?: unknown[]) => {
    try {
      const { client } = await open()
      return await client.query(text, values)
    } catch (error) {
      if (!isStatementRefused(error)) await drop()
      throw error
    }
  }
  let last: Promise<unknown> = Promise.resolve()
  return {
    /** One at a time, in the order of the calls. */
    executeSql(text: string, values?: unknown[]) {
      const result = last.then(() => run(text, values))
      last = result.catch(() => {})
      return result
    },
    close: drop,
  }
}

export const createJobs = (connection: Connection, db: Database, log: Logger, seat?: Seat): Jobs => {
  const runsJobs = isFirst(seat)
  const session = openJobSession(connection)
  const boss = new PgBoss({
    db: session,
    schema: 'jobs',
    ...(runsJobs ? {} : { migrate: false, supervise: false, schedule: false }),
  })
  // While the database is not available every poll fails; that it is lost has been logged already.
  boss.on('error', (err) => (db.available ? log.warn : log.debug).call(log, { err }, 'job queue'))
  boss.on('warning', (warning) => log.debug({ warning }, 'job queue'))
  const workers = new Map<string, string>()
  const closing = new AbortController()
  let started = false

  /** Fetches a job that was sent just now, without waiting for the next poll. */
  const wake = (name: string) => {
    const worker = workers.get(name)
    if (worker) boss.notifyWorker(worker)
  }
  if (seat && runsJobs) onJobNotice(seat.primary, wake)

  /** Creating queues is DDL, so nodes that start at the same time take turns. */
  const setUp = (jobs: Job[]) =>
    db.transaction(async (tx) => {
      // This transaction is idle while pg-boss works on another connection.
      await tx`set local idle_in_transaction_session_timeout to 0`
      await tx`select pg_advisory_xact_lock(${setUpLock})`
      await boss.start()
      started = true
      for (const { name, cron } of jobs) {
        await boss.createQueue(name, {
          retryLimit: 5,
          retryDelay: 10,
          retryBackoff: true,
          expireInSeconds: 30 * 60,
        })
        if (cron) await boss.schedule(name, cron)
      }
    })

  const workOn = async (job: Job<object>) => {
    const worker = await boss.work<object>(
      job.name,
      { pollingIntervalSeconds: pollSeconds },
      async ([task]) => {
        if (!task) return
        try {
          await job.run(task.data ?? {}, closing.signal)
        } catch (err) {
          log.error({ err, job: job.name }, 'job failed, will be retried')
          throw err
        } finally {
          // Fetch the next job at once: one that was sent meanwhile must not wait for the next poll.
          wake(job.name)
        }
      },
    )
    workers.set(job.name, worker)
  }

  return {
    async start(jobs) {
      // The first worker was started before the others, so the queues exist.
      if (!runsJobs) {
        started = true
        await boss.start()
        return
      }
      await setUp(jobs)
      for (const job of jobs) await workOn(job as Job<object>)
    },
    async send(tx, name, data) {
      const executeSql = async (text: string, values?: unknown[]) => ({ rows: await tx.unsafe(text, values) })
      await boss.send(name, data, { db: { executeSql } })
      tx.afterCommit(() => {
        if (seat && !runsJobs) noticeJob(seat.primary, name)
        else wake(name)
      })
    },
    async close() {
      if (!started) return session.close()
      closing.abort()
      // Running jobs may finish. Without a database pg-boss would wait forever, so the time is limited.
      const ending = Promise.all([...workers.keys()].map((name) => boss.offWork(name, { wait: true })))
      const stopping = ending.then(() => boss.stop({ graceful: false }))
      await withTimeout(stopMs, stopping).catch((err) => log.warn({ err }, 'job queue did not stop in time'))
      await session.close()
    },
  }
}
