import { TrivetError } from '#sdk/index.ts'

/** What is wrong with a field, in the shape in which the API says it, so that forms show it in the same place. */
export const fieldProblem = (field: string, message: string) =>
  new TrivetError({
    status: 400,
    message,
    code: null,
    fields: [{ field, message }],
    requestId: null,
    body: null,
  })
