/** What is used of the XMLHttpRequest of browsers; programs for Node do not have its types. */
type Xhr = {
  readonly status: number
  readonly statusText: string
  readonly response: unknown
  responseType: string
  readonly upload: { onprogress: unknown; onload: unknown }
  onload: unknown
  onerror: unknown
  onabort: unknown
  onloadend: unknown
  open(method: string, url: string): void
  setRequestHeader(name: string, value: string): void
  getAllResponseHeaders(): string
  send(body: Blob): void
  abort(): void
}
const platform = globalThis as {
  XMLHttpRequest?: new () => Xhr
  process?: { versions?: { node?: string } }
}

export type SendMeasured = (
  request: Request,
  bytes: Uint8Array<ArrayBuffer>,
  onSent: (bytes: number) => void,
) => Promise<Response>

/** A connection on which nothing moves for so long is given up. */
const stalledAfterMs = 30_000
const withoutBody = new Set([204, 205, 304])

const headersOf = (xhr: Xhr) => {
  const lines = xhr.getAllResponseHeaders().split('\r\n').filter(Boolean)
  return lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon), line.slice(colon + 1).trim()]
  })
}

const responseOf = (xhr: Xhr) => {
  const { status, statusText } = xhr
  const body = withoutBody.has(status) ? null : (xhr.response as ArrayBuffer)
  return new Response(body, { status, statusText, headers: headersOf(xhr) })
}

/** By XMLHttpRequest, which, unlike the fetch of browsers, tells how many bytes have been sent. */
const sendByXhr: SendMeasured = (request, bytes, onSent) =>
  new Promise<Response>((resolve, reject) => {
    const { method, url, headers, signal } = request
    const xhr = new (platform.XMLHttpRequest as new () => Xhr)()
    let stalled: ReturnType<typeof setTimeout>
    const watch = () => {
      clearTimeout(stalled)
      stalled = setTimeout(() => xhr.abort(), stalledAfterMs)
    }
    const interrupt = () => xhr.abort()
    xhr.open(method, url)
    xhr.responseType = 'arraybuffer'
    headers.forEach((value, name) => {
      xhr.setRequestHeader(name, value)
    })
    xhr.upload.onprogress = ({ loaded }: { loaded: number }) => {
      watch()
      onSent(loaded)
    }
    // What the server does with the last bytes may take its time.
    xhr.upload.onload = () => clearTimeout(stalled)
    xhr.onload = () => resolve(responseOf(xhr))
    xhr.onerror = () => reject(new TypeError('The connection was lost'))
    xhr.onabort = () => reject(signal.aborted ? signal.reason : new TypeError('The connection has stalled'))
    xhr.onloadend = () => {
      clearTimeout(stalled)
      signal.removeEventListener('abort', interrupt)
    }
    if (signal.aborted) return reject(signal.reason)
    signal.addEventListener('abort', interrupt)
    watch()
    // A browser reads a blob where it sends it. It would copy an array on the page's own thread, and once more for its
    // developer tools.
    xhr.send(new Blob([bytes]))
  })

const chunkBytes = 256 * 1024

/** By Node's fetch, which takes more of a stream only when the connection has taken what came before. */
const sendAsStream: SendMeasured = (request, bytes, onSent) => {
  let sent = 0
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        onSent(sent)
        const chunk = bytes.subarray(sent, sent + chunkBytes)
        sent += chunk.byteLength
        if (chunk.byteLength > 0) controller.enqueue(chunk)
        else controller.close()
      },
    },
    { highWaterMark: 0 },
  )
  const headers = new Headers(request.headers)
  headers.set('content-length', String(bytes.byteLength))
  const streamed: RequestInit & { duplex: 'half' } = { headers, body, duplex: 'half' }
  return fetch(new Request(request, streamed))
}

/** Sends bytes as the body of a request, and tells how many have been sent. Null where the platform cannot tell. */
export const sendMeasured = (): SendMeasured | null => {
  if (platform.XMLHttpRequest) return sendByXhr
  return platform.process?.versions?.node ? sendAsStream : null
}
