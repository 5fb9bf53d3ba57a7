import { createHash, createHmac } from 'node:crypto'
import type { FastifyRequest, RouteHandlerMethod } from 'fastify'
import type { Sql, Tx } from '#platform/db/database.ts'
import { AppError, conflict, invalid } from '#platform/errors.ts'
import type { Platform } from '#platform/platform.ts'
import { writeCanonical } from './json.ts'
import type { Service } from './service.ts'

type Answer = { status: number; body: unknown }
type Stored = {
  status: number
  body: string
  granted: string | null
  fingerprint: Buffer
  created_at: string
}
type Repeat = { service: string; scope: string; key: string }

/** Thrown out of the transaction that found the answer already there: what it was to write is refused. */
class Replay extends AppError {
  readonly answer: Answer
  readonly granted: unknown
  constructor({ status, body, granted }: Stored) {
    super(status, 'replay')
    this.answer = { status, body: JSON.parse(body) }
    this.granted = JSON.parse(granted ?? 'null')
  }
}

const answerLifetimeMs = 24 * 3600 * 1000

/** With a key of ours, since a body may hold a password, which a plain hash would let a thief guess. */
const fingerprintOf = (req: FastifyRequest, key: Buffer) => {
  const mac = createHmac('sha256', key).update(`${req.method} ${req.url}\n`)
  writeCanonical(req.body, (piece) => mac.update(piece))
  return mac.digest()
}

const findAnswer = async (q: Sql, { service, scope, key }: Repeat) =>
  (
    await q<Stored[]>`select fingerprint, status, body, granted, created_at from platform.answers
      where service = ${service} and scope = ${scope} and key = ${key}`
  )[0]

const saveAnswer = (
  q: Sql,
  { service, scope, key }: Repeat,
  fingerprint: Buffer,
  answer: Answer,
  granted: unknown,
  now: Date,
) => q`
  insert into platform.answers (service, scope, key, fingerprint, status, body, granted, created_at)
  values (${service}, ${scope}, ${key}, ${fingerprint}, ${answer.status}, ${JSON.stringify(answer.body ?? null)},
    ${JSON.stringify(granted ?? null)}, ${now})
  on conflict (service, scope, key) do update set fingerprint = excluded.fingerprint, status = excluded.status,
    body = excluded.body, granted = excluded.granted, created_at = excluded.created_at`

export const forgetOldAnswers = (q: Sql, now: Date) => q`
  delete from platform.answers where created_at < ${new Date(now.getTime() - answerLifetimeMs)}`

/** Only one transaction at a time holds a key; whoever comes meanwhile is told so instead of waiting. */
const claim = async (tx: Tx, { service, scope, key }: Repeat) => {
  const name = createHash('sha256')
    .update(`${service}\n${scope}\n${key}`)
    .digest()
    .readBigInt64BE()
    .toString()
  const [row] = await tx<{ claimed: boolean }[]>`select pg_try_advisory_xact_lock(${name}::int8) as claimed`
  if (!row?.claimed) conflict('A request with this Idempotency-Key is still running')
}

/**
 * Wraps a handler so that a request with an Idempotency-Key takes effect once. Everything the handler writes
 * and the answer it gives are one transaction; a repeat finds the answer and changes nothing. It gets that answer only
 * if it may still have it: the guard has let it in, and what the rules asked beyond that is asked again.
 */
export const idempotent = (
  service: Service,
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
      const stored = await findAnswer(q, repeat)
      if (!stored || Date.parse(stored.created_at) <= ctx.clock.now().getTime() - answerLifetimeMs) return
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
    const work = async (): Promise<Answer> => {
      // Before the handler's own checks, which would take its earlier effect for somebody else's.
      if (body !== 'streamed') await replayIfStored(ctx.db.sql)
      const answer = await handler.call(this, req, reply)
      return { status: reply.statusCode, body: answer }
    }
    const seal = async (tx: Tx, answer: Answer) => {
      await saveAnswer(tx, repeat, fingerprint(), answer, service.grants?.given(req), ctx.clock.now())
    }
    try {
      return (await ctx.db.unit(open, work, seal)).body
    } catch (error) {
      if (!(error instanceof Replay)) throw error
      await service.grants?.demandAgain(ctx, req, error.granted)
      reply.code(error.answer.status).header('idempotency-replayed', 'true')
      return error.answer.body
    }
  }
