import { argon2, randomBytes, timingSafeEqual } from 'node:crypto'
import { availableParallelism } from 'node:os'
import { limitConcurrency } from '#platform/limit-concurrency.ts'

export type Passwords = {
  hash(password: string): Promise<string>
  /** Pass `null` for an account that does not exist: returns false after the same work, so that timing reveals nothing. */
  verify(stored: string | null, password: string): Promise<boolean>
}

export type Cost = { memory: number; passes: number; parallelism: number }
type Stored = Cost & { salt: Buffer; hash: Buffer }

const current: Cost = { memory: 19456, passes: 2, parallelism: 1 }
const saltLength = 16
const hashLength = 32

// Hashing runs on libuv's pool of four threads, of which one stays free for file access.
const concurrencyFor = (workers: number) =>
  Math.max(1, Math.floor(Math.min(availableParallelism(), 3 * workers) / workers))

export const createPasswords = ({
  cost = current,
  workers = 1,
  concurrency = concurrencyFor(workers),
  maxWaiting = 200,
} = {}): Passwords => {
  // Each hash takes 19 MiB and a core.
  const queued = limitConcurrency(concurrency, { mostWaiting: maxWaiting })
  const dummy: Stored = { ...cost, salt: randomBytes(saltLength), hash: randomBytes(hashLength) }

  return {
    async hash(password) {
      const salt = randomBytes(saltLength)
      return format({
        ...cost,
        salt,
        hash: await queued(() => derive(password, cost, salt, hashLength)),
      })
    },
    async verify(stored, password) {
      const expected = stored === null ? dummy : parse(stored)
      const actual = await queued(() => derive(password, expected, expected.salt, expected.hash.length))
      return timingSafeEqual(actual, expected.hash) && stored !== null
    },
  }
}

const derive = (password: string, { memory, passes, parallelism }: Cost, nonce: Buffer, tagLength: number) =>
  new Promise<Buffer>((resolve, reject) => {
    const message = Buffer.from(password, 'utf8')
    argon2('argon2id', { message, nonce, memory, passes, parallelism, tagLength }, (error, hash) =>
      error ? reject(error) : resolve(hash),
    )
  })

const unpadded = (bytes: Buffer) => bytes.toString('base64').replace(/=+$/, '')

const format = ({ memory, passes, parallelism, salt, hash }: Stored) =>
  `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${unpadded(salt)}$${unpadded(hash)}`

const phc = /^\$argon2id\$v=19\$m=(\d+),t=(\d+),p=(\d+)\$([A-Za-z0-9+/]+)\$([A-Za-z0-9+/]+)$/

const parse = (stored: string): Stored => {
  const [, memory, passes, parallelism, salt, hash] = phc.exec(stored) ?? []
  if (!salt || !hash) throw new Error('A stored password hash is not in the argon2id format')
  return {
    memory: Number(memory),
    passes: Number(passes),
    parallelism: Number(parallelism),
    salt: Buffer.from(salt, 'base64'),
    hash: Buffer.from(hash, 'base64'),
  }
}
