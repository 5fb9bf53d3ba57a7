import { Type } from 'typebox'
import { type Module, who } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { closeSession, openSession, refreshSession } from '../sessions/sessions.ts'
import { logIn, register } from './accounts.ts'
import { deleteAccount } from './deletion.ts'
import { changePassword, recovery } from './passwords.ts'
import { profileRoutes } from './profile-routes.ts'
import {
  Deletion,
  Login,
  Message,
  PasswordChange,
  PasswordReset,
  PasswordResetRequest,
  Refresh,
  Registration,
  SignedIn,
  Tokens,
} from './schema.ts'

const tags = ['Accounts']
const config = { access: 'public', limit: 'signIn' } as const

const passwords: Module = (app, ctx) => {
  app.post(
    '/api/auth/forgot-password',
    {
      schema: {
        operationId: 'forgotPassword',
        summary: 'Ask for a mail with which to choose a new password',
        tags,
        body: PasswordResetRequest,
        response: { 200: Ok(Message) },
      },
      config,
    },
    async (req) => {
      await recovery(ctx).request(req.body.email, req.ip)
      return ok({ message: 'If the address is registered, a mail with a link is on its way' })
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
        response: { 200: Ok(Message) },
      },
      config,
    },
    async (req) => {
      const { token, password, revoke_keys: revokeKeys = false } = req.body
      await recovery(ctx).reset({ token, password, revokeKeys }, req.ip)
      return ok({ message: 'The password was changed' })
    },
  )

  app.patch(
    '/api/users/me/password',
    {
      schema: {
        operationId: 'changePassword',
        summary: 'Change your password; every other session ends',
        description: 'The answer has new tokens, with which this session goes on.',
        tags,
        body: PasswordChange,
        response: { 200: Ok(Tokens) },
      },
      config: { access: 'user', limit: 'signIn' },
    },
    async (req) =>
      ok(await changePassword(ctx, who(req), req.body, (tx, account) => openSession(ctx, tx, account))),
  )
}

export const accounts: Module = (app, ctx) => {
  passwords(app, ctx)
  profileRoutes(app, ctx)

  app.post(
    '/api/auth/register',
    {
      schema: {
        operationId: 'register',
        summary: 'Create an account',
        tags,
        body: Registration,
        response: { 201: Ok(SignedIn) },
      },
      config: { ...config, refuses: [409] },
    },
    async (req, reply) => {
      reply.code(201)
      return ok(await register(ctx, req.body))
    },
  )

  app.post(
    '/api/auth/login',
    {
      schema: {
        operationId: 'login',
        summary: 'Sign in',
        tags,
        body: Login,
        response: { 200: Ok(SignedIn) },
      },
      config: { ...config, refuses: [401, 403] },
    },
    async (req) => ok(await logIn(ctx, req.body)),
  )

  app.post(
    '/api/auth/refresh',
    {
      schema: {
        operationId: 'refresh',
        summary: 'Trade a refresh token for a new pair',
        description: 'Up to 60 times a minute from one address, together with signing out.',
        tags,
        body: Refresh,
        response: { 200: Ok(Tokens) },
      },
      config: { access: 'public', limit: 'sessions', refuses: [401, 403] },
    },
    async (req) => ok(await refreshSession(ctx, req.body.refreshToken)),
  )

  app.post(
    '/api/auth/logout',
    {
      schema: {
        operationId: 'logout',
        summary: 'End a sign-in',
        description: 'Up to 60 times a minute from one address, together with refreshing.',
        tags,
        body: Refresh,
        response: { 200: Ok(Type.Object({ loggedOut: Type.Boolean() })) },
      },
      config: { access: 'public', limit: 'sessions', refuses: [401] },
    },
    async (req) => {
      await closeSession(ctx, req.body.refreshToken)
      return ok({ loggedOut: true })
    },
  )

  app.delete(
    '/api/users/me',
    {
      schema: {
        operationId: 'deleteAccount',
        summary: 'Delete your account and everything in it',
        tags,
        body: Deletion,
        response: { 200: Ok(Type.Object({ deleted: Type.Boolean() })) },
      },
      config: { access: 'user', limit: 'signIn' },
    },
    async (req) => {
      await deleteAccount(ctx, who(req), req.body.password)
      return ok({ deleted: true })
    },
  )
}
