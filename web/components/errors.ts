import { TrivetError } from '#sdk/index.ts'

/** Somebody else has deleted it, or it never was. */
export const isNotFound = (error: unknown) => error instanceof TrivetError && error.status === 404

/** What people are told about an error. */
export const describeError = (error: unknown) => {
  if (!(error instanceof TrivetError)) {
    const message = error instanceof Error ? error.message : String(error)
    return { title: 'Something went wrong', message, requestId: null, isFault: true }
  }
  const { status, requestId } = error
  return { ...wordsFor(error), requestId, isFault: status >= 500 }
}

const wordsFor = ({ status, message }: TrivetError) => {
  if (status === 0)
    return {
      title: 'The server cannot be reached',
      message: 'Check your connection. The page goes on by itself when the server is back.',
    }
  if (status === 402)
    return {
      title: 'Your subscription has expired',
      message: 'Nothing can be read or changed until it is renewed. Ask the operator of this server.',
    }
  if (status === 403) return { title: 'You cannot do this', message }
  if (status === 404) return { title: 'Not found', message }
  if (status === 429) return { title: 'Too many requests', message: 'Wait a moment and try again.' }
  if (status >= 500)
    return {
      title: 'The server has a problem',
      message: `${message.replace(/\.$/, '')}. Try again in a moment.`,
    }
  return { title: 'That did not work', message }
}
