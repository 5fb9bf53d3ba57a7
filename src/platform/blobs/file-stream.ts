import type { FileHandle } from 'node:fs/promises'
import { Duplex, Readable, type Writable } from 'node:stream'
import { MissingBytes } from './engine.ts'

const chunkBytes = 256 * 1024
const maxIdle = 64
const idle: Buffer[] = []

const take = () => idle.pop() ?? Buffer.allocUnsafeSlow(chunkBytes)
const giveBack = (buffer: Buffer) => {
  if (idle.length < maxIdle) idle.push(buffer)
}

const write = (target: Writable, bytes: Buffer) =>
  new Promise<void>((resolve, reject) => {
    target.write(bytes, (error) => (error ? reject(error) : resolve()))
  })

/**
 * The bytes of an open file from `start` to `end`, both included; closes the file at the end.
 *
 * `pipe` is overridden because large downloads spend half of their time on garbage collection if every chunk has a
 * buffer of its own. A `Readable` cannot know when a chunk it has pushed is no longer in use, but `pipe` writes to the
 * response itself and so is told: it alternates two buffers, and returns them to a pool. Every other consumer gets new
 * buffers: an iterator, and a transform, which has taken a chunk long before that has passed it.
 */
export const fileStream = (file: FileHandle, start: number, end: number): Readable => {
  let at = start
  const readInto = async (buffer: Buffer) => {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, end + 1 - at), at)
    if (bytesRead === 0) throw new MissingBytes(`a file ended at ${at} instead of ${end + 1} bytes`)
    at += bytesRead
    return buffer.subarray(0, bytesRead)
  }
  const pump = async (target: Writable) => {
    const buffers = [take(), take()] as const
    let written = Promise.resolve()
    for (let turn = 0; at <= end; turn++) {
      const bytes = await readInto(buffers[turn % 2] as Buffer)
      await written
      written = write(target, bytes)
      written.catch(() => {})
    }
    await written
    for (const buffer of buffers) giveBack(buffer)
  }

  const stream = new Readable({
    highWaterMark: chunkBytes,
    read() {
      if (at > end) return void this.push(null)
      readInto(Buffer.allocUnsafeSlow(chunkBytes)).then(
        (bytes) => this.push(bytes),
        (error) => this.destroy(error),
      )
    },
    destroy(error, done) {
      file.close().then(
        () => done(error),
        (failure) => done(error ?? failure),
      )
    },
  })
  return Object.assign(stream, {
    pipe<T extends Writable>(target: T) {
      if (target instanceof Duplex) return Readable.prototype.pipe.call(stream, target) as T
      pump(target).then(
        () => {
          target.end()
          stream.resume()
        },
        (error) => stream.destroy(error),
      )
      return target
    },
  })
}
