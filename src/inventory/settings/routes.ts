import { type Module, who } from '../access.ts'
import { Settings, SettingsChange } from './schema.ts'
import { changeSettings, readSettings } from './settings.ts'

const tags = ['Settings']

export const settingsRoutes: Module = (app, ctx) => {
  app.get(
    '/api/settings',
    {
      schema: { operationId: 'getSettings', summary: 'The settings', tags, response: { 200: Settings } },
      config: { access: 'staff' },
    },
    (req) => readSettings(ctx, who(req)),
  )

  app.patch(
    '/api/settings',
    {
      schema: {
        operationId: 'changeSettings',
        summary: 'Change settings',
        tags,
        body: SettingsChange,
        response: { 200: Settings },
      },
      config: { access: 'admin', idempotent: true },
    },
    (req) => changeSettings(ctx, who(req), req.body),
  )
}
