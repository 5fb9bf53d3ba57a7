import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { Command } from '@commander-js/extra-typings'
import { readConfig } from '#platform/config.ts'
import { OperatorError } from '#platform/errors.ts'
import type { Service } from '#platform/http/service.ts'
import { createLogger } from '#platform/log.ts'
import type { Platform } from '#platform/platform.ts'
import { loadServices } from '../services.ts'

const folder = new URL('../../docs/openapi/', import.meta.url)

/** A document depends only on the routes, so no database is opened. */
const documentOf = async (service: Service) => {
  const config = readConfig({}, '/')
  const log = createLogger({ level: 'silent', pretty: false })
  const nothing = { on: () => {}, onGap: () => {}, key: () => Buffer.alloc(32), batchWrites: () => {} }
  const clock = { now: () => new Date() }
  const platform = {
    config,
    log,
    clock,
    db: nothing,
    signals: nothing,
    secrets: nothing,
    moduleStates: new Map(),
  }
  const ctx = service.context(platform as unknown as Platform)
  const { buildServer } = await import('#platform/http/server.ts')
  const server = await buildServer(service, ctx)
  const text = `${JSON.stringify(server.swagger(), null, 2)}\n`
  await server.close()
  return text
}

export const openapiCommand = () =>
  new Command('openapi')
    .description('Write the OpenAPI documents to docs/openapi')
    .option('--check', 'Only tell whether they are current')
    .action(async ({ check }) => {
      await mkdir(folder, { recursive: true })
      const stale: string[] = []
      for (const service of await loadServices()) {
        const file = new URL(`${service.name}.json`, folder)
        const text = await documentOf(service)
        const before = await readFile(file, 'utf8').catch(() => '')
        if (before !== text) stale.push(`docs/openapi/${service.name}.json`)
        if (!check) await writeFile(file, text)
      }
      if (check && stale.length > 0)
        throw new OperatorError(`Out of date: ${stale.join(', ')}. Run "npm run openapi".`)
    })
