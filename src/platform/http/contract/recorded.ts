import type { FastifyRequest, RouteHandlerMethod, RouteOptions } from 'fastify'
import type { Tx } from '#platform/db/database.ts'
import type { Platform } from '#platform/platform.ts'

/** What an entry may be made of. */
export type RecordedRequest = Pick<
  FastifyRequest,
  'method' | 'params' | 'query' | 'body' | 'ip' | 'principal'
>

/** How a service writes down what its operations change. */
export type Recorder<Context extends Platform = Platform> = {
  /** Every operation that is no GET, with the action that is recorded, or why there is nothing to record. */
  operations: Record<string, string | { why: string }>
  /** Writes the entry, in the transaction of what the operation has changed. */
  record(ctx: Context, tx: Tx, req: RecordedRequest, payload: unknown, action: string): Promise<void>
}

const reads = ['GET', 'HEAD', 'OPTIONS']

/** The action of a route; nothing if there is none to record. Throws for an operation that nobody has thought of. */
export const actionOf = ({ operations }: Recorder, { method, schema, url }: RouteOptions) => {
  const { operationId, hide } = (schema ?? {}) as { operationId?: string; hide?: boolean }
  if (hide || [method].flat().every((one) => reads.includes(one))) return undefined
  const action = operations[operationId ?? '']
  if (action === undefined) throw new Error(`${method} ${url}: the audit log has no line for ${operationId}`)
  return typeof action === 'string' ? action : undefined
}

/** Wraps a handler so that what it changes and the entry about it are one transaction. */
export const recorded = (
  ctx: Platform,
  { record }: Recorder,
  action: string,
  handler: RouteHandlerMethod,
): RouteHandlerMethod =>
  async function recording(req, reply) {
    const work = async () => handler.call(this, req, reply) as unknown
    return ctx.db.followed(work, (tx, payload) => record(ctx, tx, req, payload, action))
  }
