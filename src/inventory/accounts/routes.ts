import { resetPage } from '#platform/auth/reset-page.ts'
import { sessionWords } from '#platform/auth/session-words.ts'
import { linkKeeper } from '#platform/instance/link-keeper.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { Message } from '../schema.ts'
import { accountOfSession, changeProfile, currentAccount, logIn, openSession, register } from './accounts.ts'
import { changePassword, recovery } from './passwords.ts'
import {
  Account,
  Login,
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  ProfileChange,
  Registration,
  SignedIn,
  Token,
} from './schema.ts'
import { sessions } from './sessions.ts'

const tags = ['Auth']
const config = { access: 'public', limit: 'signIn' } as const

const words = sessionWords('GET /api/auth/me')

export const accountRoutes: Module = (app, ctx) => {
  app.post(
    '/api/auth/register',
    {
      schema: {
        operationId: 'register',
        summary: 'Create a company',
        description:
          'Creates a company with its first user, who is an Admin, and returns a token. The company starts ' +
          'with a default warehouse (`MAIN`) and a subscription of 30 days. An email that is in use is ' +
          'refused with 409. At most 10 requests a minute from one address.',
        tags,
        body: Registration,
        response: { 201: SignedIn },
      },
      config: { ...config, refuses: [409], showsSecret: true },
    },
    async (req, reply) => {
      reply.code(201)
      return register(ctx, req.body)
    },
  )

  app.post(
    '/api/auth/login',
    {
      schema: {
        operationId: 'login',
        summary: 'Log in',
        description:
          'Exchanges an email and password for a token that is valid for 8 hours. A banned user is refused ' +
          'with 403. After 5 failures within 15 minutes the account is locked for a while; an address may ' +
          'try 10 times a minute.',
        tags,
        body: Login,
        response: { 200: SignedIn },
      },
      config: { ...config, refuses: [401, 403], showsSecret: true },
    },
    (req) => logIn(ctx, req.body, req.ip),
  )

  app.post(
    '/api/auth/session',
    {
      schema: {
        ...words.open,
        tags,
        body: Login,
        response: { 201: Account },
      },
      config: { ...config, refuses: [401, 403], sends: ['Set-Cookie'] },
    },
    async (req, reply) => {
      const { setCookie, account } = await openSession(ctx, req.body, req)
      reply.code(201).header('set-cookie', setCookie)
      return account
    },
  )

  app.get(
    '/api/auth/session',
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
    '/api/auth/session',
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
    '/api/auth/forgot-password',
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
      config,
    },
    async (req) => {
      return { message: await recovery(ctx).request(req.body.email, req.ip) }
    },
  )

  app.post(
    '/api/auth/reset-password',
    {
      schema: {
        operationId: 'resetPassword',
        summary: 'Reset a password',
        description:
          'Sets a new password with the token from the reset mail. A token works once, within an hour; an ' +
          'invalid, expired or used one returns 400. Every session of the account ends.',
        tags,
        body: PasswordReset,
        response: { 200: Message },
      },
      config,
    },
    async (req) => {
      const { token, password, revoke_keys: revokeKeys = false } = req.body
      await recovery(ctx).reset({ token, password, revokeKeys }, req.ip)
      return { message: 'The password was changed' }
    },
  )

  app.get(
    '/api/auth/reset-password',
    { schema: { hide: true }, config: { access: 'public' } },
    async (_, reply) => {
      const fields = { password: 'password', revokeKeys: 'revoke_keys' }
      const { csp, text } = resetPage('inventory', fields, linkKeeper(ctx))
      reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', csp)
      return text
    },
  )

  app.patch(
    '/api/auth/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password',
        description:
          'Sets a new password after checking the current one. Every other session ends; the response has ' +
          'a new token, with which this one continues.',
        tags,
        body: PasswordChange,
        response: { 200: Token },
      },
      config: { access: 'staff', limit: 'signIn', showsSecret: true },
    },
    (req) => changePassword(ctx, who(req), req.body),
  )

  app.get(
    '/api/auth/me',
    {
      schema: {
        operationId: 'getAccount',
        summary: 'Get the current account',
        description: 'Returns the user that the token belongs to and their company.',
        tags,
        response: { 200: Account },
      },
      config: { access: 'staff' },
    },
    (req) => currentAccount(ctx, who(req)),
  )

  app.patch(
    '/api/auth/me',
    {
      schema: {
        operationId: 'changeProfile',
        summary: 'Change your profile',
        description: 'Changes your name, which movements and timelines show beside what you did.',
        tags,
        body: ProfileChange,
        response: { 200: Account },
      },
      config: { access: 'staff', idempotent: true },
    },
    (req) => changeProfile(ctx, who(req), req.body),
  )
}
