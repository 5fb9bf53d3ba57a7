import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { Ok, ok } from '../envelope.ts'
import { readOwnProfile } from '../profiles/profiles.ts'
import { deviceOf } from '../sessions/device.ts'
import { closeSession, openSession, refreshSession } from '../sessions/tokens.ts'
import { authenticate, register } from './accounts.ts'
import { deleteAccount } from './deletion.ts'
import { emailRoutes } from './email-routes.ts'
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
        summary: 'Request a password reset',
        description:
          'Sends a mail with a link for choosing a new password. The response is the same whether or not ' +
          'the address is registered. An account receives at most 3 such mails an hour. Where the server ' +
          'sends no mail, the message says who has the link.',
        tags,
        body: PasswordResetRequest,
        response: { 200: Ok(Message) },
      },
      config,
    },
    async (req) => {
      return ok({ message: await recovery(ctx).request(req.body.email, req.ip) })
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
          'invalid, expired or used one is refused. Every session of the account ends.',
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
        summary: 'Change your password',
        description:
          'Sets a new password after checking the current one. Every other session ends; the response has ' +
          'new tokens, with which this one continues.',
        tags,
        body: PasswordChange,
        response: { 200: Ok(Tokens) },
      },
      config: { access: 'user', limit: 'signIn', showsSecret: true },
    },
    async (req) =>
      ok(
        await changePassword(ctx, who(req), req.body, (tx, account) =>
          openSession(ctx, tx, { ...account, device: deviceOf(req.headers) }),
        ),
      ),
  )
}

export const accounts: Module = (app, ctx) => {
  passwords(app, ctx)
  emailRoutes(app, ctx)
  profileRoutes(app, ctx)

  app.post(
    '/api/auth/register',
    {
      schema: {
        operationId: 'register',
        summary: 'Create an account',
        description:
          'Creates an account and signs in to it: the response has an access token and a refresh token. ' +
          'Handles have 3 to 30 letters, digits or underscores and are unique ignoring case; one that is ' +
          'taken, like a taken email, is refused with 409, and a reserved one with 422. At most 10 ' +
          'requests a minute from one address.',
        tags,
        body: Registration,
        response: { 201: Ok(SignedIn) },
      },
      config: { ...config, refuses: [409], showsSecret: true, created: '/api/users/{data.user.handle}' },
    },
    async (req, reply) => {
      const registered = await register(ctx, req.body, (tx, account) =>
        openSession(ctx, tx, { ...account, device: deviceOf(req.headers) }),
      )
      reply.code(201)
      return ok({ user: registered.user, ...registered.session })
    },
  )

  app.post(
    '/api/auth/login',
    {
      schema: {
        operationId: 'login',
        summary: 'Log in',
        description:
          'Exchanges an email and password for an access token, which is valid for 15 minutes, and a ' +
          'refresh token, which is valid for 30 days. A suspended account is refused with 403. After 5 ' +
          'failures within 15 minutes the account is locked for a while; an address may try 10 times a ' +
          'minute.',
        tags,
        body: Login,
        response: { 200: Ok(SignedIn) },
      },
      config: { ...config, refuses: [401, 403], showsSecret: true },
    },
    async (req) => {
      const { me, session } = await authenticate(
        ctx,
        req.body,
        async (tx, { id, epoch, handle, isAdmin }) => ({
          me: { userId: id, handle, isAdmin },
          session: await openSession(ctx, tx, { id, epoch, device: deviceOf(req.headers) }),
        }),
      )
      return ok({ user: await readOwnProfile(ctx, me), ...session })
    },
  )

  app.post(
    '/api/auth/refresh',
    {
      schema: {
        operationId: 'refresh',
        summary: 'Refresh tokens',
        description:
          'Exchanges a refresh token for a new access token and a new refresh token. Each refresh token ' +
          'works once: using an old one again ends the whole session, because it may have been stolen. Up ' +
          'to 60 times a minute from one address, together with logging out.',
        tags,
        body: Refresh,
        response: { 200: Ok(Tokens) },
      },
      config: { access: 'public', limit: 'sessions', refuses: [401, 403], showsSecret: true },
    },
    async (req) => ok(await refreshSession(ctx, req.body.refreshToken)),
  )

  app.post(
    '/api/auth/logout',
    {
      schema: {
        operationId: 'logout',
        summary: 'Log out',
        description:
          'Ends the session that the refresh token belongs to; its access token is refused from the next request on. ' +
          'Up to 60 times a minute from one address, together with refreshing.',
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
        summary: 'Delete your account',
        description:
          'Deletes the account and everything in it: posts, likes, reposts, follows and API keys. It needs ' +
          'the password and cannot be undone. Replies and quotes that others wrote stay.',
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
