import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildServer } from '#platform/http/server.ts'
import type { Service, ServiceModule } from '#platform/http/service.ts'
import type { Platform } from '#platform/platform.ts'
import { publishing } from '#publishing/app.ts'
import { boot } from '#test/support/boot.ts'

const { platform } = await boot()

const built = (module: ServiceModule<Platform, string, string>) =>
  buildServer(
    { ...(publishing as unknown as Service), ready: undefined, modules: [module] } as never,
    publishing.context(platform),
  )

const withConfig = (config: object) =>
  built((app) => void app.get('/secrets', { config: config as never }, async () => 'all of them'))

test('a server does not start with a route whose access word is missing or misspelt', async () => {
  await assert.rejects(withConfig({}), /GET \/secrets: there is no access word ""/)
  await assert.rejects(withConfig({ access: 'amdin' }), /GET \/secrets: there is no access word "amdin"/)
})

test('a server does not start with a route that names an unknown limit', async () => {
  await assert.rejects(
    withConfig({ access: 'user', limit: 'singIn' }),
    /GET \/secrets: there is no limit "singIn"/,
  )
  const server = await withConfig({ access: 'public', limit: 'signIn' })
  await server.close()
})
