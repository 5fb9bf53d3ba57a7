import { type Module, who } from '../access.ts'
import { Account } from '../accounts/schema.ts'
import {
  Ok,
  OrganizationChange,
  PasswordChange,
  ProfileChange,
  TotpCode,
  TotpSetup,
  TotpStatus,
} from './schema.ts'
import {
  changeOrganization,
  changePassword,
  changeProfile,
  setUpTotp,
  switchTotpOff,
  totpStatus,
  verifyTotp,
} from './settings.ts'

const tags = ['Settings']
/** How a person signs in. */
const config = { access: 'sign_in.manage' } as const

export const settings: Module = (app, ctx) => {
  app.patch(
    '/settings/profile',
    {
      schema: {
        operationId: 'changeProfile',
        summary: 'Change your profile',
        description: 'Changes your name. Returns the account, as `GET /auth/me` does.',
        tags,
        body: ProfileChange,
        response: { 200: Account },
      },
      config: { access: 'settings.manage' },
    },
    (req) => changeProfile(ctx, who(req), req.body),
  )

  app.patch(
    '/settings/organization',
    {
      schema: {
        operationId: 'changeOrganization',
        summary: 'Rename the organization',
        description:
          'Changes the name of the organization; its slug stays. Returns the account, as `GET /auth/me` ' +
          'does. Only the owner may do this.',
        tags,
        body: OrganizationChange,
        response: { 200: Account },
      },
      config: { access: 'organization.update' },
    },
    (req) => changeOrganization(ctx, who(req), req.body),
  )

  app.patch(
    '/settings/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Sets a new password after checking the current one; a wrong current password returns 401. Every ' +
          'session ends, including this one, so log in again afterwards. Set `revokeKeys` to revoke your ' +
          'API keys as well. API keys cannot do this.',
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
        summary: 'Get two-factor status',
        description:
          'Returns whether two-factor login is on for your account. API keys are refused here, and on all of two-factor login.',
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
        summary: 'Set up two-factor login',
        description:
          'Creates a secret and an `otpauth` address for the QR code that authenticator apps scan. ' +
          'Two-factor login is not on until a code made with the secret has been verified. Setting up ' +
          'again replaces a secret that was not verified; once two-factor login is on, the request is ' +
          'refused with 409.',
        tags,
        response: { 200: TotpSetup },
      },
      config: { ...config, refuses: [409], showsSecret: true },
    },
    (req) => setUpTotp(ctx, who(req)),
  )

  app.post(
    '/settings/totp/verify',
    {
      schema: {
        operationId: 'verifyTotp',
        summary: 'Turn on two-factor login',
        description:
          'Turns two-factor login on with a code from the authenticator that was set up. From then on, ' +
          'every login needs a code. A wrong code returns 400.',
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
        summary: 'Turn off two-factor login',
        description:
          'Turns two-factor login off. It needs a code that your authenticator shows at this moment; a ' +
          'wrong code returns 400.',
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
