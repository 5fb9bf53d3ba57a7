import { type Module, who } from '../access.ts'
import { Ok, PasswordChange, TotpCode, TotpSetup, TotpStatus } from './schema.ts'
import { changePassword, setUpTotp, switchTotpOff, totpStatus, verifyTotp } from './settings.ts'

const tags = ['Settings']
const config = { access: 'settings.manage' } as const

export const settings: Module = (app, ctx) => {
  app.patch(
    '/settings/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password; every session ends, this one too',
        tags,
        body: PasswordChange,
        response: { 200: Ok },
      },
      config,
    },
    async (req) => {
      await changePassword(ctx, who(req), req.body)
      return { ok: true }
    },
  )

  app.get(
    '/settings/totp',
    {
      schema: {
        operationId: 'getTotpStatus',
        summary: 'Whether two-factor login is on',
        tags,
        response: { 200: TotpStatus },
      },
      config,
    },
    (req) => totpStatus(ctx, who(req)),
  )

  app.post(
    '/settings/totp/setup',
    {
      schema: {
        operationId: 'setUpTotp',
        summary: 'Get a secret for your authenticator; on only once a code was verified',
        tags,
        response: { 200: TotpSetup },
      },
      config: { ...config, refuses: [409] },
    },
    (req) => setUpTotp(ctx, who(req)),
  )

  app.post(
    '/settings/totp/verify',
    {
      schema: {
        operationId: 'verifyTotp',
        summary: 'Switch two-factor login on with a code of that authenticator',
        tags,
        body: TotpCode,
        response: { 200: Ok },
      },
      config: { ...config, refuses: [409] },
    },
    async (req) => {
      await verifyTotp(ctx, who(req), req.body.token)
      return { ok: true }
    },
  )

  app.delete(
    '/settings/totp',
    {
      schema: {
        operationId: 'switchTotpOff',
        summary: 'Switch two-factor login off with a current code',
        tags,
        body: TotpCode,
        response: { 200: Ok },
      },
      config: { ...config, refuses: [409] },
    },
    async (req) => {
      await switchTotpOff(ctx, who(req), req.body.token)
      return { ok: true }
    },
  )
}
