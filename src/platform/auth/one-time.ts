import { createHash, randomBytes } from 'node:crypto'

/** A token for one use (a reset link, a confirmation): the link carries `token`, the database `hash`. */
export const newOneTimeToken = () => {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOneTimeToken(token) }
}

export const hashOneTimeToken = (token: string) => createHash('sha256').update(token).digest()
