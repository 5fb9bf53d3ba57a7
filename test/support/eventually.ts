import { setTimeout as sleep } from 'node:timers/promises'

/** For what happens soon, but nobody says when: repeats a check until it holds, or fails as it failed last. */
export const eventually = async <T>(check: () => T | Promise<T>, withinMs = 20_000): Promise<T> => {
  const deadline = Date.now() + withinMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (Date.now() > deadline) throw error
      await sleep(20)
    }
  }
}
