import { after } from 'node:test'

let steps: (() => unknown)[] = []

/** Runs the steps of the file. A lane calls it at the end of each file. */
export const endFile = async () => {
  const ending = steps.reverse()
  steps = []
  for (const step of ending) await step()
}
after(endFile, { timeout: 60_000 })

/** Runs a step when all tests of the file are over, in reverse order: a server stops before its folder is removed. */
export const cleanUp = (step: () => unknown) => void steps.push(step)
