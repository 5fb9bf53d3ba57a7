import type { Scene } from './scene.ts'

/** The command line of AWS, version 2. */
export const awsOf =
  ({ run, endpoint }: Scene) =>
  (...args: string[]) =>
    run('/usr/bin/aws', ['--endpoint-url', endpoint, ...args])
