import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from '#platform/type/type.ts'
import type { App } from './access.ts'

/**
 * The two dialects of the API, translated here and nowhere else. Handlers return what they have, in the spelling
 * of Form S; a route names what that is (`shape`) and which of its inputs only Form R knows (`onlyFormR`). A new
 * resource is one entry in `shapes`.
 */
export type Dialect = 'S' | 'R'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the handler returns, where the two forms differ. */
    shape?: Shape
    /** Query or body fields that only Form R has: a request with one of them speaks Form R. */
    onlyFormR?: readonly string[]
  }
  interface FastifyRequest {
    dialect: Dialect
    /** Set by a handler that serves several shapes under one route. */
    shape: Shape | null
  }
}

// What a handler returns is described by its own types; here it is only taken apart and put together.
// biome-ignore lint/suspicious/noExplicitAny: every resource passes through here
type Value = any
type Rendering = (value: Value) => Value

/** One resource in both forms. A form that is left out is what the handler returned. */
const shapes = {
  apiKeyCreated: {
    R: (k) => ({
      id: k.id,
      accessKey: k.accessKey,
      secretKey: k.secretKey,
      label: k.label,
      parentId: k.parent_id,
    }),
  },
  bucket: {
    R: (b) => ({
      id: b.id,
      name: b.name,
      visibility: b.visibility,
      storageUsedBytes: b.total_size_bytes,
      createdAt: b.created_at,
    }),
  },
  bucketList: { R: (list: Value[]) => list.map((bucket) => shapes.bucket.R(bucket)) },
  object: {
    R: (o) => ({
      id: o.id,
      objectKey: o.object_key,
      sizeBytes: o.size_bytes,
      contentType: o.content_type,
      etag: o.etag,
      createdAt: o.created_at,
      metadata: o.metadata,
      isDeleted: o.is_deleted,
      ...('expires_at' in o ? { expiresAt: o.expires_at } : {}),
    }),
  },
  /** Answers that hold one object beside what was done with it. */
  objectOutcome: { R: ({ object, ...rest }) => ({ ...rest, object: object && shapes.object.R(object) }) },
  objectList: {
    S: ({ objects }) => objects,
    R: ({ total, objects, folders, nextCursor }) => ({
      ...(total === null ? {} : { total }),
      objects: objects.map((o: Value) => ({ ...shapes.object.R(o), updatedAt: o.updated_at })),
      ...(folders ? { folders } : {}),
      nextCursor,
    }),
  },
  versionList: {
    R: (list: Value[]) => ({
      total: list.length,
      versions: list.map((v) => ({
        versionId: v.version_id,
        objectKey: v.object_key,
        contentType: v.content_type,
        sizeBytes: v.size_bytes,
        etag: v.etag,
        isCurrent: v.is_current,
        createdAt: v.created_at,
        ...('expires_at' in v ? { expiresAt: v.expires_at } : {}),
      })),
    }),
  },
  /** The bucket of an object is in no path here. */
  objectEvent: {
    R: ({ previous, reason, ...o }) => ({
      ...shapes.object.R(o),
      bucketId: o.bucket_id,
      reason,
      previous: previous && { bucketId: previous.bucket_id, objectKey: previous.object_key },
    }),
  },
  policyEvent: { R: ({ bucket_id: bucketId, statements }) => ({ bucketId, statements }) },
  quotaWarning: {
    R: ({ used_bytes: usedBytes, quota_bytes: quotaBytes, ...w }) => ({ ...w, usedBytes, quotaBytes }),
  },
  usage: {
    S: ({ bandwidth_quota_bytes: _, ...usage }) => usage,
    R: (u) => ({
      storageUsedBytes: u.storage_used_bytes,
      storageQuotaBytes: u.storage_quota_bytes,
      retainedObjects: u.retained_objects,
      objectQuota: u.object_quota,
      bandwidthUsedBytes: u.bandwidth_used_bytes,
      bandwidthQuotaBytes: u.bandwidth_quota_bytes,
      objectCount: u.object_count,
      bucketCount: u.bucket_count,
    }),
  },
} satisfies Record<string, Partial<Record<Dialect, Rendering>>>

export type Shape = keyof typeof shapes

/** Which dialect a request speaks; known once its body has been read. */
export const dialectOf = (req: FastifyRequest): Dialect => req.dialect

const has = (part: unknown, field: string) =>
  typeof part === 'object' && part !== null && Object.hasOwn(part, field)

const detect = (req: FastifyRequest): Dialect => {
  const asked = String(req.headers['x-api-form'] ?? '').toUpperCase()
  if (asked === 'S' || asked === 'R') return asked
  if (req.headers['x-api-key'] !== undefined && req.headers['x-api-secret'] !== undefined) return 'R'
  const { onlyFormR = [] } = req.routeOptions.config
  return onlyFormR.some((field) => has(req.query, field) || has(req.body, field)) ? 'R' : 'S'
}

/** Something in one of its forms, for what is no response of its own. */
export const rendered = (shape: Shape, dialect: Dialect, value: object): object =>
  render(shape, dialect, value)

const render = (shape: Shape | undefined, dialect: Dialect, value: Value): Value => {
  const rendering: Rendering | undefined =
    shape && (shapes[shape] as Partial<Record<Dialect, Rendering>>)[dialect]
  return rendering ? rendering(value) : value
}

/** Renders every response in the dialect of its request. Form R objects also carry the request id. */
export const speakBothForms = (app: App) => {
  app.decorateRequest('dialect', 'S')
  app.decorateRequest('shape', null)
  // Before validation, which fills in defaults that the client did not send.
  app.addHook('preValidation', (req, _, done) => {
    req.dialect = detect(req)
    done()
  })
  app.addHook('preSerialization', (req, reply, payload, done) => {
    // An error body carries both spellings already, and is none of the route's shapes.
    if (reply.statusCode >= 400 || typeof payload !== 'object' || payload === null) return done(null, payload)
    const rendered = render(req.shape ?? req.routeOptions.config.shape, req.dialect, payload)
    const whole =
      req.dialect === 'S' || Array.isArray(rendered) ? rendered : { ...rendered, requestId: req.id }
    done(null, whole)
  })
}

/** How a resource looks in both forms, for the reference. */
export const BothForms = <S extends TSchema>(formS: S, formR: TSchema) =>
  Type.Unsafe<Type.Static<S>>({ anyOf: [formS, formR] })
