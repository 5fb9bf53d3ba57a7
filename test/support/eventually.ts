import { setTimeout as sleep } from 'node:timers/promises'

/** Tries again and again until `attempt` succeeds. */
export const eventually = async <T>(
  what: string,
  attempt: () => Promise<T>,
  patience = 10_000,
): Promise<T> => {
  for (const deadline = Date.now() + patience; ; ) {
    try {
      return await attempt()
    } catch (error) {
      if (Date.now() > deadline) throw new Error(`Not in time: ${what}`, { cause: error })
    }
    await sleep(20)
  }
}
