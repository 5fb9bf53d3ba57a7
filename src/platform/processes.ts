import { codeOf } from '#platform/errors.ts'

/** Whether there is such a process on this machine; one of another user counts. */
export const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0)
  } catch (error) {
    return codeOf(error) === 'EPERM'
  }
}
