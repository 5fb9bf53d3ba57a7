import { once } from 'node:events'
import { request } from 'node:http'
import { crc32 } from 'node:zlib'
import { algorithmOf } from '#storage/checksums/algorithms.ts'
import type { Measure } from '../measure.ts'
import { compare, type Result } from '../measure.ts'
import { type Credentials, signedChunks, signedHeaders } from './signed.ts'

const MiB = 1024 * 1024
const size = 64 * MiB

const send = async (url: string, headers: Record<string, string>, body: Buffer) => {
  const upload = request(url, { method: 'PUT', headers: { ...headers, 'content-length': body.length } })
  const answered = once(upload, 'response')
  upload.end(body)
  const [answer] = await answered
  answer.resume()
  await once(answer, 'end')
  if (answer.statusCode >= 300) throw new Error(`upload: ${answer.statusCode}`)
}

/** One upload after the other, at least one. */
const uploadsPerSecond =
  (url: string, headers: Record<string, string>, body: Buffer): Measure =>
  async (seconds) => {
    const started = performance.now()
    const elapsed = () => (performance.now() - started) / 1000
    let uploads = 0
    do {
      await send(url, headers, body)
      uploads++
    } while (elapsed() < seconds)
    return uploads / elapsed()
  }

/** Uploads of 64 MiB in signed chunks and with a checksum, against those of the native API. */
export const largeWorkloads = async function* (
  credentials: Credentials,
  url: string,
  native: { url: string; headers: Record<string, string> },
): AsyncGenerator<Result> {
  const body = Buffer.alloc(size, 'large')
  const running = algorithmOf('CRC64NVME').start()
  running.update(body)
  const sign = (headers: Record<string, string>) =>
    signedHeaders(credentials, { url, method: 'PUT', headers })
  const streaming = 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD'
  const chunked = sign({
    'x-amz-content-sha256': streaming,
    'x-amz-decoded-content-length': String(size),
    'content-encoding': 'aws-chunked',
  })
  const summed = sign({
    'x-amz-content-sha256': 'UNSIGNED-PAYLOAD',
    'x-amz-checksum-crc64nvme': running.digest().toString('base64'),
  })
  const against = uploadsPerSecond(native.url, native.headers, body)
  for (const [name, subject] of [
    ['in signed chunks', uploadsPerSecond(url, chunked, signedChunks(credentials, chunked, body))],
    ['with CRC64NVME', uploadsPerSecond(url, summed, body)],
  ] as const)
    yield await compare({ name: `PUT 64 MiB ${name}`, limit: 'native PUT', subject, against }, 3, 4)
}

/** A body of so many MiB in chunks that are not signed, with a checksum behind it. */
export const streamedUpload = (credentials: Credentials, url: string, mebibytes: number) => {
  const chunk = Buffer.alloc(MiB, 'u')
  let sum = 0
  for (let n = 0; n < mebibytes; n++) sum = crc32(chunk, sum)
  const value = Buffer.alloc(4)
  value.writeUInt32BE(sum)
  const frame = Buffer.concat([Buffer.from(`${MiB.toString(16)}\r\n`), chunk, Buffer.from('\r\n')])
  const ending = Buffer.from(`0\r\nx-amz-checksum-crc32:${value.toString('base64')}\r\n\r\n`)
  const headers = signedHeaders(credentials, {
    url,
    method: 'PUT',
    headers: {
      'x-amz-content-sha256': 'STREAMING-UNSIGNED-PAYLOAD-TRAILER',
      'x-amz-decoded-content-length': String(mebibytes * MiB),
      'x-amz-trailer': 'x-amz-checksum-crc32',
      'content-encoding': 'aws-chunked',
    },
  })
  return { headers, frame, ending, length: mebibytes * frame.length + ending.length }
}
