import assert from 'node:assert/strict'
import { test } from 'node:test'
import { buildServer } from '#platform/http/server.ts'
import type { Module, Service } from '#platform/http/service.ts'
import type { Platform } from '#platform/platform.ts'
import { storage } from '#storage/app.ts'
import { boot } from '#test/support/boot.ts'

const { platform } = await boot()

const built = (module: Module<Platform>) =>
  buildServer(
    { ...(storage as unknown as Service), ready: undefined, modules: [module] } as never,
    storage.context(platform),
  )

test('a server with a route that does not say who may enter does not start', async () => {
  await assert.rejects(
    built((app) => void app.get('/secrets', { config: {} }, async () => 'all of them')),
    /GET \/secrets does not say who may enter/,
  )
  const server = await built(
    (app) => void app.get('/open', { config: { access: 'open' } }, async () => 'yes'),
  )
  await server.close()
})
