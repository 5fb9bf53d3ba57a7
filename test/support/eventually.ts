import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'

type Options = { withinMs?: number; everyMs?: number }

/** Repeats a check until it passes and returns its result. After `withinMs` it fails with the error of the last attempt. */
export const eventually = async <T>(
  check: () => T | Promise<T>,
  { withinMs = 60_000, everyMs = 20 }: Options = {},
): Promise<T> => {
  const deadline = performance.now() + withinMs
  for (;;) {
    try {
      return await check()
    } catch (error) {
      if (performance.now() > deadline) throw error
      await sleep(everyMs)
    }
  }
}

/** Waits until a condition holds. `what` says in a failure what did not happen. */
export const until = (what: string, condition: () => boolean | Promise<boolean>, options: Options = {}) =>
  eventually(async () => assert.ok(await condition(), `this has not happened in time: ${what}`), options)
