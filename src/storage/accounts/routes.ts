import { resetPage } from '#platform/auth/reset-page.ts'
import { sessionWords } from '#platform/auth/session-words.ts'
import { linkKeeper } from '#platform/instance/link-keeper.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { currentAccount, register } from './accounts.ts'
import { accountOfSession, logIn, openSession } from './login.ts'
import { recovery } from './recovery.ts'
import {
  Account,
  AuthResponse,
  Login,
  Message,
  NewSession,
  PasswordReset,
  PasswordResetRequest,
  Registration,
} from './schema.ts'
import { sessions } from './sessions.ts'

const tags = ['Auth']

const words = sessionWords('GET /auth/me')

export const accounts: Module = (app, ctx) => {
  app.post(
    '/auth/register',
    {
      schema: {
        operationId: 'register',
        summary: 'Create an organization',
        description:
          'Creates an organization together with its owner and returns a token, so no separate login is ' +
          'needed. A new organization starts with a 14-day trial: 5 GiB of storage and 10 GiB of bandwidth ' +
          'a month. An email or slug that is already in use is refused with 409. At most 10 requests a ' +
          'minute from one address.',
        tags,
        body: Registration,
        response: { 201: AuthResponse },
      },
      config: { access: 'public', limit: 'signIn', refuses: [409], showsSecret: true },
    },
    async (req, reply) => {
      reply.code(201)
      return register(ctx, req.body, req.ip)
    },
  )

  app.post(
    '/auth/login',
    {
      schema: {
        operationId: 'login',
        summary: 'Log in',
        description:
          'Exchanges an email and password for a bearer token that is valid for 12 hours. When two-factor ' +
          'login is on, `totpToken` is required; a missing or wrong code returns 401, and the message says ' +
          'which. An account is locked for a while after 5 failures within 15 minutes; an address may try ' +
          '10 times a minute.',
        tags,
        body: Login,
        response: { 200: AuthResponse },
      },
      config: { access: 'public', limit: 'signIn', refuses: [401], showsSecret: true },
    },
    (req) => logIn(ctx, req.body, req.ip),
  )

  app.post(
    '/auth/session',
    {
      schema: {
        ...words.open,
        tags,
        body: NewSession,
        response: { 201: Account },
      },
      config: { access: 'public', limit: 'signIn', refuses: [401], sends: ['Set-Cookie'] },
    },
    async (req, reply) => {
      const { setCookie, account } = await openSession(ctx, req.body, req)
      reply.code(201).header('set-cookie', setCookie)
      return account
    },
  )

  app.get(
    '/auth/session',
    {
      schema: {
        ...words.find,
        tags,
        response: { 200: Account, 204: Type.Null() },
      },
      config: { access: 'public', reads: ['X-Trivet-Console'] },
    },
    async (req, reply) => (await accountOfSession(ctx, req)) ?? reply.code(204).send(null),
  )

  app.delete(
    '/auth/session',
    {
      schema: {
        ...words.close,
        tags,
        response: { 204: Type.Null() },
      },
      config: { access: 'public', refuses: [401], reads: ['X-Trivet-Console'], sends: ['Set-Cookie'] },
    },
    async (req, reply) => {
      reply.header('set-cookie', await sessions.close(ctx, req))
      return reply.code(204).send(null)
    },
  )

  app.post(
    '/auth/forgot-password',
    {
      schema: {
        operationId: 'forgotPassword',
        summary: 'Request a password reset',
        description:
          'Sends a mail with a link for choosing a new password. The response is the same whether or not ' +
          'the address is registered. An account receives at most 3 such mails an hour. Where the server ' +
          'sends no mail, the message says who has the link.',
        tags,
        body: PasswordResetRequest,
        response: { 200: Message },
      },
      config: { access: 'public', limit: 'signIn' },
    },
    async (req) => {
      return { message: await recovery(ctx).request(req.body.email, req.ip) }
    },
  )

  app.post(
    '/auth/reset-password',
    {
      schema: {
        operationId: 'resetPassword',
        summary: 'Reset a password',
        description:
          'Sets a new password with the token from the reset mail. A token works once, within an hour; an ' +
          'invalid, expired or used one returns 400. Every session of the account ends, and two-factor ' +
          'login is switched off.',
        tags,
        body: PasswordReset,
        response: { 200: Message },
      },
      config: { access: 'public', limit: 'signIn' },
    },
    async (req) => {
      const { token, newPassword: password, revokeKeys = false } = req.body
      await recovery(ctx).reset({ token, password, revokeKeys }, req.ip)
      return { message: 'The password was changed' }
    },
  )

  app.get(
    '/auth/reset-password',
    { schema: { hide: true }, config: { access: 'public' } },
    async (_, reply) => {
      const fields = { password: 'newPassword', revokeKeys: 'revokeKeys' }
      const { csp, text } = resetPage('storage', fields, linkKeeper(ctx))
      reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', csp)
      return text
    },
  )

  app.get(
    '/auth/me',
    {
      schema: {
        operationId: 'getAccount',
        summary: 'Get the current account',
        description:
          'Returns the user behind the credentials and their organization, with its plan, quotas and ' +
          'usage. With an API key, this is the user who created the key.',
        tags,
        response: { 200: Account },
      },
      config: { access: 'account.read' },
    },
    (req) => currentAccount(ctx, who(req)),
  )
}
