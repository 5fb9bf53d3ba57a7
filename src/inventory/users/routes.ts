import { Type } from 'typebox'
import { PathId } from '#platform/http/schema.ts'
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
        summary: 'Everybody in the company',
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
        summary: 'Add a colleague',
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
        summary: 'Change a role, ban or unban',
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
