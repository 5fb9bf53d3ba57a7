import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { type Output, runCli } from '#platform/cli.ts'
import { clientCommands } from './commands.ts'

/** The `trivet` command with nothing but what uses a service over HTTP: it starts in half of the time. */
const program = (stdout: Output) => {
  const trivet: CommandUnknownOpts = new Command('trivet')
  for (const command of clientCommands(stdout)) trivet.addCommand(command)
  return trivet
}

export const run = (argv: string[], streams: { stdout: Output; stderr: Output } = process) =>
  runCli(program, argv, streams)
