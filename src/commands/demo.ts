import { Command } from '@commander-js/extra-typings'
import type { Output } from '#platform/cli.ts'
import { type Config, isLoopback, loadConfig } from '#platform/config.ts'
import { OperatorError } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { showSteps } from '#platform/progress.ts'
import { loadServices } from '../services.ts'
import { operate } from './operate.ts'

const hostOf = (url: string) => new URL(url).hostname.replace(/^\[|\]$/g, '')

/** The passwords of the demo are public: where others can sign in, the operator has to ask for it. */
export const requireLocal = ({ host, urls }: Config) => {
  const open = [host, ...Object.values(urls).map(hostOf)].find((each) => !isLoopback(each))
  if (open !== undefined)
    throw new OperatorError(
      `Others can reach this server (${open}), and everybody knows the passwords of the demo: ` +
        'run trivet demo --public if that is what you want',
    )
}

/** Fills every service that is served, and prints how to sign in. */
export const fillWithDemo = async (platform: Platform, stdout: Output) => {
  for (const service of await loadServices(platform.config.services)) {
    const { report, end } = showSteps(`Filling ${service.name}`)
    const ctx = service.context(platform)
    const logins = await service.demo(ctx, report).finally(end)
    stdout.write(`${service.title} — ${platform.config.urls[service.name]}${service.entrance}\n`)
    for (const { role, login, password } of logins)
      stdout.write(`  ${role.padEnd(24)} ${login.padEnd(32)} ${password}\n`)
    for (const line of (await service.demoHints?.(ctx)) ?? []) stdout.write(`  ${line}\n`)
  }
}

const isServed = async (url: string) => {
  const answer = await fetch(`${url}/healthz`, { signal: AbortSignal.timeout(2_000) }).catch(() => null)
  await answer?.body?.cancel()
  return answer !== null
}

/** The addresses that were printed lead nowhere until somebody serves them. */
const sayWhatIsNotServed = async ({ services, urls }: Config, stdout: Output) => {
  const served = await Promise.all(services.map((name) => isServed(urls[name])))
  if (!served.every(Boolean))
    stdout.write('\nNo server responds at these addresses yet. Start one with: npm start\n')
}

export const demoCommand = (stdout: Output) =>
  new Command('demo')
    .description('Fill the services with demo data and print the logins')
    .option('--public', 'Even if others can reach the server: the passwords are public')
    .action(async (options) => {
      const config = loadConfig()
      if (!options.public) requireLocal(config)
      await operate((platform) => fillWithDemo(platform, stdout))
      await sayWhatIsNotServed(config, stdout)
    })
