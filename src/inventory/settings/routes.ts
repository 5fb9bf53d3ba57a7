import { type Module, who } from '../access.ts'
import { Company, CompanyChange, Settings, SettingsChange } from './schema.ts'
import { changeCompany, changeSettings, readCompany, readSettings } from './settings.ts'

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

  app.get(
    '/api/company',
    {
      schema: {
        operationId: 'getCompany',
        summary: 'Get the company',
        description: 'Returns the name of the company and until when its subscription lasts.',
        tags,
        response: { 200: Company },
      },
      config: { access: 'staff' },
    },
    (req) => readCompany(ctx, who(req)),
  )

  app.patch(
    '/api/company',
    {
      schema: {
        operationId: 'changeCompany',
        summary: 'Rename the company',
        description: 'Changes the name of the company, which papers and the console show. Admins only.',
        tags,
        body: CompanyChange,
        response: { 200: Company },
      },
      config: { access: 'admin', idempotent: true },
    },
    (req) => changeCompany(ctx, who(req), req.body),
  )
}
