import type { CommandUnknownOpts } from '@commander-js/extra-typings'
import type { Output } from '#platform/cli.ts'
import { cpCommand, mvCommand } from './commands/cp.ts'
import { loginCommand, logoutCommand } from './commands/login.ts'
import { lsCommand } from './commands/ls.ts'
import { catCommand, mbCommand, shareCommand } from './commands/objects.ts'
import { rmCommand } from './commands/rm.ts'
import { syncCommand } from './commands/sync.ts'

/** What people do with a storage service from a terminal. Unlike operator commands, these speak HTTP to any server. */
export const clientCommands = (stdout: Output): CommandUnknownOpts[] =>
  [
    loginCommand(stdout),
    logoutCommand(stdout),
    mbCommand(stdout),
    lsCommand(stdout),
    cpCommand(stdout),
    mvCommand(stdout),
    syncCommand(stdout),
    catCommand(),
    rmCommand(stdout),
    shareCommand(stdout),
  ].map((command) => (command as CommandUnknownOpts).helpGroup('Use storage from here:'))
