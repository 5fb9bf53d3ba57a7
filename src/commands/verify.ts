import { Command } from '@commander-js/extra-typings'
import { CommandFailed, type Output } from '#platform/cli.ts'
import { printable } from '#platform/printable.ts'
import { showSteps } from '#platform/progress.ts'
import { loadServices } from '../services.ts'
import { operate } from './operate.ts'

export const verifyCommand = (stdout: Output) =>
  new Command('verify')
    .description('Check every invariant of the stored data; exit code 1 if one is broken')
    .action(() =>
      operate(async (platform) => {
        let wrong = 0
        for (const service of await loadServices()) {
          const { report, end } = showSteps(`Checking ${service.name}`)
          const findings = await service.verify(service.context(platform), report).finally(end)
          for (const { invariant, subject, detail } of findings)
            stdout.write(`${printable(`${service.name}: ${invariant}: ${subject}: ${detail}`)}\n`)
          wrong += findings.length
        }
        stdout.write(wrong === 0 ? 'Everything is as it should be.\n' : `${wrong} found wrong.\n`)
        if (wrong > 0) throw new CommandFailed()
      }),
    )
