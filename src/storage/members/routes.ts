import { Type } from 'typebox'
import { Uuid } from '#platform/http/schema.ts'
import { type Module, who } from '../access.ts'
import { addMember, changeMember, listMembers, removeMember } from './members.ts'
import { Member, MemberChange, NewMember } from './schema.ts'

const tags = ['Members']
const params = Type.Object({ userId: Uuid })

export const members: Module = (app, ctx) => {
  app.get(
    '/members',
    {
      schema: {
        operationId: 'listMembers',
        summary: 'Everybody in the organization, longest-standing first',
        tags,
        response: { 200: Type.Array(Member) },
      },
      config: { access: 'member.manage' },
    },
    (req) => listMembers(ctx, who(req)),
  )

  app.post(
    '/members',
    {
      schema: {
        operationId: 'addMember',
        summary: 'Add somebody to the organization',
        tags,
        body: NewMember,
        response: { 201: Member },
      },
      config: { access: 'member.manage', idempotent: true, refuses: [409] },
    },
    async (req, reply) => {
      reply.code(201)
      return addMember(ctx, who(req), req.body)
    },
  )

  app.patch(
    '/members/:userId',
    {
      schema: {
        operationId: 'changeMember',
        summary: 'Give a member another role',
        tags,
        params,
        body: MemberChange,
        response: { 200: Member },
      },
      config: { access: 'member.manage', refuses: [409] },
    },
    (req) => changeMember(ctx, who(req), req.params.userId, req.body),
  )

  app.delete(
    '/members/:userId',
    {
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member; their tokens and keys stop working at once',
        tags,
        params,
        response: { 200: Type.Object({ removed: Type.Boolean() }) },
      },
      config: { access: 'member.manage', refuses: [409] },
    },
    async (req) => {
      await removeMember(ctx, who(req), req.params.userId)
      return { removed: true }
    },
  )
}
