import type { Module } from '#platform/http/service.ts'
import { who } from '../access.ts'
import type { Inventory } from '../context.ts'
import { currentAccount, logIn, register } from './accounts.ts'
import { Account, Login, Registration, SignedIn } from './schema.ts'

const tags = ['Auth']
const config = { access: 'public', limit: 'signIn' }

export const accounts: Module<Inventory> = (app, ctx) => {
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
      config,
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
      config,
    },
    (req) => logIn(ctx, req.body),
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
