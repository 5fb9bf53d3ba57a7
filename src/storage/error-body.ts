import type { AppError } from '#platform/errors.ts'
import { Named, Nullable } from '#platform/http/schema.ts'
import { Type } from '#platform/type/type.ts'

/** The messages that the contract gives for some statuses. What exactly was refused is the `reason`. */
const standardMessages: Record<number, string> = { 401: 'Unauthorized', 403: 'Forbidden', 404: 'Not found' }

export const errorSchema = Named('Error', {
  message: Type.String({
    description: 'For people. With 401, 403 and 404 always the name of the status: see `reason`.',
  }),
  error: Type.String({ description: 'The same as `message`.' }),
  reason: Nullable(
    Type.String({
      description: 'With 401, 403 and 404: which of several causes it was, where that may be told.',
      examples: ['No bucket with this id'],
    }),
  ),
  code: Type.String({ description: 'For programs.', examples: ['not_found'] }),
  details: Nullable(
    Type.Array(Type.Object({ field: Type.String(), reason: Type.String() }), {
      description: 'What is wrong with which field of the input.',
    }),
  ),
  requestId: Type.String({ description: 'The same as the header `X-Request-Id`.' }),
})

/** The body of an error, in both forms: Form S reads `message`, Form R `error`. */
export const errorBody = (refused: AppError, { id }: { id: string }) => {
  const message = standardMessages[refused.status] ?? refused.message
  return {
    message,
    error: message,
    reason: refused.message === message ? null : refused.message,
    code: refused.code,
    details: refused.details,
    requestId: id,
    ...refused.facts,
  }
}
