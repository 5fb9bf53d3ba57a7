import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, constants, createServer, type Http2Server } from 'node:http2'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { StreamRequest, StreamResponse } from './http2.ts'

const serve = async (listener: (req: StreamRequest, res: StreamResponse) => void) => {
  const options = { Http2ServerRequest: StreamRequest, Http2ServerResponse: StreamResponse }
  const server: Http2Server = createServer(options as object)
  server.on('request', listener as never)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const client = connect(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  return {
    client,
    close() {
      client.destroy()
      server.close()
    },
  }
}

test('a response over HTTP/2 that fails half way ends with an error code', async () => {
  const { client, close } = await serve((_req, res) => {
    res.writeHead(200, { connection: 'close' })
    res.write('half', 'utf8', () => res.destroy())
  })
  const stream = client.request({ ':path': '/' })
  stream.on('error', () => {})
  stream.resume()
  await new Promise((resolve) => stream.once('close', resolve))
  assert.equal(stream.rstCode, constants.NGHTTP2_INTERNAL_ERROR)
  close()
})

test('bytes of a body over HTTP/2 are counted per stream', async () => {
  const counts: number[] = []
  const { client, close } = await serve((req, res) => {
    req.resume()
    req.once('end', () => {
      counts.push(req.bytesReceived)
      res.end('x'.repeat(10))
      res.once('close', () => counts.push(res.bytesSent))
    })
  })
  for (const body of ['abc', 'abcdef']) {
    const stream = client.request({ ':path': '/', ':method': 'POST' })
    stream.resume()
    stream.end(body)
    await once(stream, 'close')
  }
  assert.deepEqual(counts, [3, 10, 6, 10])
  close()
})

test('the lines of headers over HTTP/2 are those of HTTP/1, with the authority as the host', async () => {
  const seen: string[][] = []
  const { client, close } = await serve((req, res) => {
    seen.push(req.rawHeaders)
    res.end()
  })
  for (const headers of [
    { ':authority': 'a', 'x-b': 'c' },
    { ':authority': 'a', host: 'a' },
    { ':authority': 'a', host: 'other' },
    { host: 'alone' },
  ]) {
    const stream = client.request({ ':path': '/', ...headers })
    stream.resume()
    await once(stream, 'close')
  }
  assert.deepEqual(seen, [
    ['host', 'a', 'x-b', 'c'],
    ['host', 'a'],
    ['host', 'a', 'host', 'other'],
    ['host', 'alone'],
  ])
  close()
})
