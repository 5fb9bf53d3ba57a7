import { Agent, type IncomingMessage, request } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import { codeOf } from '#platform/errors.ts'
import { version } from '#platform/version.ts'
import { sign } from './signature.ts'
import { RefusedTarget, type Target, type Targets } from './target.ts'

/** One attempt to deliver: the response, or why there is none. */
export type Attempt = {
  response_status: number | null
  response_time_ms: number
  response_body: string | null
  error: string | null
}

export type Message = { url: string; secrets: readonly string[]; id: string; body: string; now: Date }

const totalMs = 10_000
/** How much of a response body is kept, and how much is read so that its connection can be used again. */
const keptBytes = 1024
const readBytes = 16 * 1024

/** How many attempts there are at once is decided before: here one webhook would wait for another with the same receiver. */
const agentOptions = { keepAlive: true, maxFreeSockets: 8, timeout: 30_000 }

const unresolved = ['EAI_AGAIN', 'ESERVFAIL', 'EREFUSED', 'ETIMEOUT']

/** Nothing has been sent: another address of the same name may be reachable. */
const isUnreachable = (error: unknown) => (error as { syscall?: string }).syscall === 'connect'

const wordsOf = (error: unknown) => {
  if (error instanceof RefusedTarget) return `The address ${error.message}`
  const code = codeOf(error)
  const known: Record<string, string> = {
    ECONNREFUSED: 'The connection was refused',
    ECONNRESET: 'The connection was closed before a response came',
    ENOTFOUND: 'The name does not exist',
    ENODATA: 'The name has no address',
    ...Object.fromEntries(unresolved.map((code) => [code, 'The name could not be resolved'])),
    ETIMEDOUT: 'The connection could not be established in time',
  }
  return known[code] ?? (error instanceof Error ? error.message : String(error)).slice(0, 200)
}

/** The first bytes of the body. An endless one is cut off. */
const readBody = (res: IncomingMessage, isOver: Promise<void>) =>
  new Promise<string>((resolve) => {
    const kept: Buffer[] = []
    let bytes = 0
    const done = () =>
      resolve(Buffer.concat(kept).subarray(0, keptBytes).toString('utf8').replaceAll('\0', '\ufffd'))
    res.on('data', (chunk: Buffer) => {
      if (bytes < keptBytes) kept.push(chunk)
      bytes += chunk.length
      if (bytes > readBytes) res.destroy()
    })
    res.once('close', done)
    res.once('error', () => {})
    void isOver.then(() => res.destroy())
  })

/** Sends events to webhooks by the Standard Webhooks specification. Redirects are not followed. */
export const createSender = (targets: Targets) => {
  const agents = { 'http:': new Agent(agentOptions), 'https:': new TlsAgent(agentOptions) }

  const post = async (message: Message, signal: AbortSignal) => {
    const { addresses, ...target } = await targets.resolve(message.url)
    const [first = '', second] = addresses
    if (second === undefined) return postTo(first, target, message, signal)
    return postTo(first, target, message, signal).catch((error) => {
      if (!isUnreachable(error)) throw error
      return postTo(second, target, message, signal)
    })
  }

  const postTo = async (
    address: string,
    { url, host, port }: Target,
    message: Message,
    signal: AbortSignal,
  ) => {
    const timestamp = Math.floor(message.now.getTime() / 1000)
    const isTls = url.protocol === 'https:'
    return new Promise<IncomingMessage>((resolve, reject) => {
      const req = (isTls ? tlsRequest : request)({
        // The address that has been checked: the name is not resolved again.
        host: address,
        port,
        path: `${url.pathname}${url.search}`,
        method: 'POST',
        agent: agents[url.protocol as keyof typeof agents],
        ...(isTls ? { servername: host } : {}),
        signal,
        headers: {
          host: url.host,
          'content-type': 'application/json',
          'content-length': Buffer.byteLength(message.body),
          'user-agent': `Trivet/${version}`,
          'webhook-id': message.id,
          'webhook-timestamp': String(timestamp),
          'webhook-signature': sign(message.secrets, message.id, timestamp, message.body),
        },
      })
      req.once('response', resolve)
      req.once('error', reject)
      req.end(message.body)
    })
  }

  return {
    async send(message: Message): Promise<Attempt> {
      const begun = performance.now()
      const elapsed = () => Math.round(performance.now() - begun)
      const abort = new AbortController()
      const { promise: isOver, resolve: giveUp } = Promise.withResolvers<void>()
      const timer = setTimeout(() => {
        giveUp()
        abort.abort()
      }, totalMs)
      try {
        // Resolving a name cannot be interrupted.
        const res = await Promise.race([post(message, abort.signal), isOver.then(() => null)])
        if (res === null) throw new Error('timeout')
        const response_time_ms = elapsed()
        const response_body = await readBody(res, isOver)
        return { response_status: res.statusCode as number, response_time_ms, response_body, error: null }
      } catch (error) {
        const words = abort.signal.aborted ? 'There was no response within 10 s' : wordsOf(error)
        return { response_status: null, response_time_ms: elapsed(), response_body: null, error: words }
      } finally {
        clearTimeout(timer)
      }
    },
    close() {
      for (const agent of Object.values(agents)) agent.destroy()
    },
  }
}
export type Sender = ReturnType<typeof createSender>
