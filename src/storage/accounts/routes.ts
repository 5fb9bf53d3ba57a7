import { resetPage } from '#platform/auth/reset-page.ts'
import { type Module, who } from '../access.ts'
import { currentAccount, register } from './accounts.ts'
import { logIn } from './login.ts'
import { recovery } from './recovery.ts'
import {
  Account,
  AuthResponse,
  Login,
  Message,
  PasswordReset,
  PasswordResetRequest,
  Registration,
} from './schema.ts'

const tags = ['Auth']

export const accounts: Module = (app, ctx) => {
  app.post(
    '/auth/register',
    {
      schema: {
        operationId: 'register',
        summary: 'Create an organization and its owner',
        tags,
        body: Registration,
        response: { 201: AuthResponse },
      },
      config: { access: 'public', limit: 'signIn', refuses: [409] },
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
        summary: 'Sign in',
        tags,
        body: Login,
        response: { 200: AuthResponse },
      },
      config: { access: 'public', limit: 'signIn', refuses: [401] },
    },
    (req) => logIn(ctx, req.body, req.ip),
  )

  app.post(
    '/auth/forgot-password',
    {
      schema: {
        operationId: 'forgotPassword',
        summary: 'Ask for a mail with which to choose a new password',
        tags,
        body: PasswordResetRequest,
        response: { 200: Message },
      },
      config: { access: 'public', limit: 'signIn' },
    },
    async (req) => {
      await recovery(ctx).request(req.body.email, req.ip)
      return { message: 'If the address is registered, a mail with a link is on its way' }
    },
  )

  app.post(
    '/auth/reset-password',
    {
      schema: {
        operationId: 'resetPassword',
        summary: 'Choose a new password with the token of that mail',
        description: 'Ends every session of the account and switches two-factor login off.',
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
      const { csp, text } = resetPage('storage', fields, crypto.randomUUID())
      reply.header('content-type', 'text/html; charset=utf-8').header('content-security-policy', csp)
      return text
    },
  )

  app.get(
    '/auth/me',
    {
      schema: { operationId: 'getAccount', summary: 'The current account', tags, response: { 200: Account } },
      config: { access: 'account.read' },
    },
    (req) => currentAccount(ctx, who(req)),
  )
}
