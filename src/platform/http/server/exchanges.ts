import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { AppError } from '#platform/errors.ts'
import type { App } from '../app.ts'
import type { HttpLimits } from './http-limits.ts'
import { type BodyPace, bodyPace, type ReaderPace, readerPace, wakingTime } from './pace.ts'
import { bytesReceived, connectionOf, cutOffBody, cutOffResponse, hasBody } from './transport.ts'

declare module 'fastify' {
  interface FastifyRequest {
    exchange: Exchange
  }
}

/** Is told how an exchange goes. */
type Watcher = {
  /** It no longer counts as a request in flight. Called once, at the latest when it is over. */
  uncount?(exchange: Exchange): void
  /** Both sides have ended: the response was sent or lost, and the handler has finished. Called once. */
  over(exchange: Exchange): void
}

/** A request and its response, until both have ended. */
export class Exchange {
  readonly req: IncomingMessage
  readonly res: ServerResponse
  readonly reply: FastifyReply | null
  readonly begun = performance.now()
  /** A response was decided on, even if the client has disconnected. */
  decided: boolean
  /** When the response or its connection ended; 0 before. */
  closed = 0
  /** The network it came from, and whose credentials it came with, where these are known and counted. */
  network: string | null = null
  holder: string | null = null
  /** Null for a request without a body, or a response that never had to wait. */
  body: BodyPace | null = null
  reader: ReaderPace | null = null
  /** Where it is among those that are open. */
  place = 0
  watcher: Watcher | null
  isCounted: boolean

  constructor(
    req: IncomingMessage,
    res: ServerResponse,
    reply: FastifyReply | null,
    watcher: Watcher | null,
  ) {
    this.req = req
    this.res = res
    this.reply = reply
    this.decided = reply === null
    this.watcher = watcher
    this.isCounted = watcher?.uncount !== undefined
  }

  uncount() {
    if (!this.isCounted) return
    this.isCounted = false
    this.watcher?.uncount?.(this)
  }

  /** The handler writes the response itself from here on, and it does not count as a request in flight. */
  detach() {
    this.decided = true
    this.uncount()
  }

  settle() {
    const { watcher } = this
    this.uncount()
    this.watcher = null
    watcher?.over(this)
  }
}

type Connection = ReturnType<typeof connectionOf>

/** A handler that has not finished this long after its client left is no longer waited for. */
const longestSilenceMs = 60_000

/**
 * All exchanges of a server. One whose client sends its body or reads its response too slowly is ended, so that no
 * client can occupy a place for as long as it likes. So is a connection on which nothing moves, except while we prepare a
 * response. Time in which this process was stopped does not count.
 */
export const createExchanges = (app: App, limits: HttpLimits) => {
  const open: Exchange[] = []
  const time = wakingTime(limits.checkEveryMs)

  /** The last one takes its place. In a `Set`, V8 would keep all that were ever in it until it collects everything. */
  const remove = (exchange: Exchange) => {
    if (open[exchange.place] !== exchange) return
    const last = open.pop() as Exchange
    if (last === exchange) return
    open[exchange.place] = last
    last.place = exchange.place
  }
  const leave = (exchange: Exchange) => {
    exchange.closed = time.now()
    if (exchange.decided) exchange.settle()
    // The rest of its body is still awaited, and so is the end of its handler.
    if (exchange.watcher === null && exchange.req.complete) remove(exchange)
  }
  const add = (exchange: Exchange) => {
    exchange.place = open.push(exchange) - 1
    exchange.res.once('close', () => leave(exchange))
    return exchange
  }

  /** Responds with 408 if that is still possible, and closes the connection: what follows on it is the rest of the body. */
  const giveUp = ({ req, res, reply, decided }: Exchange) => {
    if (!reply || decided || res.headersSent || res.destroyed) {
      cutOffBody(req)
      return
    }
    res.once('finish', () => cutOffBody(req))
    reply.header('connection', 'close').send(new AppError(408, 'The body did not arrive in time'))
  }

  const lookAt = (exchange: Exchange, now: number) => {
    const { req, res, body, closed } = exchange
    if (req.complete || req.socket.destroyed) {
      if (closed > 0 && exchange.watcher === null) {
        remove(exchange)
        return
      }
    } else if (body?.isTooSlow(req, now)) giveUp(exchange)
    if (closed > 0) {
      if (exchange.watcher && now - closed > longestSilenceMs) exchange.settle()
    } else if (res.writableLength > 0) {
      exchange.reader ??= readerPace(limits, res, now)
      if (exchange.reader.isTooSlow(res, now)) cutOffResponse(req)
    } else exchange.reader = null
  }
  const look = () => {
    const now = time.tick()
    for (const exchange of [...open]) lookAt(exchange, now)
  }
  const looking = setInterval(look, limits.checkEveryMs).unref()

  /** Whether a response is being prepared on this connection, or something under way that is looked at above. */
  const isBusy = (connection: Connection) => {
    for (const { req, res, decided, closed } of open)
      if (closed === 0 && !(decided && res.writableLength === 0) && connectionOf(req) === connection)
        return true
    return false
  }
  app.server.on('timeout', (connection: Connection) => {
    if (isBusy(connection)) connection.setTimeout(limits.idleMs)
    else connection.destroy()
  })
  app.addHook('onClose', async () => clearInterval(looking))

  app.decorateRequest('exchange', null as never)
  app.addHook('onSend', (req, _reply, _payload, done) => {
    const { exchange } = req
    if (exchange) {
      exchange.decided = true
      if (exchange.closed > 0) exchange.settle()
    }
    done()
  })

  return {
    /** To be called for every request that is routed, before anything else is done with it. */
    begin(req: FastifyRequest, reply: FastifyReply, watcher: Watcher | null = null) {
      const exchange = add(new Exchange(req.raw, reply.raw, reply, watcher))
      if (hasBody(req.raw)) {
        const { streamed, idempotent } = req.routeOptions.config ?? {}
        const from = streamed || idempotent === 'streamed' ? bytesReceived(req.raw) : null
        exchange.body = bodyPace(limits, time.now(), from)
      }
      req.exchange = exchange
      return exchange
    },
    /** A response that is sent without a route. Calls `over` when it was sent or lost. */
    watch(req: IncomingMessage, res: ServerResponse, over: () => void) {
      add(new Exchange(req, res, null, { over }))
    },
  }
}
export type Exchanges = ReturnType<typeof createExchanges>
