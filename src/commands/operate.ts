import { systemClock } from '#platform/clock.ts'
import { loadConfig } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { type OpenPlatform, openPlatform } from '#platform/platform.ts'
import { migrations } from '../system.ts'

/** Runs operator work against the running system, or against a stopped one that is opened for it. */
export const operate = async <T>(work: (platform: OpenPlatform) => Promise<T>): Promise<T> => {
  const config = loadConfig()
  const log = createLogger({ level: config.logLevel === 'info' ? 'warn' : config.logLevel, pretty: true })
  const platform = await openPlatform({ config, clock: systemClock, log, purpose: 'operator', migrations })
  try {
    return await work(platform)
  } finally {
    await platform.close()
  }
}
