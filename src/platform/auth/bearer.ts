import { unauthorized } from '#platform/errors.ts'
import type { Tokens } from './tokens.ts'

type Account = { epoch: number }

/**
 * The account that the token in an `Authorization` header belongs to. Otherwise throws 401, and says why: who has a token
 * may know what became of it.
 */
export const accountByToken = async <Claims extends Account & { sub: string }, Found extends Account>(
  tokens: Tokens<Claims>,
  authorization: string,
  find: (id: string, claims: Claims) => Found | undefined | Promise<Found | undefined>,
): Promise<Found> => {
  const token =
    /^Bearer (\S+)$/i.exec(authorization)?.[1] ??
    unauthorized('Authorization must be the word Bearer, a space and a token')
  const claims = await tokens.verify(token)
  if (!claims)
    return unauthorized(
      (await tokens.hasExpired(token)) ? 'This token has expired: sign in again' : 'This token is not valid',
    )
  const account = await find(claims.sub, claims)
  return account && account.epoch === claims.epoch
    ? account
    : unauthorized('The session of this token has ended: sign in again')
}
