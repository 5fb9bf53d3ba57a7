import { type Module, who } from '../access.ts'
import { Settings, SettingsChange } from './schema.ts'
import { changeSettings, readSettings } from './settings.ts'

const tags = ['Settings']

export const settingsRoutes: Module = (app, ctx) => {
  app.get(
    '/api/settings',
    {
      schema: {
        operationId: 'getSettings',
        summary: 'Get settings',
        description:
          "Returns the company's settings: its time zone, which decides when a day begins, and what " +
          'happens to orders for stock that is not there.',
        tags,
        response: { 200: Settings },
      },
      config: { access: 'staff' },
    },
    (req) => readSettings(ctx, who(req)),
  )

  app.patch(
    '/api/settings',
    {
      schema: {
        operationId: 'changeSettings',
        summary: 'Update settings',
        description:
          'Changes the settings that are given. With `oversell_policy: reject`, an order for more than is ' +
          'available is refused with 400; with `backorder`, the default, the missing units wait for stock. ' +
          'Admins only.',
        tags,
        body: SettingsChange,
        response: { 200: Settings },
      },
      config: { access: 'admin', idempotent: true },
    },
    (req) => changeSettings(ctx, who(req), req.body),
  )
}
