import { PathId } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { type Module, who } from '../access.ts'
import { Member, MemberChange, NewMember } from './schema.ts'
import { changeMember, createMember, listMembers } from './users.ts'

const tags = ['Users']
const config = { access: 'admin', idempotent: true } as const

export const userRoutes: Module = (app, ctx) => {
  app.get(
    '/api/users',
    {
      schema: {
        operationId: 'listUsers',
        summary: 'List users',
        description:
          'Returns everybody in the company with their role and whether they are banned. Admins only.',
        tags,
        response: { 200: Type.Object({ users: Type.Array(Member), total: Type.Integer() }) },
      },
      config: { access: 'admin' },
    },
    (req) => listMembers(ctx, who(req)),
  )

  app.post(
    '/api/users',
    {
      schema: {
        operationId: 'createUser',
        summary: 'Add a user',
        description:
          'Adds a colleague with the role Admin, Manager or Staff. Staff read everything but users and API ' +
          'keys, and work with orders and customers; Managers also change products, stock and purchasing. ' +
          'Admins only. An email that is in use is refused with 409.',
        tags,
        body: NewMember,
        response: { 201: Member },
      },
      config: { ...config, refuses: [409] },
    },
    async (req, reply) => {
      reply.code(201)
      return createMember(ctx, who(req), req.body)
    },
  )

  app.patch(
    '/api/users/:id',
    {
      schema: {
        operationId: 'changeUser',
        summary: 'Update a user',
        description:
          "Changes a user's role, or bans or unbans them. A banned user's tokens and API keys are refused. " +
          'The last Admin can be neither demoted nor banned. Admins only.',
        tags,
        params: PathId,
        body: MemberChange,
        response: { 200: Member },
      },
      config: { ...config, refuses: [409] },
    },
    (req) => changeMember(ctx, who(req), req.params.id, req.body),
  )
}
