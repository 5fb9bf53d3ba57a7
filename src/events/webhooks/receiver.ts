import { timingSafeEqual } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import { sign } from './signature.ts'

const receiverPort = 4010
/** Where `trivet receive` listens unless told otherwise. */
export const receiverUrl = `http://localhost:${receiverPort}/`

const maxBodyBytes = 1024 * 1024
const toleranceSeconds = 5 * 60

const isSame = (a: string, b: string) =>
  a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b))

/** Whether a message was signed with this secret, by the Standard Webhooks specification, and not long ago. */
export const isGenuine = (secret: string, headers: IncomingHttpHeaders, body: string, now: Date) => {
  const timestamp = Number(headers['webhook-timestamp'])
  if (!(Math.abs(now.getTime() / 1000 - timestamp) <= toleranceSeconds)) return false
  const expected = sign([secret], String(headers['webhook-id']), timestamp, body)
  return String(headers['webhook-signature'])
    .split(' ')
    .some((given) => isSame(given, expected))
}

export type Received = { body: string; headers: IncomingHttpHeaders }

/** Receives webhooks on this machine. `accept` returns the status to respond with. */
export const startReceiver = async (accept: (message: Received) => number, port = receiverPort) => {
  const server = createServer(async (req, res) => {
    const pieces: Buffer[] = []
    let size = 0
    for await (const piece of req) {
      size += piece.length
      if (size > maxBodyBytes) return res.writeHead(413, { connection: 'close' }).end()
      pieces.push(piece)
    }
    return res.writeHead(accept({ headers: req.headers, body: Buffer.concat(pieces).toString() })).end()
  })
  server.listen(port, 'localhost')
  await once(server, 'listening')
  return server
}
