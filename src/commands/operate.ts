import { systemClock } from '#platform/clock.ts'
import { loadConfig } from '#platform/config.ts'
import { createLogger } from '#platform/log.ts'
import { type OpenPlatform, openPlatform } from '#platform/platform.ts'
import { showSteps } from '#platform/progress.ts'
import { migrations } from '../system.ts'

/** Shows on a terminal what takes time while a system opens. Elsewhere a command writes nothing but its result. */
const opening = <T>(title: string, open: (report?: (step: string) => void) => Promise<T>) => {
  if (!process.stderr.isTTY) return open()
  const { report, end } = showSteps(title)
  return open(report).finally(end)
}

/** Runs operator work against the running system, or against a stopped one that is opened for it. */
export const operate = async <T>(work: (platform: OpenPlatform) => Promise<T>): Promise<T> => {
  const config = loadConfig()
  const log = createLogger({ level: config.logLevel === 'info' ? 'warn' : config.logLevel, pretty: true })
  const platform = await opening('Opening the system', (report) =>
    openPlatform({
      config,
      clock: systemClock,
      log,
      purpose: 'operator',
      migrations,
      ...(report ? { report } : {}),
    }),
  )
  try {
    return await work(platform)
  } finally {
    await platform.close()
  }
}
