import { createHash, randomBytes } from 'node:crypto'

/** A token for one use, such as a reset link: `token` goes into the link, `hash` into the database. */
export const newOneTimeToken = () => {
  const token = randomBytes(32).toString('base64url')
  return { token, hash: hashOneTimeToken(token) }
}

export const hashOneTimeToken = (token: string) => createHash('sha256').update(token).digest()
