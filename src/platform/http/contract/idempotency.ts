import { createHash, createHmac } from 'node:crypto'
import type { FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Sql, Tx } from '#platform/db/database.ts'
import { maybeOne, value } from '#platform/db/rows.ts'
import { AppError, conflict, invalid } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { writeCanonical } from '../request/json.ts'
import type { Endpoint } from '../service.ts'

type Response = { status: number; body: unknown }
type Stored = {
  status: number
  body: string
  granted: string | null
  fingerprint: Buffer
  created_at: string
}
type Repeat = { service: string; scope: string; key: string }

/** Ends the transaction that found a stored response, so that it writes nothing. */
class Replay extends AppError {
  readonly response: Response
  readonly granted: unknown
  constructor({ status, body, granted }: Stored) {
    super(status, 'replay')
    this.response = { status, body: JSON.parse(body) }
    this.granted = JSON.parse(granted ?? 'null')
  }
}

const lifetimeMs = 24 * 3600 * 1000

/** A keyed hash, because a body may contain a password that could be guessed from a plain hash. */
const fingerprintOf = (req: FastifyRequest, key: Buffer) => {
  const mac = createHmac('sha256', key).update(`${req.method} ${req.url}\n`)
  writeCanonical(req.body, (piece) => mac.update(piece))
  return mac.digest()
}

const findResponse = (q: Sql, { service, scope, key }: Repeat) =>
  maybeOne(q<Stored[]>`
    select fingerprint, status, body, granted, created_at from platform.answers
    where service = ${service} and scope = ${scope} and key = ${key}`)

const saveResponse = (
  q: Sql,
  { service, scope, key }: Repeat,
  fingerprint: Buffer,
  response: Response,
  granted: unknown,
  now: Date,
) => q`
  insert into platform.answers (service, scope, key, fingerprint, status, body, granted, created_at)
  values (${service}, ${scope}, ${key}, ${fingerprint}, ${response.status}, ${JSON.stringify(response.body ?? null)},
    ${JSON.stringify(granted ?? null)}, ${now})
  on conflict (service, scope, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
    body = excluded.body, granted = excluded.granted, created_at = excluded.created_at`

const deletedAtOnce = 10_000

/** By several statements, so that none takes long, however many have expired. */
export const deleteExpiredAnswers = async (q: Sql, now: Date) => {
  const before = new Date(now.getTime() - lifetimeMs)
  const deleteSome = () => q`
    delete from platform.answers where ctid in (
      select ctid from platform.answers where created_at < ${before} order by created_at limit ${deletedAtOnce})`
  while ((await deleteSome()).count === deletedAtOnce);
}

/** A key is claimed by one transaction at a time. A concurrent request gets 409 instead of waiting. */
const claim = async (tx: Tx, { service, scope, key }: Repeat) => {
  const name = createHash('sha256')
    .update(`${service}\n${scope}\n${key}`)
    .digest()
    .readBigInt64BE()
    .toString()
  const claimed = await value<boolean>(tx`select pg_try_advisory_xact_lock(${name}::int8) as claimed`)
  if (!claimed) conflict('A request with this Idempotency-Key is still running')
}

/**
 * Wraps a handler so that a request with an Idempotency-Key takes effect once. Everything the handler writes is stored in
 * one transaction with its response (ADR 4); a repeat finds the response and changes nothing. It gets that response only
 * if it still may: the guard has admitted it, and permissions that the rules checked beyond that are checked again.
 */
export const idempotent = (
  service: Endpoint,
  ctx: Platform,
  handler: RouteHandlerMethod,
  body: boolean | 'streamed',
): RouteHandlerMethod =>
  async function repeatable(req, reply) {
    const key = req.headers['idempotency-key']
    if (key === undefined) return handler.call(this, req, reply)
    if (typeof key !== 'string' || !/^[\x21-\x7e]{1,255}$/.test(key))
      return invalid('Idempotency-Key', 'must have 1 to 255 printable ASCII characters without spaces')
    const repeat = { service: service.name, scope: service.repeatScope(req), key }
    const fingerprint = () => fingerprintOf(req, ctx.secrets.key('platform.idempotency'))

    const replayIfStored = async (q: Sql) => {
      const stored = await findResponse(q, repeat)
      if (!stored || Date.parse(stored.created_at) <= ctx.clock.now().getTime() - lifetimeMs) return
      if (!stored.fingerprint.equals(fingerprint()))
        throw new AppError(
          service.statuses.keyReused,
          'This Idempotency-Key was used with a different request',
          { details: [{ field: 'Idempotency-Key', reason: 'was used with a different request' }] },
        )
      throw new Replay(stored)
    }
    const open = async (tx: Tx) => {
      await claim(tx, repeat)
      await replayIfStored(tx)
    }
    const work = async (): Promise<Response> => {
      // Before the handler's own checks, which would report the effect of the first request as a conflict.
      if (body !== 'streamed') await replayIfStored(ctx.db.sql)
      const payload = await handler.call(this, req, reply)
      return { status: reply.statusCode, body: payload }
    }
    const seal = async (tx: Tx, response: Response) => {
      await saveResponse(tx, repeat, fingerprint(), response, service.grants?.given(req), ctx.clock.now())
    }
    try {
      return (await ctx.db.unit(open, work, seal)).body
    } catch (error) {
      if (!(error instanceof Replay)) throw error
      await service.grants?.demandAgain(ctx, req, error.granted)
      reply.code(error.response.status).header('idempotency-replayed', 'true')
      return error.response.body
    }
  }
