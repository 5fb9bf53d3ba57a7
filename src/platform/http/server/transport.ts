import type { IncomingMessage, ServerResponse } from 'node:http'
import { constants } from 'node:http2'
import type { Socket } from 'node:net'
import { StreamRequest, StreamResponse } from './http2.ts'

/**
 * What differs between a request on a connection of its own (HTTP/1) and one on a stream beside others (HTTP/2). Bytes
 * are those of the connection or of the stream: only differences between two counts mean anything.
 */

type Request = IncomingMessage | StreamRequest
type Response = ServerResponse | StreamResponse

export const hasBody = ({ headers }: Request) =>
  headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0

export const bytesReceived = (req: Request) =>
  req instanceof StreamRequest ? req.bytesReceived : req.socket.bytesRead

/** The connection of a request, which others may share. */
export const connectionOf = (req: Request) => (req instanceof StreamRequest ? req.session : req.socket)

/** Whether bytes of the body have arrived, or may have, that nobody has read yet. */
export const isUnread = (req: Request) =>
  req.readableLength > 0 || (req instanceof StreamRequest && !req.isBeingRead)

/** What has left, without what still waits in the response. */
export const bytesSent = (res: Response) => {
  if (res instanceof StreamResponse) return res.bytesSent
  return res.socket ? res.socket.bytesWritten - res.writableLength : 0
}

/** Counts the bytes of a body of this length that leave from here on. */
export const bodyMeter = (req: Request, res: Response, length: number) => {
  if (res instanceof StreamResponse)
    return () => (res.writableFinished ? length : Math.min(length, res.bytesSent))
  const socket = req.socket as Socket
  const from = socket.bytesWritten
  return () =>
    res.writableFinished
      ? length
      : Math.max(0, Math.min(length, socket.bytesWritten - socket.writableLength - from))
}

/** Ends a request whose body is not wanted any more. */
export const cutOffBody = (req: Request) => {
  if (!(req instanceof StreamRequest)) req.destroy()
  // With a response, `StreamResponse` ends the stream once it was sent.
  else if (!req.stream.writableEnded) req.stream.close(constants.NGHTTP2_CANCEL)
}

/** Ends a response that its client does not read. Many clients take the code CANCEL for a complete response. */
export const cutOffResponse = (req: Request) => {
  if (req instanceof StreamRequest) req.stream.close(constants.NGHTTP2_ENHANCE_YOUR_CALM)
  else req.socket.destroy()
}
