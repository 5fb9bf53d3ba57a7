import { type Command, command, OperatorError } from '#platform/cli.ts'
import type { Storage } from '../context.ts'
import { adoptBlobs } from './owner.ts'

type Operate = (work: (ctx: Storage) => Promise<void>) => Promise<void>

export const blobCommands = (operate: Operate): Command[] => [
  command({
    words: ['storage', 'bucket', 'adopt'],
    summary:
      'After a restore: let this system remove what it does not know from the S3 bucket of a system that is gone',
    options: {},
    examples: ['trivet storage bucket adopt'],
    run: () =>
      operate(async (ctx) => {
        if (!(await adoptBlobs(ctx))) throw new OperatorError('Blobs are in a folder, which needs no owner.')
        process.stdout.write('The bucket belongs to this system now.\n')
      }),
  }),
]
