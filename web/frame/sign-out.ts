import { TrivetError } from '#sdk/index.ts'

/** Ends a session on the server; one that has ended already is no error. */
export const endSession = async (end: () => Promise<unknown>) => {
  try {
    await end()
  } catch (error) {
    if (!(error instanceof TrivetError && error.status === 401)) throw error
  }
}
