import { Named, Nullable, OneOf, Text, Time, Uuid } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'
import { MediaType } from '../objects/schema.ts'

export const SigningRequest = Named('SigningRequest', {
  objectKey: Text(1, 1024),
  method: OneOf(['GET', 'PUT'], { default: 'GET' }),
  expiresInSeconds: Type.Optional(
    Type.Integer({ minimum: 60, maximum: 86_400, description: 'Form S; 3600 if not given' }),
  ),
  expiresIn: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 604_800, description: 'Form R; 3600 if not given' }),
  ),
  maxBytes: Type.Optional(
    Nullable(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: 'PUT: at most this many' }),
    ),
  ),
  contentType: Type.Optional(Nullable(MediaType('PUT: only this Content-Type'))),
  versionId: Type.Optional(
    Nullable({ ...Uuid, description: 'GET: this content of the key, whatever becomes the current one' }),
  ),
})
export type SigningRequest = Type.Static<typeof SigningRequest>

export const SignedUrl = Named('SignedUrl', {
  url: Type.String({ format: 'uri' }),
  expiresAt: Time,
  method: OneOf(['GET', 'PUT']),
  requestId: Type.Optional(Type.String()),
})

export const SignedQuery = Type.Object({
  // However they were altered, it is the signature that does not hold.
  signature: Type.Optional(Type.String()),
  expires: Type.Optional(Type.String({ description: 'Unix seconds' })),
  method: Type.Optional(Type.String()),
  maxBytes: Type.Optional(Type.String()),
  contentType: Type.Optional(Type.String()),
  versionId: Type.Optional(Type.String()),
  download: Type.Optional(Type.Boolean({ description: 'false: to be shown in the browser' })),
})
export type SignedQuery = Type.Static<typeof SignedQuery>
