import { Readable } from 'node:stream'

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

/** A stream of chunks made from a source, which is closed with it: a reader may leave before the generator has begun. */
export const derivedFrom = (source: Readable, chunks: AsyncIterable<Buffer>) =>
  Readable.from(chunks, { objectMode: false }).once('close', () => source.destroy())

/** The engine lacks bytes that were stored. */
export class MissingBytes extends Error {
  override readonly name = 'MissingBytes'
}
