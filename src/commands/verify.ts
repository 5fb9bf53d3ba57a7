import { command } from '#platform/cli.ts'
import { services } from '../services.ts'
import { operate } from './operate.ts'

export const verifyCommand = command({
  words: ['verify'],
  summary: 'Check every invariant of the stored data; exit code 1 if one is broken',
  run: (_, stdout) =>
    operate(async (platform) => {
      let wrong = 0
      for (const service of services) {
        const findings = await service.verify(service.context(platform))
        for (const { invariant, subject, detail } of findings)
          stdout.write(`${service.name}: ${invariant}: ${subject}: ${detail}\n`)
        wrong += findings.length
      }
      stdout.write(wrong === 0 ? 'Everything is as it should be.\n' : `${wrong} found wrong.\n`)
      return wrong === 0 ? 0 : 1
    }),
})
