import { Readable } from 'node:stream'

/** Where the bytes of larger blobs live. A blob is immutable and known by its id alone. */
export type Engine = {
  /** Durable once it returns; nothing is left behind when `chunks` throws. */
  write(id: string, chunks: AsyncIterable<Buffer>): Promise<void>
  /** Takes in a copy of a file, which shares its bytes where the file system can; otherwise like `write`. */
  takeFile?(id: string, path: string): Promise<void>
  /** The bytes from `start` to `end`, both included. Throws `MissingBytes` unless `size` bytes are there. */
  read(id: string, size: number, start: number, end: number): Promise<Readable>
  /** All of it at once, for blobs that fit into memory easily. */
  readWhole(id: string, size: number): Promise<Buffer>
  remove(id: string): Promise<void>
  /** Every blob there is, in no particular order. */
  list(): AsyncIterable<{ id: string; modifiedAt: Date }>
  /** Removes what writers that are no more have left unfinished. */
  sweep(now: Date): Promise<void>
  /** A note in the store that says whose it is, where several systems could reach it. */
  owner?: { read(): Promise<string | null>; write(id: string): Promise<void> }
  /**
   * Where a blob lies below the engine's folder, for a web server in front that can send it itself. Throws
   * `MissingBytes` unless `size` bytes are there.
   */
  locate?(id: string, size: number): Promise<string>
}

/** A stream of chunks made from a source, which is closed with it: a reader may leave before the generator has begun. */
export const derivedFrom = (source: Readable, chunks: AsyncIterable<Buffer>) =>
  Readable.from(chunks, { objectMode: false }).once('close', () => source.destroy())

/** The engine does not have the bytes that it was given. */
export class MissingBytes extends Error {
  override readonly name = 'MissingBytes'
}
