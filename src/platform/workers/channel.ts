/** One end of the connection between the primary process and a worker: `process` in a worker. */
export type Port = {
  send(message: unknown, callback: (error: Error | null) => void): unknown
  on(event: 'message', listener: (message: unknown) => void): unknown
}

type Handler = (body: never) => unknown

export type Channel = {
  /** Sends a message that needs no reply. */
  tell(topic: string, body: unknown): void
  /** Sends a message and returns the reply. Rejects if the other process ends first. */
  ask<T>(topic: string, body: unknown): Promise<T>
  /**
   * Handles messages on a topic. What it returns, or the promise it returns resolves to, is the reply. Before there is a
   * handler, as in a worker that is still starting, the reply is null.
   */
  on(topic: string, handler: Handler): void
  /** To be called when the other process has ended: nothing will be replied any more. */
  close(): void
}

/** A topic with a number that the reply repeats (0: none is wanted). A reply has no topic. */
type Message = [topic: string | null, number: number, body: unknown]

/**
 * Exchanges messages with another process. All messages of one turn of the event loop are sent as one, because a message
 * between processes costs far more than what is in it.
 */
export const openChannel = (port: Port): Channel => {
  const handlers = new Map<string, Handler>()
  const asked = new Map<number, PromiseWithResolvers<unknown>>()
  let outgoing: Message[] = []
  let isClosed = false
  let lastNumber = 0

  const close = () => {
    isClosed = true
    for (const { reject } of asked.values()) reject(gone())
    asked.clear()
  }
  const flush = () => {
    const messages = outgoing
    outgoing = []
    // A failure to send means that the other process has ended.
    if (!isClosed) port.send(messages, (error) => error && close())
  }
  const post = (message: Message) => {
    if (outgoing.push(message) === 1) setImmediate(flush)
  }

  const handle = async ([topic, number, body]: Message) => {
    if (topic === null) {
      asked.get(number)?.resolve(body)
      asked.delete(number)
      return
    }
    const result = handlers.get(topic)?.(body as never)
    // Not awaited unless it must be: most are replied to in the same turn.
    if (number > 0) post([null, number, result instanceof Promise ? await result : result])
  }
  port.on('message', (messages) => {
    // Other parts of Node exchange messages over the same connection.
    if (Array.isArray(messages)) for (const message of messages as Message[]) void handle(message)
  })

  return {
    tell: (topic, body) => post([topic, 0, body]),
    ask<T>(topic: string, body: unknown) {
      if (isClosed) return Promise.reject(gone())
      const reply = Promise.withResolvers<unknown>()
      asked.set(++lastNumber, reply)
      post([topic, lastNumber, body])
      return reply.promise as Promise<T>
    },
    on: (topic, handler) => void handlers.set(topic, handler),
    close,
  }
}

const gone = () => new Error('The other process has ended')
