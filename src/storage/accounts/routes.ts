import type { Module } from '#platform/http/service.ts'
import { who } from '../access.ts'
import type { Storage } from '../context.ts'
import { currentAccount, logIn, register } from './accounts.ts'
import { Account, AuthResponse, Login, Registration } from './schema.ts'

const tags = ['Auth']

export const accounts: Module<Storage> = (app, ctx) => {
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
      config: { access: 'public', limit: 'signIn' },
    },
    async (req, reply) => {
      reply.code(201)
      return register(ctx, req.body)
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
      config: { access: 'public', limit: 'signIn' },
    },
    (req) => logIn(ctx, req.body),
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
