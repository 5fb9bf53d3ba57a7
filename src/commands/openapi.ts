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
  const text = `${JSON.stringify(await server.openApi(), null, 2)}\n`
  await server.close()
  return text
}

/** A file that is written from the routes, and what it should contain. */
type Generated = { name: string; file: URL; text: string }

const generatedFor = async (service: Service): Promise<Generated[]> => {
  // Needs development packages.
  const { typesFile, typesOf } = await import('../../sdk/generate.ts')
  const { name } = service
  const document = await documentOf(service)
  return [
    { name: `docs/openapi/${name}.json`, file: new URL(`${name}.json`, folder), text: document },
    {
      name: `sdk/src/generated/${name}.ts`,
      file: typesFile(name),
      text: await typesOf(name, document),
    },
  ]
}

export const openapiCommand = () =>
  new Command('openapi')
    .description('Write the OpenAPI documents to docs/openapi, and the types of the SDK')
    .option('--check', 'Only tell whether they are current')
    .action(async ({ check }) => {
      const stale: string[] = []
      for (const service of await loadServices())
        for (const { name, file, text } of await generatedFor(service)) {
          const before = await readFile(file, 'utf8').catch(() => '')
          if (before === text) continue
          stale.push(name)
          if (check) continue
          await mkdir(new URL('.', file), { recursive: true })
          await writeFile(file, text)
        }
      if (check && stale.length > 0)
        throw new OperatorError(`Out of date: ${stale.join(', ')}. Run "npm run openapi".`)
    })
