import type { Transport } from '#sdk/index.ts'
import { connectionLost } from './connection.ts'
import { isSignedIn, recheckSession, signInAgain } from './session.ts'

/** A fetch that notices when the server cannot be reached. For the requests about the session itself. */
export const watchedFetch = async (request: Request, send: Transport = fetch): Promise<Response> => {
  try {
    return await send(request)
  } catch (error) {
    if (!request.signal.aborted) void connectionLost()
    throw error
  }
}

/**
 * For all other requests. When the session has expired it waits until the user has signed in again, and lets the client
 * repeat the request: a refusal by a limit is what every client repeats, whatever the method. What is offered is not
 * refused, unless one's role has changed since.
 */
export const guardedFetch = async (request: Request, send: Transport = fetch): Promise<Response> => {
  const response = await watchedFetch(request, send)
  if (response.status === 403) void recheckSession()
  if (response.status !== 401 || !isSignedIn()) return response
  return (await signInAgain())
    ? new Response(null, { status: 429, headers: { 'retry-after': '0' } })
    : response
}
