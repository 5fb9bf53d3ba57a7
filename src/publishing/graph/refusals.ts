import { forbidden, notFound } from '#platform/errors.ts'

export const userNotFound = () => notFound('User not found')

/** For each reason that the SQL functions of the graph give, the status and the words for the client. */
export const graphRefusals = {
  gone: () => userNotFound(),
  blocked: () => forbidden('You cannot follow this account'),
}
