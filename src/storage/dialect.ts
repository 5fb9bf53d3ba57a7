import type { FastifyRequest } from 'fastify'
import { type TSchema, Type } from 'typebox'
import type { App } from '#platform/http/service.ts'

/**
 * The two dialects of the API. Handlers speak Form S only; an answer to a Form R request is translated here,
 * by the name that its route gives to what it returns.
 */
export type Form = 'S' | 'R'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** What the handler returns, where Form R spells it differently. */
    shape?: Shape
  }
}

type Fields = Record<string, unknown>

const formR = {
  bucket: (b: Fields) => ({
    id: b.id,
    name: b.name,
    visibility: b.visibility,
    storageUsedBytes: b.total_size_bytes,
    createdAt: b.created_at,
  }),
  apiKeyCreated: (k: Fields) => ({
    id: k.id,
    accessKey: k.accessKey,
    secretKey: k.secretKey,
    label: k.label,
  }),
} satisfies Record<string, (value: Fields) => Fields>

export type Shape = keyof typeof formR

export const formOf = (req: FastifyRequest): Form => {
  const asked = req.headers['x-api-form']
  if (asked === 'S' || asked === 'R') return asked
  const pair = req.headers['x-api-key'] !== undefined && req.headers['x-api-secret'] !== undefined
  return pair ? 'R' : 'S'
}

const translate = (shape: Shape | undefined, value: Fields): Fields => (shape ? formR[shape](value) : value)

/** Answers in the form that was asked for. Form R objects also carry the request id. */
export const speakBothForms = (app: App) => {
  app.addHook('preSerialization', (req, reply, payload, done) => {
    if (reply.statusCode >= 400) return done(null, payload) // errors speak both forms at once
    const { shape } = req.routeOptions.config
    if (typeof payload !== 'object' || payload === null || formOf(req) === 'S') return done(null, payload)
    if (Array.isArray(payload))
      return done(
        null,
        payload.map((item) => translate(shape, item)),
      )
    done(null, { ...translate(shape, payload as Fields), requestId: req.id })
  })
}

/** How a resource looks in both forms, for the reference. */
export const BothForms = <S extends TSchema>(formS: S, formR: TSchema) =>
  Type.Unsafe<Type.Static<S>>({ oneOf: [formS, formR] })
