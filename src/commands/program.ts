import { runCli } from '#platform/cli.ts'
import { variables } from '#platform/config.ts'
import { services } from '../services.ts'
import { backupCommand } from './backup.ts'
import { demoCommand } from './demo.ts'
import { migrateCommand } from './migrate.ts'
import { openapiCommand } from './openapi.ts'
import { operate } from './operate.ts'
import { restoreCommand } from './restore.ts'
import { secretCommand } from './secret.ts'
import { serveCommand } from './serve.ts'
import { verifyCommand } from './verify.ts'

const width = Math.max(...Object.keys(variables).map((name) => name.length))
const settings = Object.entries(variables).map(
  ([name, { about, without }]) => `  ${name.padEnd(width)}  ${about} (${without})`,
)

const serviceCommands = services.flatMap((service) =>
  service.commands((work) => operate((platform) => work(service.context(platform)))),
)

/** The `trivet` command: everything an operator can do. */
const program = {
  name: 'trivet',
  summary: 'Object storage, publishing and inventory on one platform.',
  commands: [
    serveCommand,
    migrateCommand,
    demoCommand,
    verifyCommand,
    backupCommand,
    restoreCommand,
    secretCommand,
    openapiCommand,
    ...serviceCommands,
  ],
  footer: `Settings, from the environment or a file .env:\n${settings.join('\n')}`,
}

export const run = (argv: string[]) =>
  runCli(program, argv, { stdout: process.stdout, stderr: process.stderr })
