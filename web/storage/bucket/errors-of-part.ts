import { TrivetError } from '#sdk/index.ts'

/** Errors about one part of a list, such as `rules[2].prefix`, as errors about its fields. */
export const errorsOfPart = async <T>(
  list: string,
  request: Promise<T>,
  /** The name of a field in the form, where it has another one. */
  nameOf = (field: string) => field,
): Promise<T> => {
  try {
    return await request
  } catch (error) {
    if (!(error instanceof TrivetError)) throw error
    const { status, message, code, requestId, body } = error
    const part = new RegExp(`^${list}(?:\\[\\d+\\]|\\.\\d+)\\.`)
    const fields = error.fields.map((one) => ({ ...one, field: nameOf(one.field.replace(part, '')) }))
    throw new TrivetError({ status, message, code, fields, requestId, body, cause: error })
  }
}
