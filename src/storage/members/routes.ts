import { Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
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
        summary: 'List members',
        description:
          'Returns everybody in the organization, the longest-standing member first. Only the owner may ' +
          'list members.',
        tags,
        response: { 200: Type.Array(Member) },
      },
      config: { access: 'member.list' },
    },
    (req) => listMembers(ctx, who(req)),
  )

  app.post(
    '/members',
    {
      schema: {
        operationId: 'addMember',
        summary: 'Add a member',
        description:
          'Creates an account in the organization with the role `admin` or `member`. Only the owner may ' +
          'add members. An email that is already in use, in any organization, is refused with 409.',
        tags,
        body: NewMember,
        response: { 201: Member },
      },
      config: { access: 'member.add', idempotent: true, refuses: [409] },
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
        summary: "Change a member's role",
        description:
          "Gives a member another role. It applies from the next request on, also to the member's tokens " +
          "and keys. Only the owner may do this, and the owner's own role cannot be changed (403).",
        tags,
        params,
        body: MemberChange,
        response: { 200: Member },
      },
      config: { access: 'member.update', refuses: [409] },
    },
    (req) => changeMember(ctx, who(req), req.params.userId, req.body),
  )

  app.delete(
    '/members/:userId',
    {
      schema: {
        operationId: 'removeMember',
        summary: 'Remove a member',
        description:
          'Removes a member from the organization. Their tokens and API keys stop working at once; the ' +
          'objects they uploaded stay. Only the owner may do this, and the owner cannot be removed (403).',
        tags,
        params,
        response: { 200: Type.Object({ removed: Type.Boolean() }) },
      },
      config: { access: 'member.remove', refuses: [409] },
    },
    async (req) => {
      await removeMember(ctx, who(req), req.params.userId)
      return { removed: true }
    },
  )
}
