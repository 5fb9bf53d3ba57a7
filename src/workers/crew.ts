import type { StdioOptions } from 'node:child_process'
import cluster from 'node:cluster'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Config, ListenerName } from '#platform/config.ts'
import { countHits } from '#platform/limits/primary.ts'
import { createBoard } from '#platform/workers/board.ts'
import { relayJobNotices } from '#platform/workers/job-notices.ts'
import { addUpMetrics } from '#platform/workers/metrics.ts'
import { arrangeMeetings } from '#platform/workers/shared-sockets.ts'
import { type Assignment, boardFile, type Stop } from './messages.ts'
import { startWorker, type WorkerProcess } from './worker-process.ts'

/** A worker that has served for this long is replaced at once. Others are replaced after a pause that doubles. */
const provenMs = 10_000
const firstPauseMs = 100
const longestPauseMs = 30_000

/** With Node's young generation of 16 MiB a worker would grow more than it gains. */
const workerOptions = ['--max-semi-space-size=8']

type Options = { count: number; assignment: Omit<Assignment, 'number'>; log: Logger }

/** Keeps `count` workers serving. */
export const createCrew = ({ count, assignment, log }: Options) => {
  // All workers accept from one listening socket: what one of them has not accepted yet, another will (ADR 34).
  cluster.schedulingPolicy = cluster.SCHED_NONE
  const stdio: StdioOptions = ['ignore', 'inherit', 'inherit', 'ipc']
  stdio[boardFile] = createBoard(count)
  cluster.setupPrimary({ execArgv: [...process.execArgv, ...workerOptions], stdio: stdio as never })

  const serving = new Map<number, WorkerProcess>()
  const all = new Set<WorkerProcess>()
  const stopping = new AbortController()
  let { config } = assignment
  let urls: Config['urls'] | undefined

  const channels = () => [...serving.values()].map(({ channel }) => channel)
  const joinLimits = countHits()
  const joinJobs = relayJobNotices(() => serving.get(1)?.channel)
  const metrics = addUpMetrics(channels)
  const meetings = arrangeMeetings(channels)

  const fork = () => {
    const worker = startWorker()
    all.add(worker)
    joinLimits(worker.channel)
    metrics.join(worker.channel)
    joinJobs(worker.channel)
    meetings.join(worker.channel)
    return worker
  }

  const forget = (number: number, worker: WorkerProcess) => {
    if (serving.get(number) === worker) serving.delete(number)
    meetings.leave(worker.channel)
  }

  const assign = async (number: number, worker: WorkerProcess) => {
    await worker.load(config.services)
    // If all workers have ended, the port that the system had chosen is free again.
    if (urls && serving.size === 0) config = withChosenPorts(config, urls)
    // Before it has replied it may have accepted requests, and so has to receive signals.
    serving.set(number, worker)
    try {
      return await worker.serve({ ...assignment, config, number })
    } catch (error) {
      forget(number, worker)
      throw error
    }
  }

  /** Replaces the worker of a number whenever it ends. */
  const supervise = async (number: number, first: WorkerProcess, since: number) => {
    let [worker, startedAt, pauseMs] = [first, since, firstPauseMs]
    for (;;) {
      const { code, signal } = await worker.exited
      all.delete(worker)
      forget(number, worker)
      await metrics.leave(worker.channel)
      if (stopping.signal.aborted) return
      log.error({ worker: number, pid: worker.pid, code, signal }, 'worker ended, another takes its place')
      if (performance.now() - startedAt > provenMs) pauseMs = firstPauseMs
      else {
        await sleep(pauseMs, undefined, { signal: stopping.signal }).catch(() => {})
        pauseMs = Math.min(2 * pauseMs, longestPauseMs)
        if (stopping.signal.aborted) return
      }
      startedAt = performance.now()
      worker = fork()
      try {
        await assign(number, worker)
        log.info({ worker: number, pid: worker.pid }, 'worker serves')
      } catch (err) {
        if (!stopping.signal.aborted) log.error({ err, worker: number }, 'worker could not be started')
        void worker.stop({ noticeMs: 0 })
      }
    }
  }

  return {
    /** Starts all workers. The first one sets up what the others rely on, such as the queues of jobs. */
    async start() {
      const workers = Array.from({ length: count }, fork)
      const loading = Promise.all(workers.map((worker) => worker.load(config.services)))
      const [first, ...others] = workers as [WorkerProcess, ...WorkerProcess[]]
      await loading
      urls = (await assign(1, first)).urls
      await Promise.all(others.map((worker, index) => assign(index + 2, worker)))
      const now = performance.now()
      for (const [index, worker] of workers.entries()) void supervise(index + 1, worker, now)
      return urls
    },
    /** Has all workers finish what was begun. */
    async stop(how: Stop) {
      stopping.abort()
      await Promise.all([...all].map((worker) => worker.stop(how)))
    },
  }
}

/** The configuration with the ports that the operating system has chosen where it was asked to (port 0). */
const withChosenPorts = (config: Config, urls: Config['urls']): Config => {
  const ports = { ...config.ports }
  for (const name of Object.keys(ports) as ListenerName[])
    if (ports[name] === 0) ports[name] = Number(new URL(urls[name]).port)
  return { ...config, ports, urls }
}
