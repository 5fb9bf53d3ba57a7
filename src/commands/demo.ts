import { command } from '#platform/cli.ts'
import type { Platform } from '#platform/platform.ts'
import { services } from '../system.ts'
import { operate } from './operate.ts'

/** Fills every service and tells how to sign in. */
export const fillWithDemo = async (platform: Platform, write: (text: string) => unknown) => {
  for (const service of services) {
    write(`${service.title} — ${platform.config.urls[service.name]}\n`)
    const logins = await service.demo(service.context(platform))
    for (const { role, login, password } of logins)
      write(`  ${role.padEnd(24)} ${login.padEnd(32)} ${password}\n`)
  }
}

export const demoCommand = command({
  words: ['demo'],
  summary: 'Fill all three services with believable data and print the logins',
  run: () => operate((platform) => fillWithDemo(platform, (text) => process.stdout.write(text))),
})
