import { Id, Named, Nullable, OneOf, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

export const Session = Named('Session', {
  id: Id,
  kind: OneOf(['browser', 'program'], {
    description: 'Whether it began on the pages, with a cookie, or through the API, with tokens',
  }),
  device: Nullable(
    Type.String({
      description: 'The browser and the system, or the program, as it called itself at sign-in',
    }),
  ),
  created_at: Time,
  last_used_at: Type.String({ format: 'date-time', description: 'To within a few minutes' }),
  expires_at: Time,
  is_current: Type.Boolean({ description: 'Whether this request belongs to it' }),
})
export type Session = Type.Static<typeof Session>
