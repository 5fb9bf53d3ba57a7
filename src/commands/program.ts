import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { commands as inventoryCommands } from '#inventory/commands.ts'
import { type Operate, type Output, runCli } from '#platform/cli.ts'
import { type ServiceName, variables } from '#platform/config.ts'
import { version } from '#platform/version.ts'
import { commands as publishingCommands } from '#publishing/commands.ts'
import { commands as storageCommands } from '#storage/commands.ts'
import { clientCommands } from '../client/commands.ts'
import { loadService } from '../services.ts'
import { backupCommand } from './backup.ts'
import { completionCommand } from './completion.ts'
import { demoCommand } from './demo.ts'
import { migrateCommand } from './migrate.ts'
import { openapiCommand } from './openapi.ts'
import { operate } from './operate.ts'
import { receiveCommand } from './receive.ts'
import { restoreCommand } from './restore.ts'
import { secretCommand } from './secret.ts'
import { serveCommand } from './serve.ts'
import { verifyCommand } from './verify.ts'
import { versionCommand } from './version.ts'

const width = Math.max(...Object.keys(variables).map((name) => name.length))
const settings = Object.entries(variables).map(
  ([name, { about, without }]) => `  ${name.padEnd(width)}  ${about} (${without})`,
)

/** Runs the work of a command with the context of its service. */
const operating =
  <Name extends ServiceName>(name: Name): Operate<ContextOf<Name>> =>
  (work) =>
    operate(async (platform) => work((await loadService(name)).context(platform) as ContextOf<Name>))

type ContextOf<Name extends ServiceName> = ReturnType<
  Awaited<ReturnType<typeof loadService<Name>>>['context']
>

/** The `trivet` command: everything an operator can do. */
const program = (stdout: Output): CommandUnknownOpts => {
  const trivet: CommandUnknownOpts = new Command('trivet')
    .description('Object storage, publishing and inventory on one platform.')
    .usage('<command> [options]')
    .version(version, '--version', 'Show the version')
    .addCommand(serveCommand())
    .addCommand(migrateCommand(stdout))
    .addCommand(demoCommand(stdout))
    .addCommand(receiveCommand(stdout))
    .addCommand(verifyCommand(stdout))
    .addCommand(backupCommand(stdout))
    .addCommand(restoreCommand(stdout))
    .addCommand(secretCommand(stdout))
    .addCommand(openapiCommand())
    .addCommand(completionCommand(stdout, () => trivet))
    .addCommand(versionCommand(stdout))
    .addCommand(storageCommands(operating('storage'), stdout))
    .addCommand(publishingCommands(operating('publishing'), stdout))
    .addCommand(inventoryCommands(operating('inventory'), stdout))
    .addHelpText('after', `\nSettings, from the environment or a file .env:\n${settings.join('\n')}`)
  for (const command of clientCommands(stdout)) trivet.addCommand(command)
  return trivet
}

export const run = (argv: string[], streams: { stdout: Output; stderr: Output } = process) =>
  runCli(program, argv, streams)
