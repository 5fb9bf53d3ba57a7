import { command, OperatorError } from '#platform/cli.ts'
import { type Config, isLoopback, loadConfig } from '#platform/config.ts'
import type { Platform } from '#platform/platform.ts'
import { services } from '../services.ts'
import { operate } from './operate.ts'

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '')

/** Everybody knows the passwords of the demo: where others can sign in, somebody must want that. */
export const requireLocal = ({ host, urls }: Config) => {
  const open = [host, ...Object.values(urls).map(hostOf)].find((each) => !isLoopback(each))
  if (open !== undefined)
    throw new OperatorError(
      `Others can reach this server (${open}), and everybody knows the passwords of the demo: ` +
        'run trivet demo --public if that is what you want',
    )
}

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
  options: {
    public: {
      type: 'boolean',
      description: 'Also where others can reach the server: everybody knows the passwords',
    },
  },
  run: async (values) => {
    if (!values.public) requireLocal(loadConfig())
    await operate((platform) => fillWithDemo(platform, (text) => process.stdout.write(text)))
  },
})
