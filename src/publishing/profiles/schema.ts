import { Id, Name, Named, Nullable, Pattern, Text, Time } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

export const Profile = Named('Profile', {
  id: Id,
  username: Type.String({ description: 'The display name' }),
  handle: Type.String({ description: 'Unique, without @' }),
  bio: Nullable(Type.String()),
  avatar_url: Nullable(Type.String()),
  banner_url: Nullable(Type.String()),
  location: Nullable(Type.String()),
  website: Nullable(Type.String()),
  language: Nullable(
    Type.String({ description: 'In which the account writes, as in `pt-BR`; null: that of the instance' }),
  ),
  is_verified: Type.Boolean(),
  is_protected: Type.Boolean(),
  follower_count: Type.Integer(),
  following_count: Type.Integer(),
  post_count: Type.Integer(),
  created_at: Time,
})
export type Profile = Type.Static<typeof Profile>

export const Users = Type.Object({ users: Type.Array(Profile) })

const webAddress = '^[Hh][Tt][Tt][Pp][Ss]?://[^/\\s"<>\\\\][^\\s"<>\\\\]*$'
export const notAWebAddress = 'must be a web address that starts with https:// or http://'
const Url = Type.String({ maxLength: 2048, format: 'uri', ...Pattern(webAddress, notAWebAddress) })

/** The same check for forms. */
export const isWebAddress = (text: string) => new RegExp(webAddress, 'u').test(text)

export const ProfileChange = Named('ProfileChange', {
  username: Type.Optional(Name(50)),
  bio: Type.Optional(Nullable(Text(0, 500))),
  location: Type.Optional(Nullable(Text(0, 100))),
  website: Type.Optional(Nullable(Url)),
  language: Type.Optional(
    Nullable(Text(2, 35, { description: 'A language tag, such as `de` or `pt-BR` (BCP 47)' })),
  ),
  avatar_url: Type.Optional(Nullable(Url)),
  banner_url: Type.Optional(Nullable(Url)),
  is_protected: Type.Optional(Type.Boolean()),
})
export type ProfileChange = Type.Static<typeof ProfileChange>

export const Handle = Type.Object({ handle: Type.String() })
