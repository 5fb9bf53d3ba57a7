import { resetPage } from '#platform/auth/reset-page.ts'
import { type Module, who } from '../access.ts'
import { Message } from '../schema.ts'
import { currentAccount, logIn, register } from './accounts.ts'
import { changePassword, recovery } from './passwords.ts'
import {
  Account,
  Login,
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  Registration,
  SignedIn,
  Token,
} from './schema.ts'

const tags = ['Auth']
const config = { access: 'public', limit: 'signIn' } as const

export const accountRoutes: Module = (app, ctx) => {
  app.post(
    '/api/auth/register',
    {
      schema: {
        operationId: 'register',
        summary: 'Create a company and its first Admin',
        tags,
        body: Registration,
        response: { 201: SignedIn },
      },
      config: { ...config, refuses: [409] },
    },
    async (req, reply) => {
      reply.code(201)
      return register(ctx, req.body)
    },
  )

  app.post(
    '/api/auth/login',
    {
      schema: { operationId: 'login', summary: 'Sign in', tags, body: Login, response: { 200: SignedIn } },
      config: { ...config, refuses: [401, 403] },
    },
    (req) => logIn(ctx, req.body),
  )

  app.post(
    '/api/auth/forgot-password',
    {
      schema: {
        operationId: 'forgotPassword',
        summary: 'Ask for a mail with which to choose a new password',
        tags,
        body: PasswordResetRequest,
        response: { 200: Message },
      },
      config,
    },
    async (req) => {
      await recovery(ctx).request(req.body.email, req.ip)
      return { message: 'If the address is registered, a mail with a link is on its way' }
    },
  )

  app.post(
    '/api/auth/reset-password',
    {
      schema: {
        operationId: 'resetPassword',
        summary: 'Choose a new password with the token of that mail',
        description: 'Ends every session of the account.',
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
      const { csp, text } = resetPage('inventory', fields, crypto.randomUUID())
      reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', csp)
      return text
    },
  )

  app.patch(
    '/api/auth/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password; every other session ends',
        description: 'The answer has a new token, with which this session goes on.',
        tags,
        body: PasswordChange,
        response: { 200: Token },
      },
      config: { access: 'staff', limit: 'signIn' },
    },
    (req) => changePassword(ctx, who(req), req.body),
  )

  app.get(
    '/api/auth/me',
    {
      schema: { operationId: 'getAccount', summary: 'The current account', tags, response: { 200: Account } },
      config: { access: 'staff' },
    },
    (req) => currentAccount(ctx, who(req)),
  )
}
