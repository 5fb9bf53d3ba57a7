import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { type Output, runCli } from '#platform/cli.ts'
import { clientCommands } from './commands.ts'

/** The `trivet` command with nothing but what uses a service over HTTP: it starts in half of the time. */
export const run = (argv: string[], streams: { stdout: Output; stderr: Output } = process) => {
  const trivet: CommandUnknownOpts = new Command('trivet')
  for (const command of clientCommands(streams.stdout)) trivet.addCommand(command)
  return runCli(trivet, argv, streams)
}
