import { after } from 'node:test'

const steps: (() => unknown)[] = []
after(
  async () => {
    for (const step of steps.reverse()) await step()
  },
  { timeout: 60_000 },
)

/** Runs a step when all tests of the file are over, in reverse order: a server stops before its folder is removed. */
export const cleanUp = (step: () => unknown) => void steps.push(step)
