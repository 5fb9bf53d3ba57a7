import { OperatorError } from '#platform/errors.ts'

/** Ends a command with a message for whoever typed it. */
export const refuse = (message: string): never => {
  throw new OperatorError(message)
}
