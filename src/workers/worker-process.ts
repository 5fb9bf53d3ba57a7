import cluster from 'node:cluster'
import { once } from 'node:events'
import type { ServiceName } from '#platform/config.ts'
import { OperatorError } from '#platform/errors.ts'
import { type Channel, openChannel, type Port } from '#platform/workers/channel.ts'
import { returnCopies } from '#platform/workers/shared-sockets.ts'
import { compiledFolder } from '../compiled.ts'
import { type Assignment, type Failure, type Outcome, type Stop, topics } from './messages.ts'

type Exit = { code: number | null; signal: string | null }

/** A worker as the primary process sees it. */
export type WorkerProcess = {
  pid: number
  channel: Channel
  /** Resolves when it has ended. */
  exited: Promise<Exit>
  /** Has it load the code of these services, which takes longest. */
  load(services: readonly ServiceName[]): Promise<unknown>
  /** Has it serve; fails if it cannot. */
  serve(assignment: Assignment): Promise<Extract<Outcome, { urls: unknown }>>
  /** Has it finish what was begun and exit. */
  stop(how: Stop): Promise<unknown>
}

export const startWorker = (): WorkerProcess => {
  // From its first file on, a worker runs what is compiled already. So it does not load what strips types, some 10 MiB.
  const { process: child } = cluster.fork({ NODE_COMPILE_CACHE: compiledFolder })
  const channel = openChannel(child as unknown as Port)
  returnCopies(child)
  const exited = once(child, 'exit').then(([code, signal]): Exit => {
    channel.close()
    return { code, signal }
  })
  let isServing = false

  const endedEarly = exited.then(({ code, signal }): never => {
    throw new OperatorError(`A worker ended while it started (${signal ?? `exit code ${code}`}).`)
  })
  endedEarly.catch(() => {})

  return {
    pid: child.pid as number,
    channel,
    exited,
    load: (services) => Promise.race([channel.ask(topics.load, services), endedEarly]),
    async serve(assignment) {
      const outcome = await Promise.race([channel.ask<Outcome>(topics.serve, assignment), endedEarly])
      if ('failure' in outcome) throw errorOf(outcome.failure)
      isServing = true
      return outcome
    },
    stop(how) {
      if (isServing) channel.tell(topics.stop, how)
      else child.kill('SIGKILL')
      return exited
    },
  }
}

const errorOf = ({ message, stack, forOperator }: Failure) =>
  forOperator ? new OperatorError(message) : Object.assign(new Error(message), { stack })
