import { Duplex, Readable, type Writable } from 'node:stream'
import { releaseBuffer } from '#platform/release-buffer.ts'

/** Stores the bytes of one collection of blobs, in files or in S3. A blob is immutable and identified by its id alone. */
export type Engine = {
  /**
   * The bytes are durable when it returns; nothing is left behind if `chunks` throws. A chunk may be overwritten as soon
   * as the next one is asked for.
   */
  write(id: string, chunks: AsyncIterable<Buffer>): Promise<void>
  /** Like `write`, but copies a file, sharing its bytes if the file system can. */
  takeFile?(id: string, path: string): Promise<void>
  /** The bytes from `start` to `end`, both included. Throws `MissingBytes` if the blob does not have `size` bytes. */
  read(id: string, size: number, start: number, end: number): Promise<Readable>
  /** The whole blob, for small ones. */
  readWhole(id: string, size: number): Promise<Buffer>
  remove(id: string): Promise<void>
  /** Every blob, in no particular order. */
  list(): AsyncIterable<{ id: string; modifiedAt: Date }>
  /** Removes what dead processes left unfinished. */
  sweep(now: Date): Promise<void>
  /** A note in a store that several systems can reach: to which of them it belongs. */
  owner?: { read(): Promise<string | null>; write(id: string): Promise<void> }
  /**
   * The path of a blob below the engine's folder, for a web server in front of us that can send it. Throws
   * `MissingBytes` if the blob does not have `size` bytes.
   */
  locate?(id: string, size: number): Promise<string>
}

/** One chunk is written while the next is made. */
const writeInTurn = async (target: Writable, chunks: AsyncIterable<Buffer>) => {
  let written = Promise.resolve()
  const write = (chunk: Buffer) =>
    new Promise<void>((resolve, reject) => {
      target.write(chunk, (error) => (error ? reject(error) : resolve()))
    }).then(() => releaseBuffer(chunk))
  for await (const chunk of chunks) {
    await written
    written = write(chunk)
    written.catch(() => {})
  }
  await written
}

/**
 * A stream of chunks made from a source, which is closed with it: a reader may leave before the generator has begun.
 *
 * The memory of a chunk is freed as soon as `pipe` has written it. V8 would let 64 MiB of them gather first. What is to
 * be kept is marked with `keep`.
 */
export const derivedFrom = (source: Readable | null, chunks: AsyncIterable<Buffer>): Readable => {
  const stream = Readable.from(chunks, { objectMode: false }).once('close', () => source?.destroy())
  return Object.assign(stream, {
    pipe<T extends Writable>(target: T) {
      if (target instanceof Duplex) return Readable.prototype.pipe.call(stream, target) as T
      writeInTurn(target, chunks).then(
        () => {
          // Destroyed, the chunks end early.
          if (stream.destroyed) return
          target.end()
          stream.resume()
        },
        (error) => stream.destroy(error),
      )
      return target
    },
  })
}

const alone = async function* (bytes: Buffer) {
  yield bytes
}

/** Bytes that nobody else needs, as a stream. */
export const sentOnce = (bytes: Buffer) => derivedFrom(null, alone(bytes))

/** The engine lacks bytes that were stored. */
export class MissingBytes extends Error {
  override readonly name = 'MissingBytes'
}
