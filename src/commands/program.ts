import { Command, type CommandUnknownOpts } from '@commander-js/extra-typings'
import { inventory } from '#inventory/app.ts'
import { commands as inventoryCommands } from '#inventory/commands.ts'
import { type Operate, type Output, runCli } from '#platform/cli.ts'
import { variables } from '#platform/config.ts'
import type { Service } from '#platform/http/service.ts'
import type { Platform } from '#platform/platform.ts'
import { version } from '#platform/version.ts'
import { publishing } from '#publishing/app.ts'
import { commands as publishingCommands } from '#publishing/commands.ts'
import { storage } from '#storage/app.ts'
import { commands as storageCommands } from '#storage/commands.ts'
import { backupCommand } from './backup.ts'
import { completionCommand } from './completion.ts'
import { demoCommand } from './demo.ts'
import { migrateCommand } from './migrate.ts'
import { openapiCommand } from './openapi.ts'
import { operate } from './operate.ts'
import { restoreCommand } from './restore.ts'
import { secretCommand } from './secret.ts'
import { serveCommand } from './serve.ts'
import { verifyCommand } from './verify.ts'
import { versionCommand } from './version.ts'

const width = Math.max(...Object.keys(variables).map((name) => name.length))
const settings = Object.entries(variables).map(
  ([name, { about, without }]) => `  ${name.padEnd(width)}  ${about} (${without})`,
)

const operating =
  <Context extends Platform>(service: Service<Context>): Operate<Context> =>
  (work) =>
    operate((platform) => work(service.context(platform)))

/** The `trivet` command: everything an operator can do. */
const program = (stdout: Output): CommandUnknownOpts => {
  const trivet: CommandUnknownOpts = new Command('trivet')
    .description('Object storage, publishing and inventory on one platform.')
    .usage('<command> [options]')
    .version(version, '--version', 'Show the version')
    .addCommand(serveCommand())
    .addCommand(migrateCommand(stdout))
    .addCommand(demoCommand(stdout))
    .addCommand(verifyCommand(stdout))
    .addCommand(backupCommand(stdout))
    .addCommand(restoreCommand(stdout))
    .addCommand(secretCommand(stdout))
    .addCommand(openapiCommand())
    .addCommand(completionCommand(stdout, () => trivet))
    .addCommand(versionCommand(stdout))
    .addCommand(storageCommands(operating(storage), stdout))
    .addCommand(publishingCommands(operating(publishing), stdout))
    .addCommand(inventoryCommands(operating(inventory), stdout))
    .addHelpText('after', `\nSettings, from the environment or a file .env:\n${settings.join('\n')}`)
  return trivet
}

export const run = (argv: string[], streams: { stdout: Output; stderr: Output } = process) =>
  runCli(program(streams.stdout), argv, streams)
